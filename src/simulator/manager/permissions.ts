/** What a token may do at the secrets manager: who it is, and what its capabilities allow. */

import type { Request } from "../route";
import { escaped, unescaped } from "../router";
import type { Grant, TokenSeed } from "../seed";
import { counted, SimulatorError } from "../simulator-error";
import type { Store } from "../store";
import type { LoginToken } from "./records";

/** What an operation needs. */
export type Capability = "create" | "read" | "update" | "delete" | "list";

const invalid = new SimulatorError(403, counted(["permission denied", "invalid token"]));
const denied = new SimulatorError(403, counted(["permission denied"]));

/** Refuses a request that needs a capability, and perhaps `sudo` beside it, of a token that has not got them. */
export function judge(request: Request, store: Store, now: Date, capability: Capability, needsSudo: boolean): void {
    const bearer = /^bearer\s+(.+)$/i.exec(request.headers["authorization"] ?? "")?.[1];
    const given = (request.headers["x-secrets-token"] || bearer || "").trim();
    if (given === "") throw new SimulatorError(403, "permission denied");
    const login = store.manager.logins.find(({ token }) => token === given);
    if (login !== undefined) {
        useLogin(login, now);
    } else if (store.tokens.length > 0) {
        const known = store.tokens.find(({ token }) => token === given);
        if (known === undefined) throw invalid;
        if (!allows(known, capability, needsSudo, request.path.replace(/^\/v1\//, ""))) throw denied;
    }
}

/** Counts a use of a login's token, if it has one left. What its policies allow is not looked at. */
function useLogin(login: LoginToken, now: Date): void {
    if (login.expires <= now.getTime() || login.usesLeft === 0) throw invalid;
    if (login.usesLeft !== undefined) login.usesLeft -= 1;
}

function allows(token: TokenSeed, capability: Capability, needsSudo: boolean, path: string): boolean {
    const access = token.access ?? "write";
    const isRead = capability === "read" || capability === "list";
    if (access === "none" || (access === "read" && !isRead)) return false;
    if (token.capabilities === undefined) return true;
    const granted = grantFor(token.capabilities, path)?.capabilities ?? [];
    if (granted.includes("deny")) return false;
    return granted.includes(capability) && (!needsSudo || granted.includes("sudo"));
}

/** The most exact of the paths that match: one without `*` before any other, then the longest. */
function grantFor(grants: readonly Grant[], path: string): Grant | undefined {
    const bare = unescaped(path).replace(/\/$/, "");
    const isPrefix = (grant: Grant) => Number(grant.path.endsWith("*"));
    const fitting = grants.filter((grant) => matches(grant.path, bare));
    return fitting.sort((a, b) => isPrefix(a) - isPrefix(b) || b.path.length - a.path.length)[0];
}

function matches(pattern: string, path: string): boolean {
    const isPrefix = pattern.endsWith("*");
    const source = pattern
        .replace(isPrefix ? /\*$/ : /\/$/, "")
        .split("/")
        .map((segment) => (segment === "+" ? "[^/]+" : escaped(segment)))
        .join("/");
    return (
        new RegExp(`^${source}${isPrefix ? "" : "$"}`).test(path) || (isPrefix && `${path}/` === pattern.slice(0, -1))
    );
}
