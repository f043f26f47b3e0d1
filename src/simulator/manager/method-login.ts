/** Logins with a JWT, with the secret ID of an AppRole, and at an auth method of Nomad. No signature is verified. */

import type { Hono } from "hono";
import { z } from "zod";
import { isObject, type JsonObject, parsed } from "../json";
import { newId } from "../new-id";
import { badRequest, Refusal, validated } from "../refusal";
import type { LoginRole } from "../seed";
import { holderOf, nowIn, type Store, type World } from "../store";
import { type Call, envelope, methodsOf } from "./call";

const text = z.string().default("");
const sent = z.object({ role: text, jwt: text, role_id: text, secret_id: text });

/** The answer of a login method of the seed. `undefined`: none is mounted there. */
export function logInByMethod(store: Store, { body, mount, namespace }: Call): Response | undefined {
    const methods = store.logins.filter((one) => one.at === mount && (one.namespace ?? "") === namespace);
    if (methods.length === 0) return undefined;
    const given = validated(sent, body);
    if (methods.some(({ secretId }) => secretId !== undefined)) {
        if (given.role_id === "") throw new Refusal(500, "failed to determine alias name from login request");
        const role = methods.find(({ name }) => name === given.role_id);
        if (role && given.secret_id === "") throw badRequest("missing secret_id");
        if (role?.secretId !== given.secret_id) throw badRequest("invalid role or secret ID");
        return granted(store, role);
    }
    if (given.role === "") throw badRequest("missing role");
    // Vault stores the names of these roles in lower case.
    const role = methods.find(({ name }) => name.toLowerCase() === given.role.toLowerCase());
    if (!role) throw badRequest(`role "${given.role}" could not be found`);
    const problem = problemOf(given.jwt, role, store);
    if (problem) throw badRequest(problem);
    return granted(store, role);
}

/** The token of a login at Vault, which the services accept until it ends or is revoked. */
function granted(store: Store, role: LoginRole): Response {
    const token = issue(store, role);
    const { ttl, type = "service", uses = 0, policies = ["default"] } = role;
    const auth = {
        ...{ client_token: token, accessor: newId("accessor"), policies, token_policies: policies },
        ...{ lease_duration: ttl, renewable: type === "service", token_type: type },
        ...{ num_uses: uses, mfa_requirement: null, orphan: true },
    };
    return envelope({ auth });
}

/** The answer to a login at Nomad. */
export function logInAtNomad(store: Store, body: JsonObject): Response {
    const given = validated(z.object({ AuthMethodName: text, LoginToken: text }), body);
    const method = store.logins.find(({ at, name }) => name === "" && at === given.AuthMethodName);
    if (!method) throw badRequest(`auth-method "${given.AuthMethodName}" not found`);
    const problem = problemOf(given.LoginToken, method, store);
    if (problem) throw new Refusal(401, `unable to validate provided token: ${problem}`);
    if (method.policies?.length === 0) throw badRequest("no role or policy bindings matched");
    const ends = new Date(nowIn(store).getTime() + method.ttl * 1000).toISOString();
    return Response.json({ SecretID: issue(store, method), ExpirationTime: ends, Type: "client", Global: false });
}

/** A new token. If the store has tokens, it becomes one of them. */
function issue(store: Store, { access, at, ttl, type }: LoginRole): string {
    const token = newId("login");
    const ends = nowIn(store).getTime() + ttl * 1000;
    const holder = { kind: "user" as const, id: `login at ${at}`, ...(access && { access }) };
    if (store.tokens.length > 0) store.tokens.push({ token, ...holder, ends, isBatch: type === "batch" });
    return token;
}

/** How far the clocks of a server and of an issuer may differ, in seconds. */
const clockSkew = 60;

/** The reason why a JWT is refused. */
function problemOf(jwt: string, { audiences }: LoginRole, store: Store): string | undefined {
    const claims = parsed(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
    if (!isObject(claims))
        return "error validating token: error verifying token signature: compact JWS format must have three parts";
    const now = nowIn(store).getTime() / 1000;
    const timeOf = (name: string) => (typeof claims[name] === "number" ? claims[name] : now);
    const problem = [
        timeOf(claims["nbf"] === undefined ? "iat" : "nbf") > now + clockSkew &&
            "invalid not before (nbf) claim: token not yet valid",
        timeOf("exp") < now - clockSkew && "invalid expiration time (exp) claim: token is expired",
        timeOf("iat") > now + clockSkew && "invalid issued at (iat) claim: token issued in the future",
    ].find((text) => text !== false);
    if (problem) return `error validating token: ${problem}`;
    const given = [claims["aud"]].flat();
    if (given[0] !== undefined && !audiences) return "audience claim found in JWT but no audiences bound to the role";
    if (!audiences || audiences.some((audience) => given.includes(audience))) return undefined;
    return "error validating token: invalid audience (aud) claim: audience claim does not match any expected audience";
}

/** Adds the request with which a token revokes itself. */
export function addRevocationRoute(app: Hono, world: World): void {
    const { store } = world;
    app.on(methodsOf("POST", world), "/v1/auth/token/revoke-self", (c) => {
        const holder = holderOf(store, c.req.header("x-secrets-token"));
        if (!holder) throw new Refusal(403, "permission denied", "invalid token");
        if (holder.isBatch) throw badRequest("batch tokens cannot be revoked");
        store.tokens = store.tokens.filter((one) => one !== holder);
        return new Response(null, { status: 204 });
    });
}
