import type { ResourceFacts } from "../support/resource-facts";
import { workspaces } from "../support/workspaces";

const one = { stateVersionId: "sv-1" };

/** The backing data of a state version, which is its stored content. */
export const stateVersionBackingData: ResourceFacts = {
    type: "StateVersionBackingData",
    seed: { workspaces },
    id: "sv-1",
    full: { ...one, state: "softDeleted", deleteOlderThanNDays: 3 },
    edited: { state: "available" },
    rest: { state: "permanentlyDeleted", deleteOlderThanNDays: 5, allowPermanentDeletion: true },
    immutable: ["stateVersionId"],
    places: { path: ["stateVersionId"], ids: ["{}"] },
    faults: [
        {
            inputs: { stateVersionId: "sv-21", state: "softDeleted" },
            edited: { stateVersionId: "sv-21", state: "available" },
            mayLack: ["workspaceId", "serial"],
        },
        {
            variant: "deleted for good",
            inputs: { stateVersionId: "sv-21", state: "softDeleted" },
            edited: { stateVersionId: "sv-21", state: "permanentlyDeleted", allowPermanentDeletion: true },
            hidesEdit: true,
            mayLack: ["workspaceId", "serial"],
        },
    ],
    programs: [
        { stateVersionId: "sv-21", state: "softDeleted", deleteOlderThanNDays: 3 },
        { stateVersionId: "sv-21", state: "available" },
        { stateVersionId: "sv-21", state: "softDeleted" },
        { stateVersionId: "sv-21", state: "permanentlyDeleted", allowPermanentDeletion: true },
    ],
    sends: { create: "POST", refresh: "GET", update: "POST", delete: "" },
};
