/**
 * Sending one request until it is answered: queue, redirects, tries.
 *
 * The loop is our own rather than axios-retry's: a try must leave the queue while it waits, have a time-out of its own, and be judged by the
 * service's reading of the answer; and a wait that is too long is an error of our family.
 */

import type { Limit } from "p-limit";
import { unlessAborted } from "../core/abort";
import type { Method, Repeat } from "../core/operation";
import type { Secret } from "../core/redaction";
import type { Answer, Service } from "../core/service";
import { AnswerError, type Exchange, type StatecraftError } from "../errors";
import { readAny } from "./body";
import { type Refusal, refused, tooLong, unanswered } from "./failure";
import type { Origin } from "./origin";
import type { Pause } from "./pause";
import { maxRedirects, redirect } from "./redirect";
import { askedWait, delay, longestWait, mayRepeat } from "./retry";
import type { Route, Way } from "./routes";
import { type Received, send } from "./send";
import { SendFailure } from "./send-failure";

/** Time and chance, which tests replace. */
export interface Clock {
    now(): number;
    sleep(milliseconds: number): Promise<void>;
    /** Aborts after so many milliseconds. */
    deadline(milliseconds: number): AbortSignal;
    /** At least 0, below 1. */
    random(): number;
}

/** What all requests of one client share. */
export interface Line {
    readonly service: Service;
    readonly origin: Origin;
    readonly route: (way: Way) => Route;
    readonly queue: Limit;
    readonly pause: Pause;
    readonly clock: Clock;
    /** Milliseconds for one try, unless it is given more. */
    readonly timeout: number;
    readonly maxRetries: number;
    readonly retryBaseDelay: number;
    readonly translate: (answer: Answer) => Answer;
    readonly notify: (text: string) => void;
    /** Told of every try: where it went and how it ended, nothing of what was sent. */
    readonly trace: ((text: string) => void) | undefined;
    /** Told of the origin of every request before it is sent. */
    readonly visit: (url: URL) => void;
}

/** One request. */
export interface Order {
    readonly exchange: Exchange;
    readonly method: Method;
    readonly url: URL;
    /** For the service's own origin. */
    readonly headers: Readonly<Record<string, string>>;
    /** For any other origin, to which a redirect or an address may lead. */
    readonly foreignHeaders: Readonly<Record<string, string>>;
    readonly body: string | Buffer | undefined;
    readonly repeat: Repeat;
    readonly maxBytes: number;
    /** Milliseconds for one try. */
    readonly timeout: number;
    /** What is secret of the body, beside what the settings keep secret. */
    readonly secrets: readonly Secret[];
    /** Aborts when the user cancels: what was sent stays in doubt, and nothing is sent any more. */
    readonly signal: AbortSignal | undefined;
}

/** An answer, and whether the service's own origin gave it. */
export interface Arrival extends Received {
    readonly own: boolean;
}

/** How far the delivery of one request has come. */
interface Course {
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
export async function deliver(line: Line, order: Order): Promise<Arrival> {
    const course: Course = { tries: 0, doubtful: false };
    for (;;) {
        const end = await line.queue(() =>
            line.pause.run(
                () => tryOnce(line, order, course),
                (again) => ("wait" in again && again.limited ? again.wait : undefined),
                order.signal,
            ),
        );
        if (!("wait" in end)) return end;
        await unlessAborted(line.clock.sleep(end.wait), order.signal);
    }
}

async function tryOnce(line: Line, order: Order, course: Course): Promise<Arrival | Again> {
    course.tries += 1;
    const end = await traced(line, order, course.tries);
    if (!(end instanceof SendFailure) && end.status >= 200 && end.status < 300) return end;
    const asked = end instanceof SendFailure ? undefined : askedWait(end.status, end.headers, line.clock.now());
    const error = await judge(line, order, end, asked, course);
    if (error !== undefined) throw error;
    course.doubtful ||= end instanceof SendFailure ? end.kind === "lost" : end.status !== 429;
    const wait = waitFor(line, course.tries, asked, end instanceof SendFailure ? end.code : end.status);
    return { wait, limited: !(end instanceof SendFailure) && end.status === 429 && end.own };
}

/** The error to end with, or `undefined` to try again. */
async function judge(
    line: Line,
    order: Order,
    end: Arrival | SendFailure,
    asked: number | undefined,
    { tries, doubtful }: Course,
): Promise<StatecraftError | undefined> {
    const { service } = line;
    const { exchange, repeat } = order;
    const last = tries > line.maxRetries || order.signal?.aborted === true;
    if (end instanceof SendFailure) {
        const repeats = (end.kind === "unsent" || end.kind === "lost") && mayRepeat(repeat, end.kind);
        const sent = doubtful || end.kind === "lost";
        return repeats && !last ? undefined : unanswered(exchange, end, { tries, sent }, line.origin.secrets);
    }
    const { status, headers, own } = end;
    const answer = line.translate({ status, headers, body: readAny(end) });
    const writes = order.method !== "GET" && order.method !== "LIST";
    const secrets = [...line.origin.secrets, ...order.secrets];
    const refusal: Refusal = { service, exchange, answer, own, secrets, asked, doubtful: doubtful && writes };
    if (!mayRepeat(repeat, status, own && service.passing(answer))) return refused(refusal);
    if (asked !== undefined && asked > longestWait) return tooLong(refusal, asked);
    return last ? refused(refusal) : undefined;
}

/** Milliseconds to wait before the next try, announced if they are many. */
function waitFor(line: Line, tries: number, asked: number | undefined, why: string | number): number {
    const { clock, service } = line;
    const wait = delay(tries, line.retryBaseDelay, asked, clock.random());
    const seconds = Math.round(wait / 1000);
    if (wait > 5000) {
        line.notify(
            asked === undefined || asked === 0
                ? `${service.title}: trying again in ${seconds} s (${why})`
                : `${service.title} asked to wait ${Math.ceil(asked)} s (${why})`,
        );
    }
    return wait;
}

/** One try, told to whoever wants to see the requests. */
async function traced(line: Line, order: Order, tries: number): Promise<Arrival | SendFailure> {
    if (line.trace === undefined) return attempt(line, order);
    const begun = line.clock.now();
    const told = (how: string | number) => {
        const passed = Math.round(line.clock.now() - begun);
        line.trace?.(`${line.service.title}: ${order.exchange.operation}: ${how}, ${passed} ms, try ${tries}`);
    };
    try {
        const end = await attempt(line, order);
        told(end instanceof SendFailure ? `no answer (${end.code || end.kind})` : end.status);
        return end;
    } catch (error) {
        told("a redirect that was not followed");
        throw error;
    }
}

/** One try: a request and the redirects it meets, in one time. A failure of the connection is returned, not thrown. */
async function attempt(line: Line, order: Order): Promise<Arrival | SendFailure> {
    const deadline = line.clock.deadline(order.timeout);
    const { exchange, method, body, maxBytes, timeout } = order;
    const fresh = order.repeat !== "always";
    let url = order.url;
    let own = url.origin === line.origin.origin;
    for (let hops = 0; ; hops++) {
        const headers = own ? order.headers : order.foreignHeaders;
        line.visit(url);
        const route = line.route({ url, own, fresh });
        const sending = { method, url, headers, body, route, timeout, deadline, signal: order.signal, maxBytes };
        const received = await send(sending).catch(orFailure);
        if (received instanceof SendFailure) return received;
        const next = redirect(method, url, received);
        if (next === undefined) return { ...received, own };
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
    return new AnswerError(
        exchange,
        problem,
        "The address in the settings is probably wrong: set the one that answers without a redirect.",
    );
}
