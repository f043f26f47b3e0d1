import { demonstration } from "../../src/simulator/demonstration";
import { type Row, same } from "../support/endpoints";
import type { ResourceFacts } from "../support/resource-facts";
import { workspaces } from "../support/workspaces";

const backingData = (action: string, fields?: Row[2]): Row => [
    `POST /state-versions/:state_version_id/actions/${action}_backing_data`,
    "StateVersionBackingData",
    { response: same("data.attributes.", "StateVersionBackingData.", "status"), ...fields, isRepeatable: true },
];
const days = "delete-older-than-n-days";

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
    sends: { create: "POST GET", refresh: "GET", update: "POST GET", delete: "" },
    document: "State Versions",
    endpoints: [
        backingData("soft_delete", {
            request: same("data.attributes.", "StateVersionBackingData.", days),
            response: same("data.attributes.", "StateVersionBackingData.", `status ${days}`),
        }),
        backingData("restore"),
        backingData("permanently_delete"),
    ],
    life: {
        seed: demonstration,
        programs: [
            { ...one, state: "softDeleted", deleteOlderThanNDays: 3 },
            { ...one, state: "available" },
            { ...one, state: "softDeleted" },
            { ...one, state: "permanentlyDeleted", allowPermanentDeletion: true },
        ],
    },
};
