/** Where a service is, and what every request to it carries, from its settings. */

import { validateHeaderName, validateHeaderValue } from "node:http";
import type { Service } from "../core/service";
import { ConfigError } from "../errors";

/** What is needed of the settings. */
export interface OriginSettings {
    readonly address: string;
    readonly token: string | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A service's place. */
export interface Origin {
    /** Scheme, host and port. */
    readonly origin: string;
    /** Path of the address, without slash at its end. */
    readonly path: string;
    /** Extra headers. */
    readonly extra: Readonly<Record<string, string>>;
    /** The token's header, or none. */
    readonly token: Readonly<Record<string, string>>;
    /** What no message may hold. */
    readonly secrets: readonly string[];
}

/** Reads the settings. @throws ConfigError */
export function readOrigin(service: Service, settings: OriginSettings): Origin {
    const url = URL.canParse(settings.address) ? new URL(settings.address) : undefined;
    if (url?.protocol !== "http:" && url?.protocol !== "https:") {
        throw wrong(service, "address", "is not an http: or https: address");
    }
    if (url.search !== "" || url.hash !== "") throw wrong(service, "address", "must not hold a query or a fragment");
    const extra = { ...basic(url), ...settings.headers };
    const token = settings.token === undefined ? {} : Object.fromEntries([service.tokenHeader(settings.token)]);
    check(service, "headers", extra);
    check(service, "token", token);
    return { origin: url.origin, path: url.pathname.replace(/\/+$/, ""), extra, token, secrets: secretsOf(settings) };
}

/** What no message may hold of the settings of a service. */
export function secretsOf({
    address,
    token,
    headers,
}: { readonly [Name in keyof OriginSettings]?: OriginSettings[Name] | undefined }): string[] {
    const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
    // A user without a password is a token.
    const user = url === undefined ? [] : [url.password, url.username].map(decoded);
    const secrets = [token ?? "", ...user, ...Object.values(headers ?? {})];
    // Short values are common words, and a message would become unreadable without them.
    return secrets.filter((secret) => secret.length >= 6);
}

/** A user or password of an address as it was meant: a lone `%` stands for itself. */
export function decoded(part: string): string {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

/** A user in the address is meant for something in front of the service. */
function basic(url: URL): Record<string, string> {
    if (url.username === "" && url.password === "") return {};
    const pair = `${decoded(url.username)}:${decoded(url.password)}`;
    return { Authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** Else axios would drop the characters and send something else than was set. */
function check(service: Service, field: "headers" | "token", headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) {
        try {
            validateHeaderName(name);
            validateHeaderValue(name, value);
        } catch {
            throw wrong(service, field, "holds a character that no header can carry, such as a line break");
        }
    }
}

function wrong(service: Service, field: "address" | "headers" | "token", problem: string): ConfigError {
    const setting = `statecraft:${service.name}.${field}`;
    return new ConfigError(setting, `${setting} ${problem}`);
}
