/**
 * The rights of each token. A missing right and a missing object have the same answer.
 *
 * | token of        | access `none` | access `read` | access `write`           | access `write`, owner |
 * |-----------------|---------------|---------------|--------------------------|-----------------------|
 * | a user, a team  | nothing       | reads         | writes and locks as well | backing data as well  |
 * | an organization | nothing       | reads         | reads                    | reads                 |
 */

import { createHash } from "node:crypto";
import type { Context, Hono } from "hono";
import { parsed } from "../json";
import { Refusal } from "../refusal";
import type { TokenSeed } from "../seed";
import { nowIn, type World } from "../store";
import type { Holder, StateVersionsStore, Workspace } from "./records";

/** Content type of every document of this API. */
const documentType = "application/vnd.api+json";

/** `write`: to change versions and locks. `owner`: to delete and restore backing data. */
export type Right = "read" | "write" | "owner";

/** A request with a known token. */
export interface Call {
    readonly store: StateVersionsStore;
    readonly caller: TokenSeed;
    readonly now: Date;
    /** The request's body as JSON; `undefined` if it is empty, `null` if it is not JSON. */
    readonly body: unknown;
    readonly url: URL;
    /** The workspace or state version of the path: its id, or below an organization its name. */
    readonly id: string;
    readonly organization: string;
}

/** The answer about a missing object, and to a missing right. */
export const notFound = new Refusal(404, "Resource not found, or user unauthorized to perform action");

/** Adds a route that answers with a document. */
export function addRoute(
    app: Hono,
    { store }: World,
    method: string,
    path: string,
    answer: (call: Call) => object,
    status = 200,
): void {
    app.on(method, `/api/v2${path}`, async (c) => {
        const caller = callerOf(c, store.tokens);
        const text = await c.req.text();
        const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
        if (text !== "" && type !== documentType) throw new Refusal(415, `Content-Type must be ${documentType}`);
        const call: Call = {
            store: store.stateVersions,
            caller,
            now: nowIn(store),
            body: text === "" ? undefined : (parsed(text) ?? null),
            url: new URL(c.req.url),
            id: c.req.param("id") ?? "",
            organization: c.req.param("organization") ?? "",
        };
        return Response.json(answer(call), { status, headers: { "content-type": documentType } });
    });
}

/** The holder of the request's token. If the store has no tokens, each token belongs to a different user. */
function callerOf(c: Context, tokens: readonly TokenSeed[]): TokenSeed {
    const token = /^Bearer +(\S.*)$/i.exec(c.req.header("authorization") ?? "")?.[1]?.trim();
    if (token !== undefined && tokens.length === 0) {
        const id = `user-${createHash("sha256").update(token).digest("hex").slice(0, 8)}`;
        return { token, kind: "user", id };
    }
    const holder = tokens.find((one) => one.token === token);
    if (!holder) throw new Refusal(401, "The token is missing or not valid");
    return holder;
}

export function may({ kind, access = "write", owner = true }: TokenSeed, right: Right): boolean {
    if (right === "read") return access !== "none";
    return access === "write" && kind !== "organization" && (right === "write" || owner);
}

/** The workspace with this id. Throws 404 if it is missing, or if the caller lacks the right. */
export function workspaceFor({ store, caller }: Call, id: string | undefined, right: Right): Workspace {
    const workspace = store.workspaces.find((candidate) => candidate.id === id);
    if (!workspace || !may(caller, right)) throw notFound;
    return workspace;
}

/** Refuses a caller without the workspace's lock. The error names the holder. */
export function checkLock(workspace: Workspace, caller: TokenSeed): void {
    if (!workspace.lock) {
        throw new Refusal(409, "This workspace is not locked and will only accept state uploads when locked");
    }
    if (!holdsLock(workspace, caller)) throw new Refusal(409, `This workspace ${lockedBy(workspace.lock.by)}`);
}

export function holdsLock({ lock }: Workspace, caller: TokenSeed): boolean {
    return lock?.by.type === `${caller.kind}s` && lock.by.id === caller.id;
}

/** Names the holder of a lock, such as `is locked by User user-2`. */
export function lockedBy({ type, id }: Holder): string {
    return `is locked by ${{ users: "User", teams: "Team", runs: "Run" }[type]} ${id}`;
}
