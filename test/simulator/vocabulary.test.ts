/** The vocabulary `product`: names and rules of real servers, as measured on them. */
import assert from "node:assert/strict";
import { main } from "../../src/simulator/main";
import { capital, clouda, cloudb, cloudc, scheduler, secrets, tool } from "../support/product-words";
import { withSimulator } from "../support/simulator";
import { exchangesAt, section } from "./exchanges";
import { call } from "./requests";

const place = {
    vocabulary: "product" as const,
    below: `/v1/auth/${clouda}/`,
    headers: { [`x-${secrets}-token`]: "any", authorization: "Bearer any" },
    seed: { plugins: [{ id: "disks", version: "1.2.3", nodes: ["node-1"] }] },
};
const refused = (reason: string) => `400 ${JSON.stringify({ "errors=": [reason] })}`;
const bound = '"bound_locations": ["north"]';
const batch = "'token_type' cannot be 'batch' or 'default_batch' when set to generate";
const ttl = "'token_ttl' cannot be greater than 'token_max_ttl'";
const unbound = "must have at least one bound constraint when creating/updating a role";

section("product vocabulary: the secrets manager", place)`
    the token has its own header, which the journal hides; the document's own means nothing
        DELETE /simulator/requests -> 204
        GET role/web | authorization: -> 404 {"errors": []}
        GET role/web | x-${secrets}-token: | authorization: | x-secrets-token: any -> 403
        GET /simulator/requests -> 200 [{"headers": {"x-${secrets}-token": "***"}}, {}]
    a key that stands twice in a body is refused
        POST role/web {"bound_locations":["a"],"bound_locations":["b"]} -> 500 {"errors": ["duplicate key 'bound_locations' in object"]}
    the method has its own name
        POST role/web {${bound}} -> 204 ""
        GET role/web -> 200 {"mount_type": "${clouda}"}
        GET /v1/auth/clouda/role/web -> 404 {"errors": ["no handler for route \"auth/${clouda}/role/web\". route entry not found."]}
    namespaces have their own header
        POST role/web {${bound}} | x-${secrets}-namespace: team -> 204
        GET role/web -> 404
        GET role/web | x-${secrets}-namespace: team -> 200
    a role is bound to something, after an update too
        POST role/web {"token_ttl": 60} -> ${refused(unbound)}
        POST role/web {"bound_locations": [""]} -> ${refused(unbound)}
        POST role/web {${bound}} -> 204
        POST role/web {"bound_locations": [], "token_ttl": 60} -> ${refused(unbound)}
        GET role/web -> 200 {"data": {"bound_locations": ["north"]}}
    batch tokens have neither period nor number of uses, judged after merging
        POST role/web {${bound}, "token_period": 60} -> 204
        POST role/web {"token_type": "batch"} -> ${refused(`${batch} periodic tokens`)}
        POST role/web {"token_type": "batch", "token_period": 0} -> 204
        POST role/web {"token_num_uses": 1} -> ${refused(`${batch} tokens with limited use count`)}
    a lifetime is not above its maximum, judged after merging
        POST role/web {${bound}, "token_max_ttl": 60} -> 204
        POST role/web {"token_ttl": 61} -> ${refused(ttl)}
        POST role/web {"token_ttl": 60} -> 204
        POST role/web {"token_max_ttl": 59} -> ${refused(ttl)}
        POST role/web {"token_max_ttl": 0} -> 204
    of the document's token types two are unknown
        POST role/web {${bound}, "token_type": "default-service"} -> 400 {"errors": ["invalid 'token_type' value \"default-service\""]}
        POST role/web {${bound}, "token_type": "default-batch"} -> 400
    aliases may have metadata, text by text
        POST role/web {${bound}, "alias_metadata": {"a": 1}} -> 204
        GET role/web -> 200 {"data": {"alias_metadata=": {"a": "1"}}}
    the client secret is never shown
        POST config {"tenant_id": "t", "resource": "r", "client_secret": "s"} -> 204 ""
        GET config -> 200 {"data": {"client_secret": "<none>", "max_retry_delay": 60000000000}}
    a write that leaves out the lifetime of rotated secrets resets it
        POST config {"tenant_id": "t", "resource": "r", "root_password_ttl": "24h"} -> 204
        GET config -> 200 {"data": {"root_password_ttl": 86400}}
        POST config {"client_id": "c"} -> 204
        GET config -> 200 {"data": {"client_id": "c", "root_password_ttl": 15768000}}
    the German cloud is closed
        POST config {"tenant_id": "t", "resource": "r"} -> 204
        POST config {"environment": "${capital(clouda)}GermanCloud"} -> 500 {"errors": ["~ no cloud configuration matching"]}
        POST config {"environment": "${capital(clouda)}ChinaCloud"} -> 204
        GET config -> 200 {"data": {"environment": "${capital(clouda)}ChinaCloud"}}
`;

const anybody = { tenant_id: "t", resource: "r" };
const logins = { ...place, seed: { loginConfigs: [{ fields: anybody }] } };
const logIn =
    'POST login {"role": "web", "jwt": "<jwt>", "subscription_id": "9a1f0c5e-0000-4000-8000-00000000000a", "resource_group_name": "g"}';
const nobody = "expected specific bound_group_ids or bound_service_principal_ids; both cannot be empty or '*'";

section("product vocabulary: logging in", logins)`
    the role must name somebody, and a star alone is anybody
        POST /simulator/jwt {"claims": {"aud": "r", "oid": "sp"}} -> 200 {"jwt": "<jwt>"}
        POST role/web {"bound_group_ids": ["*"], "bound_locations": ["*"]} -> 204
        ${logIn} -> 500 {"errors": ["${nobody}"]}
        POST role/web {"bound_service_principal_ids": ["sp"]} -> 204
        ${logIn} -> 200
        POST role/web {"bound_locations": ["north"]} -> 204
        ${logIn} -> 500 {"errors": ["location not authorized"]}
`;

const config = "/v1/sys/storage/raft/snapshot-auto/config/hourly";
const local = { interval: 3600, path_prefix: "/var", storage_type: "local", local_max_space: 1 };
const gcs = { interval: "1h", path_prefix: "no/slash", storage_type: `${cloudc}-gcs`, [`${cloudc}_gcs_bucket`]: "b" };
const s3 = { interval: 60, path_prefix: "/p", storage_type: `${cloudb}-s3` };
const blob = { interval: 60, path_prefix: "p", storage_type: `${clouda}-blob`, [`${clouda}_container_name`]: "c" };
const mode = (word: string, more = {}) => JSON.stringify({ ...blob, [`${clouda}_auth_mode`]: word, ...more });

section("product vocabulary: snapshots", place)`
    fields, types and defaults have their own names
        POST ${config} ${gcs} -> 204 ""
        GET ${config} -> 200 {"data": ${{
            ...{ file_prefix: `${secrets}-snapshot`, storage_type: `${cloudc}-gcs`, autoload_enabled: false },
            ...{ [`${cloudc}_gcs_bucket`]: "b", [`${cloudc}_endpoint`]: false },
        }}}
    one store loses a leading slash, and what is missing has its own name
        POST ${config} ${s3} -> ${refused(`${cloudb}_s3_bucket is required`)}
        POST ${config} ${{ ...s3, [`${cloudb}_s3_bucket`]: "b", [`${cloudb}_s3_region`]: "r" }} -> 204
        GET ${config} -> 200 {"data": {"path_prefix": "p"}}
    a blob store wants to know how to authenticate
        POST ${config} ${blob} -> ${refused(`${clouda}_auth_mode must be one of shared, managed, environment`)}
        POST ${config} ${mode("shared")} -> ${refused(`${clouda}_account_key is required`)}
        POST ${config} ${mode("managed")} -> ${refused(`${clouda}_client_id is required`)}
        POST ${config} ${mode("environment")} -> 204
        GET ${config} -> 200 {"data": {"${clouda}_blob_environment": "${clouda.toUpperCase()}PUBLICCLOUD"}}
        POST ${config} ${mode("shared", { [`${clouda}_account_key`]: "k" })} -> 204
        POST ${config} ${mode("managed", { [`${clouda}_client_id`]: "i" })} -> 204
    a local one has no autoload, keeps at least one, and its names are no paths
        POST ${config} ${{ ...local, autoload_enabled: true }} -> ${refused("autoload_enabled is not supported for storage_type local")}
        POST ${config} ${{ ...local, retain: 0 }} -> ${refused("retain must be at least 1")}
        POST ${config} ${{ ...local, file_prefix: "a/b" }} -> ${refused("file_prefix cannot contain '/'")}
        POST ${config} ${{ ...local, path_prefix: "/" }} -> ${refused("path_prefix cannot be '/' for storage_type local")}
        POST ${config} ${local} -> 204
        GET ${config} -> 200 {"data=": ${{ ...local, retain: 1, file_prefix: `${secrets}-snapshot` }}}
`;

const pair = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };
const many = { ...pair, AccessMode: "multi-node-multi-writer" };
const register = (fields: object = {}) =>
    `PUT volume/csi/data ${JSON.stringify({ Volumes: [{ ID: "data", PluginID: "disks", RequestedCapabilities: [pair], ...fields }] })}`;
const cannot = (...problems: string[]) => {
    const head = problems.length === 1 ? "1 error" : `${problems.length} errors`;
    const lines = problems.map((problem) => `\t* ${problem}\n`).join("");
    return `500 ${`~ ^unable to update volume: ${head} occurred:\n${lines}\n$`.replaceAll("\n", "\\n").replaceAll("*", "\\*")}`;
};
const index = `x-${scheduler}-index`;
const reads = (fields: object) => `GET volume/csi/data -> 200 ${JSON.stringify(fields)}`;
const claim = 'POST /simulator/claims {"volume": "data", "node": "node-1", "allocation": "a"} -> 200';

section("product vocabulary: volumes", { ...place, below: "/v1/" })`
    a capability is wanted
        ${register({ RequestedCapabilities: [] })} -> 500 validation: must include at least one capability block
        PUT volume/csi/data {"Volumes": [{}]}
            -> 500 validation: missing volume id, missing plugin id, must include at least one capability block
    the answer has a body, and the body's own id counts
        ${register().replace("csi/data", "csi/other")}
            -> 200 = {"Index": 1, "Warnings": "", "Volumes": [{"ID": "data", "Namespace": "default", "CreateIndex": 0, "Schedulable": false}]} | ${index}: 1
        GET volume/csi/other -> 404
        GET volume/csi/data -> 200
    wrapped topologies are kept, and flat ones lose their content
        ${register({ Topologies: [{ Segments: { rack: "r1" } }, { rack: "r2" }] })} -> 200
        ${reads({ "Topologies=": [{ Segments: { rack: "r1" } }, { Segments: null }] })}
    what is written only is hidden, and the plugin's version has its own name
        ${register({ Secrets: { a: "b" }, MountOptions: { FSType: "ext4", MountFlags: ["ro"] } })} -> 200
        ${reads({
            ...{ Secrets: null, "MountOptions=": { FSType: "ext4", MountFlags: ["[REDACTED]"] } },
            ...{ ProviderVersion: "1.2.3", Version: "<none>", ResourceExhausted: null },
        })}
    registering again updates: options that are left out are cleared, a context is kept
        ${register({ MountOptions: { FSType: "ext4" }, Context: { a: "b" } })} -> 200
        ${register({ RequestedCapabilities: [many] })} -> 200 {"Index": 2, "Volumes": [{"CreateIndex": 1}]}
        ${reads({
            ...{ "MountOptions=": { FSType: "", MountFlags: null }, "Context=": { a: "b" }, ModifyIndex: 2 },
            ...{ "RequestedCapabilities=": [many] },
        })}
    what cannot change is refused, all reasons at once
        ${register({ Name: "Data", ExternalID: "vol-1", Parameters: { a: "b" } })} -> 200
        ${register({ Name: "Other", ExternalID: "vol-2", Parameters: { a: "c" } })} -> ${cannot(
            "volume name cannot be updated",
            "volume external ID cannot be updated",
            "volume parameters cannot be updated",
        )}
        POST /simulator/seed {"plugins": [{"id": "tapes", "nodes": []}]} -> 204
        ${register({ PluginID: "tapes" })} -> ${cannot("volume plugin ID cannot be updated")}
        ${register({ RequestedCapacityMin: 1 })} -> ${cannot("expand is not implemented by this controller plugin")}
        ${register({ Name: "" })} -> 200
        ${reads({ Name: "Data", "Parameters=": { a: "b" } })}
    wanted topologies do not change where there are some
        ${register({ Topologies: [{ Segments: { a: "b" } }], RequestedTopologies: { Required: [] } })} -> 200
        ${register()} -> ${cannot("volume topology request update was not compatible with existing topology")}
        ${register({ RequestedTopologies: { Required: [] } })} -> 200
    while claimed, mount options and modes stay; afterwards the modes are forgotten
        ${register(pair)} -> 200
        ${claim}
        ${register({ MountOptions: { FSType: "xfs" } })} -> ${cannot("can not update mount options while volume is in use")}
        ${register({ RequestedCapabilities: [{ ...pair, AttachmentMode: "block-device" }] })}
            -> ${cannot("volume requested capabilities update was not compatible with existing capability in use")}
        DELETE /simulator/claims/a -> 200
        ${reads({ AccessMode: "", AttachmentMode: "" })}
    detaching never works over HTTP
        DELETE volume/csi/data/detach -> 400 detach requires node ID
        DELETE volume/csi/data/detach?node=node-1 -> 500 no such volume
        ${register()} -> 200
        DELETE volume/csi/data/detach?node=node-1 -> 500 Unknown allocation
    prefixes are any text, and a plugin's is its whole id
        ${register()} -> 200
        GET volumes?type=csi&node_id=zz&plugin_id=disks -> 200 []
        GET volumes?type=csi&plugin_id=disk -> 200 [] | ${index}: 1
        GET volumes?type=csi&plugin_id=disks -> 200 [{"ID": "data"}]
        GET volumes?type=csi&plugin_id=disks&namespace=* -> 200 []
        DELETE volume/csi/data -> 200 ""
        DELETE volume/csi/data -> 500 volume not found: data
    allocations have their own name for one field
        ${register()} -> 200
        ${claim}
        ${reads({ Allocations: [{ TaskStates: { main: { Events: [{ [`${capital(secrets)}Error`]: "", SecretsError: "<none>" }] } } }] })}
`;

const version = { id: "sv-1", state: { version: 4, serial: 1, lineage: "l" } };
const app = { id: "ws-1", name: "app", organization: "o", stateVersions: [version] };

section("product vocabulary: state versions", { ...place, seed: { workspaces: [app] } })`
    the tool's version has its own name
        GET /api/v2/state-versions/sv-1 -> 200 {"data": {"attributes": {"${tool}-version": "", "tool-version": "<none>"}}}
`;

describe("simulator: product vocabulary", () => {
    const tokens = [{ token: "known", kind: "user" as const, id: "u", permissions: ["namespace:csi-read-volume"] }];
    const seed = { ...place.seed, tokens, volumes: [{ ID: "data", PluginID: "disks" }] };
    const simulator = withSimulator(seed, { vocabulary: "product" });
    const name = `x-${scheduler}-token`;

    it("takes the scheduler's own token header, for answers that are held back too, and does not tell it", async () => {
        await exchangesAt(simulator.url)`
            GET /v1/volume/csi/data | ${name}: other -> 403 Permission denied
            GET /v1/volume/csi/data | ${name}: known -> 200 | ${index}: 1`;
        const url = `${simulator.url}/v1/volume/csi/data?index=1&wait=1m`;
        const held = call("GET", url, { headers: { [name]: " known " } });
        while ((await simulator.requests()).length < 3);
        const told = (await simulator.requests()).map(({ status, headers }) => [status, headers[name]]);
        assert.deepEqual(
            told,
            [403, 200, null].map((status) => [status, "***"]),
        );
        await simulator.control("POST", "/simulator/clock", { advance: 60 });
        assert.equal((await held).status, 200);
    });

    it("is chosen by a flag of the command, which tells how to follow", async () => {
        let told = "";
        const print = (text: string) => {
            told = text;
        };
        const started = await main(["--port", "0", "--empty", "--vocabulary", "product"], { print });
        try {
            assert.match(told, /STATECRAFT_VOCABULARY=product/);
            await exchangesAt(started.url, place)`GET role/web -> 404`;
        } finally {
            await started.close();
        }
    });
});
