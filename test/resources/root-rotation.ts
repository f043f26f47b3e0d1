import type { ResourceFacts } from "../support/resource-facts";

/** A rotation of the root secret. */
export const rootRotation: ResourceFacts = {
    type: "RootRotation",
    // Two configurations: tests rotate the secret of one, and the other must not change.
    seed: {
        mounts: ["azure", "edge", "rotated"],
        loginConfigs: ["rotated", "edge"].map((mount) => ({
            mount,
            fields: { tenant_id: "tenant-1", resource: "https://secrets.example/", client_secret: "first" },
        })),
    },
    id: "auth/azure/rotate-root",
    full: { triggers: [1] },
    edited: { triggers: [2] },
    rest: { mount: "azure", namespace: "team", triggers: [1, { a: "b" }] },
    immutable: ["mount", "namespace"],
    places: { path: ["mount"], elsewhere: ["namespace"], ids: ["auth/{}/rotate-root", "{}@auth/azure/rotate-root"] },
    faults: [
        {
            inputs: { mount: "rotated" },
            edited: { mount: "rotated", triggers: ["again"] },
        },
    ],
    programs: [{ mount: "rotated" }],
    sends: { create: "POST", refresh: "", update: "POST", delete: "" },
};
