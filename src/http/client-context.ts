/** The settings of one client, and the state that its requests share. */

import type { Limit } from "p-limit";
import type { LoginToken, Server } from "../core/service";
import type { UsableSettings } from "../settings/settings";
import type { createConnections, TlsSettings } from "./connect";

/** Time and random numbers, which tests replace. */
export interface Clock {
    /** Milliseconds of a clock that is never set back. */
    now(): number;
    /** Milliseconds since 1970, by the clock of the machine. */
    date(): number;
    /** Resolves after this time, or as soon as the signal aborts. */
    sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
    /** Calls `callback` after this time. The returned function cancels the timer. */
    timer(milliseconds: number, callback: () => void): () => void;
    /** A random number of at least 0 and below 1. */
    random(): number;
}

/** The settings of one client: those of its server, and what it shares with the process. */
export interface ClientSettings extends TlsSettings, Partial<UsableSettings> {
    /** Base address, with or without slashes at its end. */
    readonly address: string;
    /** `undefined` or empty: requests are sent without a token. */
    readonly token: string | undefined;
    /** Hears of logins: before the first one, with the function that revokes all tokens of the client; and of each token. */
    readonly logins?: { begin(revokeTokens: () => Promise<unknown>): void; add(token: LoginToken): void } | undefined;
    /** Gets a function for each reused connection, which ends it unless another client uses it. Default: a new set. */
    readonly closers?: Set<() => void> | undefined;
    /** Secrets of the settings, to which the client adds those of files, variables and logins. Default: a new set. */
    readonly secrets?: Set<string> | undefined;
    /** Milliseconds before the first retry. Default 500. */
    readonly retryBaseDelay?: number | undefined;
    /** Shows a warning, such as that requests are not encrypted, or a note, such as that a retry waits longer than 5 seconds. */
    readonly notify?: ((text: string, code: string, severity?: "info") => void) | undefined;
    /** Gets one line about each attempt: method, path, status, milliseconds and its number. */
    readonly trace?: ((text: string) => void) | undefined;
}

/** The settings of one client, and the state that its requests share. */
export interface ClientContext {
    readonly service: Server;
    readonly settings: ClientSettings;
    readonly clock: Clock;
    /** The name of the server in messages. */
    readonly title: string;
    /** Base address of the service, without slashes at its end. */
    readonly address: string;
    /** The address of requests: `address`, or for a Unix socket `http:` and the host of its requests. */
    readonly base: string;
    /** The origin of `base`. */
    readonly origin: string;
    /** The origins of `otherAddresses`. */
    readonly otherOrigins: readonly string[];
    /** Secrets of the settings, of files, variables and logins. */
    readonly secrets: Set<string>;
    readonly connectionTo: ReturnType<typeof createConnections>;
    /** Limits the number of requests at the same time. */
    readonly queue: Limit;
    /** The time on the clock before which no request is sent, because of a rate limit or because no name server answers. */
    notBefore: number;
    /** How many requests have succeeded. */
    successes: number;
}
