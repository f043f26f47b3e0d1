import type { ResourceFacts } from "../support/resource-facts";
import { plugins } from "./csi-volume";

/** A detachment of a volume. */
export const csiVolumeDetachment: ResourceFacts = {
    type: "CsiVolumeDetachment",
    seed: { plugins, volumes: [{ ID: "held", Name: "Held", ExternalID: "vol-1", PluginID: "disks" }] },
    id: "default/data/node-1",
    full: { volumeId: "data", node: "node-1", triggers: [] },
    edited: { triggers: [2] },
    rest: { namespace: "team", triggers: [1, { a: "b" }] },
    immutable: ["volumeId", "namespace", "node"],
    places: {
        path: ["volumeId"],
        elsewhere: ["namespace", "node"],
        ids: ["default/{}/node-1", "{}/data/node-1", "default/data/{}"],
    },
    faults: [
        {
            inputs: { volumeId: "held", node: "node-1" },
            edited: { volumeId: "held", node: "node-1", triggers: ["again"] },
            prepare: (simulator) =>
                simulator.control("POST", "/simulator/claims", { volume: "held", node: "node-1", status: "complete" }),
        },
    ],
    programs: [{ volumeId: "held", node: "node-1" }],
    sends: { create: "DELETE", refresh: "", update: "DELETE", delete: "" },
};
