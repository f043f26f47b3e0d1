/** Tests the simulator with `--names product`: rules that were measured on Vault and Nomad. The tests of each resource cover the names. */
import { section } from "./exchanges";

const place = {
    vocabulary: "product" as const,
    below: "/v1/auth/azure/",
    headers: { "x-vault-token": "any", "x-nomad-token": "any", authorization: "Bearer any" },
    seed: { plugins: [{ id: "disks", version: "1.2.3", nodes: ["node-1"] }] },
};
const unbound = '400 {"errors": ["must have at least one bound constraint when creating/updating a role"]}';
const bound = '"bound_locations": ["north"]';

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
    GET with list=true is LIST; X-Vault-Request is not required
        GET role?list=true -> 404 {"errors": []}
        POST role/web {${bound}} | x-vault-request: true -> 204
        GET role?list=true | x-vault-request: true -> 200 {"data": {"keys": ["web"]}}
        LIST role -> 200 {"data": {"keys": ["web"]}}
        GET role -> 501
`;

const pair = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };
const register = (fields: object = {}) =>
    `PUT volume/csi/data ${JSON.stringify({ Volumes: [{ ID: "data", PluginID: "disks", RequestedCapabilities: [pair], ...fields }] })}`;
const reads = (fields: object) => `GET volume/csi/data -> 200 ${JSON.stringify(fields)}`;
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
