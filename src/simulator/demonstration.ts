/** A seed for trials: a workspace whose newest state has lost four resources and gained two, and a plugin. */

import type { Seed } from "./seed";

/** The resources of each version, with the message of its run. */
const versions = [
    { message: "Serve the shop", names: ["web", "database"] },
    { message: "Add a cache", names: ["web", "database", "cache"] },
    { message: "Move slow work to a queue", names: ["web", "database", "cache", "queue", "worker"] },
    { message: "Add mail, remove unused servers", names: ["web", "mail", "search"] },
];

/** The objects of `npx pulumi-statecraft simulator` at its start. */
export const demonstration: Seed = {
    workspaces: [
        {
            id: "ws-1",
            name: "app",
            organization: "example",
            runs: versions.map(({ message }, index) => ({ id: `run-${index + 1}`, message, createdBy: "ann" })),
            stateVersions: versions.map(({ names }, index) => ({
                id: `sv-${index + 1}`,
                run: `run-${index + 1}`,
                createdAt: `2026-01-0${index + 5}T09:00:00Z`,
                state: {
                    version: 4,
                    tool_version: "1.9.0",
                    serial: index + 1,
                    lineage: "5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10",
                    outputs: {},
                    resources: names.map((name) => ({
                        mode: "managed",
                        type: "example_server",
                        name,
                        provider: 'provider["registry.example/example"]',
                        instances: [{ schema_version: 0, attributes: { id: `server-${name}` } }],
                    })),
                },
            })),
        },
    ],
    plugins: [
        {
            ...{ id: "disks", provider: "disks.example", version: "1.0.0" },
            ...{ controllerRequired: true, nodes: ["node-1", "node-2"], healthy: true },
        },
    ],
};
