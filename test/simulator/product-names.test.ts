/**
 * Tests what the simulator does with `--names product` beyond the recorded answers (`test/recorded.test.ts`) and the tests of each resource: rules that
 * were measured on Vault and Nomad.
 */
import { identityToken } from "../support/injector";
import { section } from "./exchanges";

const place = {
    vocabulary: "product" as const,
    below: "/v1/auth/azure/",
    headers: { "x-vault-token": "any", authorization: "Bearer any" },
    seed: {
        plugins: [
            { id: "disks", nodes: ["node-1"] },
            { id: "shelves", nodes: ["node-1"], controllerRequired: true },
        ],
    },
};
const bound = '"bound_locations": ["north"]';
const role = (fields: object) => `POST role/web ${JSON.stringify({ bound_locations: ["north"], ...fields })}`;
const refuses = (text: string) => `400 ${JSON.stringify({ errors: [`~ ${text}`] })}`;

section("product names: Vault", place)`
    a role has a bound value, after an update too
        POST role/web {${bound}} -> 204
        POST role/web {"bound_locations": [""], "token_ttl": 60} -> ${refuses("at least one bound constraint")}
        GET role/web -> 200 {"data": {"bound_locations": ["north"], "token_ttl": 0}}
    the fields of earlier writes count too
        ${role({ token_period: "2h" })} -> 204
        ${role({ token_type: "batch" })} -> ${refuses("periodic tokens")}
    periods, numbers of uses and numbers of retries have limits
        ${role({ token_period: "768h" })} -> 204
        ${role({ token_period: "768h1s" })} -> ${refuses('token period of "768h0m1s" is greater than .* of "768h0m0s"')}
        ${[-1, 2 ** 63].map((token_num_uses) => `${role({ token_num_uses })} -> ${refuses("cannot be negative")}`)}
        POST config {"tenant_id": "t", "resource": "r", "max_retries": 2147483648} -> 204
        GET config -> 200 {"data": {"max_retries": -2147483648}}
    blocks are shown in their canonical form, and other texts with a slash as paths of sockets
        ${role({ token_bound_cidrs: ["FE80:0::1/10", " 192.0.2.7/032 ", "::ffff:198.51.100.0/120", "::ffff:c000:207", "::ffff:1.2.3.4/20", "::1.2.3.4", "10.0.0.0/99"] })} -> 204
        GET role/web -> 200 ${{ data: { token_bound_cidrs: ["fe80::1/10", "192.0.2.7", "198.51.100.0/24", "192.0.2.7", "1.2.3.4/20", "::102:304", JSON.stringify('"10.0.0.0/99"')] } }}
        ${["example", "192.0.2.010", "10.1", ""].map((block) => `${role({ token_bound_cidrs: ["10.0.0.0/8", block] })} -> ${refuses(`error parsing address \\\\?"${block}`)}`)}
    LIST is GET with list=true
        POST role/web {${bound}} -> 204
        LIST role -> 200 {"data": {"keys": ["web"]}}
        GET role -> 501
`;

const logIn = (mount: string, name: string, jwt: string) =>
    `POST ${mount}/login ${JSON.stringify({ role: name, jwt })}`;

section("product names: logins", {
    ...{ ...place, below: "/v1/auth/" },
    seed: {
        loginConfigs: [{ fields: { tenant_id: "t", resource: "https://app.example" } }],
        roles: [
            { name: "bound", fields: { bound_service_principal_ids: ["sp-1"] } },
            { name: "placed", fields: { bound_service_principal_ids: ["sp-1"], bound_locations: ["north"] } },
        ],
        logins: [{ at: "jwt", name: "web", ttl: 60, audiences: ["https://app.example"] }],
    },
    texts: () => {
        const jwt = (fromNow: number) => {
            const nbf = Math.floor(Date.now() / 1000) + fromNow;
            return identityToken({ aud: "https://app.example", oid: "sp-1", nbf });
        };
        return { valid: jwt(0), soon: jwt(30), tomorrow: jwt(86_400) };
    },
})`
    a machine names its place only for a role that is bound to places
        ${logIn("azure", "bound", "<valid>")} -> 200
        ${logIn("azure", "placed", "<valid>")} -> 500 {"errors": ["subscription_id and resource_group_name are required"]}
    a JWT may be used within its time, give or take a minute
        ${logIn("azure", "bound", "<tomorrow>")} -> 500 {"errors": ["~ ^token is not yet valid"]}
        ${logIn("jwt", "web", "<soon>")} -> 200
        ${logIn("jwt", "web", "<tomorrow>")} -> ${refuses("token not yet valid$")}
`;

const pair = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };
const register = (fields: object = {}) =>
    `PUT volume/csi/data ${JSON.stringify({ Volumes: [{ ID: "data", PluginID: "disks", RequestedCapabilities: [pair], ...fields }] })}`;
const reads = (fields: object) => `GET volume/csi/data -> 200 ${JSON.stringify(fields)}`;
const cannot = (problem: string) => `500 ~ ${problem}`;

section("product names: Nomad", { ...place, below: "/v1/" })`
    a volume has a capability, and its namespace exists
        ${register({ RequestedCapabilities: [] })} -> 500 validation: must include at least one capability block
        ${register({ Namespace: "blue" })} -> ${cannot("volume data is in nonexistent namespace blue")}
        PUT namespace {"Name": "blue"} -> 200
        ${register({ Namespace: "blue" })} -> 200
    a controller checks modes, and sizes of later registrations; both sizes change together, and two of 0 change nothing
        ${register({ PluginID: "shelves", RequestedCapabilities: [{ ...pair, AccessMode: "writer" }] })} -> ${cannot("^controller validate volume: .*unknown volume access mode: writer")}
        ${register({ RequestedCapacityMin: 7, RequestedCapacityMax: 9 })} -> 200
        ${register({ RequestedCapacityMin: 8, RequestedCapacityMax: 9 })} -> ${cannot("expand is not implemented by this controller plugin")}
        ${register()} -> 200
        ${reads({ RequestedCapacityMin: 7, RequestedCapacityMax: 9 })}
        ${register({ RequestedCapacityMax: 20 })} -> 200
        ${reads({ RequestedCapacityMin: 0, RequestedCapacityMax: 20 })}
    a request for topologies is ignored if the volume has none
        ${register()} -> 200
        ${register({ RequestedTopologies: { Required: [{ Segments: { rack: "r1" } }] } })} -> 200
        ${reads({ "Topologies=": [], RequestedTopologies: null })}
    a second registration clears omitted options, but not context, parameters and capacity
        ${register({ MountOptions: { FSType: "ext4" }, Context: { a: "b" }, Parameters: { c: "d" }, RequestedCapacityMax: 5 })} -> 200
        ${register()} -> 200 {"Volumes": [{"CreateIndex": 1}]}
        ${reads({ "MountOptions=": { FSType: "", MountFlags: null }, "Context=": { a: "b" }, "Parameters=": { c: "d" }, RequestedCapacityMax: 5 })}
    an update changes no name, external ID and parameters
        ${register({ Name: "Data", ExternalID: "vol-1", Parameters: { a: "b" } })} -> 200
        ${register({ Name: "Other" })} -> ${cannot("volume name cannot be updated")}
        ${register({ ExternalID: "vol-2" })} -> ${cannot("volume external ID cannot be updated")}
        ${register({ Parameters: { a: "c" } })} -> ${cannot("volume parameters cannot be updated")}
`;
