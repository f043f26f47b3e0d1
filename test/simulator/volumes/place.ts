/** What the tests of volumes share: plugins, a volume with all of the document's fields, and requests about it. */
import type { Seed } from "../../../src/simulator/seed";
import type { Place } from "../exchanges";

/** The document's register payload has these fields and no others. */
export const data = {
    ...{ ID: "data", Name: "Data", Namespace: "default", ExternalID: "disk-0a1b", PluginID: "disks" },
    ...{ Topologies: [{ zone: "north" }, { zone: "south", rack: "4" }] },
    ...{ AccessMode: "single-node-writer", AttachmentMode: "file-system" },
};

/** How a list tells of it where its registration was the first write. */
export const listed = {
    ...{ ...data, Provider: "disks.example", Schedulable: true, ControllerRequired: true, ControllersHealthy: 1 },
    ...{
        ControllersExpected: 1,
        NodesHealthy: 2,
        NodesExpected: 2,
        ResourceExhausted: 0,
        CreateIndex: 1,
        ModifyIndex: 1,
    },
};

/** Five plugins and no volume. Any token will do. */
export const seed: Seed = {
    plugins: [
        {
            ...{ id: "disks", provider: "disks.example", version: "1.2.0" },
            ...{ controllerRequired: true, nodes: ["a1b2c3", "a1ffee"] },
        },
        { id: "shares", nodes: ["b7b7b7"] },
        { id: "d15c-north", nodes: ["b7b7b7"] },
        { id: "sick", controllerRequired: true, nodes: ["c1"], healthy: false },
        { id: "sick-nodes", nodes: ["c1"], healthy: false },
    ],
};

/** Requests go to the API, with a token. */
export const place: Place = { below: "/v1/", headers: { authorization: "Bearer any" }, seed };

/** A request that registers volumes. */
export function register(...volumes: readonly object[]): string {
    return `PUT volume/csi/data ${JSON.stringify({ Volumes: volumes })}`;
}

/** A request that lets an allocation claim the volume, on a node of its plugin. */
export function claim(allocation: string, fields: object = {}): string {
    const body = { volume: "data", node: "a1b2c3", allocation, ...fields };
    return `POST /simulator/claims ${JSON.stringify(body)} -> 200 {"allocation": "${allocation}"}`;
}
