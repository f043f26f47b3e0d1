/** Tests answers of the simulator that no test of the client reaches. `test/recorded.test.ts` compares the others with those of real servers. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { identityToken } from "../support/injector";
import { withSimulator } from "../support/simulator";
import { describeRows, type Row } from "./rows";

const role = (fields: object, answer: RegExp | number = 204): Row => ["POST role/web", answer, fields];
describeRows(
    "roles",
    { below: "/v1/auth/clouda/" },
    {
        "a write keeps omitted fields, and a refused write changes nothing": () => [
            role({ bound_locations: ["east"], token_ttl: 10, policies: ["dev"], max_jwt_exp: 1, nonsense: 1 }),
            role({ token_num_uses: 5, token_ttl: "soon" }, 400),
            role({ bound_group_ids: "g,h" }),
            ["GET role/web", /"bound_group_ids":\["g","h"\]/],
            ["GET role/web", /^(?!.*(nonsense|max_jwt_exp)).*"token_num_uses":0/],
            ["GET role/web", /(?=.*"bound_locations":\["east"\])(?=.*"token_ttl":10)(?=.*"token_policies":\["dev"\])/],
        ],
        "other values are refused": () => [
            role({ token_ttl: "1w" }, 400),
            role({ token_num_uses: 5.5 }, 400),
            role({ token_no_default_policy: "yes" }, 400),
            role({ token_type: "junk" }, 400),
        ],
    },
);

const bound = { bound_locations: ["north"] };
const blocks = ["FE80:0::1/10", " 192.0.2.7/032 ", "::ffff:198.51.100.0/120", "::ffff:c000:207", "::ffff:1.2.3.4/20"];
const shownBlocks = '["fe80::1/10","192.0.2.7","198.51.100.0/24","192.0.2.7","1.2.3.4/20","::102:304"';

describeRows(
    "Vault",
    { vocabulary: "product", below: "/v1/auth/azure/" },
    {
        "`vault auth list` shows the mounts": () => [["GET /v1/sys/auth", /"data":\{"azure\/":\{"type":"azure"/]],
        "PUT is POST, as Vault's own tools write": () => [
            ["PUT role/cli", 204, bound],
            ["GET role/cli", /"bound_locations":\["north"\]/],
            ["PUT config", 204, { tenant_id: "t", resource: "r" }],
            ["PUT /v1/sys/storage/raft/snapshot-auto/config/cli", 400, {}],
        ],
        // Vault 1.21.0 and `vault auth enable -path=team/azure -max-lease-ttl=24h azure`.
        "`vault auth enable` mounts the method, and a period above the mount's own maximum is refused": () => [
            ["POST /v1/auth/team/edge/role/a", 404, bound],
            ["POST /v1/sys/auth/team/edge", 204, { type: "azure", config: { max_lease_ttl: "24h0m0s" } }],
            ["POST /v1/auth/team/edge/role/a", 204, { ...bound, token_ttl: 90_000, token_period: 86_400 }],
            [
                "POST /v1/auth/team/edge/role/a",
                /^400 .*token period of \\"25h0m0s\\" is greater than the backend's maximum lease TTL of \\"24h0m0s\\"/,
                { token_period: 90_000 },
            ],
            ["POST /v1/auth/team/edge/role/a", /max_ttl is greater/, { token_max_ttl: 90_000, token_ttl: 0 }],
            role({ ...bound, token_period: 2_764_800, token_max_ttl: 90_000 }),
            role({ token_period: 2_764_801 }, /maximum lease TTL of \\"768h0m0s\\"/),
            ["POST /v1/sys/auth/long", 204, { type: "azure", config: { max_lease_ttl: "1000h" } }],
            ["POST /v1/auth/long/role/a", 204, { ...bound, token_period: 3_000_000 }],
            ["POST /v1/sys/auth/usual", 204, { type: "azure", config: { max_lease_ttl: "0s" } }],
            ["POST /v1/auth/usual/role/a", 400, { ...bound, token_period: 2_764_801 }],
            ...["team", "team/edge", "team/edge/below"].map(
                (path): Row => [
                    `POST /v1/sys/auth/${path}`,
                    /^400 .*path is already in use at team\/edge\//,
                    { type: "azure" },
                ],
            ),
            ["POST /v1/sys/auth/other", /^400 .*plugin not found in the catalog: nope/, { type: "nope" }],
        ],
        "blocks are shown in their canonical form, and other texts with a slash as paths of sockets": () => [
            role({ ...bound, token_bound_cidrs: [...blocks, "::1.2.3.4", "10.0.0.0/99"] }),
            ["GET role/web", new RegExp(shownBlocks.replace(/[[\]]/g, "\\$&"))],
            ["GET role/web", /"\\"\\\\\\"10\.0\.0\.0\/99\\\\\\"\\""\]/],
            ...["example", "192.0.2.010", "10.1", ""].map((block) =>
                role({ token_bound_cidrs: ["10.0.0.0/8", block] }, /^400 .*error parsing address/),
            ),
        ],
    },
);

const audience = "https://app.example";
const claims = { aud: audience, oid: "sp-2", groups: ["g-0", "g-1"], location: "north" };
const machine = { role: "WEB", subscription_id: "s-1", resource_group_name: "prod", vmss_name: "set-1" };
const everyBound = {
    ...{ bound_service_principal_ids: ["sp-1", "sp-2"], bound_group_ids: ["g-1"], bound_locations: ["north"] },
    ...{ bound_subscription_ids: ["s-1"], bound_resource_groups: ["prod"], bound_scale_sets: ["set-1"] },
    ...{ token_policies: ["web"], token_ttl: "1h" },
};
const jwt = (claimed: object = {}) => identityToken({ ...claims, ...claimed });
const logIn = (answer: RegExp | number, claimed: object = {}, more: object = {}): Row => [
    "POST clouda/login",
    answer,
    { jwt: jwt(claimed), ...machine, ...more },
    { authorization: "" },
];
const soon = (seconds: number) => ({ nbf: Math.floor(Date.now() / 1000) + seconds });
const seed = {
    mounts: ["clouda"],
    loginConfigs: [{ mount: "clouda", fields: { tenant_id: "t", resource: audience } }],
    roles: [{ mount: "clouda", name: "web", fields: everyBound }],
    logins: [{ at: "jwt", name: "web", ttl: 60, audiences: [audience] }],
};

describeRows(
    "logins",
    { below: "/v1/auth/", seed },
    {
        "a machine that fits every bound list gets a token": () => [
            logIn(/^200 .*"token_policies":\["default","web"\],"lease_duration":3600,"renewable":true/),
            logIn(200, { aud: ["other", audience] }),
            logIn(/^500 .*oidc: expected audience/, { aud: "other" }),
            ...[{ oid: "sp-9" }, { oid: undefined }, { groups: ["g-8"] }, { location: "south" }].map((other) =>
                logIn(/^500 .*not authorized by/, other),
            ),
            ...[{ vmss_name: "" }, { subscription_id: "s-2" }].map((other) =>
                logIn(/^500 .*not authorized/, {}, other),
            ),
        ],
        "the name of a role for JWTs has no case": () => [
            ["POST jwt/login", 200, { role: "WEB", jwt: jwt() }],
            ["POST jwt/login", /^400 .*could not be found/, { role: "other", jwt: jwt() }],
        ],
        "required: jwt, role, subscription_id, resource_group_name": () => [
            ...["jwt", "role", "subscription_id", "resource_group_name"].map((name) =>
                logIn(new RegExp(`^400 .*${name} is required`), {}, { [name]: "" }),
            ),
            logIn(/^400 .*invalid role name/, {}, { role: "nosuch" }),
            logIn(/^500 .*malformed jwt/, {}, { jwt: "x" }),
        ],
        "a JWT may be used within its time, give or take a minute": () => [
            logIn(/^500 .*token is not yet valid/, soon(86_400)),
            ["POST jwt/login", 200, { role: "web", jwt: jwt(soon(30)) }],
            ["POST jwt/login", /^400 .*token not yet valid/, { role: "web", jwt: jwt(soon(86_400)) }],
        ],
    },
);

const storage = { interval: 60, path_prefix: "p", storage_type: "cloudb-s3", cloudb_s3_bucket: "b" };
const s3 = { ...storage, cloudb_s3_region: "r", cloudb_s3_kms_key: "k" };
const config = (fields: object, answer: RegExp | number = 204): Row => ["POST config/hourly", answer, fields];

describeRows(
    "snapshots",
    { below: "/v1/sys/storage/raft/snapshot-auto/" },
    {
        "trailing / required for clouda-blob and cloudc-gcs": () => [
            config({ ...storage, storage_type: "cloudc-gcs", cloudc_gcs_bucket: "b" }, /^400 .*must end with '\/'/),
            config({ ...storage, storage_type: "tape" }, /^400 .*storage_type must be one of/),
        ],
        "encryption with AES256 cannot be combined with enable_kms, after merging too": () => [
            config({ ...s3, cloudb_s3_enable_kms: true }),
            config({ cloudb_s3_server_side_encryption: true }, /^400 .*cannot be combined/),
        ],
        "root namespace only": () => [
            ["GET status/x", /^400 .*root namespace/, "", { "x-secrets-namespace": "team" }],
            ["GET status/x", 404, "", { "x-secrets-namespace": "root" }],
        ],
    },
);

const tokens = [
    { token: "write", kind: "user" as const, id: "user-1" },
    { token: "other", kind: "user" as const, id: "user-2" },
    { token: "read", kind: "user" as const, id: "user-3", access: "read" as const },
    { token: "none", kind: "user" as const, id: "user-4", access: "none" as const },
    { token: "organization", kind: "organization" as const, id: "acme" },
];
const as = (token: string) => ({ authorization: `Bearer ${token}` });
const stateOf = (serial: number) => ({ version: 4, serial, lineage: "11aa", outputs: {}, resources: [] });
const stateVersions = [1, 2, 3].map((serial) => ({ id: `sv-${serial}`, state: stateOf(serial) }));
const ws1 = { name: "web", organization: "acme", locked: { by: { type: "users" as const, id: "user-1" } } };
const content = (serial: number, more: object = {}) => {
    const raw = JSON.stringify(stateOf(serial));
    const md5 = createHash("md5").update(raw).digest("hex");
    const attributes = { serial, md5, state: Buffer.from(raw).toString("base64"), ...more };
    return { data: { type: "state-versions", attributes } };
};
const create = (answer: RegExp | number, body: unknown = content(4), headers = {}): Row => [
    "POST workspaces/ws-1/state-versions",
    answer,
    body,
    { "content-type": "application/vnd.api+json", ...headers },
];
const rollBack = (id: string, answer: RegExp | number, headers = {}): Row => {
    const relationships = { "rollback-state-version": { data: { type: "state-versions", id } } };
    const [line, ...row] = create(answer, { data: { type: "state-versions", relationships } }, headers);
    return [line.replace("POST", "PATCH"), ...row];
};

describeRows(
    "state versions",
    {
        ...{ below: "/api/v2/", headers: as("write") },
        seed: { tokens, workspaces: [{ id: "ws-1", ...ws1, stateVersions }] },
    },
    {
        "malformed body: missing attributes, wrong types": () => [
            ...["{", "[]", "{}"].map((body) => create(422, body)),
            ...[{ serial: null }, { serial: "4" }, { md5: null }, { lineage: 7 }, { state: "not base64!" }].map(
                (wrong) => create(422, content(4, wrong)),
            ),
            create(415, content(4), { "content-type": "application/json" }),
            ["PATCH workspaces/ws-1/state-versions", 415, { data: {} }],
        ],
        "serial, md5 and lineage are those of the raw state": () => [
            create(/^422 .*serial 5 does not match/, content(4, { serial: 5 })),
            create(/^422 .*md5 does not match/, content(4, { md5: "0123456789abcdef0123456789abcdef" })),
            create(/^422 .*lineage/, content(4, { lineage: "other" })),
            create(422, content(4, { state: Buffer.from("{").toString("base64") })),
        ],
        "409: locked by the requesting user, and the version final": () => [
            create(/^409 .*locked by User user-1/, content(4), as("other")),
            create(/^409 .*not greater than the serial/, content(2)),
            rollBack("sv-1", /^409 .*locked by User user-1/, as("other")),
            create(201, content(4, { state: undefined })),
            [
                "GET state-versions?filter[organization][name]=acme&filter[workspace][name]=web&filter[status]=pending",
                200,
            ],
            ["GET state-versions?filter[organization][name]=acme&filter[workspace][name]=web&filter[status]=junk", 400],
            ["GET state-versions?filter[organization][name]=acme", 400],
        ],
    },
);

describe("simulator: a version without content", () => {
    const simulator = withSimulator(
        { tokens, workspaces: [{ id: "ws-1", ...ws1, stateVersions }] },
        { vocabulary: "documented" },
    );
    const headers = { ...as("write"), "content-type": "application/vnd.api+json" };
    const send = async (method: string, path: string, body: unknown = "") => {
        const answer = await simulator.exchange(method, path, headers, Buffer.from(JSON.stringify(body)));
        return { status: answer.status, record: () => JSON.parse(answer.body.toString()).data };
    };
    const announced = async (serial: number) => {
        const body = content(serial, { state: undefined });
        const { id, attributes } = (await send("POST", "/api/v2/workspaces/ws-1/state-versions", body)).record();
        const [raw, json] = ["state", "json-state"].map((kind) =>
            String(attributes[`hosted-${kind}-upload-url`]).replace(simulator.url, ""),
        );
        return { id: String(id), raw: `${raw}`, json: `${json}` };
    };
    const statusOf = async (id: string) =>
        (await send("GET", `/api/v2/state-versions/${id}`)).record().attributes.status;

    it("each upload address is valid once, for the content of the record, which makes the version final", async () => {
        const { id, raw, json } = await announced(4);
        const [, , data] = rollBack(id, 409);
        assert.equal((await send("PATCH", "/api/v2/workspaces/ws-1/state-versions", data)).status, 409);
        const uploads: [string, unknown, number][] = [
            [raw, stateOf(5), 422],
            [raw, stateOf(4), 200],
            [raw, stateOf(4), 404],
            [json, {}, 200],
            [json, {}, 404],
        ];
        for (const [address, body, status] of uploads) assert.equal((await send("PUT", address, body)).status, status);
        assert.equal(await statusOf(id), "finalized");
    });

    it("discarded: superseded by a newer version before it was uploaded", async () => {
        const [first, second] = [await announced(4), await announced(5)];
        assert.equal(await statusOf(first.id), "pending");
        await send("PUT", second.raw, stateOf(5));
        assert.equal(await statusOf(first.id), "discarded");
        assert.equal((await send("PUT", first.raw, stateOf(4))).status, 404);
    });
});

const data = { ID: "data", PluginID: "disks" };
const pair = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };
const register = (fields: object, answer: RegExp | number = 200): Row => [
    "PUT volume/csi/data",
    answer,
    { Volumes: [{ ...data, RequestedCapabilities: [pair], ...fields }] },
];
const plugins = [
    { id: "disks", nodes: ["node-1"] },
    { id: "shelves", nodes: ["node-1"], controllerRequired: true },
    { id: "d15c-north", nodes: ["b7b7b7"] },
];

describeRows(
    "volumes",
    { below: "/v1/", seed: { tokens, plugins, volumes: [data] }, headers: as("write") },
    {
        "a missing right and an unknown token have the same answer": () => [
            ["GET volumes?type=csi", 200, "", as("read")],
            ["DELETE volume/csi/data", /^403 Permission denied$/, "", as("read")],
            ...["none", "stranger"].map(
                (name): Row => ["GET volume/csi/data", /^403 Permission denied$/, "", as(name)],
            ),
        ],
        "a malformed body is refused": () =>
            ["", '{"Volumes":{}}', '{"Volumes":[{"ID":7}]}'].map((body): Row => ["PUT volume/csi/data", 400, body]),
        "type: empty list if omitted, others are not supported": () => [
            ["GET volumes", /^200 \[\]$/],
            ["GET volumes?type=host", /^404 resource not found/],
        ],
        "plugin_id and node_id: prefixes of an even number of hexadecimal characters": () => [
            register({ ID: "m1", PluginID: "d15c-north" }),
            ["GET volumes?type=csi&plugin_id=d15c", /^200 \[\{"ID":"m1"[^{]*\[\][^{]*\}\]$/],
            ...["node_id=a", "plugin_id=zz"].map(
                (query): Row => [`GET volumes?type=csi&${query}`, /^400 .*hexadecimal/],
            ),
        ],
        "with force=true claims of terminal allocations are dropped, and an error results if the volume has running allocations":
            () => [
                [
                    "POST /simulator/claims",
                    200,
                    { volume: "data", node: "node-1", allocation: "a", status: "complete" },
                ],
                ["POST /simulator/claims", 200, { volume: "data", node: "node-1", allocation: "b" }],
                ["DELETE volume/csi/data?force=true", /^500 volume in use: data/],
                ["DELETE volume/csi/data/detach?node=node-1", /^500 volume in use: data/],
                ["PATCH /simulator/claims/b", 204, { status: "failed" }],
                ["DELETE volume/csi/data?force=true", 200],
                ["DELETE volume/csi/data?force=junk", 400],
            ],
        "other values of index and wait": () => [
            ...["-1", "x"].map((index): Row => [`GET volumes?type=csi&index=${index}`, /^400 Invalid index/]),
            ...["soon", "-1s"].map(
                (wait): Row => [`GET volume/csi/data?index=1&wait=${wait}`, /^400 Invalid wait time/],
            ),
            ["DELETE volume/csi/none/detach", /^400 detach requires node ID/],
            ["DELETE volume/csi/none/detach?node=a", /^500 no such volume/],
        ],
    },
);

describeRows(
    "Nomad",
    { vocabulary: "product", below: "/v1/", seed: { plugins } },
    {
        "a volume has a capability, and its namespace exists": () => [
            register({ RequestedCapabilities: [] }, /^500 validation: must include at least one capability block/),
            register({ Namespace: "blue" }, /^500 .*nonexistent namespace blue/),
            ["GET namespace/blue", /^404 Namespace not found/],
            ["PUT namespace", 200, { Name: "blue" }],
            ["GET namespace/blue", /^200 .*"Name":"blue"/],
            ["GET namespaces", /"default".*"blue"/],
            register({ Namespace: "blue" }),
        ],
        // Nomad 1.11.3, `nomad node status` and `nomad system gc`.
        "nodes are those of the plugins, and a collection of garbage drops the claims of ended allocations": () => [
            ["GET nodes", /^200 \[\{"ID":"node-1",.*"Status":"ready"/],
            ["PUT volume/csi/gc", 200, { Volumes: [{ ID: "gc", PluginID: "disks", RequestedCapabilities: [pair] }] }],
            ...["complete", "running"].map((status): Row => {
                const claim = { volume: "gc", node: "node-1", allocation: status, status };
                return ["POST /simulator/claims", 200, claim];
            }),
            ["PUT system/gc", 200],
            ["GET volume/csi/gc", /^200 (?!.*"ID":"complete").*"ID":"running"/],
        ],
        // Nomad 1.11.3, `nomad plugin status`.
        "plugins are listed and read": () => [
            ["GET plugins?type=csi", /^200 \[.*"ID":"disks".*"ID":"shelves"/],
            ["GET plugins?type=csi&prefix=sh", /^200 \[\{"ID":"shelves",(?!.*disks)/],
            ["GET plugin/csi/disks", /^200 \{"ID":"disks",(?!.*Schedulable).*"NodesHealthy":1,"NodesExpected":1/],
            ["GET plugin/csi/nope", /^404 plugin not found$/],
        ],
        "a controller checks modes, and sizes of later registrations; both sizes change together, and two of 0 change nothing":
            () => [
                register(
                    { PluginID: "shelves", RequestedCapabilities: [{ ...pair, AccessMode: "writer" }] },
                    /^500 controller validate volume: .*unknown volume access mode: writer/,
                ),
                register({ RequestedCapacityMin: 7, RequestedCapacityMax: 9 }),
                register({ RequestedCapacityMin: 8, RequestedCapacityMax: 9 }, /expand is not implemented/),
                register({}),
                ["GET volume/csi/data", /(?=.*"RequestedCapacityMin":7)(?=.*"RequestedCapacityMax":9)/],
            ],
        "a request for topologies is ignored if the volume has none": () => [
            register({}),
            register({ RequestedTopologies: { Required: [{ Segments: { rack: "r1" } }] } }),
            ["GET volume/csi/data", /"RequestedTopologies":null/],
        ],
    },
);

const refused = { origin: "https://page.example", "content-type": "text/plain" };

describeRows(
    "routing and the control API",
    {},
    {
        "a request without a route is 501 in the form of its service": () => [
            ["GET /v1/nothing", /^501 \{"errors":\["no route: GET \/v1\/nothing"\]\}/],
            ["GET /api/v2/nothing", /^501 .*"status":"501"/],
            ["GET /v1/volume/csi/x/nothing", /^501 no route: GET \/v1\/volume\/csi\/x\/nothing$/],
        ],
        "a seed adds objects and replaces tokens, a reset removes all objects first": () => [
            ["POST /v1/auth/clouda/role/first", 204],
            [
                "POST /simulator/seed",
                204,
                { roles: [{ name: "second", namespace: "team/", fields: {} }], tokens: tokens.slice(0, 1) },
            ],
            ["POST /simulator/seed", 204, { tokens: [{ ...tokens[0], id: "b" }] }],
            [
                "GET /simulator/state",
                /(?=.*"tokens":\[\{[^}]*"id":"b"\}\])(?=.*role\/first)(?=.*team@auth\/clouda\/role\/second)/,
            ],
            ["POST /simulator/reset", 204],
            ["GET /simulator/state", /(?=.*"tokens":\[\])(?=.*"roles":\{\})/],
        ],
        "a web page of another machine is refused": () => [
            ["POST /v1/auth/clouda/role/first", 204],
            ["POST /simulator/reset", 403, {}, refused],
            ["POST /simulator/reset", /^403 .*localhost/, {}, { origin: "null" }],
            ["GET /v1/auth/clouda/role/first", 200, "", { origin: "http://localhost:3000" }],
        ],
    },
);
