/** Creating state versions, and uploading their content. */
import { section } from "../exchanges";
import {
    addresses,
    announce,
    attributes,
    base64,
    create,
    isCurrent,
    locked,
    placeOf,
    raw,
    reads,
    stateOf,
    upload,
} from "./place";

/** `ws-1` is locked by user-1 and holds serials 5 and 6, `ws-2` is free, `ws-3` is locked and empty. */
const place = placeOf({
    workspaces: [
        {
            ...{ id: "ws-1", name: "web", organization: "acme", locked },
            stateVersions: [5, 6].map((serial) => ({ id: `sv-${serial}`, state: stateOf(serial) })),
        },
        { id: "ws-2", name: "free", organization: "acme", stateVersions: [{ id: "sv-free", state: stateOf(1) }] },
        { id: "ws-3", name: "new", organization: "acme", locked },
    ],
});
const md5 = "0123456789abcdef0123456789abcdef";
const document = (data: object) => JSON.stringify({ data });
const malformed = (fields: object, relationships?: object) =>
    document({ type: "state-versions", attributes: { serial: 7, md5, ...fields }, relationships });
const changed = raw(6, { outputs: { b: { value: 2 } } });
const json = '{"values":{}}';
const detail = (text: string) => JSON.stringify({ errors: [{ detail: text }] });
const post = "POST workspaces/ws-1/state-versions";

section("State Versions, Create a state version", place)`
    with state: finalized, and the workspace's current version
        ${create(7)} -> 201 ${{
            data: {
                id: "<id>",
                attributes: {
                    ...{ status: "finalized", serial: 7, "hosted-state-upload-url": null },
                    ...{ "hosted-json-state-upload-url": null, "hosted-state-download-url": "<download>" },
                },
                relationships: { "created-by": { data: { id: "user-1", type: "users" } } },
            },
        }} | content-type: application/vnd.api+json
        ${isCurrent("<id>")}
        ${reads("<id>", { size: raw(7).length })}
        GET <download> | authorization: -> 200 ~ ^\{"version":4,"tool_version":"1.6.2","serial":7,.*\}$
    the first version of a workspace may name its run
        ${create(0, raw(0), {}, "ws-3").replace('"attributes"', '"relationships":{"run":{"data":{"type":"runs","id":"run-1"}}},"attributes"')}
            -> 201 {"data": {"id": "<id>", "relationships": {"run": {"data": {"id": "run-1", "type": "runs"}}}}}
        ${isCurrent("<id>", "ws-3")}
    json-state-outputs: workspace outputs populate immediately
        ${create(7, raw(7), { "json-state-outputs": base64('{"a":{},"b":{}}') })}
            -> 201 {"data": {"attributes": {"resources-processed": false}, "relationships": {"outputs": {"data": [{}, {}]}}}}
    hosted-json-state-download-url: only present from client tool version 1.3 on
        ${create(7, raw(7), { "json-state": base64(json) })} -> 201 ${attributes({ "hosted-json-state-download-url": "<new>" })}
        GET <new> -> 200 ${json}
        ${create(8, raw(8, { tool_version: "1.3.0" }), { "json-state": base64(json) })}
            -> 201 ${attributes({ "hosted-json-state-download-url": "<first>" })}
        ${create(9, raw(9, { tool_version: "2.0.0" }), { "json-state": base64(json) })}
            -> 201 ${attributes({ "hosted-json-state-download-url": "<later>" })}
        ${create(10, raw(10, { tool_version: "1.2.9" }), { "json-state": base64(json) })}
            -> 201 ${attributes({ "hosted-json-state-download-url": "<none>" })}
    the workspace must be locked by the user making the request
        ${create(2, raw(2), {}, "ws-2")} -> 409 ${detail("This workspace is not locked and will only accept state uploads when locked")}
        ${create(7)} | authorization: Bearer t-2 -> 409 ${detail("This workspace is locked by User user-1")}
        ${create(7)} | authorization: Bearer t-team -> 409
    workspace not found or unauthorized, in the same words
        ${create(7, raw(7), {}, "ws-9")} -> 404 ~ ^(?<body>.*Resource not found, or user unauthorized to perform action.*)$
        ${["t-read", "t-none", "t-organization"].map(
            (token) =>
                `${create(7)} | authorization: Bearer ${token} -> 404 ${detail("Resource not found, or user unauthorized to perform action")}`,
        )}
    malformed body: missing attributes, wrong types
        ${post} { -> 422 {"errors": [{"status": "422"}]}
        ${post} [] -> 422
        ${post} {} -> 422 ${detail("required parameter missing: data")}
        ${post} ${document({ type: "workspaces", attributes: { serial: 7, md5 } })} -> 422 ${detail("data.type must be state-versions")}
        ${post} ${document({ type: "state-versions" })} -> 422 ${detail("required parameter missing: serial")}
        ${post} ${malformed({ serial: null })} -> 422
        ${post} ${malformed({ md5: null })} -> 422 ${detail("required parameter missing: md5")}
        ${post} ${malformed({ serial: "7" })} -> 422 ${detail("serial is not an integer")}
        ${post} ${malformed({ serial: 1.5 })} -> 422
        ${post} ${malformed({ md5: 7 })} -> 422 ${detail("md5 is not a string")}
        ${post} ${malformed({ lineage: 7 })} -> 422 ${detail("lineage is not a string")}
        ${post} ${malformed({ state: 7 })} -> 422 ${detail("state is not base64")}
        ${post} ${malformed({}, { run: { data: { id: "run-1" } } })} -> 422 ${detail("run must name one of runs by type and id")}
        ${create(7, raw(7), { "json-state-outputs": base64("[]") })} -> 422 ${detail("json-state-outputs is not a JSON object")}
        ${create(7, raw(7), { state: "abc" })} -> 422
        ${create(7, raw(7), { state: "not base64!!" })} -> 422
        ${isCurrent("sv-6")}
    line breaks may part the base64
        ${create(7, raw(7), { state: base64(raw(7)).replace(/.{60}/g, "$&\r\n") })} -> 201
    a state must be one
        ${create(7, "{")} -> 422 ${detail("state is not JSON")}
        ${create(7, "[]")} -> 422 ${detail("state is not a JSON object")}
        ${create(7, "{}")} -> 422 ${detail("state holds no integer version")}
        ${create(7, '{"version":4}')} -> 422 ${detail("state holds no integer serial")}
    serial, md5 and lineage must be those of the raw state
        ${create(8, raw(7))} -> 422 ${detail("serial 8 does not match the state's serial 7")}
        ${create(7, raw(7), { md5 })} -> 422 ${detail("md5 does not match the state")}
        ${create(7, raw(7), { lineage: "other" })} -> 422 ${detail("lineage does not match the state's lineage")}
        ${create(7, raw(7), { lineage: "11aa" })} -> 201
    conflict: what does not follow the current version
        ${create(5)} -> 409 ${detail("The serial provided in the state file is not greater than the serial currently known remotely")}
        ${create(6, changed)} -> 409 ${detail("The MD5 hash provided does not match what is currently known for the same serial number")}
        ${create(7, raw(7, { lineage: "22bb" }))}
            -> 409 ${detail("The lineage provided in the state file does not match the lineage currently known remotely")}
        ${create(7, raw(7), { lineage: "22bb", state: undefined })} -> 409
        ${create(7, raw(7, { lineage: undefined }))} -> 201
    the same content with the same serial is another version
        ${create(7)} -> 201 {"data": {"id": "<one>"}}
        ${create(7)} -> 201 {"data": {"id": "<other>"}}
    requests with a body carry Content-Type: application/vnd.api+json
        ${create(7)} | content-type: application/json -> 415
        ${create(7)} | content-type: text/plain -> 415
        ${create(7)} | content-type: application/vnd.api+json; charset=utf-8 -> 201
    requests carry Authorization
        ${create(7)} | authorization: -> 401 {"errors": [{"status": "401"}]}
`;

section("State Versions, Upload state and JSON state", place)`
    state omitted: pending, with upload addresses, and not current
        ${announce(7)} -> 201 ${attributes({
            ...{ status: "pending", size: 0, "state-version": 0, "resources-processed": false },
            ...{ "hosted-state-upload-url": "~ ^http://127.0.0.1:\\d+/v1/object/object-[0-9a-f]{16}$" },
            ...{ "hosted-json-state-upload-url": "~ ^http://127.0.0.1:\\d+/v1/object/object-[0-9a-f]{16}$" },
        })}
        ${isCurrent("sv-6")}
    content once: finalized and current, the address is hidden; it is used without Authorization
        ${announce(7)} -> 201 ${addresses(1)}
        ${upload("<raw1>", raw(7))} -> 200 ""
        ${reads("<id1>", { status: "finalized", "hosted-state-upload-url": null, size: raw(7).length })}
        ${isCurrent("<id1>")}
        ${upload("<raw1>", raw(7))} -> 404
    JSON state once, after the raw one or before it
        ${announce(7)} -> 201 ${addresses(1)}
        ${upload("<raw1>", raw(7))} -> 200
        ${upload("<json1>", json)} -> 200
        ${upload("<json1>", "{}")} -> 404
        ${reads("<id1>", { "hosted-json-state-upload-url": null, "hosted-json-state-download-url": "<download1>" })}
        GET <download1> -> 200 ${json}
        ${announce(8)} -> 201 ${addresses(2)}
        ${upload("<json2>", json)} -> 200
        ${upload("<raw2>", raw(8))} -> 200
        ${reads("<id2>", { "hosted-json-state-upload-url": null, "hosted-json-state-download-url": "<download2>" })}
    JSON state that came with the announcement leaves nothing to upload
        ${create(7, raw(7), { state: undefined, "json-state": base64(json) })} -> 201 ${attributes({ "hosted-json-state-upload-url": null })}
    other content than announced is refused, and the version waits on
        ${announce(7)} -> 201 ${addresses(1)}
        ${["garbage", raw(8), raw(7, { outputs: { x: {} } })].map((content) => `${upload("<raw1>", content)} -> 422`)}
        ${reads("<id1>", { status: "pending" })}
        ${upload("<raw1>", raw(7))} -> 200
    an object that is not there
        ${upload("/v1/object/none", "x")} -> 404 object not found
        GET /v1/object/none -> 404 object not found
    the content of a pending version is empty
        ${announce(7)} -> 201 {"data": {"id": "<id>", "attributes": {"hosted-state-download-url": "<download>"}}}
        GET state-versions/<id>/download -> 200 ""
        GET <download> -> 200 ""
`;

const list = (status: string, ...serials: number[]) =>
    `GET state-versions?filter[organization][name]=acme&filter[workspace][name]=web&filter[status]=${status}
            -> 200 ${JSON.stringify({ data: serials.map((serial) => ({ attributes: { serial } })) })}`;

section("State Versions, States and transitions: discarded, superseded before it was uploaded", place)`
    a newer version with content discards a pending one
        ${announce(7)} -> 201 ${addresses(1)}
        ${create(8)} -> 201 {"data": {"id": "<newer>"}}
        ${reads("<id1>", { status: "discarded", "hosted-state-upload-url": null, "hosted-json-state-upload-url": null })}
        ${upload("<raw1>", raw(7))} -> 404
        ${isCurrent("<newer>")}
    a newer one that is pending itself discards nothing, nor does an older one
        ${announce(7)} -> 201 ${addresses(1)}
        ${announce(8)} -> 201 ${addresses(2)}
        ${reads("<id1>", { status: "pending" })}
        ${upload("<raw1>", raw(7))} -> 200
        ${reads("<id2>", { status: "pending" })}
        ${upload("<raw2>", raw(8))} -> 200
        ${reads("<id1>", { status: "finalized" })}
        ${isCurrent("<id2>")}
    versions of another workspace stay
        ${create(0, raw(0), { state: undefined }, "ws-3")} -> 201 {"data": {"id": "<other>"}}
        ${create(7)} -> 201
        ${reads("<other>", { status: "pending" })}
    filter[status]: pending, finalized or discarded
        ${announce(7)} -> 201
        ${create(8)} -> 201
        ${announce(9)} -> 201
        ${list("pending", 9)}
        ${list("discarded", 7)}
        ${list("pending,discarded", 9, 7)}
        ${list("finalized", 8, 6, 5)}
        ${list("", 9, 8, 7, 6, 5)}
`;
