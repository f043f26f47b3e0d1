/** What holds on every path of the secrets manager: tokens, namespaces, bodies, and the envelope of its answers. */

import { randomUUID } from "node:crypto";
import type { Context, Hono } from "hono";
import type { World } from "../app";
import { isObject, type JsonObject, parsed } from "../json";
import { badRequest, counted, Refusal } from "../refusal";
import { type Names, nowIn } from "../store";
import type { ManagerStore } from "./records";

/** A request that may be answered. */
export interface Call {
    readonly store: ManagerStore;
    readonly names: Names;
    readonly now: Date;
    readonly mount: string;
    /** The object's name, if the path has one. */
    readonly name: string;
    /** Without slashes around it; empty for the root. */
    readonly namespace: string;
    readonly body: JsonObject;
}

/** What a route needs of the caller: nothing, a token, or one with sudo. */
export type Need = "nothing" | "token" | "sudo";

/** Adds a route, for callers with the right to use it. A write comes by POST or PUT, a list by LIST or GET with `?list=true`. */
export function addRoute(
    app: Hono,
    world: World,
    method: "GET" | "POST" | "DELETE" | "LIST",
    path: string,
    answer: (call: Call) => Response,
    need: Need = "token",
): void {
    const methods = { GET: ["GET"], DELETE: ["DELETE"], POST: ["POST", "PUT"], LIST: ["LIST", "GET"] }[method];
    app.on(methods, `/v1/${path}`, async (c) => {
        const { store, names } = world;
        if (method === "LIST" && c.req.method === "GET" && c.req.query("list") !== "true") {
            throw new Refusal(405, counted("unsupported operation"));
        }
        const isWrite = method === "POST" || method === "DELETE";
        if (need !== "nothing") authorize(c, world, isWrite, need === "sudo");
        return answer({
            store: store.manager,
            names,
            now: nowIn(store),
            mount: c.req.param("mount") ?? "",
            name: c.req.param("name") ?? "",
            namespace: namespaceNamed(c.req.header("x-secrets-namespace") ?? ""),
            body: method === "POST" ? bodyIn(await c.req.text()) : {},
        });
    });
}

/** Refuses a token that may not do this. */
function authorize(c: Context, { store }: World, isWrite: boolean, needsSudo: boolean): void {
    const bearer = /^bearer\s+(.+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    const token = (c.req.header("x-secrets-token") || bearer || "").trim();
    if (token === "") throw new Refusal(403, "permission denied");
    const holder = store.tokens.find((one) => one.token === token);
    if (!holder && store.tokens.length > 0) throw new Refusal(403, counted("permission denied", "invalid token"));
    const { access = "write", sudo = true } = holder ?? {};
    const isAllowed = access === "write" || (access === "read" && !isWrite);
    if (!isAllowed || (needsSudo && !sudo)) throw new Refusal(403, counted("permission denied"));
}

function bodyIn(text: string): JsonObject {
    const body = text.trim() === "" ? {} : parsed(text);
    if (!isObject(body)) throw badRequest("error parsing JSON: the body is not a JSON object");
    return body;
}

/** An object that does not exist. */
export const absent = new Refusal(404);

/** The answer to a write or a deletion. */
export function written(mountType: string, warnings: readonly string[] = []): Response {
    return warnings.length === 0 ? new Response(null, { status: 204 }) : envelope(mountType, { warnings });
}

/** An answer with a body. */
export function envelope(
    mountType: string,
    content: { data?: object; warnings?: readonly string[]; auth?: object },
): Response {
    const { data = null, warnings = null, auth = null } = content;
    return Response.json({ request_id: randomUUID(), data, warnings, auth, mount_type: mountType });
}

/** Refuses a call whose mount is not one of the login method. */
export function checkMount({ store, mount }: Pick<Call, "store" | "mount">): void {
    if (!store.mounts.includes(mount)) {
        throw new Refusal(404, `no handler for route "auth/${mount}". route entry not found.`);
    }
}

/** A namespace without slashes around it; the root is empty. */
export function namespaceNamed(text: string): string {
    const name = text.replace(/^\/+|\/+$/g, "");
    return name === "root" ? "" : name;
}
