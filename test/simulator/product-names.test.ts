/** Tests the simulator with `--names product`: rules that were measured on Vault and Nomad. The tests of each resource cover the names. */
import { identityToken } from "../support/injector";
import { section } from "./exchanges";

const place = {
    vocabulary: "product" as const,
    below: "/v1/auth/azure/",
    headers: { "x-vault-token": "any", "x-nomad-token": "any", authorization: "Bearer any" },
    seed: {
        plugins: [
            { id: "disks", version: "1.2.3", nodes: ["node-1"] },
            { id: "shelves", nodes: ["node-1"], controllerRequired: true },
        ],
    },
};
const unbound = '400 {"errors": ["must have at least one bound constraint when creating/updating a role"]}';
const bound = '"bound_locations": ["north"]';

const role = (fields: object) => `POST role/web ${JSON.stringify({ bound_locations: ["north"], ...fields })}`;
const refuses = (text: string) => `400 ${JSON.stringify({ errors: [`~ ${text}`] })}`;

section("product names: Vault", place)`
    Vault's headers of the token and the namespace replace the documents'
        POST role/web {${bound}} | authorization: | x-vault-namespace: team -> 204 ""
        GET role/web -> 404 {"errors": []}
        GET role/web | x-vault-namespace: team -> 200
        GET role/web | x-vault-token: | authorization: | x-secrets-token: any -> 403
        GET /v1/auth/clouda/role/web -> 404 {"errors": ["~ ^no handler for route"]}
    a role has a bound value, after an update too
        POST role/web {"token_ttl": 60} -> ${unbound}
        POST role/web {${bound}} -> 204
        POST role/web {"bound_locations": [""], "token_ttl": 60} -> ${unbound}
        GET role/web -> 200 {"data": {"bound_locations": ["north"], "token_ttl": 0}}
    a role has a type of tokens that fits its other fields, those of earlier writes too
        ${["default-service", "default-batch"].map((token_type) => `${role({ token_type })} -> ${refuses("invalid 'token_type' value")}`)}
        ${role({ token_type: "batch", token_num_uses: 2 })} -> ${refuses("limited use count")}
        ${role({ token_period: "2h" })} -> 204
        ${role({ token_type: "batch" })} -> ${refuses("periodic tokens")}
        ${role({ token_type: "batch", token_period: 0 })} -> 204
    lifetimes and numbers of uses have limits
        ${role({ token_ttl: "90m", token_max_ttl: "90m" })} -> 204
        ${role({ token_max_ttl: "1h" })} -> ${refuses("'token_ttl' cannot be greater than 'token_max_ttl'")}
        ${role({ token_period: "768h" })} -> 204
        ${role({ token_period: "768h1s" })} -> ${refuses('token period of "768h0m1s" is greater than .* of "768h0m0s"')}
        ${[-1, 2 ** 63].map((token_num_uses) => `${role({ token_num_uses })} -> ${refuses("cannot be negative")}`)}
        POST config {"tenant_id": "t", "resource": "r", "max_retries": 2147483648} -> 204
        GET config -> 200 {"data": {"max_retries": -2147483648}}
    blocks are shown in their canonical form, and other texts with a slash as paths of sockets
        ${role({ token_bound_cidrs: ["FE80:0::1/10", " 192.0.2.7/032 ", "::ffff:198.51.100.0/120", "::ffff:c000:207", "::ffff:1.2.3.4/20", "::1.2.3.4", "10.0.0.0/99"] })} -> 204
        GET role/web -> 200 ${{ data: { token_bound_cidrs: ["fe80::1/10", "192.0.2.7", "198.51.100.0/24", "192.0.2.7", "1.2.3.4/20", "::102:304", JSON.stringify('"10.0.0.0/99"')] } }}
        ${["example", "192.0.2.010", "10.1", ""].map((block) => `${role({ token_bound_cidrs: ["10.0.0.0/8", block] })} -> ${refuses(`error parsing address \\\\?"${block}`)}`)}
    GET with list=true is LIST; X-Vault-Request is not required
        GET role?list=true -> 404 {"errors": []}
        POST role/web {${bound}} | x-vault-request: true -> 204
        GET role?list=true | x-vault-request: true -> 200 {"data": {"keys": ["web"]}}
        LIST role -> 200 {"data": {"keys": ["web"]}}
        GET role -> 501
`;

const seconds = (fromNow: number) => Math.floor(Date.now() / 1000) + fromNow;
const jwt = (claims: object) => identityToken({ aud: "https://app.example", ...claims });
const logIn = (mount: string, body: object) => `POST ${mount}/login ${JSON.stringify(body)}`;
const appRole = { role_id: "ci", secret_id: "s-1" };

section("product names: logins", {
    ...{ ...place, below: "/v1/auth/" },
    seed: {
        loginConfigs: [{ fields: { tenant_id: "t", resource: "https://app.example" } }],
        roles: [
            { name: "bound", fields: { bound_service_principal_ids: ["sp-1"] } },
            { name: "placed", fields: { bound_service_principal_ids: ["sp-1"], bound_locations: ["north"] } },
        ],
        logins: [
            { at: "approle", name: "ci", secretId: "s-1", ttl: 60 },
            ...[
                { at: "jwt", name: "web" },
                { at: "github", name: "" },
            ].map((one) => ({ ...one, ttl: 60, audiences: ["https://app.example"] })),
        ],
    },
})`
    a machine names its place only for a role that is bound to places
        ${logIn("azure", { role: "bound", jwt: jwt({ oid: "sp-1" }) })} -> 200
        ${logIn("azure", { role: "placed", jwt: jwt({ oid: "sp-1" }) })} -> 500 {"errors": ["subscription_id and resource_group_name are required"]}
        ${logIn("azure", { jwt: jwt({}) })} -> ${refuses("^role is required")}
    a JWT may be used within its time, give or take a minute
        ${logIn("azure", { role: "bound", jwt: jwt({ oid: "sp-1", nbf: seconds(86_400) }) })} -> 500 {"errors": ["~ ^token is not yet valid"]}
        ${[{ nbf: seconds(30), iat: seconds(30) }, { exp: seconds(86_400) }].map((times) => `${logIn("jwt", { role: "web", jwt: jwt(times) })} -> 200`)}
        ${logIn("jwt", { role: "web", jwt: jwt({ nbf: seconds(86_400) }) })} -> ${refuses("token not yet valid$")}
        ${logIn("jwt", { role: "web", jwt: jwt({ iat: seconds(86_400) }) })} -> ${refuses("token not yet valid$")}
        ${logIn("jwt", { role: "web", jwt: jwt({ exp: seconds(-90) }) })} -> ${refuses("token is expired$")}
        POST /v1/acl/login ${{ AuthMethodName: "github", LoginToken: jwt({ nbf: seconds(86_400) }) }} -> 401 ~ token not yet valid$
    an AppRole needs both of its ids, and its refusal does not say which one is wrong
        ${logIn("approle", appRole)} -> 200
        ${[{ role_id: "cd" }, { secret_id: "s-2" }, { role_id: "cd", secret_id: "" }].map((other) => `${logIn("approle", { ...appRole, ...other })} -> ${refuses("^invalid role or secret ID$")}`)}
        ${logIn("approle", { role_id: "ci" })} -> ${refuses("^missing secret_id$")}
        ${logIn("approle", { secret_id: "s-1" })} -> 500 {"errors": ["failed to determine alias name from login request"]}
`;

const pair = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };
const register = (fields: object = {}) =>
    `PUT volume/csi/data ${JSON.stringify({ Volumes: [{ ID: "data", PluginID: "disks", RequestedCapabilities: [pair], ...fields }] })}`;
const reads = (fields: object) => `GET volume/csi/data -> 200 ${JSON.stringify(fields)}`;
const racks = (...racks: string[]) => ({ Required: racks.map((rack) => ({ Segments: { rack } })) });
const cannot = (problem: string) => `500 ~ ${problem}`;
const readers = { AccessMode: "multi-node-reader-only", AttachmentMode: "block-device" };
const claim = (allocation: string, capability?: object) =>
    `POST /simulator/claims ${JSON.stringify({ volume: "data", node: "node-1", allocation, capability })} -> 200`;

section("product names: Nomad", { ...place, below: "/v1/" })`
    Nomad's headers for the token and the index; without ACLs, no token is required
        ${register()} | authorization: -> 200
        GET volumes?type=csi | authorization: -> 200 [{"ID": "data"}] | x-nomad-index: 1
        GET volumes?type=csi | authorization: | x-nomad-token: -> 200
    a capability is required
        ${register({ RequestedCapabilities: [] })} -> 500 validation: must include at least one capability block
    a namespace exists before its volumes
        ${register({ Namespace: "blue" })} -> ${cannot("volume data is in nonexistent namespace blue")}
        PUT namespace {"Name": "blue"} -> 200
        PUT namespace/green {"Name": "green"} -> 200
        ${register({ Namespace: "blue" })} -> 200
    a controller checks modes, and sizes of later registrations; both sizes change together, and two of 0 change nothing
        ${register({ PluginID: "shelves", ...{ RequestedCapabilities: [{ ...pair, AccessMode: "writer" }] } })} -> ${cannot("^controller validate volume: .*unknown volume access mode: writer")}
        ${register({ PluginID: "shelves", ...{ RequestedCapabilities: [{ AccessMode: pair.AccessMode }] } })} -> ${cannot("unknown volume attachment mode")}
        ${register({ RequestedCapacityMin: 7, RequestedCapacityMax: 9 })} -> 200
        ${register({ RequestedCapacityMin: 7, RequestedCapacityMax: 9 })} -> 200
        ${register({ RequestedCapacityMin: 8, RequestedCapacityMax: 9 })} -> ${cannot("expand is not implemented by this controller plugin")}
        ${register()} -> 200
        ${reads({ RequestedCapacityMin: 7, RequestedCapacityMax: 9 })}
        ${register({ RequestedCapacityMax: 20 })} -> 200
        ${reads({ RequestedCapacityMin: 0, RequestedCapacityMax: 20 })}
    requested topologies do not change while the volume has topologies
        ${register({ RequestedTopologies: racks("r1", "r2") })} -> 200
        ${reads({ "Topologies=": [{ Segments: { rack: "r1" } }, { Segments: { rack: "r2" } }] })}
        ${[racks("r2", "r1"), undefined].map((RequestedTopologies) => `${register({ RequestedTopologies })} -> ${cannot("volume topology request update was not compatible")}`)}
        ${register({ RequestedTopologies: racks("r1", "r2") })} -> 200
    another request is ignored if the volume has no topologies
        ${register()} -> 200
        ${register({ RequestedTopologies: racks("r1") })} -> 200
        ${reads({ "Topologies=": [], RequestedTopologies: null })}
    topologies have Segments; a volume has ProviderVersion, and a ResourceExhausted that is not a number
        ${register({ Topologies: [{ Segments: { rack: "r1" } }] })} -> 200 {"Volumes": [{"ID": "data", "Schedulable": false}]}
        ${reads({ "Topologies=": [{ Segments: { rack: "r1" } }], ProviderVersion: "1.2.3", Version: "<none>", ResourceExhausted: null })}
    a read hides secrets and mount flags
        ${register({ Secrets: { a: "b" }, MountOptions: { FSType: "ext4", MountFlags: ["ro"] } })} -> 200
        ${reads({ Secrets: null, "MountOptions=": { FSType: "ext4", MountFlags: ["[REDACTED]"] } })}
    a second registration updates the volume: it clears omitted options, but not context, parameters and capacity
        ${register({ MountOptions: { FSType: "ext4" }, Context: { a: "b" }, Parameters: { c: "d" }, RequestedCapacityMax: 5 })} -> 200
        ${register({ RequestedCapabilities: [{ ...pair, AccessMode: "multi-node-multi-writer" }] })} -> 200 {"Volumes": [{"CreateIndex": 1}]}
        ${reads({
            ...{ "MountOptions=": { FSType: "", MountFlags: null }, "Context=": { a: "b" }, ModifyIndex: 2 },
            ...{ "Parameters=": { c: "d" }, RequestedCapacityMax: 5 },
        })}
    an update changes no name, external ID and parameters, and no mount options of a claimed volume
        ${register({ Name: "Data", ExternalID: "vol-1", Parameters: { a: "b" } })} -> 200
        ${register({ Name: "Other" })} -> ${cannot("volume name cannot be updated")}
        ${register({ ExternalID: "vol-2" })} -> ${cannot("volume external ID cannot be updated")}
        ${register({ Parameters: { a: "c" } })} -> ${cannot("volume parameters cannot be updated")}
        ${claim("a")}
        ${register({ MountOptions: { FSType: "xfs" } })} -> ${cannot("can not update mount options while volume is in use")}
    a volume without modes has those of its first claim; both are empty after the last claim
        ${register({ RequestedCapabilities: [pair, readers] })} -> 200
        ${claim("a", readers)}
        ${claim("b", pair)}
        ${reads(readers)}
        DELETE /simulator/claims/a -> 204
        ${reads(readers)}
        DELETE /simulator/claims/b -> 204
        ${reads({ AccessMode: "", AttachmentMode: "" })}
    the registered modes remain until the first claim has ended, and a registration has a capability with them
        ${register(pair)} -> 200
        ${register({ RequestedCapabilities: [readers] })} -> ${cannot("not compatible with existing capability in use")}
        ${claim("a")}
        ${reads(pair)}
        DELETE /simulator/claims/a -> 204
        ${register({ RequestedCapabilities: [readers] })} -> 200
    DELETE of an absent volume is 500, and so is every detachment
        DELETE volume/csi/data -> 500 volume not found: data
        ${register()} -> 200
        DELETE volume/csi/data/detach?node=node-1 -> 500 Unknown allocation
    plugin_id is the whole id
        ${register()} -> 200
        GET volumes?type=csi&plugin_id=disk -> 200 []
        GET volumes?type=csi&plugin_id=disks -> 200 [{"ID": "data"}]
`;
