/**
 * Sends one request until it is answered: queue, rate limit, tries, redirects.
 *
 * | a try ends with                                               | sent again for `repeat` | after                                      |
 * | ------------------------------------------------------------- | ----------------------- | ------------------------------------------ |
 * | 2xx                                                           | never: it is the answer |                                            |
 * | 429                                                           | `always`, `refused`     | a wait that holds all requests back        |
 * | no connection, a text that the service calls passing          | `always`, `refused`     | what the server asks for, else a back-off  |
 * | 502, 503, 504, no answer                                      | `always`                | the same                                   |
 * | another status, an unreadable answer, a refusal by TLS        | never                   |                                            |
 */

import { setMaxListeners } from "node:events";
import type { Limit } from "p-limit";
import { unlessAborted } from "../core/abort";
import type { Method, Repeat } from "../core/operation";
import { redirected } from "../core/request-failures";
import type { Service } from "../core/service";
import { readAny, refused, unanswered } from "./answer";
import type { Connection, Target } from "./connect";
import { type Received, type Request, SendFailure, send } from "./send";

/** Time and chance, which tests replace. */
export interface Clock {
    /** Milliseconds since the epoch. */
    now(): number;
    sleep(milliseconds: number): Promise<void>;
    /** Calls `strike` after so many milliseconds, unless the returned function is called before. */
    timer(milliseconds: number, strike: () => void): () => void;
    /** At least 0, below 1. */
    random(): number;
}

/** What all requests of one client share. */
export interface ClientContext {
    readonly service: Service;
    readonly clock: Clock;
    /** The service's own: scheme, host and port. */
    readonly origin: string;
    readonly connectionTo: (target: Target) => Connection;
    readonly queue: Limit;
    readonly maxRetries: number;
    /** Milliseconds of the first back-off. */
    readonly baseDelay: number;
    /** Secrets of the settings, which an answer may quote. */
    readonly secrets: readonly string[];
    readonly notify: (text: string) => void;
    /** Gets a line about every try: where it went and how it ended. */
    readonly trace: ((text: string) => void) | undefined;
    /** A rate limit lasts until then; no request is sent before. */
    notBefore: number;
}

/** An answer, and who gave it. */
export interface Response extends Received {
    /** The service's own origin did, without a redirect from elsewhere. */
    readonly own: boolean;
    readonly from: string;
}

/** Sends a request until it gets a 2xx. @throws StatecraftError */
export async function sendUntilAnswered(context: ClientContext, request: Request): Promise<Response> {
    const { service, clock } = context;
    const { exchange, kind, method, repeat, signal } = request;
    let [tries, limited, mayHaveActed] = [0, 0, false];
    for (;;) {
        tries += 1;
        const end = await context.queue(() => nextTry(context, request, tries));
        const response = end instanceof SendFailure ? undefined : end;
        if (response && response.status >= 200 && response.status < 300) return response;
        const outcome = end instanceof SendFailure ? end.kind : end.status;
        if (outcome === 429) limited += 1;
        const isPassing =
            response?.own === true && kind !== "upload" && service.passing(readAny(context, exchange, response));
        const asked = response && askedWait(response, clock.now());
        const count = outcome === 429 ? limited : tries - limited;
        const delay = retryDelay({ outcome, isPassing, asked, repeat, count }, context, clock.random());
        const isDoubtful = mayHaveActed && method !== "GET" && method !== "LIST";
        mayHaveActed ||= outcome === "lost" || (response !== undefined && outcome !== 429 && !isPassing);
        if (delay === undefined || signal?.aborted) {
            if (end instanceof SendFailure) throw unanswered(exchange, end, tries, mayHaveActed);
            throw refused(context, request, end, { asked, isDoubtful });
        }
        if (delay > 5000)
            context.notify(`${service.title}: trying again in ${Math.round(delay / 1000)} s (${outcome})`);
        if (outcome === 429 && response?.own) context.notBefore = Math.max(context.notBefore, clock.now() + delay);
        else await unlessAborted(clock.sleep(delay), signal);
    }
}

/** A try that failed. */
interface Failure {
    /** The answer's status, or why there is no answer. */
    readonly outcome: number | SendFailure["kind"];
    /** The service says that it did nothing, for a reason that passes. */
    readonly isPassing: boolean;
    /** Seconds that the server asks to wait. */
    readonly asked: number | undefined;
    readonly repeat: Repeat;
    /** Tries of the request until now that ended with 429, if this one did; otherwise, those that failed in another way. */
    readonly count: number;
}

/** Seconds of the longest wait that a server may ask for. */
const longestAsked = 300;
/** Milliseconds of the longest back-off. */
const longestDelay = 30_000;
/** Repetitions of one request after 429, which `maxRetries` does not count. */
const mostLimited = 10;

/**
 * Milliseconds until a request is sent again, or `undefined` if it is not. The back-off doubles with each failure, and takes any part of that
 * ("full jitter": many clients must not come back together). `maxRetries: 0` repeats nothing.
 */
function retryDelay(
    { outcome, isPassing, asked = 0, repeat, count }: Failure,
    { maxRetries, baseDelay }: Pick<ClientContext, "maxRetries" | "baseDelay">,
    random: number,
): number | undefined {
    const didNothing = outcome === 429 || outcome === "unsent" || isPassing;
    const isTemporary = outcome === "lost" || outcome === 502 || outcome === 503 || outcome === 504;
    if (!didNothing && !(isTemporary && repeat === "always")) return undefined;
    const most = outcome === 429 ? mostLimited : maxRetries;
    if (maxRetries === 0 || count > most || asked > longestAsked) return undefined;
    if (asked > 0) return asked * 1000 + random * baseDelay;
    return random * Math.min(longestDelay, baseDelay * 2 ** (count - 1));
}

/** Seconds that the server asks to wait: `Retry-After` in seconds or as a date, or for 429 `x-ratelimit-reset` in seconds. */
function askedWait({ status, headers }: Received, now: number): number | undefined {
    const after = headers["retry-after"] ?? (status === 429 ? headers["x-ratelimit-reset"] : undefined) ?? "";
    const seconds = /^[\d.]+$/.test(after) ? Number(after) : (Date.parse(after) - now) / 1000;
    return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Waits while a rate limit lasts, and then makes one try in its own time. */
async function nextTry(context: ClientContext, request: Request, number: number): Promise<Response | SendFailure> {
    const { clock, service, trace } = context;
    const { exchange, signal, timeout } = request;
    for (let now = clock.now(); context.notBefore > now && !signal?.aborted; ) {
        const until = context.notBefore;
        await unlessAborted(clock.sleep(until - now), signal);
        now = until;
    }
    const begun = clock.now();
    const controller = new AbortController();
    const abort = () => controller.abort();
    const stopTimer = clock.timer(timeout, abort);
    if (signal?.aborted) abort();
    // One signal may cancel many requests at once.
    if (signal) setMaxListeners(0, signal);
    signal?.addEventListener("abort", abort);
    try {
        const end = await follow(context, request, controller.signal);
        const how = end instanceof SendFailure ? `no answer (${end.code || end.kind})` : end.status;
        trace?.(
            `${service.title}: ${exchange.operation}: ${how}, ${Math.round(clock.now() - begun)} ms, try ${number}`,
        );
        return end;
    } finally {
        stopTimer();
        signal?.removeEventListener("abort", abort);
    }
}

/** Redirects that are followed in a row. */
const maxRedirects = 5;

async function follow(
    context: ClientContext,
    request: Request,
    deadline: AbortSignal,
): Promise<Response | SendFailure> {
    const { method, repeat } = request;
    let { url } = request;
    let own = url.origin === context.origin;
    for (let hops = 0; ; hops++) {
        const connection = context.connectionTo({ url, own, fresh: repeat !== "always" });
        const headers = own ? request.headers : request.foreignHeaders;
        const received = await send(request, { url, headers, connection }, deadline);
        if (received instanceof SendFailure) return received;
        const next = redirection(method, url, received);
        if (next === undefined) return { ...received, own, from: url.origin };
        const problem = hops === maxRedirects ? `more than ${maxRedirects} redirects in a row` : next;
        if (typeof problem === "string") return new SendFailure("unreadable", problem, "REDIRECT", redirected());
        // Once led away, the token stays off, even on the way back: the other side chose the path.
        own = own && problem.origin === url.origin;
        url = problem;
    }
}

/** Where a redirect leads, or why it is not followed. Only GET goes to another origin, and no write is ever turned into a read. */
function redirection(method: Method, from: URL, { status, headers }: Received): URL | string | undefined {
    if (![301, 302, 303, 307, 308].includes(status)) return undefined;
    const { location = "" } = headers;
    if (location === "" || !URL.canParse(location, from.href)) return `a redirect (${status}) to nowhere`;
    const to = new URL(location, from);
    to.hash = "";
    const keepsMethod = status >= 307 || method === "GET" || method === "LIST";
    const isHttp = to.protocol === "http:" || to.protocol === "https:";
    if (isHttp && (to.origin === from.origin ? keepsMethod : method === "GET")) return to;
    return `a redirect (${status}) to ${isHttp ? to.origin : to.protocol}`;
}
