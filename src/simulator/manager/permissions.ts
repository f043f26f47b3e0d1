/** What a token may do at the secrets manager: who it is, and what its capabilities allow. */

import type { Context, Request } from "../route";
import { unescaped } from "../router";
import type { Grant, TokenSeed } from "../seed";
import type { LoginToken, ManagerWorld } from "./records";

/** What an operation needs. */
export type Capability = "create" | "read" | "update" | "delete" | "list";

/** Whether a request may be answered; else the manager's words for why not. */
export type Verdict = "allowed" | "no token" | "invalid token" | "denied";

/** The token in a request; empty when there is none. */
export function tokenOf(request: Request): string {
    const bearer = /^bearer\s+(.+)$/i.exec(request.headers["authorization"] ?? "")?.[1];
    return (request.headers["x-secrets-token"] || bearer || "").trim();
}

/** Judges a request that needs a capability, and perhaps `sudo` beside it. */
export function judge(
    request: Request,
    { world, tokens, now }: Pick<Context<ManagerWorld>, "world" | "tokens" | "now">,
    capability: Capability,
    needsSudo: boolean,
): Verdict {
    const given = tokenOf(request);
    if (given === "") return "no token";
    const login = world.logins.find(({ token }) => token === given);
    if (login !== undefined) return useLogin(login, now()) ? "allowed" : "invalid token";
    if (tokens.length === 0) return "allowed";
    const known = tokens.find(({ token }) => token === given);
    if (known === undefined) return "invalid token";
    return allows(known, capability, needsSudo, request.path.replace(/^\/v1\//, "")) ? "allowed" : "denied";
}

/** Counts a use of a login's token, if it has one left. What its policies allow is not looked at. */
function useLogin(login: LoginToken, now: Date): boolean {
    if (login.expires <= now.getTime() || login.usesLeft === 0) return false;
    if (login.usesLeft !== undefined) login.usesLeft -= 1;
    return true;
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
    return grants
        .filter((grant) => matches(grant.path, bare))
        .sort(
            (a, b) => Number(a.path.endsWith("*")) - Number(b.path.endsWith("*")) || b.path.length - a.path.length,
        )[0];
}

function matches(pattern: string, path: string): boolean {
    const isPrefix = pattern.endsWith("*");
    const source = pattern
        .replace(isPrefix ? /\*$/ : /\/$/, "")
        .split("/")
        .map((segment) => (segment === "+" ? "[^/]+" : segment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
        .join("/");
    return (
        new RegExp(`^${source}${isPrefix ? "" : "$"}`).test(path) || (isPrefix && `${path}/` === pattern.slice(0, -1))
    );
}
