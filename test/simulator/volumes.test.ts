/** Tests the simulator's volumes API, by the sections of the API document. */
import { section } from "./exchanges";

/** A volume for a registration, with all fields of the document. */
const data = {
    ...{ ID: "data", Name: "Data", Namespace: "default", ExternalID: "disk-0a1b", PluginID: "disks" },
    ...{ Topologies: [{ zone: "north" }, { zone: "south", rack: "4" }] },
    ...{ AccessMode: "single-node-writer", AttachmentMode: "file-system" },
};
const listed = {
    ...{ ...data, Provider: "disks.example", Schedulable: true, ControllerRequired: true, ControllersHealthy: 1 },
    ...{ ControllersExpected: 1, NodesHealthy: 2, NodesExpected: 2, ResourceExhausted: 0 },
    ...{ CreateIndex: 1, ModifyIndex: 1 },
};
/** Returns an expected answer with exactly these fields. */
const exact = (fields: object) => ({ "=": fields });
const plugins = [
    {
        ...{ id: "disks", provider: "disks.example", version: "1.2.0" },
        ...{ controllerRequired: true, nodes: ["a1b2c3", "a1ffee"] },
    },
    { id: "d15c-north", nodes: ["b7b7b7"] },
    { id: "sick", controllerRequired: true, nodes: ["c1"], healthy: false },
];
const place = { below: "/v1/", headers: { authorization: "Bearer any" }, seed: { plugins } };
const withVolume = { ...place, seed: { plugins, volumes: [data] } };
const register = (...volumes: readonly object[]) => `PUT volume/csi/data ${JSON.stringify({ Volumes: volumes })}`;
const claim = (allocation: string, fields: object = {}) =>
    `POST /simulator/claims ${JSON.stringify({ volume: "data", node: "a1b2c3", allocation, ...fields })} -> 200`;
const inUse = "500 volume in use: data";

section("Volumes, Endpoints: PUT registers an external volume", place)`
    registering an existing volume is an error
        ${register(data)} -> 200
        ${register({ ...data, Name: "new" })} -> 500 volume exists: data
        GET volume/csi/data -> 200 {"Name": "Data"}
    an id and a plugin are required, and the plugin's controller is healthy
        ${register()} -> 500 missing volume definition
        ${register({})} -> 500 validation: missing volume id
        ${register({ ...data, PluginID: "none" })} -> 500 no CSI plugin named: none could be found
        ${register({ ...data, PluginID: "sick" })} -> 500 no healthy controllers for CSI plugin: sick
    a malformed body is refused
        ${["", '{"Volumes":{}}', '{"Volumes":[{"ID":7}]}'].map((body) => `PUT volume/csi/data ${body} -> 400`)}
`;

const lists = (query: string, ...ids: string[]) =>
    `GET volumes?${query} -> 200 ${JSON.stringify(ids.map((ID) => ({ ID })))}`;
const made = [
    `${register({ ...data, ID: "m2" }, { ...data, ID: "m1", PluginID: "d15c-north" })} -> 200`,
    `${register({ ...data, ID: "n1", Namespace: "team" })} -> 200`,
];

section("Volumes, Endpoints: GET /v1/volumes", place)`
    type: empty list if omitted, the document's fields if csi, others are not supported
        ${register(data)} -> 200
        GET volumes -> 200 []
        GET volumes?type=csi -> 200 ${[exact(listed)]}
        GET volumes?type=host -> 404 resource not found
    plugin_id and node_id: prefixes of an even number of hexadecimal characters
        ${made}
        ${claim("alloc-1", { volume: "m2" })}
        ${lists("type=csi&plugin_id=d15c", "m1")}
        ${lists("type=csi&node_id=a1b2", "m2")}
        ${lists("type=csi&node_id=a1b2&plugin_id=d15c")}
        ${["node_id=a", "plugin_id=zz"].map((query) => `GET volumes?type=csi&${query} -> 400 ~ even number of hexadecimal digits`)}
`;

section("Volumes, Endpoints: DELETE deregisters the volume", withVolume)`
    with force=true claims of terminal allocations are dropped, and an error results if the volume has running allocations
        ${claim("a", { status: "complete" })}
        ${claim("b")}
        DELETE volume/csi/data?force=true -> ${inUse}
        GET volume/csi/data -> 200 {"ReadAllocs=": {"a": null, "b": null}}
        PATCH /simulator/claims/b {"status": "failed"} -> 204
        DELETE volume/csi/data?force=true -> 200
        DELETE volume/csi/data?force=junk -> 400 invalid force value
`;

section("Volumes, Endpoints: DELETE …/detach detaches the volume from the given client node", withVolume)`
    node is required, and the volume exists
        DELETE volume/csi/none/detach -> 400 detach requires node ID
        DELETE volume/csi/none/detach?node=a1b2c3 -> 500 no such volume
    error if the volume is in use on that node; only its terminal claims are released
        ${claim("a")}
        ${claim("there", { status: "complete", node: "a1ffee" })}
        DELETE volume/csi/data/detach?node=a1b2c3 -> ${inUse}
        PATCH /simulator/claims/a {"status": "complete"} -> 204
        DELETE volume/csi/data/detach?node=a1b2c3 -> 200 ""
        GET volume/csi/data -> 200 {"ReadAllocs=": {"there": null}}
`;

const token = (name: string) => ({ token: name, kind: "user" as const, id: name });
const tokens = [
    token("write"),
    { ...token("read"), access: "read" as const },
    { ...token("none"), access: "none" as const },
];
const as = (name: string) => `| authorization: Bearer ${name} ->`;

section("Volumes, Authentication", { ...place, seed: { plugins, volumes: [data], tokens } })`
    a missing right and an unknown token have the same answer
        ${["GET volumes?type=csi", "GET volume/csi/data"].flatMap((line) => [
            `${line} ${as("read")} 200`,
            ...["none", "stranger"].map((name) => `${line} ${as(name)} 403 Permission denied`),
        ])}
        ${[
            register({ ...data, ID: "more" }),
            "DELETE volume/csi/data/detach?node=a1",
            "DELETE volume/csi/data",
        ].flatMap((line) => [`${line} ${as("read")} 403 Permission denied`, `${line} ${as("write")} 200`])}
`;

section("Volumes, What the service does 3: list and read support blocking queries", withVolume)`
    every read returns an index, and waits only if the query has the current index
        GET volumes?type=csi -> 200 | x-volumes-index: 1
        ${register({ ...data, ID: "more" })} -> 200
        GET volume/csi/data -> 200 | x-volumes-index: 2
        GET volume/csi/none -> 404 volume not found | x-volumes-index: 2
        GET volumes?type=csi&index=1&wait=5m -> 200 | x-volumes-index: 2
    other values of index and wait
        ${["-1", "x"].map((index) => `GET volumes?type=csi&index=${index} -> 400 Invalid index`)}
        ${["soon", "-1s"].map((wait) => `GET volume/csi/data?index=1&wait=${wait} -> 400 Invalid wait time`)}
`;
