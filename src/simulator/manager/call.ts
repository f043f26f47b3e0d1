/** Tokens, namespaces, bodies and the form of answers, for all routes of the secrets manager. */

import type { Context, Hono } from "hono";
import { isObject, type JsonObject, parsed } from "../json";
import { badRequest, Refusal } from "../refusal";
import { holderOf, type Names, nowIn, type World } from "../store";
import type { ManagerStore } from "./records";

/** A request whose token has the right to send it. */
export interface Call {
    readonly store: ManagerStore;
    readonly names: Names;
    readonly now: Date;
    readonly mount: string;
    /** The name of the object in the path. Empty if there is none. */
    readonly name: string;
    /** The namespace without slashes around it; empty for the root. */
    readonly namespace: string;
    readonly body: JsonObject;
}

/** The requirement of a route: nothing, a token, or a token with the capability `sudo`. */
export type Need = "nothing" | "token" | "sudo";

/** The methods of a route. Vault takes PUT for POST, with which its own tools write. */
export const methodsOf = (method: string, { names }: Pick<World, "names">) =>
    method === "POST" && names === "product" ? ["POST", "PUT"] : [method];

/** Adds a route. Mounts and names in its path may contain slashes. */
export function addRoute(
    app: Hono,
    world: World,
    method: "GET" | "POST" | "DELETE" | "LIST",
    path: string,
    answer: (call: Call) => Response,
    need: Need = "token",
): void {
    app.on(methodsOf(method, world), `/v1/${path.replace(/:\w+/g, "$&{.+}")}`, async (c) => {
        const { store, names } = world;
        if (need !== "nothing") authorize(c, world, method === "POST" || method === "DELETE", need === "sudo");
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

/** Refuses a token without the right to send this request. */
function authorize(c: Context, { store }: World, isWrite: boolean, needsSudo: boolean): void {
    const bearer = /^bearer\s+(.+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    const token = (c.req.header("x-secrets-token") || bearer || "").trim();
    if (token === "") throw new Refusal(403, "permission denied");
    const holder = holderOf(store, token);
    if (!holder && store.tokens.length > 0) throw new Refusal(403, "permission denied", "invalid token");
    const { access = "write", sudo = true } = holder ?? {};
    const isAllowed = access === "write" || (access === "read" && !isWrite);
    if (!isAllowed || (needsSudo && !sudo)) throw new Refusal(403, "permission denied");
}

function bodyIn(text: string): JsonObject {
    const body = text.trim() === "" ? {} : parsed(text);
    if (!isObject(body)) throw badRequest("error parsing JSON: the body is not a JSON object");
    return body;
}

/** The answer about an absent object: 404 with no reasons. */
export const absent = new Refusal(404);

/** The answer to a write or a deletion. */
export function written(warnings: readonly string[] = []): Response {
    return warnings.length === 0 ? new Response(null, { status: 204 }) : envelope({ warnings });
}

/** A successful answer with a body, in the form of all answers of Vault. */
export function envelope(content: { data?: object; warnings?: readonly string[]; auth?: object }): Response {
    return Response.json({ data: null, warnings: null, auth: null, ...content });
}

/** Refuses a call whose mount is not one of the login method. */
export function checkMount({ store, mount }: Call): void {
    if (!Object.hasOwn(store.mounts, mount)) {
        throw new Refusal(404, `no handler for route "auth/${mount}". route entry not found.`);
    }
}

/** A namespace without slashes around it; empty for the root. */
export function namespaceNamed(text: string): string {
    const name = text.replace(/^\/+|\/+$/g, "");
    return name === "root" ? "" : name;
}
