/** Sends one request until it is answered: queue, rate limit, retries, redirects. */

import type { Repeat } from "../core/endpoint";
import { AnswerError, type StatecraftError, UnreachableError } from "../errors";
import { readFailure, refusalOf, requestedWait } from "./answer";
import type { ClientContext } from "./client-context";
import { type Request, type Response, SendFailure, send } from "./send";

/** The result of one attempt. */
type End = Response | SendFailure;

/**
 * How an attempt without a 2xx ended: without a usable answer (`SendFailure.kind`), or with an answer:
 * - `limited`: 429.
 * - `passing`: an answer that `Service.passing` matches.
 * - `gateway`: 502, 503 or 504.
 * - `final`: any other.
 */
type Outcome = SendFailure["kind"] | "limited" | "passing" | "gateway" | "final";

/** The outcomes after which a request is sent again, by its `repeat`. After those of `refused` the service has certainly done nothing. */
const sentAgain: Readonly<Record<Repeat, readonly Outcome[]>> = {
    always: ["limited", "passing", "unsent", "gateway", "lost"],
    refused: ["limited", "passing", "unsent"],
    never: [],
};

function outcomeOf(context: ClientContext, request: Request, end: End): Outcome {
    if (end instanceof SendFailure) return end.kind;
    if (end.status === 429) return "limited";
    if (end.fromService && context.service.passing?.(readFailure(context, request, end))) return "passing";
    return [502, 503, 504].includes(end.status) ? "gateway" : "final";
}

/** The longest wait that a server may ask for, in seconds. */
const longestRequested = 300;
/** The longest back-off, in milliseconds. */
const longestBackOff = 30_000;
/** Maximum number of retries of a request after 429. `maxRetries` does not apply to these. */
const mostLimited = 10;

/** Sends a request until it gets a 2xx. `maxRetries: 0` disables every retry. @throws StatecraftError */
export async function sendUntilAnswered(context: ClientContext, request: Request): Promise<Response> {
    const { clock, settings } = context;
    const { maxRetries = 5, retryBaseDelay = 500, notify } = settings;
    const { exchange, repeat, signal } = request;
    let [limited, failed, mayHaveActed] = [0, 0, false];
    for (;;) {
        const end = await context.queue(() => nextAttempt(context, request, limited + failed + 1));
        const response = end instanceof SendFailure ? undefined : end;
        if (response && response.status >= 200 && response.status < 300) return response;
        const outcome = outcomeOf(context, request, end);
        const isLimited = outcome === "limited";
        const [count, most] = isLimited ? [++limited, mostLimited] : [++failed, maxRetries];
        const requested = (response && requestedWait(context, response)) ?? 0;
        const isLast = maxRetries === 0 || count > most || requested > longestRequested || signal?.aborted;
        if (isLast || !sentAgain[repeat].includes(outcome)) throw errorOf(context, request, end, mayHaveActed);
        mayHaveActed ||= !sentAgain.refused.includes(outcome);

        // A random wait up to a limit that doubles with each failure, so that many clients do not retry at the same moment.
        const backOff = Math.min(longestBackOff, retryBaseDelay * 2 ** (count - 1));
        const delay = requested * 1000 + clock.random() * (requested > 0 ? retryBaseDelay : backOff);
        if (delay > 5000) {
            const code = isLimited ? "limited" : "unreachable";
            const reason = response?.status ?? outcome;
            notify?.(`${exchange.service}: trying again in ${Math.round(delay / 1000)} s (${reason}). [${code}]`);
        }
        if (isLimited && response?.fromService) context.notBefore = Math.max(context.notBefore, clock.now() + delay);
        else await clock.sleep(delay, signal);
    }
}

/** The error of the last attempt. @param mayHaveActed whether an earlier attempt may have taken effect */
function errorOf(context: ClientContext, request: Request, end: End, mayHaveActed: boolean): StatecraftError {
    const { exchange, signal } = request;
    if (!(end instanceof SendFailure)) return refusalOf(context, request, end, mayHaveActed);
    if (end.kind === "unreadable") return new AnswerError(exchange, end.message, end.hint);
    const failure = new UnreachableError(exchange, mayHaveActed || end.kind === "lost", end.message, end.hint);
    return signal?.aborted ? failure.reword({ code: "cancelled" }) : failure;
}

/** Waits while a rate limit lasts, and then makes one attempt, to which the time-out applies. */
async function nextAttempt(context: ClientContext, request: Request, number: number): Promise<End> {
    const { clock, settings } = context;
    const { exchange, signal, timeout } = request;
    while (context.notBefore > clock.now() && !signal?.aborted) {
        await clock.sleep(context.notBefore - clock.now(), signal);
    }
    const begun = clock.now();
    const timer = new AbortController();
    const stop = clock.timer(timeout, () => timer.abort());
    const deadline = signal ? AbortSignal.any([timer.signal, signal]) : timer.signal;
    const end = await follow(context, request, deadline).finally(stop);
    const how = end instanceof SendFailure ? end.message : end.status;
    const took = Math.round(clock.now() - begun);
    settings.trace?.(`${exchange.service}: ${exchange.operation}: ${how}, ${took} ms, try ${number}`);
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
        const fromService = toService && kind !== "upload";
        const end = await send(request, { url, headers, connection, fromService }, deadline);
        if (end instanceof SendFailure || ![301, 302, 303, 307, 308].includes(end.status)) return end;
        const { location } = end.headers;
        if (!location || !URL.canParse(location, url.href)) return end;
        const to = new URL(location, url);
        const keepsMethod = end.status >= 307 || method === "GET" || method === "LIST";
        const isAllowed = to.origin === url.origin ? keepsMethod : method === "GET" && /^https?:$/.test(to.protocol);
        if (!isAllowed || hops === maxRedirects) {
            const hint = "Set `address` to where the service answers without a redirect or a sign-in page";
            return new SendFailure("unreadable", `a redirect (${end.status}) to ${to.origin}`, hint);
        }
        // The token is not sent after a redirect to another origin, not even to the service: that origin has chosen the path.
        toService = toService && to.origin === url.origin;
        url = to;
    }
}
