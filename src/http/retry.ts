/**
 * Sending one request until it is answered: queue, tries, redirects.
 *
 * | a try ends with                                                     | sent again for `repeat`   | after                                 |
 * | ------------------------------------------------------------------- | ------------------------- | ------------------------------------- |
 * | 2xx                                                                 | never: that is the answer |                                       |
 * | 429, no connection, what the service calls passing                  | `always`, `refused`       | what the server asks, else a back-off |
 * | 502, 503, 504, no answer                                            | `always`                  | the same                              |
 * | any other status, an unreadable answer, a refusal by TLS or a proxy | never                     |                                       |
 *
 * The loop is our own rather than axios-retry's: a try must leave the queue while it waits, have a time-out of its own, and be judged by the
 * service's reading of the answer; and a wait that is too long is an error of our family.
 */

import { setMaxListeners } from "node:events";
import { unlessAborted } from "../core/abort";
import type { Method, Repeat } from "../core/operation";
import { redirected } from "../core/request-failures";
import { AnswerError, type Exchange, type StatecraftError } from "../errors";
import { type Refusal, readAny, refused, tooLong, unanswered } from "./answer";
import type { ClientContext, Clock, Pause, Request, Response } from "./request";
import { type Received, SendFailure, send } from "./send";

/** How far one request has come. */
interface RetryState {
    tries: number;
    /** A try until now may have had an effect, which makes the whole doubtful, however the last one ends. */
    doubtful: boolean;
}

/** A try that ended without success, and may be repeated. */
interface Again {
    readonly wait: number;
    /** The service refused it for the rate of all requests: no reason to leave the queue, whoever is next would meet that too. */
    readonly limited: boolean;
}

/** Resolves with a 2xx. */
export async function sendUntilAnswered(context: ClientContext, request: Request): Promise<Response> {
    const state: RetryState = { tries: 0, doubtful: false };
    for (;;) {
        const end = await context.queue(() =>
            context.pause(
                () => tryOnce(context, request, state),
                (again) => ("wait" in again && again.limited ? again.wait : undefined),
                request.signal,
            ),
        );
        if (!("wait" in end)) return end;
        await unlessAborted(context.clock.sleep(end.wait), request.signal);
    }
}

async function tryOnce(context: ClientContext, request: Request, state: RetryState): Promise<Response | Again> {
    state.tries += 1;
    const end = await traced(context, request, state.tries);
    if (!(end instanceof SendFailure) && end.status >= 200 && end.status < 300) return end;
    const asked = end instanceof SendFailure ? undefined : askedWait(end.status, end.headers, context.clock.now());
    const error = await judge(context, request, end, asked, state);
    if (error !== undefined) throw error;
    const wait = waitFor(context, state.tries, asked, end instanceof SendFailure ? end.code : end.status);
    return { wait, limited: !(end instanceof SendFailure) && end.status === 429 && end.own };
}

/** The error to end with, or `undefined` to try again. */
async function judge(
    context: ClientContext,
    request: Request,
    end: Response | SendFailure,
    asked: number | undefined,
    state: RetryState,
): Promise<StatecraftError | undefined> {
    const { service, isTranslated } = context;
    const { exchange, repeat, named } = request;
    const { tries, doubtful } = state;
    const last = tries > context.maxRetries || request.signal?.aborted === true;
    if (end instanceof SendFailure) {
        const repeats = (end.kind === "unsent" || end.kind === "lost") && mayRepeat(repeat, end.kind);
        state.doubtful ||= end.kind === "lost";
        return repeats && !last ? undefined : unanswered(exchange, end, { tries, sent: state.doubtful });
    }
    const { status, headers } = end;
    const own = end.own && named !== "without token";
    const answer = context.translate.answer({ exchange, status, headers, body: readAny(end) });
    const writes = request.method !== "GET" && request.method !== "LIST";
    const secrets = [...context.origin.secrets, ...request.secrets];
    const isUpload = named === "without token";
    const about = { service, exchange, own, from: end.from, named: named !== undefined, isUpload, isTranslated };
    const refusal: Refusal = { ...about, answer, secrets, asked, doubtful: doubtful && writes };
    const isPassing = own && service.passing(answer);
    state.doubtful ||= status !== 429 && !isPassing;
    if (!mayRepeat(repeat, status, isPassing)) return refused(refusal);
    if (asked !== undefined && asked > longestWait) return tooLong(refusal, asked);
    return last ? refused(refusal) : undefined;
}

/** Milliseconds to wait before the next try, announced if they are many. */
function waitFor(context: ClientContext, tries: number, asked: number | undefined, why: string | number): number {
    const { clock, service } = context;
    const wait = delay(tries, context.retryBaseDelay, asked, clock.random());
    const seconds = Math.round(wait / 1000);
    if (wait > 5000) {
        context.notify(
            asked === undefined || asked === 0
                ? `${service.title}: trying again in ${seconds} s (${why})`
                : `${service.title} asked to wait ${Math.ceil(asked)} s (${why})`,
        );
    }
    return wait;
}

/** One try, reported to whoever wants to see the requests. */
async function traced(context: ClientContext, request: Request, tries: number): Promise<Response | SendFailure> {
    if (context.trace === undefined) return attempt(context, request);
    const begun = context.clock.now();
    const report = (how: string | number) => {
        const passed = Math.round(context.clock.now() - begun);
        context.trace?.(`${context.service.title}: ${request.exchange.operation}: ${how}, ${passed} ms, try ${tries}`);
    };
    try {
        const end = await attempt(context, request);
        report(end instanceof SendFailure ? `no answer (${end.code || end.kind})` : end.status);
        return end;
    } catch (error) {
        report("a redirect that was not followed");
        throw error;
    }
}

/** One try: a request and the redirects it meets, in one time. A failure of the connection is returned, not thrown. */
async function attempt(context: ClientContext, request: Request): Promise<Response | SendFailure> {
    const deadline = context.either(context.clock.deadline(request.timeout), request.signal);
    const { exchange, method, body, maxBytes, timeout } = request;
    const fresh = request.repeat !== "always";
    let url = request.url;
    let own = url.origin === context.origin.origin;
    for (let hops = 0; ; hops++) {
        const headers = own ? request.headers : request.foreignHeaders;
        context.visit(url);
        const connection = context.connectionTo({ url, own, fresh });
        const sending = { method, url, headers, body, connection, timeout, deadline, signal: request.signal, maxBytes };
        const received = await send(sending).catch(orFailure);
        if (received instanceof SendFailure) return received;
        const next = redirect(method, url, received);
        if (next === undefined) return { ...received, own, from: url.origin };
        if ("refused" in next) throw astray(exchange, next.refused);
        if (hops === maxRedirects) throw astray(exchange, `more than ${maxRedirects} redirects in a row`);
        // Once led away, the token stays off, even on the way back: the other side chose the path.
        own = own && next.to.origin === url.origin;
        url = next.to;
    }
}

function orFailure(error: unknown): SendFailure {
    if (error instanceof SendFailure) return error;
    throw error;
}

function astray(exchange: Exchange, problem: string): AnswerError {
    return new AnswerError(exchange, problem, redirected());
}

/** How many are followed in a row. */
const maxRedirects = 5;

/** Where to go on, or why not, or `undefined` when the answer is no redirect. */
export type Redirect = { readonly to: URL } | { readonly refused: string } | undefined;

/** Judges an answer. Only reads are followed to another origin; nothing that writes is ever turned into a read. */
export function redirect(method: Method, from: URL, answer: Received): Redirect {
    if (![301, 302, 303, 307, 308].includes(answer.status)) return undefined;
    const location = answer.headers.location ?? "";
    if (location === "" || !URL.canParse(location, from.href))
        return { refused: `a redirect (${answer.status}) to nowhere` };
    const to = new URL(location, from);
    to.hash = "";
    const where = `a redirect (${answer.status}) to ${to.origin === "null" ? to.protocol : to.origin}`;
    if (to.protocol !== "http:" && to.protocol !== "https:") return { refused: where };
    const keepsMethod = answer.status >= 307 || method === "GET" || method === "LIST";
    const follows = to.origin === from.origin ? keepsMethod : method === "GET";
    return follows ? { to } : { refused: where };
}

/** How a try ended: the answer's status, or without one: surely `unsent`, or `lost` on the way. */
export type Outcome = number | "unsent" | "lost";

const doubtfulOutcomes: ReadonlySet<Outcome> = new Set([502, 503, 504, "lost"]);

/** Whether a request of this kind may be sent again after this. `isPassing`: the service did nothing, and the reason passes by itself. */
export function mayRepeat(repeat: Repeat, outcome: Outcome, isPassing = false): boolean {
    if (outcome === 429 || outcome === "unsent" || isPassing) return true;
    return repeat === "always" && doubtfulOutcomes.has(outcome);
}

/** Longest wait that a server may ask for, in seconds. Beyond it the request fails and says so. */
const longestWait = 300;

/** Longest wait of our own making, in milliseconds. */
const cap = 30_000;

/**
 * Milliseconds before the next try. Doubles with each one, anywhere between nothing and the whole ("full jitter": many clients must not come
 * back together). What the server asked for wins, with a little on top.
 */
export function delay(tries: number, base: number, asked: number | undefined, random: number): number {
    if (asked !== undefined && asked > 0) return asked * 1000 + random * base;
    return random * Math.min(cap, base * 2 ** (tries - 1));
}

/**
 * Seconds that the server asked to wait: `Retry-After` as seconds or date, else for 429 `x-ratelimit-reset` in decimal seconds. The server
 * wrote its date by its own clock, which `Date` tells: ours may be wrong.
 */
export function askedWait(status: number, headers: Readonly<Record<string, string>>, now: number): number | undefined {
    const after = headers["retry-after"]?.trim() ?? "";
    if (/^\d+(\.\d+)?$/.test(after)) return Number(after);
    // Only a date has letters; `Date.parse` takes almost any number for a year.
    const date = /[a-z]/i.test(after) ? Date.parse(after) : Number.NaN;
    const sent = Date.parse(headers.date ?? "");
    if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - (Number.isNaN(sent) ? now : sent)) / 1000));
    const reset = headers["x-ratelimit-reset"]?.trim() ?? "";
    return status === 429 && /^\d+(\.\d+)?$/.test(reset) ? Number(reset) : undefined;
}

/** Requests that share a deadline and what cancels them share the signal of both: one for each would cost more than all that we do. */
export function createEither(): ClientContext["either"] {
    const known = new WeakMap<AbortSignal, WeakMap<AbortSignal, AbortSignal>>();
    return (deadline, cancelled) => {
        if (cancelled === undefined) return deadline;
        const all = known.get(deadline) ?? new WeakMap<AbortSignal, AbortSignal>();
        known.set(deadline, all);
        const earlier = all.get(cancelled);
        if (earlier !== undefined) return earlier;
        const signal = AbortSignal.any([deadline, cancelled]);
        setMaxListeners(0, signal);
        all.set(cancelled, signal);
        return signal;
    };
}

/**
 * Makes the pause of a client. While one request that was refused waits and tries again, the others wait for it to get through, and cost
 * neither the service nor themselves a try. Then they go on in the order of their coming, so that none is overtaken again and again.
 */
export function createPause(clock: Clock): Pause {
    let scouting: Promise<void> | undefined;

    return async (attempt, waitOf, signal) => {
        for (;;) {
            while (scouting !== undefined) await scouting;
            const end = await attempt();
            const wait = waitOf(end);
            if (wait === undefined) return end;
            // Another one that was refused may be on its way already.
            if (scouting === undefined) return scout(attempt, waitOf, wait, signal);
        }
    };

    async function scout<End>(
        attempt: () => Promise<End>,
        waitOf: (end: End) => number | undefined,
        first: number,
        signal: AbortSignal | undefined,
    ): Promise<End> {
        let back = () => {};
        scouting = new Promise((resolve) => {
            back = resolve;
        });
        try {
            for (let wait = first; ; ) {
                await unlessAborted(clock.sleep(wait), signal);
                const end = await attempt();
                const again = waitOf(end);
                if (again === undefined) return end;
                wait = again;
            }
        } finally {
            scouting = undefined;
            back();
        }
    }
}
