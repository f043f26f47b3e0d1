/** What holds on every path of the secrets manager: tokens, namespaces, bodies, and the envelope of its answers. */

import { randomUUID } from "node:crypto";
import { readJson, repeatedKey } from "../json";
import { asTold, type Manners, type Telling } from "../manners";
import type { Context, Reply, Request, Route } from "../route";
import type { Vocabulary } from "../vocabulary";
import { type Capability, judge } from "./permissions";
import type { ManagerWorld } from "./records";
import { RefusedValue } from "./values";

/** A request that may be answered. */
export interface Call {
    readonly world: ManagerWorld;
    readonly parameters: Readonly<Record<string, string>>;
    /** Without slashes around it; empty for the root. */
    readonly namespace: string;
    readonly body: Readonly<Record<string, unknown>>;
    readonly isList: boolean;
    readonly vocabulary: Vocabulary;
    readonly manners: Manners;
    /** Names of query parameters that mean nothing here. */
    readonly unknownQuery: readonly string[];
    now(): Date;
    id(prefix: string): string;
}

/** What a route needs of the caller, beside a token with the capability that goes with the method. */
export interface Needs {
    /** Whether the object is there: writing one that is needs `update`, writing another one `create`. */
    exists?(call: Call): boolean;
    readonly sudo?: true;
    /** No token at all. */
    readonly anonymous?: true;
}

/** An answer other than the expected, thrown from wherever it is found. */
export class Refusal extends Error {
    constructor(
        readonly status: number,
        readonly errors: readonly string[],
    ) {
        super(errors.join(", "));
    }
}

/** An object that is not there. */
export const absent = new Refusal(404, []);
/** A path that has the right beginning but not the right form. */
export const unsupportedPath = new Refusal(404, [counted(["unsupported path"])]);
/** A method that means nothing on its path. */
export const unsupportedOperation = new Refusal(405, [counted(["unsupported operation"])]);

const always = {
    "cache-control": "no-store",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
} as const;

/** A route behind the door. */
export function managerRoute(
    method: string,
    path: string,
    answer: (call: Call) => Reply,
    needs: Needs = {},
): Route<ManagerWorld> {
    return {
        method,
        path,
        respond: (request, context) => {
            try {
                return answer(admit(request, context, needs));
            } catch (error) {
                if (error instanceof Refusal) return refuse(error.status, error.errors);
                if (error instanceof RefusedValue) return refuse(400, [error.message]);
                throw error;
            }
        },
    };
}

/** A read that found something. `telling` is what the document says of an object's fields. */
export function found(call: Call, mount: string, data: object, telling?: Telling): Reply {
    const { unknownQuery, manners } = call;
    const told = telling === undefined ? data : asTold(manners, data, telling);
    return envelope(mount, told, unknownQuery.length === 0 ? null : [ignored(unknownQuery)]);
}

/** A write that was done. Only where there is a warning is there a body, and only then are needless fields named. */
export function written(call: Call, mount: string, warnings: readonly string[], known: ReadonlySet<string>): Reply {
    if (warnings.length === 0) return json({ status: 204 });
    const unknown = Object.keys(call.body).filter((field) => field !== "name" && !known.has(field));
    return envelope(mount, null, [
        ...warnings,
        ...(unknown.length === 0 ? [] : [ignored(unknown)]),
        ...(Object.hasOwn(call.body, "name")
            ? [
                  "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [name]",
              ]
            : []),
    ]);
}

/** What a write finds of an object that is there: nothing, where it replaces. */
export function kept<Stored>({ manners }: Pick<Call, "manners">, stored: Stored | undefined): Stored | undefined {
    return manners.includes("replaces") ? undefined : stored;
}

/** A login that succeeded. */
export function loggedIn(mount: string, auth: object): Reply {
    return envelope(mount, null, null, auth);
}

function envelope(
    mount: string,
    data: object | null,
    warnings: readonly string[] | null,
    auth: object | null = null,
): Reply {
    return json({
        status: 200,
        body: {
            request_id: randomUUID(),
            lease_id: "",
            renewable: false,
            lease_duration: 0,
            data,
            wrap_info: null,
            warnings,
            auth,
            mount_type: mount,
        },
    });
}

function refuse(status: number, errors: readonly string[]): Reply {
    return json({ status, body: { errors } });
}

function json(reply: { status: number; body?: object }): Reply {
    const { status, body } = reply;
    const common = { status, headers: always, contentType: "application/json" };
    return body === undefined ? common : { ...common, body: `${JSON.stringify(body)}\n` };
}

function ignored(names: readonly string[]): string {
    return `Endpoint ignored these unrecognized parameters: [${[...names].sort().join(" ")}]`;
}

/** Several errors in one text, as the manager writes them. */
export function counted(errors: readonly string[]): string {
    const head = errors.length === 1 ? "1 error" : `${errors.length} errors`;
    return `${head} occurred:\n${errors.map((error) => `\t* ${error}\n`).join("")}\n`;
}

function admit(request: Request, context: Context<ManagerWorld>, needs: Needs): Call {
    const isWrite = request.method === "POST" || request.method === "PUT" || request.method === "PATCH";
    const body = isWrite ? readBody(request.body) : {};
    if (isWrite && request.path.endsWith("/")) throw new Refusal(400, ["cannot write to a path ending in '/'"]);
    const isList =
        request.method === "LIST" ||
        (request.method === "GET" && /^(1|t|T|true|TRUE|True)$/.test(request.query.get("list") ?? ""));
    const call: Call = {
        world: context.world,
        parameters: context.parameters,
        namespace: namespaceNamed(request.headers["x-secrets-namespace"] ?? ""),
        body,
        isList,
        unknownQuery: [...new Set(request.query.keys())].filter((name) => name !== "list"),
        now: context.now,
        vocabulary: context.vocabulary,
        manners: context.manners,
        id: context.id,
    };
    if (needs.anonymous) return call;
    const capability = isList ? "list" : (capabilities[request.method] ?? "read");
    const isNew = capability === "update" && needs.exists?.(call) === false;
    const verdict = judge(request, context, isNew ? "create" : capability, needs.sudo === true);
    if (verdict !== "allowed") throw new Refusal(403, refusals[verdict]);
    return call;
}

const capabilities: Readonly<Record<string, Capability>> = {
    POST: "update",
    PUT: "update",
    PATCH: "update",
    DELETE: "delete",
};

const refusals = {
    "no token": ["permission denied"],
    "invalid token": [counted(["permission denied", "invalid token"])],
    denied: [counted(["permission denied"])],
} as const;

function readBody(bytes: Buffer): Readonly<Record<string, unknown>> {
    const text = bytes.toString("utf8");
    if (text.trim() === "") return {};
    let value: unknown;
    try {
        value = readJson(text);
    } catch (error) {
        throw new Refusal(500, [error instanceof Error ? error.message : String(error)]);
    }
    const twice = repeatedKey(text);
    if (twice !== undefined) throw new Refusal(500, [`duplicate key '${twice}' in object`]);
    if (value === null) return {};
    if (typeof value === "object" && !Array.isArray(value)) return Object.fromEntries(Object.entries(value));
    const kind = Array.isArray(value) ? "array" : typeof value;
    throw new Refusal(400, [
        `error parsing JSON: failed to parse JSON input: json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
    ]);
}

/** The mount of a call, which must be one of the login method. `rest` is what stands behind it. */
export function mountOf({ world, parameters: { mount = "" } }: Call, rest: string): string {
    if (world.mounts.includes(mount)) return mount;
    throw new Refusal(404, [`no handler for route "auth/${mount}/${rest}". route entry not found.`]);
}

/** A namespace without slashes around it; the root is empty. */
export function namespaceNamed(text: string): string {
    const named = text.replace(/^\/+|\/+$/g, "");
    return named === "root" ? "" : named;
}

/** A name of a role or configuration, if it has the form of one. */
export function nameIn(name: string): string {
    if (name.includes("..")) throw new Refusal(400, ["relative paths not supported"]);
    if (!/^\w(([\w-.]+)?\w)?$/.test(name)) throw unsupportedPath;
    return name;
}
