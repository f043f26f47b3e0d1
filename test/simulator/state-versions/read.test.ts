/** Reading state versions, workspaces and accounts. */
import { section } from "../exchanges";
import { attributes, create, placeOf, raw, stateOf } from "./place";

const provider = 'provider["registry.example/net"]';
const network = { mode: "managed", type: "network", name: "main", provider, instances: [{}, {}] };
const node = { ...network, module: "module.inner", type: "node", name: "worker", instances: [{}] };
const image = { ...network, mode: "data", type: "image", name: "base", instances: [{}] };
const commit = { sha: "abc", url: "https://code.example/abc" };
const web = {
    ...{ id: "ws-1", name: "web", organization: "acme" },
    stateVersions: [
        { id: "sv-1", state: stateOf(1), createdBy: "user-9", run: "run-7", vcsCommit: commit },
        { id: "sv-2", state: stateOf(2), createdAt: "2024-05-01T10:00:00.000Z" },
        {
            id: "sv-3",
            state: stateOf(3, {
                outputs: { address: { value: "10.0.0.1", type: "string", sensitive: true } },
                resources: [network, node, image, { ...node, name: "none", instances: [] }],
            }),
        },
    ],
};
const run = { by: { type: "runs" as const, id: "run-9" }, reason: "applying" };
const empty = { id: "ws-2", name: "empty", organization: "acme", locked: run };
const long = {
    ...{ id: "ws-3", name: "long", organization: "acme" },
    stateVersions: Array.from({ length: 45 }, (_, index) => ({ id: `long-${index}`, state: stateOf(index) })),
};
const place = placeOf({ workspaces: [web, empty] });
const notFound =
    '404 {"errors": [{"status": "404", "title": "not found", "detail": "Resource not found, or user unauthorized to perform action"}]}';

section("State Versions, Show a state version", place)`
    200: the record has id, type, attributes, relationships and links
        GET state-versions/sv-3 -> 200 {"data": ${{
            ...{ id: "sv-3", type: "state-versions", "links=": { self: "/api/v2/state-versions/sv-3" } },
            attributes: {
                ...{ status: "finalized", intermediate: false, serial: 3, "state-version": 4, "tool-version": "1.6.2" },
                ...{ "resources-processed": true, "hosted-state-upload-url": null, "vcs-commit-sha": "<none>" },
                ...{ "hosted-json-state-upload-url": null, "hosted-json-state-download-url": "<none>" },
                "resources=": [
                    { name: "main", type: "network", count: 2, module: "root", provider },
                    { name: "worker", type: "node", count: 1, module: "module.inner", provider },
                    { name: "base", type: "data.image", count: 1, module: "root", provider },
                ],
                "modules=": { root: { network: 2, "data.image": 1 }, "module.inner": { node: 1 } },
                "providers=": { [provider]: { network: 2, node: 1, "data.image": 1 } },
            },
            "relationships=": {
                workspace: { data: { id: "ws-1", type: "workspaces" } },
                outputs: { data: [{ id: "~ ^wsout-[0-9a-f]{16}$", type: "state-version-outputs" }] },
            },
        }}} | content-type: application/vnd.api+json
    run, created-by and commit show where there is one
        GET state-versions/sv-1 -> 200 {"data": ${{
            attributes: { "vcs-commit-sha": commit.sha, "vcs-commit-url": commit.url },
            relationships: {
                "run=": { data: { id: "run-7", type: "runs" } },
                "created-by=": {
                    data: { id: "user-9", type: "users" },
                    links: { self: "/api/v2/users/user-9", related: "/api/v2/state-versions/sv-1/created-by" },
                },
            },
        }}}
    hosted-state-download-url: the raw state, without a token; the version's own address needs one
        GET state-versions/sv-2 -> 200 ${attributes({
            "hosted-state-download-url": "<download>",
            size: JSON.stringify(stateOf(2), null, 2).length + 1,
        })}
        GET <download> | authorization: -> 200 = ${stateOf(2)} | content-type: application/octet-stream
        GET state-versions/sv-2/download -> 200 = ${stateOf(2)}
        GET state-versions/sv-2/download | authorization: -> 401
        GET state-versions/sv-9/download -> 404
    404: not found, in a document
        ${["state-versions/sv-9", "state-versions/constructor", "workspaces/ws-9", "workspaces/__proto__"].map(
            (path) => `GET ${path} -> ${notFound} | content-type: application/vnd.api+json`,
        )}
    what has no route says so
        POST state-versions/sv-1/actions/forget {} -> 501
`;

section("State Versions, Fetch the current state version", place)`
    200: the workspace's current version, here the last one of the seed
        GET workspaces/ws-1/current-state-version -> 200 {"data": {"id": "sv-3"}}
    404: workspace has no current state version, or is not found
        GET workspaces/ws-2/current-state-version -> ${notFound}
        GET workspaces/ws-9/current-state-version -> ${notFound}
`;

const list = (name: string, query = "") =>
    `GET state-versions?filter%5Borganization%5D%5Bname%5D=acme&filter%5Bworkspace%5D%5Bname%5D=${name}${query}`;
const ids = (...names: string[]) => JSON.stringify({ data: names.map((id) => ({ id })) });
const createdAt = "2024-05-01T10:00:00.000Z";
const same = {
    ...{ id: "ws-4", name: "same", organization: "acme" },
    stateVersions: [1, 2].map((serial) => ({ id: `same-${serial}`, state: stateOf(serial), createdAt })),
};

section("State Versions, List state versions", place)`
    the newest by created-at comes first, whatever the serial
        ${list("web")} -> 200 ${ids("sv-3", "sv-1", "sv-2")}
    of two with the same time the later one comes first
        POST /simulator/seed ${{ workspaces: [same] }} | content-type: -> 204
        ${list("same")} -> 200 ${ids("same-2", "same-1")}
    brackets in parameter names may be percent-encoded or not; both filters are required
        GET state-versions?filter[organization][name]=acme&filter[workspace][name]=web -> 200 ${ids("sv-3", "sv-1", "sv-2")}
        GET state-versions?filter[workspace][name]=web -> 400 {"errors": [{"detail": "filter[organization][name] is empty"}]}
        GET state-versions?filter[organization][name]=acme -> 400 {"errors": [{"detail": "filter[workspace][name] is empty"}]}
    an unknown workspace or organization is 404
        ${list("none")} -> 404
        GET state-versions?filter[organization][name]=other&filter[workspace][name]=web -> 404
    filter[status]: one or several of the document's three
        ${list("web", "&filter[status]=finalized")} -> 200 ${ids("sv-3", "sv-1", "sv-2")}
        ${list("web", "&filter[status]=pending,finalized")} -> 200 ${ids("sv-3", "sv-1", "sv-2")}
        ${list("web", "&filter[status]=pending,discarded")} -> 200 ${ids()}
        ${list("web", "&filter[status]=uploaded")} -> 400
    a workspace without versions has one empty page
        ${list("empty")} -> 200 {"data": [], "meta": {"pagination": {"total-count": 0, "total-pages": 0}}, "links": {"next": null, "last": "~ number%5D=1&"}}
`;

const pagination = { "page-size": 20, "total-pages": 3, "total-count": 45 };
const page = (number: number, first: string, links: object) =>
    JSON.stringify({ data: Array.from({ length: number < 3 ? 20 : 5 }, (_, at) => (at ? {} : { id: first })), links });

section("State Versions, List state versions: pages", placeOf({ workspaces: [long] }))`
    page[size]: 20 when omitted, with links and numbers
        ${list("long")} -> 200 {"meta": {"pagination=": ${{ ...pagination, "current-page": 1, "prev-page": null, "next-page": 2 }}}}
        ${list("long")} -> 200 ${page(1, "long-44", { self: "<one>", first: "<one>", prev: null, next: "<two>" })}
        GET <two> -> 200 ${page(2, "long-24", { self: "<two>", first: "<one>", prev: "<one>", last: "<three>" })}
        GET <two> -> 200 {"meta": {"pagination=": ${{ ...pagination, "current-page": 2, "prev-page": 1, "next-page": 3 }}}}
        GET <three> -> 200 ${page(3, "long-4", { self: "<three>", next: null, last: "<three>" })}
    page[size] goes up to a hundred, and is the default for zero and less
        ${[
            [7, 7],
            [500, 100],
            [0, 20],
            [-3, 20],
        ].map(
            ([size, shown]) =>
                `${list("long", `&page[size]=${size}`)} -> 200 {"meta": {"pagination": {"page-size": ${shown}}}}`,
        )}
        ${list("long", "&page[size]=x")} -> 400
        ${list("long", "&page[number]=1.5")} -> 400
    a page beyond the end is empty
        ${list("long", "&page[number]=99")} -> 200 {"data": [], "meta": {"pagination": {"current-page": 99, "next-page": null}}}
`;

const included = (...records: string[]) =>
    JSON.stringify({ included: records.map((record) => ({ type: record.split(" ")[0], id: record.split(" ")[1] })) });

section("State Versions, Related resources: include", place)`
    created_by, run, run.created_by, run.configuration_version and outputs come along, each once
        GET state-versions/sv-1?include=created_by -> 200 ${included("users user-9")}
        GET state-versions/sv-1?include=run,run.created_by -> 200 ${included("runs run-7", "users user-9")}
        GET state-versions/sv-1?include=run.configuration_version
            -> 200 ${included("runs run-7", "configuration-versions cv-run-7")}
        GET workspaces/ws-1/current-state-version?include=run,created_by -> 200 ${included()}
        ${list("web", "&include=run")} -> 200 ${included("runs run-7")}
        GET state-versions/sv-1 -> 200 {"included": "<none>"}
    other values are refused
        GET state-versions/sv-1?include=created-by -> 400
    where the document names none it is passed over, like every unknown parameter
        ${["workspaces/ws-1", "organizations/acme/workspaces/web", "state-versions/sv-3/outputs"].map(
            (path) => `GET ${path}?include=outputs&unknown=1 -> 200 {"included": "<none>"}`,
        )}
        POST workspaces/ws-1/actions/lock?include=outputs -> 200
    outputs are included when the record names them, not before it is processed
        POST workspaces/ws-1/actions/lock -> 200
        ${create(4, raw(4, { outputs: { a: { value: "x", type: "string" }, b: 5 } }))} -> 201
        GET workspaces/ws-1/current-state-version?include=outputs
            -> 200 {"data": {"relationships": {"outputs": {"data": []}}}, "included": []}
        GET workspaces/ws-1/current-state-version?include=outputs
            -> 200 {"data": {"relationships": {"outputs": {"data": [{"id": "<a>"}, {"id": "<b>"}]}}}, "included": [
                {"id": "<a>", "attributes=": {"name": "a", "sensitive": false, "type": "string", "value": "x"}}, {"id": "<b>", "attributes": {"value": 5}}]}
    listing outputs gives the ids of the record
        GET state-versions/sv-3 -> 200 {"data": {"relationships": {"outputs": {"data": [{"id": "<id>"}]}}}}
        GET state-versions/sv-3/outputs -> 200 {"data": [{"id": "<id>",
            "attributes=": {"name": "address", "sensitive": true, "type": "string", "value": "10.0.0.1"}}]}
        GET state-versions/sv-9/outputs -> 404
`;

const may = { "can-lock": true, "can-unlock": true, "can-force-unlock": true, "can-create-state-versions": true };
const mayNot = {
    ...may,
    "can-lock": false,
    "can-unlock": false,
    "can-force-unlock": false,
    "can-create-state-versions": false,
};

section("State Versions, workspaces and accounts, which the document presupposes", place)`
    a workspace shows by id and by name
        GET workspaces/ws-1 -> 200 {"data": {"id": "ws-1", "type": "workspaces", "attributes": {"name": "web", "locked": false,
            "locked-reason": "", "permissions=": ${{ ...may, "can-read-state-versions": true }}},
            "relationships": {"locked-by": {"data": null}, "organization": {"data": {"id": "acme", "type": "organizations"}},
            "current-state-version": {"data": {"id": "sv-3", "type": "state-versions"}}}, "links": {"self": "/api/v2/workspaces/ws-1"}}}
        GET organizations/acme/workspaces/web -> 200 {"data": {"id": "ws-1"}}
        GET organizations/other/workspaces/web -> 404
        GET organizations/acme/workspaces/none -> 404
    it shows who holds its lock
        GET workspaces/ws-2 -> 200 {"data": {"attributes": {"locked": true, "locked-reason": "applying"},
            "relationships": {"locked-by": {"data": {"id": "run-9", "type": "runs"}}, "current-state-version": {"data": null}}}}
    it tells a token's permissions
        GET workspaces/ws-1 | authorization: Bearer t-read
            -> 200 {"data": {"attributes": {"permissions=": ${{ ...mayNot, "can-read-state-versions": true }}}}}
        GET workspaces/ws-1 | authorization: Bearer t-organization -> 200 {"data": {"attributes": {"permissions": {"can-lock": false}}}}
    a token tells its own identity, a team's that of a user and its team; an organization's has none
        GET account/details -> 200 {"data=": {"id": "user-1", "type": "users"}}
        GET account/details | authorization: Bearer t-team -> 200 {"data=": {"id": "user-of-team-1", "type": "users",
            "relationships": {"authenticated-resource": {"data": {"id": "team-1", "type": "teams"}}}}}
        GET account/details | authorization: Bearer t-organization -> 404
        GET account/details | authorization: Bearer t-none -> 404
`;

section("State Versions, Authentication", place)`
    1: a bearer token in the Authorization header
        GET state-versions/sv-1 | authorization: -> 401 {"errors": [{"status": "401"}]} | content-type: application/vnd.api+json
        GET state-versions/sv-1 | authorization: Bearer stranger -> 401
        GET state-versions/sv-1 | authorization: Basic t-1 -> 401
    3: listing, fetching and showing need permission to read
        ${["t-read", "t-team", "t-organization"].map(
            (token) => `GET state-versions/sv-1 | authorization: Bearer ${token} -> 200`,
        )}
    4: a caller lacking permission receives 404, the same as for a missing object
        ${[
            "state-versions/sv-1",
            "workspaces/ws-1",
            "workspaces/ws-1/current-state-version",
            "state-versions/sv-9",
        ].map((path) => `GET ${path} | authorization: Bearer t-none -> ${notFound}`)}
    where none is known any token will do, and its beginning tells whose it is
        POST /simulator/reset ${{ workspaces: [web] }} | content-type: -> 204
        GET account/details | authorization: Bearer secret -> 200 {"data=": {"id": "user-2bb80d53", "type": "users"}}
        GET account/details | authorization: Bearer team-secret -> 200 {"data": {"relationships": {"authenticated-resource": {"data": {"type": "teams"}}}}}
        GET account/details | authorization: Bearer organization-secret -> 404
        GET account/details | authorization: -> 401
`;
