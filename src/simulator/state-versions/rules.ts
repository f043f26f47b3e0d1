/**
 * Who may do what with state versions, and how the API refuses. Missing and forbidden look the same, so that nobody learns what exists.
 *
 * | token of        | access `none` | access `read` | access `write`          | access `write`, owner |
 * |-----------------|---------------|---------------|-------------------------|-----------------------|
 * | a user, a team  | nothing       | reads         | writes and locks as well | backing data as well |
 * | an organization | nothing       | reads         | reads                   | reads                 |
 */

import { createHash } from "node:crypto";
import { isObject, type JsonObject, parsed } from "../json";
import type { Context, Reply, Request } from "../route";
import type { TokenSeed } from "../seed";
import { SimulatorError } from "../simulator-error";
import type { Holder, StateVersionsStore, Workspace } from "./records";

/** Content type of every document of this API. */
const documentType = "application/vnd.api+json";

/** Who sent a request. */
export interface Principal {
    readonly type: "users" | "teams" | "organizations";
    readonly id: string;
    /** The user as whom it acts: versions name this one as their maker. A team's token has a user of its own. */
    readonly user: string;
    readonly reads: boolean;
    /** Whether it may change state versions and locks: organization tokens never may. */
    readonly writes: boolean;
    /** Whether it may do what is left to owners of the organization. */
    readonly owns: boolean;
}

/** A request of somebody who is known. */
export interface Call extends Context {
    readonly versions: StateVersionsStore;
    readonly caller: Principal;
}

/** What is missing, or may not be seen. */
export const notFound = new SimulatorError(404, "Resource not found, or user unauthorized to perform action");

/** A request that does not fit the state of things. */
export function conflict(detail: string): SimulatorError {
    return new SimulatorError(409, detail);
}

/** A body or value that the service cannot take. */
export function malformed(detail: string): SimulatorError {
    return new SimulatorError(422, detail);
}

/** An answer that is a JSON:API document. */
export function document(status: number, body: object): Reply {
    return { status, contentType: documentType, body };
}

/** Refuses strangers, and bodies of another content type. */
export function authenticate(context: Context): Call {
    const { request, store } = context;
    const token = /^Bearer +(\S.*)$/i.exec(request.headers["authorization"] ?? "")?.[1]?.trim();
    const caller = token === undefined ? undefined : principalOf(token, store.tokens);
    if (!caller) throw new SimulatorError(401, "The token is missing or not valid");
    const contentType = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
    if (request.body.length > 0 && contentType !== documentType) {
        throw new SimulatorError(415, `Content-Type must be ${documentType}`);
    }
    return { ...context, versions: store.stateVersions, caller };
}

function principalOf(token: string, tokens: readonly TokenSeed[]): Principal | undefined {
    const kinds = ["organization", "team"] as const;
    const kind = kinds.find((name) => token.startsWith(`${name}-`)) ?? "user";
    const id = `${kind}-${createHash("sha256").update(token).digest("hex").slice(0, 8)}`;
    const known: TokenSeed | undefined =
        tokens.length === 0 ? { token, kind, id } : tokens.find((seed) => seed.token === token);
    return known && principal(known);
}

function principal({ kind, id, access = "write", owner = true }: TokenSeed): Principal {
    const writes = access === "write" && kind !== "organization";
    return {
        type: `${kind}s`,
        id,
        user: kind === "team" ? `user-of-${id}` : id,
        reads: access !== "none",
        writes,
        owns: writes && owner,
    };
}

/** The workspace with this id, if the caller may do this with it. */
export function workspaceFor(
    { versions, caller }: Call,
    id: string | undefined,
    right: "reads" | "writes" | "owns",
): Workspace {
    const workspace = versions.workspaces.find((candidate) => candidate.id === id);
    if (!caller[right] || !workspace) throw notFound;
    return workspace;
}

/** Refuses unless the caller holds the workspace's lock; the error says who does. */
export function checkLock(workspace: Workspace, caller: Principal): void {
    if (!workspace.lock) throw conflict("This workspace is not locked and will only accept state uploads when locked");
    if (!holdsLock(workspace, caller)) throw conflict(`This workspace ${heldBy(workspace.lock.by)}`);
}

/** Whether the caller holds the workspace's lock. */
export function holdsLock({ lock }: Workspace, caller: Principal): boolean {
    return lock?.by.type === caller.type && lock.by.id === caller.id;
}

/** Says who holds a lock, such as `is locked by User user-2`. */
export function heldBy({ type, id }: Holder): string {
    return `is locked by ${{ users: "User", teams: "Team", runs: "Run" }[type]} ${id}`;
}

/** The body as a JSON object. */
export function bodyOf(request: Request): JsonObject {
    const body = parsed(request.body);
    if (body === undefined) throw malformed("The body is not JSON");
    if (!isObject(body)) throw malformed("The body is not a JSON object");
    return body;
}

/** An object within a JSON object; empty where there is none. */
export function objectAt(object: JsonObject, name: string): JsonObject {
    const value = object[name];
    return isObject(value) ? value : {};
}
