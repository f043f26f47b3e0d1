/** The server's objects that the examples of functions read. A new function adds the object of its example here, or to the demonstration. */

import { demonstration } from "../../src/simulator/demonstration";
import type { Seed } from "../../src/simulator/seed";
import { identityToken } from "./injector";

const audience = "https://management.azure.com/";

export const exampleSeed: Seed = {
    ...demonstration,
    loginConfigs: [{ fields: { tenant_id: "t", resource: audience } }],
    roles: [{ name: "web", fields: { bound_service_principal_ids: ["web"], token_policies: ["web"] } }],
    snapshotConfigs: [
        {
            name: "web",
            fields: { interval: "1h", storage_type: "local", path_prefix: "/var/snapshots", local_max_space: 1000 },
        },
    ],
    volumes: [{ ID: "data", Name: "data", ExternalID: "vol-0a1b", PluginID: "disks", Namespace: "default" }],
};

/** The token with which the example of `login` logs in. */
export const exampleJwt = identityToken({ aud: audience, oid: "web" });
