/** Manners: what a second registration keeps, and what a read tells, where the document leaves it open. */
import { scheduler } from "../../support/product-words";
import { section } from "../exchanges";
import { place } from "./place";

const pair = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };
const bare = { ID: "data", PluginID: "shares", RequestedCapabilities: [pair] };
const written = {
    ...{ Context: { a: "b" }, Secrets: { key: "planted" }, RequestedCapacityMin: 5, RequestedCapacityMax: 9 },
    ...{ MountOptions: { FSType: "ext4", MountFlags: ["ro"] } },
};
const unset = {
    ...{ "Context=": {}, "Secrets=": {}, RequestedCapacityMin: 0, RequestedCapacityMax: 0 },
    ...{ MountOptions: { FSType: "", MountFlags: null } },
};
const register = (fields: object = {}) =>
    `PUT volume/csi/data ${JSON.stringify({ Volumes: [{ ...bare, ...fields }] })} -> 200`;
const set = (...volumes: string[]) => `PUT /simulator/manners ${JSON.stringify({ volumes })} -> 204`;
const reads = (fields: object) => `GET volume/csi/data -> 200 ${JSON.stringify(fields)}`;
const hidden = { Name: "<none>", Topologies: "<none>", Allocations: "<none>", Provider: "<none>", ID: "data" };

for (const vocabulary of ["documented", "product"] as const) {
    section(`Volumes, manners (${vocabulary})`, { ...place, vocabulary })`
        what is documented is told, and nothing else
            ${set("tells-documented")}
            ${register({ Context: { a: "b" } })} "" | x-volumes-index: <none> | x-${scheduler}-index: <none>
            GET volume/csi/data -> 200 | x-volumes-index: <none> | x-${scheduler}-index: <none>
            ${reads({ ModifyIndex: 1, Topologies: [], ReadAllocs: {}, Context: "<none>", RequestedCapabilities: "<none>" })}
        nothing empty is told
            ${set("tells-nothing-empty")}
            ${register()}
            ${reads(hidden)}
            GET volumes?type=csi -> 200 [{"ID": "data", "ExternalID": "<none>", "ResourceExhausted": "<none>"}]
    `;
}

section("Volumes, manners of what the document does not know", { ...place, vocabulary: "product" })`
    secrets are shown
        ${set("shows-secrets")}
        ${register(written)}
        ${reads(written)}
    secrets are masked
        ${set("masks-secrets")}
        ${register(written)}
        ${reads({ Secrets: null, MountOptions: { FSType: "ext4", MountFlags: ["[REDACTED]"] } })}
    merges: a second registration keeps what it leaves out
        ${set("merges", "shows-secrets")}
        ${register(written)}
        ${register()}
        ${reads(written)}
    replaces: it keeps nothing
        ${set("replaces", "shows-secrets")}
        ${register(written)}
        ${register()}
        ${reads(unset)}
    unless told otherwise, it keeps context and capacities
        ${set("shows-secrets")}
        ${register(written)}
        ${register()}
        ${reads({ ...unset, "Context=": { a: "b" }, RequestedCapacityMin: 5, RequestedCapacityMax: 9 })}
`;
