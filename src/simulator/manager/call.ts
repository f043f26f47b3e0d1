/** What holds on every path of the secrets manager: tokens, namespaces, bodies, and the envelope of its answers. */

import { randomUUID } from "node:crypto";
import { readBoolean } from "../boolean";
import { isObject, type JsonObject, readJson, repeatedKey } from "../json";
import { asRead, type Manners, type ReadFields } from "../manners";
import type { Context, Reply, Route } from "../route";
import { unescaped } from "../router";
import { badRequest, counted, managerReply, messageOf, SimulatorError } from "../simulator-error";
import type { Vocabulary } from "../vocabulary";
import { type Capability, judge } from "./permissions";
import type { ManagerStore } from "./records";

/** A request that may be answered. */
export interface Call {
    readonly store: ManagerStore;
    /** Decoded, without `/v1/` and without a slash at its end. */
    readonly path: string;
    readonly parameters: Readonly<Record<string, string>>;
    /** Without slashes around it; empty for the root. */
    readonly namespace: string;
    readonly body: JsonObject;
    readonly isList: boolean;
    readonly vocabulary: Vocabulary;
    readonly manners: Manners;
    /** Names of query parameters that mean nothing here. */
    readonly unknownQuery: readonly string[];
    readonly now: Date;
}

/** What a route needs of the caller, beside a token with the capability that goes with the method. */
export interface Needs {
    /** Whether the object is there: writing one that is needs `update`, writing another one `create`. */
    exists?(call: Call): boolean;
    readonly sudo?: boolean | undefined;
    /** No token at all. */
    readonly anonymous?: boolean;
}

/** An object that is not there. */
export const absent = new SimulatorError(404);
/** A path that has the right beginning but not the right form. */
export const unsupportedPath = new SimulatorError(404, counted(["unsupported path"]));
/** A method that means nothing on its path. */
export const unsupportedOperation = new SimulatorError(405, counted(["unsupported operation"]));

/** A route for those who may use it. */
export function managerRoute(method: string, path: string, answer: (call: Call) => Reply, needs: Needs = {}): Route {
    return { method, path: `/v1/${path}`, respond: (context) => answer(admit(context, needs)) };
}

/** The routes by which a write comes. */
export function writeRoutes(path: string, answer: (call: Call) => Reply, needs: Needs = {}): Route[] {
    return ["POST", "PUT"].map((method) => managerRoute(method, path, answer, needs));
}

/** The route of the methods that mean nothing on a path. */
export function otherMethods(path: string, needs: Needs = {}): Route {
    const refuse = (call: Call) => {
        if ("mount" in call.parameters) checkMount(call);
        throw unsupportedOperation;
    };
    return managerRoute("*", path, refuse, needs);
}

/** The answer to a read that found something. */
export function found(call: Call, mountType: string, data: object, fields?: ReadFields): Reply {
    const { unknownQuery, manners } = call;
    const warnings = unknownQuery.length === 0 ? null : [ignored(unknownQuery)];
    return envelope(mountType, { data: fields === undefined ? data : asRead(manners, data, fields), warnings });
}

/** The answer to a write that was done. Only where there is a warning is there a body, and only then are needless fields named. */
export function written(call: Call, mountType: string, warnings: readonly string[], known: ReadonlySet<string>): Reply {
    if (warnings.length === 0) return managerReply(204);
    const unknown = Object.keys(call.body).filter((field) => field !== "name" && !known.has(field));
    const replaced =
        "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [name]";
    return envelope(mountType, {
        warnings: [
            ...warnings,
            ...(unknown.length === 0 ? [] : [ignored(unknown)]),
            ...(Object.hasOwn(call.body, "name") ? [replaced] : []),
        ],
    });
}

/** An answer that tells something. */
export function envelope(
    mountType: string,
    content: { data?: object; warnings?: string[] | null; auth?: object },
): Reply {
    const { data = null, warnings = null, auth = null } = content;
    const lease = { request_id: randomUUID(), lease_id: "", renewable: false, lease_duration: 0 };
    return managerReply(200, { ...lease, data, wrap_info: null, warnings, auth, mount_type: mountType });
}

function ignored(names: readonly string[]): string {
    return `Endpoint ignored these unrecognized parameters: [${[...names].sort().join(" ")}]`;
}

const capabilities: Readonly<Record<string, Capability>> = {
    POST: "update",
    PUT: "update",
    PATCH: "update",
    DELETE: "delete",
};

function admit({ request, store, parameters, now }: Context, needs: Needs): Call {
    const { method, path, query, headers } = request;
    const isWrite = ["POST", "PUT", "PATCH"].includes(method);
    const body = isWrite ? readBody(request.body) : {};
    if (isWrite && path.endsWith("/")) throw badRequest("cannot write to a path ending in '/'");
    const call: Call = {
        store: store.manager,
        path: unescaped(path.replace(/^\/v1\/|\/$/g, "")),
        parameters,
        namespace: namespaceNamed(headers["x-secrets-namespace"] ?? ""),
        body,
        isList: method === "LIST" || (method === "GET" && readBoolean(query.get("list") ?? "") === true),
        vocabulary: store.vocabulary,
        manners: store.manners.manager ?? [],
        unknownQuery: [...new Set(query.keys())].filter((name) => name !== "list"),
        now,
    };
    if (needs.anonymous) return call;
    const capability = call.isList ? "list" : (capabilities[method] ?? "read");
    const isNew = capability === "update" && needs.exists?.(call) === false;
    judge(request, store, now, isNew ? "create" : capability, needs.sudo === true);
    return call;
}

function readBody(bytes: Buffer): JsonObject {
    const text = bytes.toString("utf8");
    if (text.trim() === "") return {};
    let value: unknown;
    try {
        value = readJson(text);
    } catch (error) {
        throw new SimulatorError(500, messageOf(error));
    }
    const twice = repeatedKey(text);
    if (twice !== undefined) throw new SimulatorError(500, `duplicate key '${twice}' in object`);
    if (value === null) return {};
    if (isObject(value)) return value;
    const kind = Array.isArray(value) ? "array" : typeof value;
    throw new SimulatorError(
        400,
        `error parsing JSON: failed to parse JSON input: json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
    );
}

/** Refuses a call whose mount is not one of the login method. */
export function checkMount({ store, path, parameters: { mount = "" } }: Call): void {
    if (!store.mounts.includes(mount)) {
        throw new SimulatorError(404, `no handler for route "${path}". route entry not found.`);
    }
}

/** A namespace without slashes around it; the root is empty. */
export function namespaceNamed(text: string): string {
    const name = text.replace(/^\/+|\/+$/g, "");
    return name === "root" ? "" : name;
}
