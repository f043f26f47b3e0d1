/** The three actions of the self-hosted edition on what backs a version. */
import { section } from "../exchanges";
import { announce, attributes, locked, placeOf, rollBack, stateOf } from "./place";

const seed = {
    workspaces: [
        {
            ...{ id: "ws-1", name: "web", organization: "acme", locked },
            stateVersions: [1, 2, 3].map((serial) => ({ id: `sv-${serial}`, state: stateOf(serial) })),
        },
    ],
};
const place = placeOf(seed);
const act = (action: string, id = "sv-1") => `POST state-versions/${id}/actions/${action}_backing_data`;
const softDelete = (days: unknown) =>
    `${act("soft_delete")} ${JSON.stringify({ data: { attributes: { "delete-older-than-n-days": days } } })}`;
const becomes = (status: string, more: object = {}) => `200 ${attributes({ status, ...more })}`;
const softDeleted = "backing_data_soft_deleted";
const deleted = "backing_data_permanently_deleted";
const refused = (target: string, problem: string) =>
    `400 ${JSON.stringify({ errors: [{ status: "400", detail: `The state version cannot become ${target}: it ${problem}` }] })}`;
/** Reads fail, so the list tells. */
const isListed = (status: string) =>
    `GET state-versions?filter[organization][name]=acme&filter[workspace][name]=web
            -> 200 ${JSON.stringify({ data: [{}, {}, { id: "sv-1", attributes: { status } }] })}`;
const wait = (days: number) => `POST /simulator/clock {"advance": ${days * 86_400}} -> 204`;

section("State Versions, Soft-delete backing data", place)`
    200: status backing_data_soft_deleted, with the days; reads of the version fail
        ${softDelete(30)} -> ${becomes(softDeleted, { "delete-older-than-n-days": 30, "hosted-state-download-url": "<download>" })}
        ${["", "/download", "/outputs"].map((path) => `GET state-versions/sv-1${path} -> 404`)}
        GET <download> -> 404
    delete-older-than-n-days may be left out, and be any integer
        ${act("soft_delete", "sv-2")} -> ${becomes(softDeleted, { "delete-older-than-n-days": "<none>" })}
        ${softDelete("soon")} -> 400 {"errors": [{"detail": "delete-older-than-n-days is not an integer"}]}
        ${softDelete(-1)} -> 400
        ${softDelete(null)} -> ${becomes(softDeleted)}
        ${act("restore")} -> 200
        ${softDelete(Number.MAX_SAFE_INTEGER)} -> ${becomes(softDeleted, { "delete-older-than-n-days": Number.MAX_SAFE_INTEGER })}
        ${isListed(softDeleted)}
    only for finalized versions that are not the current version
        ${act("soft_delete", "sv-3")} -> ${refused("soft-deleted", "is the current state version")}
        ${act("soft_delete")} -> 200
        ${act("soft_delete")} -> ${refused("soft-deleted", "is backing_data_soft_deleted, not finalized")}
    it is permanently deleted after a set number of days, unless restored
        ${softDelete(2)} -> 200
        ${wait(1)}
        ${isListed(softDeleted)}
        ${wait(1)}
        ${isListed(deleted)}
        ${act("restore")} -> 400
    restored, it stays
        ${softDelete(2)} -> 200
        ${act("restore")} -> 200
        ${wait(3)}
        ${isListed("finalized")}
    it is not rolled back to
        ${act("soft_delete")} -> 200
        ${rollBack("sv-1")} -> 409
`;

section("State Versions, Restore backing data", place)`
    result state is finalized
        ${act("soft_delete")} -> 200
        ${act("restore")} -> ${becomes("finalized")}
        GET state-versions/sv-1/download -> 200 = ${stateOf(1)}
    from any state but permanently deleted, if there is content
        ${act("restore", "sv-2")} -> ${becomes("finalized")}
        ${announce(4)} -> 201 {"data": {"id": "<pending>"}}
        ${act("restore", "<pending>")} -> ${refused("finalized", "has no content")}
`;

section("State Versions, Permanently delete backing data", place)`
    200: status backing_data_permanently_deleted, and nothing after that
        ${act("soft_delete")} -> 200
        ${act("permanently_delete")} -> ${becomes(deleted)}
        ${act("soft_delete")} -> 400
        ${act("restore")} -> ${refused("finalized", "is backing_data_permanently_deleted")}
        ${act("permanently_delete")} -> 400
    only for versions in backing_data_soft_deleted
        ${act("permanently_delete")} -> ${refused("permanently deleted", "is finalized")}
`;

section("State Versions, Authentication 3: the self-hosted actions need organization owner permission", place)`
    404: not found or user not authorized
        ${["t-2", "t-read", "t-organization"].map((token) => `${act("soft_delete")} | authorization: Bearer ${token} -> 404`)}
        ${["soft_delete", "restore", "permanently_delete"].map((action) => `${act(action, "sv-9")} -> 404`)}
        ${act("soft_delete")} | authorization: Bearer t-team -> 200
`;
