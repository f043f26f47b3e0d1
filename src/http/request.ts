/** A request on its way: what its client keeps for all of them, what is sent, and what comes back. Types alone. */

import type { Limit } from "p-limit";
import type { Method, Repeat } from "../core/operation";
import type { Answer, Call, Service } from "../core/service";
import type { Exchange } from "../errors";
import type { Connection, Target } from "./connections";
import type { Origin } from "./origin";
import type { Received } from "./send";

/** Time and chance, which tests replace. */
export interface Clock {
    /** Milliseconds since the epoch: servers ask to wait until a date. */
    now(): number;
    sleep(milliseconds: number): Promise<void>;
    /** Aborts after so many milliseconds. */
    deadline(milliseconds: number): AbortSignal;
    /** At least 0, below 1. */
    random(): number;
}

/**
 * Makes a whole client wait while the service limits its rate: it refuses whatever comes too early, whoever asks. Repeats `attempt` until
 * the limit does not refuse it; `waitOf` tells the milliseconds to wait after a refusal, and `undefined` for any other end. A wait ends when the signal aborts.
 */
export type Pause = <End>(
    attempt: () => Promise<End>,
    waitOf: (end: End) => number | undefined,
    signal: AbortSignal | undefined,
) => Promise<End>;

/** A request as it will be sent, but for what the settings add. */
export interface WireRequest {
    readonly method: Method;
    /** Below the service's address. */
    readonly path: string;
    readonly query: NonNullable<Call["query"]>;
    /** The token's header and the operation's own. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
}

/** The door at which other names may be put for the documents' names. */
export interface Translation {
    request(request: WireRequest): WireRequest;
    answer(answer: Answer): Answer;
}

/** What all requests of one client share. */
export interface ClientContext {
    readonly service: Service;
    readonly origin: Origin;
    readonly connectionTo: (target: Target) => Connection;
    readonly queue: Limit;
    readonly pause: Pause;
    readonly clock: Clock;
    /** What aborts when the first of two does. */
    readonly either: (deadline: AbortSignal, cancelled: AbortSignal | undefined) => AbortSignal;
    /** Milliseconds for one try, unless it is given more. */
    readonly timeout: number;
    readonly maxRetries: number;
    /** Milliseconds of the first back-off. */
    readonly retryBaseDelay: number;
    readonly translate: Translation;
    readonly isTranslated: boolean;
    readonly notify: (text: string) => void;
    /** Told of every try: where it went and how it ended, nothing of what was sent. */
    readonly trace: ((text: string) => void) | undefined;
    /** Told of the origin of every request before it is sent. */
    readonly visit: (url: URL) => void;
}

/** One request. */
export interface Request {
    readonly exchange: Exchange;
    readonly method: Method;
    readonly url: URL;
    /** For the service's own origin. */
    readonly headers: Readonly<Record<string, string>>;
    /** For any other origin, to which a redirect or an address may lead. */
    readonly foreignHeaders: Readonly<Record<string, string>>;
    readonly body: string | Buffer | undefined;
    /** An answer named the address: with the token, the service's own origin speaks for the API there; without, nobody does. */
    readonly named?: "with token" | "without token";
    readonly repeat: Repeat;
    readonly maxBytes: number;
    /** Milliseconds for one try. */
    readonly timeout: number;
    /** What is secret of the body, beside what the settings keep secret. */
    readonly secrets: readonly string[];
    /** Aborts when the user cancels: what was sent stays in doubt, and nothing is sent any more. */
    readonly signal: AbortSignal | undefined;
}

/** An answer, and whether the service's own origin gave it. */
export interface Response extends Received {
    readonly own: boolean;
    /** The origin that gave it. */
    readonly from: string;
}
