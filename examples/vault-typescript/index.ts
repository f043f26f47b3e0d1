import * as statecraft from "pulumi-statecraft";

export const role = new statecraft.AuthRole("web", {
    name: "web",
    boundServicePrincipalIds: ["9a1f0c5e-0000-4000-8000-000000000003"],
    tokenPolicies: ["web"],
    tokenTtl: "1h",
}).id;
