/** Tests the simulator's state versions API, by the sections of the API document, and the locks of workspaces. */
import { createHash } from "node:crypto";
import { section } from "./exchanges";

const owner = { by: { type: "users" as const, id: "user-1" } };
const tokens = [
    { token: "t-1", kind: "user" as const, id: "user-1" },
    { token: "t-2", kind: "user" as const, id: "user-2", owner: false },
    { token: "t-read", kind: "user" as const, id: "user-3", access: "read" as const },
    { token: "t-none", kind: "user" as const, id: "user-4", access: "none" as const },
    { token: "t-organization", kind: "organization" as const, id: "acme" },
];
const provider = 'provider["registry.example/net"]';
const network = { mode: "managed", type: "network", name: "main", provider, instances: [{}, {}] };
const image = { ...network, mode: "data", type: "image", module: "module.inner", name: "base", instances: [{}] };
const outputs = { address: { value: "10.0.0.1", type: "string", sensitive: true } };

const stateOf = (serial: number, more: object = {}) => ({
    ...{ version: 4, tool_version: "1.6.2", serial, lineage: "11aa", outputs: {}, resources: [] },
    ...more,
});
const raw = (serial: number, more: object = {}) => JSON.stringify(stateOf(serial, more));
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** `ws-1` has three versions and is locked by `user-1`; `ws-2` is unlocked; two versions of `ws-3` are intermediate. */
const workspaces = [
    {
        ...{ id: "ws-1", name: "web", organization: "acme", locked: owner },
        stateVersions: [
            { id: "sv-1", state: stateOf(1), createdBy: "user-9", run: "run-7" },
            { id: "sv-2", state: stateOf(2, { outputs, resources: [network, image, { ...network, instances: [] }] }) },
            { id: "sv-3", state: stateOf(3) },
        ],
    },
    {
        ...{ id: "ws-2", name: "free", organization: "acme", autoApply: true },
        stateVersions: [{ id: "sv-free", state: stateOf(1), createdBy: "user-9", run: "run-1" }],
        runs: [
            { id: "run-1", message: "the first", createdBy: "user-8" },
            { id: "run-2", status: "planned", message: "the second", isDestroy: true, createdBy: "user-8" },
            { id: "run-3", status: "errored" },
        ],
    },
    {
        ...{ id: "ws-3", name: "half", organization: "acme", locked: owner },
        stateVersions: [
            { id: "sv-31", state: stateOf(1) },
            { id: "sv-32", state: stateOf(2), intermediate: true },
            { id: "sv-33", state: stateOf(3), intermediate: true },
        ],
    },
];
const place = {
    below: "/api/v2/",
    headers: { authorization: "Bearer t-1", "content-type": "application/vnd.api+json" },
    seed: { tokens, workspaces },
};
const post = (data: object, workspace = "ws-1") =>
    `POST workspaces/${workspace}/state-versions ${JSON.stringify({ data: { type: "state-versions", ...data } })}`;
/** Returns a request that creates a version with this raw state. */
const create = (serial: number, text = raw(serial), attributes: object = {}, workspace = "ws-1") => {
    const md5 = createHash("md5").update(text).digest("hex");
    return post({ attributes: { serial, md5, state: base64(text), ...attributes } }, workspace);
};
/** Returns a request that creates a version without its raw state, for a later upload. */
const announce = (serial: number, text?: string) => create(serial, text, { state: undefined });
const upload = (address: string, content: string) =>
    `PUT ${address} ${content} | authorization: | content-type: application/octet-stream`;
const rollBack = (id: string, workspace = "ws-1") => {
    const relationships = { "rollback-state-version": { data: { type: "state-versions", id } } };
    return post({ relationships }, workspace).replace("POST", "PATCH");
};
const attributes = (fields: object) => JSON.stringify({ data: { attributes: fields } });
const addresses =
    '{"data": {"id": "<id>", "attributes": {"hosted-state-upload-url": "<raw>", "hosted-json-state-upload-url": "<json>"}}}';
const isCurrent = (id: string) => `GET workspaces/ws-1/current-state-version -> 200 {"data": {"id": "${id}"}}`;
const reads = (id: string, fields: object) => `GET state-versions/${id} -> 200 ${attributes(fields)}`;
const detail = (text: string) => JSON.stringify({ errors: [{ detail: text }] });
const notFound = `404 ${detail("Resource not found, or user unauthorized to perform action")}`;
const as = (token: string) => `| authorization: Bearer ${token} ->`;

section("State Versions, Show a state version", place)`
    404: not found, no current version, or user not authorized, in the same words
        GET state-versions/sv-9 -> ${notFound}
        GET workspaces/ws-9/current-state-version -> ${notFound}
        ${["state-versions/sv-1", "workspaces/ws-1", "workspaces/ws-1/current-state-version"].map((path) => `GET ${path} ${as("t-none")} ${notFound}`)}
        GET state-versions/sv-1 ${as("stranger")} 401
`;

section("State Versions, List state versions", place)`
    both filters are required
        GET state-versions?filter[organization][name]=acme -> 400
        GET state-versions?filter[organization][name]=acme&filter%5Bworkspace%5D%5Bname%5D=other -> ${notFound}
    filter[status] lists the versions of one of three statuses
        ${announce(4)} -> 201 {"data": {"id": "<id>"}}
        GET state-versions?filter[organization][name]=acme&filter[workspace][name]=web&filter[status]=pending -> 200 {"data": [{"id": "<id>"}]}
        GET state-versions?filter[organization][name]=acme&filter[workspace][name]=web&filter[status]=uploaded -> 400
`;

section("State Versions, Create a state version", place)`
    with state: finalized, and the workspace's current version
        ${create(4)} -> 201 {"data": {"id": "<id>", "attributes": {"status": "finalized", "serial": 4, "hosted-state-upload-url": null,
            "hosted-state-download-url": "<download>"}, "relationships": {"created-by": {"data": {"id": "user-1"}}}}}
        ${isCurrent("<id>")}
        GET <download> | authorization: -> 200 ${stateOf(4)}
    hosted-json-state-download-url: only present from client tool version 1.3 on
        ${create(4, raw(4), { "json-state": base64("{}") })} -> 201 ${attributes({ "hosted-json-state-download-url": "~ /v1/object/" })}
        ${create(5, raw(5, { tool_version: "1.2.9" }), { "json-state": base64("{}") })} -> 201 ${attributes({ "hosted-json-state-download-url": "<none>" })}
    the workspace must be locked by the user making the request
        ${create(2, raw(2), {}, "ws-2")} -> 409 ${detail("This workspace is not locked and will only accept state uploads when locked")}
        ${create(4)} ${as("t-2")} 409 ${detail("This workspace is locked by User user-1")}
    workspace not found or unauthorized, in the same words
        ${create(4, raw(4), {}, "ws-9")} -> ${notFound}
        ${["t-read", "t-none", "t-organization"].map((token) => `${create(4)} ${as(token)} ${notFound}`)}
    malformed body: missing attributes, wrong types
        ${["{", "[]", "{}"].map((body) => `POST workspaces/ws-1/state-versions ${body} -> 422`)}
        ${[{ serial: null }, { serial: "4" }, { md5: null }, { lineage: 7 }, { state: "not base64!" }].map((wrong) => `${create(4, raw(4), wrong)} -> 422`)}
        ${create(4)} | content-type: application/json -> 415
        ${isCurrent("sv-3")}
    serial, md5 and lineage are those of the raw state
        ${create(5, raw(4))} -> 422 ${detail("serial 5 does not match the state's serial 4")}
        ${create(4, raw(4), { md5: "0123456789abcdef0123456789abcdef" })} -> 422 ${detail("md5 does not match the state")}
        ${create(4, raw(4), { lineage: "other" })} -> 422
        ${create(4, "{")} -> 422
    409: a version follows the current one
        ${create(2)} -> 409 ${detail("The serial provided in the state file is not greater than the serial currently known remotely")}
        ${create(3, raw(3, { outputs }))} -> 409 ${detail("The MD5 hash provided does not match what is currently known for the same serial number")}
        ${create(4, raw(4, { lineage: "other" }))} -> 409
`;

section("State Versions, Upload state and JSON state", place)`
    a version without state is pending, and its upload makes it final and current; the upload URL is valid once
        ${announce(4)} -> 201 ${addresses}
        ${reads("<id>", { status: "pending", size: 0 })}
        ${isCurrent("sv-3")}
        ${upload("<raw>", raw(4, { outputs }))} -> 422
        ${upload("<raw>", raw(4))} -> 200 ""
        ${reads("<id>", { status: "finalized", "hosted-state-upload-url": null, "tool-version": "", "resources-processed": false })}
        ${isCurrent("<id>")}
        ${reads("<id>", { "tool-version": "1.6.2", "resources-processed": true })}
        ${upload("<raw>", raw(4))} -> 404
        ${upload("<json>", "{}")} -> 200
        GET <json> | authorization: -> 200 {}
    discarded: superseded by a newer version before it was uploaded
        ${announce(4)} -> 201 ${addresses}
        ${create(5)} -> 201
        ${reads("<id>", { status: "discarded", "hosted-state-upload-url": null })}
        ${upload("<raw>", raw(4))} -> 404
`;

section("State Versions, Roll back to a previous state version", place)`
    the answer has no status and no run, and names the copied version
        ${rollBack("sv-1")} -> 201 {"data": {"attributes": {"status": "<none>"},
            "relationships": {"run": "<none>", "rollback-state-version": {"data": {"id": "sv-1", "type": "state-versions"}}}}}
    404: another workspace's version, a missing one, a missing workspace, a user not authorized
        ${["sv-free", "sv-9"].map((id) => `${rollBack(id)} -> 404`)}
        ${rollBack("sv-1", "ws-9")} -> 404
        ${["t-read", "t-none", "t-organization"].map((token) => `${rollBack("sv-1")} ${as(token)} 404`)}
        ${isCurrent("sv-3")}
    409: the workspace must be locked by the requesting user, and the version final
        ${rollBack("sv-free", "ws-2")} -> 409
        ${rollBack("sv-1")} ${as("t-2")} 409 ${detail("This workspace is locked by User user-1")}
        ${announce(4)} -> 201 {"data": {"id": "<id>"}}
        ${rollBack("<id>")} -> 409
    422: malformed body
        PATCH workspaces/ws-1/state-versions {"data": {"type": "state-versions"}} -> 422
`;

const action = (name: string, id = "sv-1") => `POST state-versions/${id}/actions/${name}_backing_data`;
const status = (name: string) => `200 ${attributes({ status: name })}`;

section("State Versions, Soft-delete, restore and permanently delete backing data", place)`
    soft-deleted: reads of the version fail until a restore
        ${action("soft_delete")} {"data": {"attributes": {"delete-older-than-n-days": 30}}}
            -> 200 ${attributes({ status: "backing_data_soft_deleted", "delete-older-than-n-days": 30 })}
        GET state-versions/sv-1 -> ${notFound}
        ${action("restore")} -> ${status("finalized")}
        ${reads("sv-1", { status: "finalized" })}
    restore: any state except permanently deleted becomes finalized
        ${announce(4)} -> 201 {"data": {"id": "<id>"}}
        ${action("restore", "<id>")} -> ${status("finalized")}
    400: the current version, or one in another state
        ${action("soft_delete", "sv-3")} -> 400
        ${action("permanently_delete")} -> 400
    400: a permanent deletion of a soft-deleted version that the unlock has made current
        ${action("soft_delete", "sv-33")} -> ${status("backing_data_soft_deleted")}
        POST workspaces/ws-3/actions/unlock -> 200
        ${action("permanently_delete", "sv-33")} -> 400
`;
