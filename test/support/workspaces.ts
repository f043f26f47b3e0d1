/** Terraform states, and workspaces with versions of them. */

import { canaryToken, planted } from "./canaries";
import type { Simulator } from "./simulator";

const resource = (name: string, size?: number) => ({
    mode: "managed",
    type: "server",
    name,
    provider: "example",
    instances: [{ attributes: { id: name, ...(size !== undefined && { size }) } }],
});
/** The lineage of every state, which is that of the demonstration. */
export const lineage = "5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10";

/** A Terraform state with servers of these names, and a secret output. */
export const stateOf = (serial: number, ...names: string[]) => ({
    version: 4,
    tool_version: "1.9.0",
    serial,
    lineage,
    outputs: { password: { value: planted.state, type: "string", sensitive: true } },
    resources: names.map((name) => resource(name)),
});

/** Three workspaces: resources roll back `ws-1`, and may change the others only where a test says so. */
export const workspaces = ["app", "retired", "neighbour"].map((name, number) => ({
    id: `ws-${number + 1}`,
    name,
    organization: "example",
    stateVersions: [
        { id: `sv-${number + 1}1`, state: stateOf(1, "a") },
        { id: `sv-${number + 1}2`, state: stateOf(2, "a", "b") },
        { id: `sv-${number + 1}3`, state: stateOf(3) },
    ],
}));

/** A workspace with three versions, of which the last has no resources. Each has the same resources with other attributes. */
export const workspaceOf = (key: string) => ({
    id: key,
    name: key,
    organization: "example",
    stateVersions: [["a"], ["a", "b", "c", "d"], []].map((names, index) => ({
        id: `sv-${key}-${index}`,
        state: { ...stateOf(index + 1), resources: names.map((name) => resource(name, index)) },
    })),
});

/** Locks workspace `ws-1` as a user would. */
export const lockByHand = (simulator: Simulator) =>
    simulator.outside("POST", "/api/v2/workspaces/ws-1/actions/lock", {}, { authorization: `Bearer ${canaryToken}` });
