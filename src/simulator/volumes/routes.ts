/** The volumes API. */

import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context, Hono } from "hono";
import { z } from "zod";
import { secondsIn } from "../duration";
import { parsed } from "../json";
import { logInAtNomad } from "../manager/method-login";
import { badRequest, Refusal, validated } from "../refusal";
import type { Seed } from "../seed";
import { holderOf, nowIn, type World } from "../store";
import { listedPlugin, listedVolume, readVolume } from "./answers";
import { addVolume, claimsOn, findVolume, release, type Volume, type VolumesStore } from "./records";
import { register, volumeIn } from "./registration";

const idIn = ({ req }: Context) => req.param("id") ?? "";
const namespaceIn = ({ req }: Context) => req.query("namespace") || "default";
const volumeOf = (c: Context, store: VolumesStore) => findVolume(store, namespaceIn(c), idIn(c));

export function addVolumeRoutes(app: Hono, world: World): void {
    const { store } = world;
    const guarded = (method: string, path: string, answer: (c: Context) => Response | Promise<Response>) =>
        app.on(method, path, async (c) => {
            authorize(c, world, method !== "GET");
            const isRead = method === "GET";
            if (isRead) await blocked(c, world);
            const response = await answer(c);
            if (isRead) response.headers.set("X-Volumes-Index", String(store.volumes.index));
            return response;
        });
    app.post("/v1/acl/login", async (c) =>
        logInAtNomad(store, validated(z.looseObject({}), parsed(await c.req.text()))),
    );
    guarded("GET", "/v1/volumes", (c) => Response.json(list(c, world)));
    guarded("GET", "/v1/volume/csi/:id", (c) => {
        const volume = volumeOf(c, store.volumes);
        if (volume) return Response.json(readVolume(store.volumes, volume));
        // Returned and not thrown, because this answer also has the header with the index.
        return new Response("volume not found", { status: 404 });
    });
    guarded("PUT", "/v1/volume/csi/:id", async (c) => register(await c.req.text(), namespaceIn(c), world));
    // `nomad plugin status` sends these.
    guarded("GET", "/v1/plugins", (c) => {
        const { prefix = "" } = c.req.query();
        return Response.json(store.volumes.plugins.filter(({ id }) => id.startsWith(prefix)).map(listedPlugin));
    });
    guarded("GET", "/v1/plugin/csi/:id", (c) => {
        const plugin = store.volumes.plugins.find(({ id }) => id === c.req.param("id"));
        if (plugin) return Response.json(listedPlugin(plugin));
        return new Response("plugin not found", { status: 404 });
    });
    // `nomad node status` and `nomad system gc` send these.
    guarded("GET", "/v1/nodes", () => {
        const ids = new Set(store.volumes.plugins.flatMap(({ nodes }) => nodes));
        return Response.json(
            [...ids].map((ID) => ({ ID, Name: ID, Status: "ready", SchedulingEligibility: "eligible" })),
        );
    });
    guarded("PUT", "/v1/system/gc", () => {
        release(
            store.volumes,
            store.volumes.claims.filter(({ status }) => status !== "running"),
        );
        return new Response();
    });
    // `nomad namespace apply` sends the first and the last of these.
    guarded("GET", "/v1/namespace/:name", (c) => {
        const Name = c.req.param("name") ?? "";
        if (store.volumes.namespaces.includes(Name)) return Response.json({ Name, Description: "" });
        return new Response("Namespace not found", { status: 404 });
    });
    guarded("GET", "/v1/namespaces", () =>
        Response.json(store.volumes.namespaces.map((Name) => ({ Name, Description: "" }))),
    );
    guarded("PUT", "/v1/namespace/:name?", async (c) => {
        const { Name } = validated(z.object({ Name: z.string().min(1) }), parsed(await c.req.text()));
        store.volumes.namespaces = [...new Set([...store.volumes.namespaces, Name])];
        return new Response();
    });
    guarded("DELETE", "/v1/volume/csi/:id", (c) => deregister(c, store.volumes));
    guarded("DELETE", "/v1/volume/csi/:id/detach", (c) => detach(c, world));
}

/** Refuses a token without the right. An unknown token gets the same answer. */
function authorize(c: Context, { names, store }: World, isWrite: boolean): void {
    const { tokens } = store;
    // Nomad without access control lists (ACLs) accepts requests without a token.
    if (names === "product" && tokens.length === 0) return;
    const token = /^Bearer +(\S.*)$/i.exec(c.req.header("authorization") ?? "")?.[1]?.trim();
    const holder = holderOf(store, token);
    const access = holder || tokens.length === 0 ? (holder?.access ?? "write") : "none";
    if (token !== undefined && (access === "write" || (access === "read" && !isWrite))) return;
    throw new Refusal(403, "Permission denied");
}

function list(c: Context, { store: { volumes }, names }: World): object[] {
    const [type = "", plugin = "", node = ""] = ["type", "plugin_id", "node_id"].map((name) => c.req.query(name));
    if (type === "") return [];
    if (type !== "csi") throw new Refusal(404, "resource not found");
    const isProduct = names === "product";
    for (const [name, value] of Object.entries({ plugin_id: plugin, node_id: node })) {
        // The API documents decode these values to bytes, and show no answer to a value that is not hexadecimal.
        if (isProduct || /^([0-9a-f]{2})*$/.test(value)) continue;
        throw badRequest(`Invalid ${name}: must have an even number of hexadecimal digits`);
    }
    const namespace = namespaceIn(c);
    const isListed = (volume: Volume) =>
        (namespace === "*" || volume.Namespace === namespace) &&
        (isProduct && plugin !== "" ? volume.PluginID === plugin : volume.PluginID.startsWith(plugin)) &&
        (node === "" || claimsOn(volumes, volume).some((one) => one.node.startsWith(node)));
    const placeOf = ({ Namespace, ID }: Volume) => `${Namespace}\0${ID}`;
    return volumes.volumes
        .filter(isListed)
        .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
        .map((volume) => listedVolume(volumes, volume));
}

function deregister(c: Context, store: VolumesStore): Response {
    const force = c.req.query("force") || "false";
    if (force !== "true" && force !== "false") throw badRequest("invalid force value");
    const volume = volumeOf(c, store);
    if (!volume) throw new Refusal(500, `volume not found: ${idIn(c)}`);
    const claims = claimsOn(store, volume);
    if (claims.some(({ status }) => force === "false" || status === "running")) {
        throw new Refusal(500, `volume in use: ${volume.ID}`);
    }
    release(store, claims);
    store.index += 1;
    store.volumes = store.volumes.filter((other) => other !== volume);
    return new Response();
}

function detach(c: Context, { store: { volumes }, names }: World): Response {
    const node = c.req.query("node") ?? "";
    if (node === "") throw badRequest("detach requires node ID");
    const volume = volumeOf(c, volumes);
    if (!volume) throw new Refusal(500, "no such volume");
    // Nomad's answer to every detachment since 1.4.
    if (names === "product") throw new Refusal(500, "Unknown allocation");
    const claims = claimsOn(volumes, volume).filter((one) => one.node === node);
    if (claims.some(({ status }) => status === "running")) throw new Refusal(500, `volume in use: ${volume.ID}`);
    release(volumes, claims);
    return new Response();
}

/** Adds a seed's plugins and volumes. The plugin of a volume may be absent. */
export function seedVolumes(seed: Seed, { store: { volumes: store }, names }: World): void {
    for (const plugin of seed.plugins ?? []) {
        const unset = { provider: "", version: "", controllerRequired: false, expands: false, healthy: true };
        const others = store.plugins.filter(({ id }) => id !== plugin.id);
        store.plugins = [...others, { ...unset, ...plugin, nodes: [...plugin.nodes] }];
    }
    const volumes = (seed.volumes ?? []).map((item) => volumeIn(item, "default", names));
    const namespaces = [...(seed.namespaces ?? []), ...volumes.map(({ Namespace }) => Namespace)];
    store.namespaces = [...new Set([...store.namespaces, ...namespaces])];
    for (const volume of volumes) {
        const before = findVolume(store, volume.Namespace, volume.ID);
        store.volumes = store.volumes.filter((other) => other !== before);
        addVolume(store, volume);
    }
}

const longestWait = 600;

/** Waits until the index passes `index`, or for `wait` on the simulator's clock. A change of the clock may end the wait. */
async function blocked({ req }: Context, world: World): Promise<void> {
    const index = Number(req.query("index") || 0);
    const wait = secondsIn(req.query("wait") || "5m");
    if (!Number.isSafeInteger(index) || index < 0) throw badRequest("Invalid index");
    if (wait === undefined) throw badRequest("Invalid wait time");
    const { store, changes } = world;
    const end = nowIn(store).getTime() + Math.min(wait, longestWait) * 1000;
    while (index > 0 && store.volumes.index <= index) {
        const rest = end - nowIn(store).getTime();
        if (rest <= 0) return;
        const waiting = new AbortController();
        const { signal } = waiting;
        await Promise.race([once(changes, "change", { signal }), sleep(rest, undefined, { signal, ref: false })]);
        waiting.abort();
    }
}
