/** The signed tokens by which machines prove who they are: what the cloud provider's identity service would issue. */

import { createHmac, timingSafeEqual } from "node:crypto";

/** What such a token says. */
export type Claims = Readonly<Record<string, unknown>>;

/** Signs claims. What is not said of its time is filled in: valid from now on, for an hour. */
export function signIdentity(claims: Claims, key: string, now: Date): string {
    const seconds = Math.floor(now.getTime() / 1000);
    const whole = { iat: seconds, nbf: seconds, exp: seconds + 3600, ...claims };
    const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(whole)}`;
    return `${signed}.${signatureOf(signed, key)}`;
}

/** The claims of a token that was signed with the key, is for this audience, and is valid now. Throws what is wrong with it. */
export function verifyIdentity(jwt: string, key: string, audience: string, now: Date): Claims {
    const [head = "", body = "", signature = "", ...more] = jwt.split(".");
    const [header, claims] = [decode(head), decode(body)];
    if (header === undefined || claims === undefined || more.length > 0) {
        throw new Error("oidc: malformed jwt");
    }
    const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(`${head}.${body}`, key))];
    if (header["alg"] !== "HS256" || given.length !== right.length || !timingSafeEqual(given, right)) {
        throw new Error("failed to verify signature: failed to verify id token signature");
    }
    const audiences = [claims["aud"]].flat();
    if (!audiences.includes(audience)) {
        throw new Error(`oidc: expected audience ${JSON.stringify(audience)} got ${JSON.stringify(audiences)}`);
    }
    const seconds = now.getTime() / 1000;
    if (!(Number(claims["exp"]) > seconds)) throw new Error("oidc: token is expired");
    if (Number(claims["nbf"] ?? 0) > seconds) throw new Error("token is not yet valid");
    return claims;
}

function signatureOf(signed: string, key: string): string {
    return createHmac("sha256", key).update(signed).digest("base64url");
}

function encode(value: object): string {
    return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decode(part: string): Claims | undefined {
    try {
        const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
        return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
    } catch {
        return undefined;
    }
}
