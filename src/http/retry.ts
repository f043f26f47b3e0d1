/** Sends one request until it is answered: queue, rate limit, retries, redirects. */

import type { Socket } from "node:net";
import type { Repeat } from "../core/endpoint";
import { AnswerError, type Fate, type StatecraftError, UnreachableError } from "../errors";
import { type Failure, isOwn, isWrite, readFailure, refusalOf, requestedWait } from "./answer";
import type { ClientContext, ClientSettings } from "./client-context";
import type { Request, Response } from "./request";
import { type Deadline, SendFailure, send } from "./send";

/** The result of one attempt without a 2xx. */
type End = Failure | SendFailure;

/**
 * How an attempt without a 2xx ended: without a usable answer (`SendFailure.kind`), or with an answer:
 * - `limited`: 429.
 * - `passing`: an answer that `Service.passing` matches.
 * - `declined`: a 500 in the service's own form to a write.
 * - `failed`: 408, and any other 5xx but 501.
 * - `refused`: any other in the service's own form, and a failure that lasts (`Service.lasting`).
 * - `diverted`: any other, such as that of a gateway or of a store of states.
 */
type Outcome = SendFailure["kind"] | "limited" | "passing" | "declined" | "failed" | "refused" | "diverted";

/** The effect of a request after each outcome of its last attempt. */
const fates: Readonly<Record<Outcome, Fate>> = {
    ...{ limited: "refused", passing: "refused", declined: "refused", refused: "refused", diverted: "diverted" },
    ...{ unsent: "unsent", unresolved: "unsent", barred: "unsent" },
    ...{ lost: "unknown", failed: "unknown", unreadable: "unknown" },
};

/** The outcomes after which a request is sent again, by its `repeat`. After those of `refused` the service has certainly done nothing. */
const sentAgain: Readonly<Record<Repeat, readonly Outcome[]>> = {
    always: ["limited", "unresolved", "passing", "unsent", "failed", "lost", "declined"],
    unlessDeclined: ["limited", "unresolved", "passing", "unsent", "failed", "lost"],
    refused: ["limited", "unresolved", "passing", "unsent"],
    never: [],
};

/** The outcomes that concern every request of the service: all wait together, and `maxRetries` does not apply. */
const sharedOutcomes: readonly Outcome[] = ["limited", "unresolved"];

function outcomeOf(context: ClientContext, request: Request, end: End): Outcome {
    if (end instanceof SendFailure) return end.kind;
    const { service } = context;
    const { fromService, status } = end;
    if (fromService && service.lasting?.(end)) return "refused";
    if (status === 429) return "limited";
    if (fromService && service.passing?.(end)) return "passing";
    const isInOwnForm = fromService && isOwn(context, end);
    if (status === 500 && isInOwnForm && isWrite(request)) return "declined";
    if (status === 408 || (status >= 500 && status !== 501)) return "failed";
    return isInOwnForm ? "refused" : "diverted";
}

/** The longest wait that a server may ask for, in seconds. */
const longestRequested = 300;
/** The longest back-off, in milliseconds. */
const longestBackOff = 30_000;
/** Maximum number of retries of a request that was declined, and the milliseconds before each, as in the client of one of the products. */
const declined = { most: 2, wait: 1000 };
/** Maximum number of retries of a request after one of `sharedOutcomes`, in a row without a success of any request of the service. */
const mostShared = 10;
/** The fewest bytes that a download or an upload moves within its time-out. */
const leastMoved = 64 * 1024;
/** The longest download or upload, in milliseconds. */
const longestTransfer = 3_600_000;

/** Sends a request until it gets a 2xx. `maxRetries: 0` disables every retry. @throws StatecraftError */
export async function sendUntilAnswered(context: ClientContext, request: Request): Promise<Response> {
    const { clock, settings } = context;
    const { exchange, repeat, signal, within = Number.POSITIVE_INFINITY } = request;
    const { notify } = settings;
    const begun = clock.now();
    let [shared, failed, denied, successes] = [0, 0, 0, context.successes];
    let fate: Fate = "unsent";
    for (;;) {
        const { end: last, token } = await context.queue(() => nextAttempt(context, request, shared + failed + 1));
        const response = last instanceof SendFailure ? undefined : last;
        if (response && response.status >= 200 && response.status < 300) {
            context.successes += 1;
            return response;
        }
        const isDenied = response?.fromService && [401, 403].includes(response.status);
        if (isDenied && (await request.tokens?.refused(token, response.status, ++denied, signal))) continue;
        const end = last instanceof SendFailure ? last : readFailure(context, request, last);
        const outcome = outcomeOf(context, request, end);
        const isShared = sharedOutcomes.includes(outcome);
        // A server that serves other requests in the meantime will serve this one too.
        if (context.successes > successes) shared = 0;
        successes = context.successes;
        const count = isShared ? ++shared : ++failed;
        const requested = (response && requestedWait(response, clock.date())) ?? 0;
        const wait = signal?.aborted
            ? undefined
            : waitAfter(outcome, repeat, count, requested, settings, clock.random());
        const mayHaveActed = fate === "unknown" && isWrite(request);
        if (!mayHaveActed) fate = outcome === "declined" && context.service.acts500 ? "unknown" : fates[outcome];
        if (wait === undefined || clock.now() - begun + wait > within) {
            const isKnown = response === undefined || (await request.learn?.()) !== false;
            throw errorOf(context, isKnown ? request : { ...request, quotable: ownWordsOf(context) }, end, fate);
        }
        if (wait > 5000) {
            const code = outcome === "limited" ? "limited" : "unreachable";
            const reason = response?.status ?? outcome;
            notify?.(`${exchange.service}: trying again in ${Math.round(wait / 1000)} s (${reason}).`, code, "info");
        }
        const isService = response?.fromService ?? request.url.origin === context.origin;
        if (isShared && isService) context.notBefore = Math.max(context.notBefore, clock.now() + wait);
        else await clock.sleep(wait, signal);
    }
}

/**
 * The milliseconds to wait before the next attempt. `undefined`: there is none.
 * @param count how often the request has failed so: with one of `sharedOutcomes`, or with any other outcome
 * @param requested the seconds that the server asks to wait
 * @param random at least 0 and below 1, so that many clients do not retry at the same moment
 */
function waitAfter(
    outcome: Outcome,
    repeat: Repeat,
    count: number,
    requested: number,
    { maxRetries = 5, retryBaseDelay = 500 }: Pick<ClientSettings, "maxRetries" | "retryBaseDelay">,
    random: number,
): number | undefined {
    const ofOutcome = outcome === "declined" ? Math.min(declined.most, maxRetries) : maxRetries;
    const most = sharedOutcomes.includes(outcome) ? mostShared : ofOutcome;
    if (maxRetries === 0 || count > most || requested > longestRequested) return undefined;
    if (!sentAgain[repeat].includes(outcome)) return undefined;
    if (outcome === "declined" && requested === 0) return declined.wait;
    const backOff = Math.min(longestBackOff, retryBaseDelay * 2 ** (count - 1));
    return requested * 1000 + random * (requested > 0 ? retryBaseDelay : backOff);
}

/** Matches what a refusal may show while a secret is not known. */
const ownWordsOf = ({ service }: ClientContext) => service.ownWords ?? /(?!)/g;

/** The error of the last attempt. */
function errorOf(context: ClientContext, request: Request, end: End, fate: Fate): StatecraftError {
    const { exchange, signal } = request;
    if (!(end instanceof SendFailure)) return refusalOf(context, request, end, fate);
    if (end.kind === "unreadable") return new AnswerError(exchange, end.message, end.hint);
    const failure = new UnreachableError(exchange, fate, end.message, end.hint);
    return signal?.aborted ? failure.reword({ code: "cancelled" }) : failure;
}

/** Waits while a rate limit lasts, gets the token, and then makes one attempt, to which the time-out applies. */
async function nextAttempt(context: ClientContext, request: Request, number: number) {
    const { clock, settings } = context;
    const { exchange, signal } = request;
    while (context.notBefore > clock.now() && !signal?.aborted) {
        await clock.sleep(context.notBefore - clock.now(), signal);
    }
    const token = await request.tokens?.current(signal);
    const begun = clock.now();
    const deadline = deadlineOf(context, request);
    const end = await follow(context, request, token, deadline).finally(() => deadline.stop());
    const how = end instanceof SendFailure ? end.message : end.status;
    const took = Math.round(clock.now() - begun);
    settings.trace?.(`${exchange.service}: ${exchange.operation}: ${how}, ${took} ms, try ${number}`);
    return { end, token };
}

/** Ends a call after its time-out, and a download or an upload that moves too few bytes within it or takes more than an hour. */
function deadlineOf({ clock }: ClientContext, { kind, timeout, signal }: Request): Deadline & { stop(): void } {
    const timer = new AbortController();
    const latest = clock.now() + longestTransfer;
    let [socket, moved]: [Socket | undefined, number] = [undefined, 0];
    const bytes = () => (socket ? socket.bytesRead + socket.bytesWritten : 0);
    const deadline = {
        signal: signal ? AbortSignal.any([timer.signal, signal]) : timer.signal,
        watch(next: Socket) {
            socket = next;
            moved = bytes();
        },
        stop() {},
    };
    const wait = () => {
        deadline.stop = clock.timer(kind === "call" ? timeout : Math.min(timeout, latest - clock.now()), () => {
            const before = moved;
            moved = bytes();
            if (kind !== "call" && clock.now() < latest && moved - before >= leastMoved) wait();
            else timer.abort();
        });
    };
    wait();
    return deadline;
}

/** Maximum number of redirects in one attempt. */
const maxRedirects = 5;

/**
 * One attempt with its redirects. A call is redirected from the origin of the service to that of one of `otherAddresses` with token and body.
 * To any other origin only a GET is redirected, without the token. No redirect changes another method to GET.
 */
async function follow(context: ClientContext, request: Request, token: string | undefined, deadline: Deadline) {
    const { kind, method, repeat } = request;
    let { url } = request;
    let toService = url.origin === context.origin;
    for (let hops = 0; ; hops++) {
        const connection = context.connectionTo(url, { toService, fresh: repeat !== "always" });
        const headers = request.headers(toService, token);
        const fromService = toService && kind !== "upload";
        const end = await send(request, { url, headers, connection, fromService }, deadline);
        if (end instanceof SendFailure || ![301, 302, 303, 307, 308].includes(end.status)) return end;
        const { location } = end.headers;
        if (!location || !URL.canParse(location, url.href)) return end;
        const to = new URL(location, url);
        const keepsMethod = end.status >= 307 || method === "GET" || method === "LIST";
        const isFirst = toService && url.origin === context.origin;
        const isOther = isFirst && kind === "call" && context.otherOrigins.includes(to.origin);
        const isKnown = to.origin === url.origin || isOther;
        const isWeb = /^https?:$/.test(to.protocol);
        const isAllowed = isKnown ? keepsMethod : method === "GET" && isWeb;
        const isWeaker = url.protocol === "https:" && to.protocol === "http:";
        if (!isAllowed || isWeaker || hops === maxRedirects) {
            const other = `, or add ${to.origin} to \`otherAddresses\` if it is another address of the same server`;
            const hint = `Set \`address\` to where the service answers without a redirect or a sign-in page${isWeb ? other : ""}`;
            const advice = kind === "call" ? hint : undefined;
            return new SendFailure("unreadable", `a redirect (${end.status}) to ${to.origin}`, advice);
        }
        // The token is not sent after any other redirect to another origin, not even to the service: that origin has chosen the path.
        toService = isFirst && isKnown;
        url = to;
    }
}
