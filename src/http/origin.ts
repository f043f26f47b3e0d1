/** Where a service is, and what every request to it carries, from its settings. */

import { validateHeaderName, validateHeaderValue } from "node:http";
import { addressProblem } from "../core/address";
import type { Service } from "../core/service";
import { type Place, wrongSetting } from "./wrong-setting";

/** What is needed of the settings. */
export interface OriginSettings extends Place {
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
    const problem = addressProblem(settings.address);
    if (problem !== undefined) throw wrongSetting(service, settings, "address", problem);
    const url = new URL(settings.address);
    const extra = settings.headers ?? {};
    const token = settings.token === undefined ? {} : ownHeader(service.tokenHeader(settings.token), extra);
    for (const [field, headers] of Object.entries({ headers: extra, token })) {
        const problem = "holds a character that no header can carry, such as a line break";
        if (!areSendable(headers)) throw wrongSetting(service, settings, field, problem);
    }
    return { origin: url.origin, path: url.pathname.replace(/\/+$/, ""), extra, token, secrets: secretsOf(settings) };
}

/** The token's header, unless the settings give it another value: a gateway in front may want its password there. */
function ownHeader([name, value]: readonly [string, string], extra: Origin["extra"]): Origin["token"] {
    const isGiven = Object.keys(extra).some((other) => other.toLowerCase() === name.toLowerCase());
    return isGiven ? {} : { [name]: value };
}

/** What no message may hold of the settings of a service. */
export function secretsOf({ token, headers }: { [Name in "token" | "headers"]?: OriginSettings[Name] }): string[] {
    return [token ?? "", ...Object.values(headers ?? {})];
}

/** Else axios would drop the characters and send something else than was set. */
function areSendable(headers: Readonly<Record<string, string>>): boolean {
    try {
        for (const [name, value] of Object.entries(headers)) {
            validateHeaderName(name);
            validateHeaderValue(name, value);
        }
        return true;
    } catch {
        return false;
    }
}
