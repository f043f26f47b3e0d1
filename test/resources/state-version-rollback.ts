import type { ResourceFacts } from "../support/resource-facts";
import { lockByHand, workspaceOf, workspaces } from "../support/workspaces";

// Reads the current and the wanted version, both states, and the lock; locks; reads the current version again; rolls back; reads the new version; unlocks; reads the current version again.
const rolledBack = "GET GET GET GET GET POST GET PATCH GET GET POST GET";

/** A rollback of a workspace. */
export const stateVersionRollback: ResourceFacts = {
    type: "StateVersionRollback",
    seed: { workspaces },
    id: "ws-1",
    full: {
        workspaceId: "ws-1",
        stateVersionId: "sv-0",
        lock: { reason: "x" },
        onDelete: "restore",
        waitForProcessing: 3,
    },
    edited: { triggers: [2] },
    rest: {
        ...{ stateVersionId: "sv-1", triggers: [1, { a: "b" }], keepLocked: true, enforce: true },
        ...{ only: ["server.a", "server.b"], except: ["server.b"], distinct: ["server.a"], upload: false },
    },
    immutable: ["workspaceId"],
    places: { path: ["workspaceId", "stateVersionId"], ids: ["{}"] },
    // If a failed run has already rolled back, the next `up` cannot know which version was current before, so its outputs lack that version.
    faults: [
        {
            inputs: { workspaceId: "ws-1", stateVersionId: "sv-11", lock: true, onDelete: "restore" },
            edited: { workspaceId: "ws-1", stateVersionId: "sv-12", lock: true },
            mayLack: ["previousStateVersionId", "rolledBackFrom"],
        },
        {
            variant: "under a lock by hand",
            inputs: { workspaceId: "ws-1", stateVersionId: "sv-11", lock: false, onDelete: "restore" },
            edited: { workspaceId: "ws-1", stateVersionId: "sv-12", lock: false },
            mayLack: ["previousStateVersionId", "rolledBackFrom"],
            prepare: lockByHand,
        },
        {
            variant: "of a part",
            inputs: { workspaceId: "ws-1", stateVersionId: "sv-11", only: ["server.a"], onDelete: "restore" },
            edited: { workspaceId: "ws-1", stateVersionId: "sv-12", only: ["server.b"], onDelete: "restore" },
            mayLack: ["previousStateVersionId", "rolledBackFrom"],
        },
        {
            variant: "by an upload",
            inputs: { workspaceId: "ws-1", stateVersionId: "sv-11", upload: true, onDelete: "restore" },
            edited: { workspaceId: "ws-1", stateVersionId: "sv-12", upload: true, onDelete: "restore" },
            mayLack: ["previousStateVersionId", "rolledBackFrom"],
        },
    ],
    copies: [{}, { only: ["server.a"] }, { upload: true }].map((way) => (key) => {
        const workspace = workspaceOf(key);
        const [older, old] = workspace.stateVersions.map(({ id }) => id);
        const rollback = { workspaceId: key, lock: true, onDelete: "restore", ...way };
        return {
            inputs: { ...rollback, stateVersionId: old },
            edited: { ...rollback, stateVersionId: older },
            seed: { workspaces: [workspace] },
        };
    }),
    programs: [
        { workspaceId: "ws-1", stateVersionId: "sv-11", lock: true },
        { workspaceId: "ws-1", stateVersionId: "sv-11", only: ["server.a"] },
        { workspaceId: "ws-1", stateVersionId: "sv-11", upload: true },
    ],
    sends: { create: rolledBack, refresh: "GET", update: rolledBack, delete: "GET" },
};
