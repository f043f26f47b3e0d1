/** Who asks, what they may do, and how the state versions API refuses. */
import { createHash } from "node:crypto";
import type { Context, Reply, Request } from "../route";
import { isObject } from "./content";
import type { StateVersionsWorld, Workspace } from "./records";

/** Content type of every document of this API. */
export const DOCUMENT_TYPE = "application/vnd.api+json";

/** The context that a route of this API gets. */
export type StateVersionsContext = Context<StateVersionsWorld>;

/** Who sent a request. */
export interface Principal {
    readonly type: "users" | "teams" | "organizations";
    readonly id: string;
    readonly access: "write" | "read" | "none";
    /** Whether it may change state versions and locks: organization tokens never may. */
    readonly writes: boolean;
    /** Whether it may do what is left to owners of the organization. */
    readonly owns: boolean;
}

/** A request that is refused; the route answers it with a JSON:API error. */
export class Refusal extends Error {
    constructor(
        readonly status: number,
        readonly title: string,
        readonly detail: string,
    ) {
        super(detail);
    }

    /** The answer. */
    reply(): Reply {
        const error = { status: String(this.status), title: this.title, detail: this.detail };
        return document(this.status, { errors: [error] });
    }
}

/** Missing and forbidden look the same, so that nobody learns what exists. */
export function notFound(): Refusal {
    return new Refusal(404, "not found", "Resource not found, or user unauthorized to perform action");
}

/** A request that does not fit the state of things. */
export function conflict(detail: string): Refusal {
    return new Refusal(409, "conflict", detail);
}

/** A body or value that the service cannot take. */
export function malformed(detail: string): Refusal {
    return new Refusal(422, "unprocessable entity", detail);
}

/** A query that the service cannot take. */
export function badRequest(detail: string): Refusal {
    return new Refusal(400, "bad request", detail);
}

/** An answer that is a JSON:API document. */
export function document(status: number, body: object): Reply {
    return { status, contentType: DOCUMENT_TYPE, body };
}

/** Answers with what `answer` gives, and with the error if it refuses. */
export function guarded(answer: () => Reply): Reply {
    try {
        return answer();
    } catch (error) {
        if (error instanceof Refusal) {
            return error.reply();
        }
        throw error;
    }
}

/** Who asks. Refuses strangers, and bodies of another content type. */
export function authenticate(request: Request, context: StateVersionsContext): Principal {
    const token = /^Bearer +(\S.*)$/i.exec(request.headers["authorization"] ?? "")?.[1]?.trim();
    const principal = token === undefined ? undefined : principalOf(token, context);
    if (!principal) {
        throw new Refusal(401, "unauthorized", "The token is missing or not valid");
    }
    const contentType = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
    if (request.body.length > 0 && contentType !== DOCUMENT_TYPE) {
        throw new Refusal(415, "unsupported media type", `Content-Type must be ${DOCUMENT_TYPE}`);
    }
    return principal;
}

function principalOf(token: string, context: StateVersionsContext): Principal | undefined {
    if (context.tokens.length > 0) {
        const known = context.tokens.find((seed) => seed.token === token);
        return known && principal(known.kind, known.id, known.access ?? "write", known.owner);
    }
    const kind = token.startsWith("organization-") ? "organization" : token.startsWith("team-") ? "team" : "user";
    return principal(kind, `${kind}-${createHash("sha256").update(token).digest("hex").slice(0, 8)}`, "write");
}

function principal(
    kind: "user" | "team" | "organization",
    id: string,
    access: Principal["access"],
    owner = true,
): Principal {
    const writes = access === "write" && kind !== "organization";
    return { type: `${kind}s`, id, access, writes, owns: writes && owner };
}

/** The workspace with this id, if the caller may do this with it. */
export function workspaceFor(
    context: StateVersionsContext,
    caller: Principal,
    id: string | undefined,
    what: "read" | "write" | "own",
): Workspace {
    const allowed = { read: caller.access !== "none", write: caller.writes, own: caller.owns }[what];
    const workspace = context.world.workspaces.find((candidate) => candidate.id === id);
    if (!allowed || !workspace) {
        throw notFound();
    }
    return workspace;
}

/** Refuses unless the caller holds the workspace's lock; the error says who does. */
export function demandLock(workspace: Workspace, caller: Principal): void {
    if (!workspace.lock) {
        throw conflict("This workspace is not locked and will only accept state uploads when locked");
    }
    if (!holds(workspace, caller)) {
        throw conflict(`This workspace ${heldBy(workspace.lock.by)}`);
    }
}

/** Whether the caller holds the workspace's lock. */
export function holds(workspace: Workspace, caller: Principal): boolean {
    return workspace.lock?.by.type === caller.type && workspace.lock.by.id === caller.id;
}

/** Says who holds a lock, such as `is locked by User user-2`. */
export function heldBy(holder: { type: "users" | "teams" | "runs"; id: string }): string {
    const kind = { users: "User", teams: "Team", runs: "Run" }[holder.type];
    return `is locked by ${kind} ${holder.id}`;
}

/** The body as a JSON object. */
export function bodyOf(request: Request): Record<string, unknown> {
    let parsed: unknown;
    try {
        parsed = JSON.parse(request.body.toString("utf8"));
    } catch {
        throw malformed("The body is not JSON");
    }
    if (!isObject(parsed)) {
        throw malformed("The body is not a JSON object");
    }
    return parsed;
}
