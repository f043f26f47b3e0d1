/**
 * Sends one request until it is answered: queue, rate limit, retries, redirects.
 *
 * | an attempt ends with                                          | retried for `repeat`    | after                                      |
 * | ------------------------------------------------------------- | ----------------------- | ------------------------------------------ |
 * | 2xx                                                           | never                   |                                            |
 * | 429                                                           | `always`, `refused`     | a wait that delays all requests            |
 * | no connection, or an answer that `Service.passing` matches    | `always`, `refused`     | the time that the server asks for, or a back-off |
 * | 502, 503, 504, no answer                                      | `always`                | the same                                   |
 * | another status, an unreadable answer, a TLS error             | never                   |                                            |
 */

import type { Limit } from "p-limit";
import type { Service } from "../core/service";
import { AnswerError, UnreachableError } from "../errors";
import { readAny, refused } from "./answer";
import type { createConnections } from "./connect";
import { type Received, type Request, SendFailure, send } from "./send";

/** Time and random numbers, which tests replace. */
export interface Clock {
    /** Milliseconds since the epoch. */
    now(): number;
    /** Resolves after this time, or as soon as the signal aborts. */
    sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
    /** Calls `callback` after this time. The returned function cancels the timer. */
    timer(milliseconds: number, callback: () => void): () => void;
    /** A random number of at least 0 and below 1. */
    random(): number;
}

/** The state that all requests of one client share. */
export interface ClientContext {
    readonly service: Service;
    /** The name of the server in messages, such as `Vault`. */
    readonly title: string;
    readonly clock: Clock;
    /** Base address of the service, and its origin. */
    readonly address: string;
    readonly origin: string;
    readonly connectionTo: ReturnType<typeof createConnections>;
    readonly queue: Limit;
    readonly maxRetries: number;
    /** Milliseconds of the first back-off, which is the wait before a retry. */
    readonly baseDelay: number;
    /** Secrets of the settings, which an answer may quote. */
    readonly secrets: readonly string[];
    readonly notify: (text: string) => void;
    /** Gets one line about each attempt: its request and its result. */
    readonly trace: ((text: string) => void) | undefined;
    /** The time, in milliseconds since the epoch, before which no request is sent because of a rate limit. */
    notBefore: number;
}

/** An answer, and whether the service sent it. */
export interface Response extends Received {
    /**
     * Whether the origin of the service sent the answer, without a redirect from another origin. False for an upload, whose answer does not
     * concern the objects of the service.
     */
    readonly fromService: boolean;
}

/** The result of one attempt. */
type End = Response | SendFailure;

/** The longest wait that a server may ask for, in seconds. */
const longestRequested = 300;
/** The longest back-off, in milliseconds. */
const longestDelay = 30_000;
/** Maximum number of retries of a request after 429. `maxRetries` does not apply to these. */
const mostLimited = 10;

/** Sends a request until it gets a 2xx. `maxRetries: 0` disables every retry. @throws StatecraftError */
export async function sendUntilAnswered(context: ClientContext, request: Request): Promise<Response> {
    const { service, title, clock, maxRetries, baseDelay } = context;
    const { exchange, method, repeat, signal } = request;
    let [limited, failed, mayHaveActed] = [0, 0, false];
    for (;;) {
        const end = await context.queue(() => nextAttempt(context, request, limited + failed + 1));
        const response = end instanceof SendFailure ? undefined : end;
        if (response && response.status >= 200 && response.status < 300) return response;
        const outcome = end instanceof SendFailure ? end.kind : end.status;
        const isLimited = outcome === 429;
        const count = isLimited ? ++limited : ++failed;
        const isPassing = response?.fromService === true && service.passing?.(readAny(context, exchange, response));
        const isDoubtful = mayHaveActed && method !== "GET" && method !== "LIST";
        mayHaveActed ||= outcome === "lost" || (response !== undefined && !isLimited && !isPassing);

        const didNothing = isLimited || isPassing || outcome === "unsent";
        const isTemporary = outcome === "lost" || outcome === 502 || outcome === 503 || outcome === 504;
        const isRepeatable = didNothing || (isTemporary && repeat === "always");
        const requested = response && requestedWait(response, clock.now());
        const isSpent = maxRetries === 0 || count > (isLimited ? mostLimited : maxRetries);
        if (!isRepeatable || isSpent || (requested ?? 0) > longestRequested || signal?.aborted) {
            if (!(end instanceof SendFailure)) throw refused(context, request, end, requested, isDoubtful);
            if (end.kind === "unreadable") throw new AnswerError(exchange, end.message, end.hint);
            const failure = new UnreachableError(exchange, mayHaveActed, end.message, end.hint);
            throw signal?.aborted ? failure.reword({ code: "cancelled" }) : failure;
        }
        // The back-off is random up to a limit that doubles with each failure, so that many clients do not retry at the same moment.
        const backOff = clock.random() * Math.min(longestDelay, baseDelay * 2 ** (count - 1));
        const delay = requested ? requested * 1000 + clock.random() * baseDelay : backOff;
        if (delay > 5000) {
            const code = isLimited ? "limited" : "unreachable";
            context.notify(`${title}: trying again in ${Math.round(delay / 1000)} s (${outcome}). [${code}]`);
        }
        if (isLimited && response?.fromService) context.notBefore = Math.max(context.notBefore, clock.now() + delay);
        else await clock.sleep(delay, signal);
    }
}

/** The wait that the server asks for, in seconds: `Retry-After` in seconds or as a date, or for 429 `x-ratelimit-reset` in seconds. */
function requestedWait({ status, headers }: Received, now: number): number | undefined {
    const after = headers["retry-after"] ?? (status === 429 ? headers["x-ratelimit-reset"] : undefined) ?? "";
    const seconds = /^[\d.]+$/.test(after) ? Number(after) : (Date.parse(after) - now) / 1000;
    return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Waits while a rate limit lasts, and then makes one attempt, to which the time-out applies. */
async function nextAttempt(context: ClientContext, request: Request, number: number): Promise<End> {
    const { clock, title, trace } = context;
    const { exchange, signal, timeout } = request;
    for (let now = clock.now(); context.notBefore > now && !signal?.aborted; ) {
        const until = context.notBefore;
        await clock.sleep(until - now, signal);
        now = until;
    }
    const begun = clock.now();
    const timer = new AbortController();
    const stop = clock.timer(timeout, () => timer.abort());
    const deadline = signal ? AbortSignal.any([timer.signal, signal]) : timer.signal;
    const end = await follow(context, request, deadline).finally(stop);
    const how = end instanceof SendFailure ? end.message : end.status;
    trace?.(`${title}: ${exchange.operation}: ${how}, ${Math.round(clock.now() - begun)} ms, try ${number}`);
    return end;
}

/** Maximum number of redirects in one attempt. */
const maxRedirects = 5;

/** One attempt with its redirects. Only a GET is redirected to another origin, and no redirect changes another method to GET. */
async function follow(context: ClientContext, request: Request, deadline: AbortSignal): Promise<End> {
    const { kind, method, repeat } = request;
    let { url } = request;
    let toService = url.origin === context.origin;
    for (let hops = 0; ; hops++) {
        const connection = context.connectionTo(url, { toService, fresh: repeat !== "always" });
        const headers = toService ? request.headers : request.foreignHeaders;
        const received = await send(request, { url, headers, connection }, deadline);
        if (received instanceof SendFailure) return received;
        const { status } = received;
        const { location } = received.headers;
        const isRedirect = [301, 302, 303, 307, 308].includes(status);
        if (!isRedirect || !location || !URL.canParse(location, url.href)) {
            return { ...received, fromService: toService && kind !== "upload" };
        }
        const to = new URL(location, url);
        const keepsMethod = status >= 307 || method === "GET" || method === "LIST";
        const isAllowed = to.origin === url.origin ? keepsMethod : method === "GET" && /^https?:$/.test(to.protocol);
        if (!isAllowed || hops === maxRedirects) {
            const hint = "Set `address` to where the service answers without a redirect or a sign-in page";
            return new SendFailure("unreadable", `a redirect (${status}) to ${to.origin}`, hint);
        }
        // After a redirect to another origin the token is not sent any more, not even to the service, because that origin has chosen the
        // path.
        toService = toService && to.origin === url.origin;
        url = to;
    }
}
