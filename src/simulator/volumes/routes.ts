/** The routes of the volumes API. */

import { asTold } from "../manners";
import type { Context, Reply, Request, Route, SimulatedService } from "../route";
import { listed, read, volumeTelling } from "./answers";
import { blocking } from "./blocking";
import { controlRoutes } from "./control";
import { readPayload, Undecodable } from "./payload";
import { detachAsMeasured, registerAsMeasured, shownAsMeasured } from "./product";
import {
    addVolume,
    claimsOn,
    emptyWorld,
    findVolume,
    lay,
    release,
    type Volume,
    type VolumeFields,
    type VolumesWorld,
} from "./records";

type VolumesContext = Context<VolumesWorld>;
/** What the document's permissions `namespace:csi-…-volume` allow. */
type Right = "list" | "read" | "write";
type Answer = (request: Request, context: VolumesContext) => Reply;

/** The volumes API. */
export const volumes: SimulatedService<VolumesWorld> = {
    routes: [
        waiting("/v1/volumes", "list", list),
        guarded("PUT", "/v1/volumes", "write", register),
        guarded("POST", "/v1/volumes", "write", register),
        waiting("/v1/volume/csi/:id", "read", show),
        guarded("PUT", "/v1/volume/csi/:id", "write", register),
        guarded("DELETE", "/v1/volume/csi/:id", "write", deregister),
        guarded("DELETE", "/v1/volume/csi/:id/detach", "write", detach),
        { method: "*", path: "/v1/volumes", respond: wrongMethod },
        { method: "*", path: "/v1/volume/csi/:id", respond: wrongMethod },
        { method: "*", path: "/v1/volume/csi/:id/detach", respond: wrongMethod },
        ...controlRoutes,
    ],
    empty: emptyWorld,
    lay,
};

/** A route for those who may do this. A stranger and someone without the right get the same answer. */
function guarded(method: string, path: string, what: Right, answer: Answer): Route<VolumesWorld> {
    return {
        method,
        path,
        respond: (request, context) => {
            if (!may(request, context, what)) return denied;
            // The scheduler takes an escaped slash for one that parts the path.
            return idOf(context).includes("/") ? failed(404, "resource not found") : answer(request, context);
        },
    };
}

/** The same for a read that can be asked to wait. */
function waiting(path: string, what: Right, answer: Answer): Route<VolumesWorld> {
    return blocking(guarded("GET", path, what, answer), (request, context) => may(request, context, what));
}

const denied: Reply = { status: 403, body: "Permission denied" };

function may(request: Request, { tokens }: VolumesContext, what: Right): boolean {
    const token = /^Bearer +(\S.*)$/i.exec(request.headers["authorization"] ?? "")?.[1]?.trim();
    const holder = tokens.find((known) => known.token === token);
    if (token === undefined || (!holder && tokens.length > 0)) {
        return false;
    }
    if (holder?.permissions !== undefined) {
        return holder.permissions.includes(`namespace:csi-${what}-volume`);
    }
    const access = holder?.access ?? "write";
    return access === "write" || (access === "read" && what !== "write");
}

function list(request: Request, { world, vocabulary, manners }: VolumesContext): Reply {
    const isMeasured = vocabulary === "product";
    const { query } = request;
    const type = query.get("type") ?? "";
    if (type === "") {
        return { status: 200, body: [] };
    }
    if (type !== "csi") {
        return failed(404, "resource not found");
    }
    const namespace = namespaceOf(request);
    const node = query.get("node_id") ?? "";
    const plugin = query.get("plugin_id") ?? "";
    const prefix = query.get("prefix") ?? "";
    for (const [name, value] of Object.entries({ node_id: node, plugin_id: plugin })) {
        // The document decodes these to bytes; what it answers to others it does not say.
        if (!isMeasured && !/^([0-9a-f]{2})*$/.test(value)) {
            return failed(400, `Invalid ${name}: must have an even number of hexadecimal digits`);
        }
    }
    const found = world.volumes.filter(
        (volume) =>
            (namespace === "*" || volume.Namespace === namespace) &&
            (isMeasured && plugin !== "" ? volume.PluginID === plugin : volume.PluginID.startsWith(plugin)) &&
            volume.ID.startsWith(prefix) &&
            (node === "" || claimsOn(world, volume).some((claim) => claim.node.startsWith(node))),
    );
    return {
        status: 200,
        body: found
            .sort(inOrder)
            .map((volume) => ({ ...listed(world, volume), ...(isMeasured && shownAsMeasured(volume, manners, false)) }))
            .map((shown) => asTold(manners, shown, volumeTelling)),
    };
}

function inOrder(a: Volume, b: Volume): number {
    return compare(a.Namespace, b.Namespace) || compare(a.ID, b.ID);
}

function compare(a: string, b: string): number {
    return a < b ? -1 : a > b ? 1 : 0;
}

function show(request: Request, context: VolumesContext): Reply {
    const volume = findVolume(context.world, namespaceOf(request), idOf(context));
    if (volume === undefined) return failed(404, "volume not found");
    const { world, vocabulary, manners } = context;
    const measured = vocabulary === "product" ? shownAsMeasured(volume, manners, true) : {};
    return { status: 200, body: asTold(manners, { ...read(world, volume), ...measured }, volumeTelling) };
}

/** All volumes of the payload are registered, or none. Their own ids count, not the path's. */
function register(request: Request, context: VolumesContext): Reply {
    const { world } = context;
    if (context.vocabulary === "product") {
        return registerAsMeasured(request, context, namespaceOf(request), (id) => pluginProblem(id, world));
    }
    let wanted: VolumeFields[];
    try {
        wanted = readPayload(request.body, namespaceOf(request));
    } catch (error) {
        if (error instanceof Undecodable) {
            return failed(400, error.message);
        }
        throw error;
    }
    const refusal = wanted.length === 0 ? "missing volume definition" : refusalOf(wanted, world);
    if (refusal !== undefined) {
        return failed(500, refusal);
    }
    for (const volume of wanted) {
        addVolume(world, volume);
    }
    return { status: 200 };
}

/** Why these volumes cannot be registered: first what they are, then what they need, then what is there. */
function refusalOf(wanted: readonly VolumeFields[], world: VolumesWorld): string | undefined {
    for (const volume of wanted) {
        const problem = missingIn(volume) ?? pluginProblem(volume.PluginID, world);
        if (problem !== undefined) {
            return problem;
        }
    }
    const existing = wanted.find(
        (volume, position) =>
            findVolume(world, volume.Namespace, volume.ID) !== undefined ||
            wanted.findIndex(({ ID, Namespace }) => ID === volume.ID && Namespace === volume.Namespace) < position,
    );
    return existing && `volume exists: ${existing.ID}`;
}

function missingIn({ ID, PluginID }: VolumeFields): string | undefined {
    const missing = [...(ID === "" ? ["missing volume id"] : []), ...(PluginID === "" ? ["missing plugin id"] : [])];
    return missing.length > 0 ? `validation: ${missing.join(", ")}` : undefined;
}

/** A volume of a plugin with a controller can only be registered while the controller answers. */
function pluginProblem(id: string, world: VolumesWorld): string | undefined {
    const plugin = world.plugins.find((candidate) => candidate.id === id);
    if (!plugin) {
        return `no CSI plugin named: ${id} could be found`;
    }
    return plugin.controllerRequired && !plugin.healthy ? `no healthy controllers for CSI plugin: ${id}` : undefined;
}

function deregister(request: Request, context: VolumesContext): Reply {
    const { world } = context;
    const force = boolean(request.query.get("force") ?? "");
    if (force === undefined) {
        return failed(400, "invalid force value");
    }
    const id = idOf(context);
    const volume = findVolume(world, namespaceOf(request), id);
    if (!volume) {
        return failed(500, `volume not found: ${id}`);
    }
    const claims = claimsOn(world, volume);
    if (claims.some((claim) => !force || claim.status === "running")) {
        return failed(500, `volume in use: ${id}`);
    }
    release(world, claims);
    world.index += 1;
    world.volumes = world.volumes.filter((other) => other !== volume);
    return { status: 200 };
}

function detach(request: Request, context: VolumesContext): Reply {
    const { world, vocabulary } = context;
    if (vocabulary === "product")
        return detachAsMeasured(request, findVolume(world, namespaceOf(request), idOf(context)));
    const node = request.query.get("node") ?? "";
    if (node === "") {
        return failed(400, "detach requires node ID");
    }
    const volume = findVolume(world, namespaceOf(request), idOf(context));
    if (!volume) {
        return failed(500, "no such volume");
    }
    const claims = claimsOn(world, volume).filter((claim) => claim.node === node);
    if (claims.some((claim) => claim.status === "running")) {
        return failed(500, `volume in use: ${volume.ID}`);
    }
    release(world, claims);
    return { status: 200 };
}

function wrongMethod(): Reply {
    return failed(405, "Invalid method");
}

function namespaceOf(request: Request): string {
    return request.query.get("namespace") || "default";
}

function idOf(context: VolumesContext): string {
    return context.parameters["id"] ?? "";
}

/** The spellings of a boolean that the scheduler knows; left empty it is false. */
function boolean(written: string): boolean | undefined {
    if (["1", "t", "T", "true", "TRUE", "True"].includes(written)) {
        return true;
    }
    return ["", "0", "f", "F", "false", "FALSE", "False"].includes(written) ? false : undefined;
}

function failed(status: number, text: string): Reply {
    return { status, body: text };
}
