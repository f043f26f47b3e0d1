/** The volumes API. */

import { readBoolean } from "../boolean";
import type { Context, Reply, Request, Route, SimulatedService } from "../route";
import { badRequest, SimulatorError } from "../simulator-error";
import type { Vocabulary } from "../vocabulary";
import { listedVolume, readVolumeAnswer } from "./answers";
import { blocking } from "./blocking";
import { foundRoutes } from "./found-routes";
import { readVolume } from "./payload";
import { addVolume, claimsOn, findVolume, namespaceOf, release, type Volume } from "./records";
import { register } from "./registration";

/** What the document's permissions `namespace:csi-…-volume` allow. */
type Right = "list" | "read" | "write";

const done: Reply = { status: 200 };

/** The volumes API. */
export const volumes: SimulatedService = {
    routes: [
        waiting("/v1/volumes", "list", list),
        guarded("PUT", "/v1/volumes", "write", register),
        guarded("POST", "/v1/volumes", "write", register),
        waiting("/v1/volume/csi/:id", "read", read),
        guarded("PUT", "/v1/volume/csi/:id", "write", register),
        guarded("DELETE", "/v1/volume/csi/:id", "write", deregister),
        guarded("DELETE", "/v1/volume/csi/:id/detach", "write", detach),
        wrongMethod("/v1/volumes"),
        wrongMethod("/v1/volume/csi/:id"),
        wrongMethod("/v1/volume/csi/:id/detach"),
        ...foundRoutes,
    ],
    /** What is there already under the same name is replaced. A volume's plugin may be gone. */
    seed: (seed, { volumes: store }) => {
        for (const plugin of seed.plugins ?? []) {
            const unset = { provider: "", version: "", controllerRequired: false, healthy: true };
            const others = store.plugins.filter(({ id }) => id !== plugin.id);
            store.plugins = [...others, { ...unset, ...plugin, nodes: [...plugin.nodes] }];
        }
        for (const item of seed.volumes ?? []) {
            const volume = readVolume(item, "default");
            if (volume.ID === "" || volume.PluginID === "") {
                throw new Error("a volume of the seed has no ID or no PluginID");
            }
            const before = findVolume(store, volume.Namespace, volume.ID);
            store.volumes = store.volumes.filter((other) => other !== before);
            addVolume(store, volume);
        }
    },
};

/** A route for those who may do this. A stranger and someone without the right get the same answer. */
function guarded(method: string, path: string, right: Right, answer: (context: Context) => Reply): Route {
    return {
        method,
        path,
        respond: (context) => {
            if (!may(context, right)) throw new SimulatorError(403, "Permission denied");
            // The scheduler takes an escaped slash for one that parts the path.
            if (idOf(context).includes("/")) throw new SimulatorError(404, "resource not found");
            return answer(context);
        },
    };
}

/** The same for a read that can be asked to wait. */
function waiting(path: string, right: Right, answer: (context: Context) => Reply): Route {
    return blocking(guarded("GET", path, right, answer), (context) => may(context, right));
}

function wrongMethod(path: string): Route {
    const respond = () => {
        throw new SimulatorError(405, "Invalid method");
    };
    return { method: "*", path, respond };
}

function may({ request, store: { tokens } }: Context, right: Right): boolean {
    const token = /^Bearer +(\S.*)$/i.exec(request.headers["authorization"] ?? "")?.[1]?.trim();
    const holder = tokens.find((known) => known.token === token);
    if (token === undefined || (!holder && tokens.length > 0)) return false;
    if (holder?.permissions !== undefined) return holder.permissions.includes(`namespace:csi-${right}-volume`);
    const access = holder?.access ?? "write";
    return access === "write" || (access === "read" && right !== "write");
}

function list(context: Context): Reply {
    const { request, store } = context;
    const query = (name: string) => request.query.get(name) ?? "";
    if (query("type") === "") return { status: 200, body: [] };
    if (query("type") !== "csi") throw new SimulatorError(404, "resource not found");
    const fits = filterOf(request, store.vocabulary);
    const namespace = namespaceOf(context.request);
    const found = store.volumes.volumes.filter(
        (volume) =>
            (namespace === "*" || volume.Namespace === namespace) &&
            volume.ID.startsWith(query("prefix")) &&
            fits(
                volume,
                claimsOn(store.volumes, volume).map(({ node }) => node),
            ),
    );
    const body = found.sort(inOrder).map((volume) => listedVolume(volume, store));
    return { status: 200, body };
}

/** The filter by plugin and by node. As measured, a plugin is named whole, and in all namespaces none is found. */
function filterOf({ query }: Request, vocabulary: Vocabulary): (volume: Volume, nodes: readonly string[]) => boolean {
    const isMeasured = vocabulary === "product";
    const isEverywhere = query.get("namespace") === "*";
    const [plugin = "", node = ""] = ["plugin_id", "node_id"].map((name) => {
        const value = query.get(name) ?? "";
        // The document decodes these to bytes; what it answers to others it does not say.
        if (isMeasured || /^([0-9a-f]{2})*$/.test(value)) return value;
        throw badRequest(`Invalid ${name}: must have an even number of hexadecimal digits`);
    });
    return ({ PluginID }, nodes) =>
        (isMeasured && plugin !== "" ? !isEverywhere && PluginID === plugin : PluginID.startsWith(plugin)) &&
        (node === "" || nodes.some((one) => one.startsWith(node)));
}

function inOrder(a: Volume, b: Volume): number {
    const [left, right] = [a, b].map(({ Namespace, ID }) => `${Namespace}\0${ID}`);
    return String(left) < String(right) ? -1 : 1;
}

function read(context: Context): Reply {
    const volume = volumeOf(context);
    if (volume === undefined) throw new SimulatorError(404, "volume not found");
    return { status: 200, body: readVolumeAnswer(volume, context.store) };
}

function deregister(context: Context): Reply {
    const { volumes: store } = context.store;
    const force = readBoolean(context.request.query.get("force") || "false");
    if (force === undefined) throw badRequest("invalid force value");
    const volume = volumeOf(context);
    if (!volume) throw new SimulatorError(500, `volume not found: ${idOf(context)}`);
    const claims = claimsOn(store, volume);
    if (claims.some((claim) => !force || claim.status === "running")) {
        throw new SimulatorError(500, `volume in use: ${volume.ID}`);
    }
    release(store, claims);
    store.index += 1;
    store.volumes = store.volumes.filter((other) => other !== volume);
    return done;
}

function detach(context: Context): Reply {
    const { volumes: store, vocabulary } = context.store;
    const node = context.request.query.get("node") ?? "";
    if (node === "") throw badRequest("detach requires node ID");
    const volume = volumeOf(context);
    if (!volume) throw new SimulatorError(500, "no such volume");
    // On real servers a detach has never worked over HTTP.
    if (vocabulary === "product") throw new SimulatorError(500, "Unknown allocation");
    const claims = claimsOn(store, volume).filter((claim) => claim.node === node);
    if (claims.some((claim) => claim.status === "running")) {
        throw new SimulatorError(500, `volume in use: ${volume.ID}`);
    }
    release(store, claims);
    return done;
}

function idOf({ parameters }: Context): string {
    return parameters["id"] ?? "";
}

function volumeOf(context: Context): Volume | undefined {
    return findVolume(context.store.volumes, namespaceOf(context.request), idOf(context));
}
