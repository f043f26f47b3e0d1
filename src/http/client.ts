/**
 * The client of one service and connection. One request crosses six files:
 *
 * | file                | what happens there                                                                      |
 * | ------------------- | --------------------------------------------------------------------------------------- |
 * | `core/operation.ts` | the path, with its parameters escaped                                                   |
 * | `client.ts`         | headers, query and body; with the product's names, `vocabulary.ts` as well              |
 * | `retry.ts`          | queue, tries and redirects, until there is an answer                                    |
 * | `connections.ts`    | the connection: kept or fresh, direct or through a proxy                                |
 * | `send.ts`           | one request over axios                                                                  |
 * | `answer.ts`         | what the answer means; in a failure, `core/redaction.ts` takes secrets out of the words |
 */

import { setMaxListeners } from "node:events";
import { validateHeaderValue } from "node:http";
import pLimit from "p-limit";
import type { Method, Operation } from "../core/operation";
import { foreignAnswer, noHeader } from "../core/request-failures";
import type { Answer, Call, Client, Service } from "../core/service";
import { AnswerError, type Exchange } from "../errors";
import { userAgent } from "../version";
import { isWebPage, readSuccess } from "./answer";
import { createConnections, isLoopback } from "./connections";
import { type Origin, readOrigin } from "./origin";
import type { ClientContext, Clock, Translation, WireRequest } from "./request";
import { createEither, createPause, sendUntilAnswered } from "./retry";
import { readTls, type TlsSettings } from "./tls";

/** The settings of one service. */
export interface ClientSettings extends TlsSettings {
    /** Base address. Slashes at its end mean nothing. */
    readonly address: string;
    /** Without one no token is sent. */
    readonly token: string | undefined;
    /** Extra headers of every request to the service's own origin. They win over none of ours but `User-Agent` and `Accept`. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
    /** Seconds for one request, its answer included, from when it leaves the queue. Default 60. */
    readonly timeout?: number | undefined;
    /** Default 5. */
    readonly maxRetries?: number | undefined;
    /** Requests in flight. Default 10. */
    readonly maxConcurrency?: number | undefined;
    /** Milliseconds of the first back-off. Default 500. */
    readonly retryBaseDelay?: number | undefined;
    /** Default: the documents' names are sent. */
    readonly translate?: Translation | undefined;
    /** Told when a retry waits longer than 5 seconds, and when anything travels in clear to another machine. */
    readonly notify?: ((text: string) => void) | undefined;
    /** Told of every try: method, path, status, milliseconds and its number. Default: nobody is. */
    readonly trace?: ((text: string) => void) | undefined;
}

/** What every request says of its sender. */
const ours = { "User-Agent": userAgent };

const mebibyte = 1024 ** 2;
const callBytes = 64 * mebibyte;
const downloadBytes = 256 * mebibyte;

/** Requests that begin within so many milliseconds have one deadline, which may be so much later: a signal of its own would cost each more than all that we do. */
const deadlineStep = 100;

function createDeadlines(): Clock["deadline"] {
    const latest = new Map<number, { readonly at: number; readonly signal: AbortSignal }>();
    return (milliseconds) => {
        const at = performance.now();
        const last = latest.get(milliseconds);
        if (last !== undefined && at - last.at < deadlineStep) return last.signal;
        const signal = AbortSignal.timeout(milliseconds + deadlineStep);
        setMaxListeners(0, signal);
        latest.set(milliseconds, { at, signal });
        return signal;
    };
}

const realClock: Clock = {
    now: Date.now,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    deadline: createDeadlines(),
    random: Math.random,
};

const untranslated: Translation = { request: (request) => request, answer: (answer) => answer };

/** Makes a client. Nothing is sent before the first call. @throws ConfigError */
export function createClient(service: Service, settings: ClientSettings, clock: Clock = realClock): Client {
    const origin = readOrigin(service, settings);
    const concurrency = settings.maxConcurrency ?? 10;
    const notify = settings.notify ?? (() => {});
    const context: ClientContext = {
        service,
        origin,
        clock,
        either: createEither(),
        notify,
        trace: settings.trace,
        visit: warnOfExposure(service, origin, settings, notify),
        connectionTo: createConnections(readTls(service, settings), concurrency),
        queue: pLimit(concurrency),
        pause: createPause(clock),
        timeout: (settings.timeout ?? 60) * 1000,
        maxRetries: settings.maxRetries ?? 5,
        retryBaseDelay: settings.retryBaseDelay ?? 500,
        translate: settings.translate ?? untranslated,
        isTranslated: settings.translate !== undefined,
    };
    const usual = usualHeaders(service, origin);
    return {
        call: (operation, call) => exchange(context, usual, operation, call),
        download: (address, signal) => download(context, address, signal),
        upload: (address, content, signal) => upload(context, address, content, signal),
    };
}

type Headers = Readonly<Record<string, string>>;

/** The headers of every request: to any origin, and to the service's own. */
function usualHeaders({ contentType }: Service, { extra }: Origin) {
    const accept = { ...ours, Accept: [...new Set([contentType, "application/json"])].join(", ") };
    // One service wants the type on every write, with a body or without.
    return { accept, reading: ready(accept, extra), writing: ready(accept, extra, { "Content-Type": contentType }) };
}

async function exchange<P extends string>(
    context: ClientContext,
    usual: ReturnType<typeof usualHeaders>,
    operation: Operation<P>,
    call: Call<P>,
): Promise<Answer> {
    const { service, origin, translate } = context;
    const request = translate.request(wireRequest(operation, call, origin));
    const { method, path } = request;
    const about = { service: service.title, operation: `${method} ${path}` };
    const { accept, reading, writing } = usual;
    const response = await sendUntilAnswered(context, {
        exchange: about,
        method,
        url: new URL(origin.origin + origin.path + path + search(request.query)),
        headers: mergeHeaders(method === "GET" || method === "LIST" ? reading : writing, request.headers),
        foreignHeaders: accept,
        body: request.body === undefined ? undefined : JSON.stringify(request.body),
        repeat: operation.repeat,
        maxBytes: callBytes,
        timeout: Math.max(context.timeout, (call.timeout ?? 0) * 1000),
        secrets: call.secrets ?? [],
        signal: call.signal,
    });
    const read = readSuccess(response, service);
    if ("problem" in read) throw unusable(about, read.problem);
    return translate.answer({
        exchange: about,
        status: response.status,
        headers: response.headers,
        body: read.body,
    });
}

async function download(context: ClientContext, address: string, signal: AbortSignal | undefined): Promise<Buffer> {
    const { token, extra } = context.origin;
    const { url, exchange: about } = placeOf(context, "GET", address);
    const accept = { ...ours, Accept: "*/*" };
    const asked = { method: "GET", path: url.pathname, query: {}, headers: token, body: undefined } as const;
    const { headers } = context.translate.request(asked);
    const response = await sendUntilAnswered(context, {
        exchange: about,
        method: "GET",
        url,
        headers: mergeHeaders(ready(accept, extra), headers),
        foreignHeaders: accept,
        body: undefined,
        named: "with token",
        repeat: "always",
        maxBytes: downloadBytes,
        timeout: context.timeout,
        secrets: [],
        signal,
    });
    if (isWebPage(response.bytes.subarray(0, 100).toString(), response)) throw unusable(about, "a web page");
    return response.bytes;
}

async function upload(
    context: ClientContext,
    address: string,
    content: Buffer,
    signal: AbortSignal | undefined,
): Promise<void> {
    const { url, exchange: about } = placeOf(context, "PUT", address);
    const plain = { ...ours, Accept: "*/*", "Content-Type": "application/octet-stream" };
    // The address itself is the permission: a token would be one too many, even for the service's own origin.
    await sendUntilAnswered(context, {
        exchange: about,
        method: "PUT",
        url,
        headers: mergeHeaders(ready(plain, context.origin.extra), { "Content-Type": plain["Content-Type"] }),
        foreignHeaders: plain,
        body: content,
        named: "without token",
        repeat: "refused",
        maxBytes: callBytes,
        timeout: context.timeout,
        secrets: [],
        signal,
    });
}

/** An address that an answer named. Such addresses hold signatures, some of them in the path: only the origin is ever printed. */
function placeOf(
    { service, origin }: ClientContext,
    method: Method,
    address: string,
): { url: URL; exchange: Exchange } {
    const url = URL.canParse(address, `${origin.origin}/`) ? new URL(address, `${origin.origin}/`) : undefined;
    const about = { service: service.title, operation: `${method} ${url?.host ? `${url.origin}/…` : "of a file"}` };
    if (url?.protocol !== "http:" && url?.protocol !== "https:") {
        throw new AnswerError(about, "it named an address that is not one of HTTP");
    }
    url.username = "";
    url.password = "";
    return { url, exchange: about };
}

function wireRequest<P extends string>(operation: Operation<P>, call: Call<P>, origin: Origin): WireRequest {
    return {
        method: operation.method,
        path: operation.path(call.parameters),
        query: call.query ?? {},
        headers: { ...(call.anonymous ? {} : origin.token), ...call.headers },
        body: call.body,
    };
}

/** Headers by their names in lower case. */
type ReadyHeaders = ReadonlyMap<string, readonly [name: string, value: string]>;

/** Puts headers together. Later ones win, whatever the case of their names. @throws StatecraftError for what no header can carry */
function ready(...sets: readonly Headers[]): ReadyHeaders {
    const merged = new Map<string, readonly [string, string]>();
    for (const [name, value] of sets.flatMap((set) => Object.entries(set))) {
        validate(name, value);
        merged.set(name.toLowerCase(), [name, value]);
    }
    return merged;
}

/** The same for one request. */
function mergeHeaders(usual: ReadyHeaders, ...own: readonly Headers[]): Headers {
    return Object.fromEntries(new Map([...usual, ...ready(...own)]).values());
}

function validate(name: string, value: string): void {
    try {
        validateHeaderValue(name, value);
    } catch {
        throw noHeader({ name });
    }
}

function search(query: WireRequest["query"]): string {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    return given.length === 0
        ? ""
        : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function unusable(exchange: Exchange, problem: string): AnswerError {
    return new AnswerError(exchange, problem, foreignAnswer());
}

/** Warns once of an origin to which requests travel in clear, or that nobody makes sure of. */
function warnOfExposure(
    service: Service,
    origin: Origin,
    { skipTlsVerify = false }: Pick<ClientSettings, "skipTlsVerify">,
    notify: (text: string) => void,
): (url: URL) => void {
    const warned = new Set<string>();
    return (url) => {
        const isOwn = url.origin === origin.origin;
        const isSafe = url.protocol === "https:" && !(isOwn && skipTlsVerify);
        if (isSafe || isLoopback(url.hostname) || warned.has(url.origin)) return;
        warned.add(url.origin);
        const hasToken = isOwn && Object.keys(origin.token).length > 0;
        const what = hasToken ? "the token travels" : "what is sent and received travels";
        const problem =
            url.protocol === "https:"
                ? `to ${url.origin}, whose certificate is not verified (skipTlsVerify); name its authority in caFile instead`
                : `in clear to ${url.origin}; use https: if the service offers it`;
        notify(`${service.title}: ${what} ${problem}`);
    };
}
