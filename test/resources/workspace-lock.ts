import type { ResourceFacts } from "../support/resource-facts";
import { workspaces } from "../support/workspaces";

const freeze = { workspaceId: "ws-1", reason: "deploy freeze" };

/** The lock of a workspace. */
export const workspaceLock: ResourceFacts = {
    type: "WorkspaceLock",
    seed: { workspaces },
    id: "ws-1",
    full: freeze,
    edited: { reason: "incident 7" },
    rest: { adopt: true },
    immutable: ["workspaceId", "reason"],
    places: { path: ["workspaceId"], ids: ["{}"] },
    sends: { create: "GET POST", refresh: "GET", update: "GET POST GET POST", delete: "GET POST" },
};
