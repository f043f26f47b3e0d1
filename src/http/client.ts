/** The client of one service and connection. */

import pLimit from "p-limit";
import type { Method, Operation } from "../core/operation";
import type { Answer, Call, Client, Service } from "../core/service";
import { AnswerError, type Exchange } from "../errors";
import { isWebPage, readSuccess } from "./body";
import { type Clock, deliver, type Line } from "./delivery";
import { mergeHeaders } from "./headers";
import { isLoopback } from "./loopback";
import { type Origin, readOrigin } from "./origin";
import { Pause } from "./pause";
import { createRoutes } from "./routes";
import { readTls, type TlsSettings } from "./tls";
import { userAgent } from "./user-agent";

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

const mebibyte = 1024 ** 2;
const callBytes = 64 * mebibyte;
const downloadBytes = 256 * mebibyte;

const realClock: Clock = {
    now: Date.now,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    deadline: (milliseconds) => AbortSignal.timeout(milliseconds),
    random: Math.random,
};

const untranslated: Translation = { request: (request) => request, answer: (answer) => answer };

/** Makes a client. Nothing is sent before the first call. @throws ConfigError */
export function createClient(service: Service, settings: ClientSettings, clock: Clock = realClock): Client {
    const origin = readOrigin(service, settings);
    const concurrency = settings.maxConcurrency ?? 10;
    const translate = settings.translate ?? untranslated;
    const notify = settings.notify ?? (() => {});
    const line: Line = {
        service,
        origin,
        clock,
        notify,
        trace: settings.trace,
        visit: warnOfClearText(service, origin, notify),
        route: createRoutes(readTls(service, settings), concurrency),
        queue: pLimit(concurrency),
        pause: new Pause(clock),
        timeout: (settings.timeout ?? 60) * 1000,
        maxRetries: settings.maxRetries ?? 5,
        retryBaseDelay: settings.retryBaseDelay ?? 500,
        translate: translate.answer,
    };

    return {
        async call(operation, call) {
            const request = translate.request(wireRequest(operation, call, origin));
            const { method, path } = request;
            const exchange = { service: service.title, operation: `${method} ${path}` };
            const accept = {
                "User-Agent": userAgent(),
                Accept: [...new Set([service.contentType, "application/json"])].join(", "),
            };
            // One service wants the type on every write, with a body or without.
            const type = method === "GET" || method === "LIST" ? {} : { "Content-Type": service.contentType };
            const arrival = await deliver(line, {
                exchange,
                method,
                url: new URL(origin.origin + origin.path + path + search(request.query)),
                headers: mergeHeaders(accept, origin.extra, type, request.headers),
                foreignHeaders: accept,
                body: request.body === undefined ? undefined : JSON.stringify(request.body),
                repeat: operation.repeat,
                maxBytes: callBytes,
                timeout: Math.max(line.timeout, (call.timeout ?? 0) * 1000),
                secrets: call.secrets ?? [],
                signal: call.signal,
            });
            const read = readSuccess(arrival, service);
            if ("problem" in read) throw unusable(exchange, read.problem);
            return translate.answer({ status: arrival.status, headers: arrival.headers, body: read.body });
        },

        async download(address, signal) {
            const { url, exchange } = placeOf("GET", address);
            const accept = { "User-Agent": userAgent(), Accept: "*/*" };
            const { headers } = translate.request({
                method: "GET",
                path: url.pathname,
                query: {},
                headers: origin.token,
                body: undefined,
            });
            const arrival = await deliver(line, {
                exchange,
                method: "GET",
                url,
                headers: mergeHeaders(accept, origin.extra, headers),
                foreignHeaders: accept,
                body: undefined,
                repeat: "always",
                maxBytes: downloadBytes,
                timeout: line.timeout,
                secrets: [],
                signal,
            });
            if (isWebPage(arrival.bytes.subarray(0, 100).toString(), arrival)) throw unusable(exchange, "a web page");
            return arrival.bytes;
        },

        async upload(address, content, signal) {
            const { url, exchange } = placeOf("PUT", address);
            const plain = { "User-Agent": userAgent(), Accept: "*/*", "Content-Type": "application/octet-stream" };
            // The address itself is the permission: a token would be one too many, even for the service's own origin.
            await deliver(line, {
                exchange,
                method: "PUT",
                url,
                headers: mergeHeaders(plain, origin.extra, { "Content-Type": plain["Content-Type"] }),
                foreignHeaders: plain,
                body: content,
                repeat: "refused",
                maxBytes: callBytes,
                timeout: line.timeout,
                secrets: [content],
                signal,
            });
        },
    };

    /** An address that an answer named. Such addresses hold signatures, some of them in the path: only the origin is ever printed. */
    function placeOf(method: Method, address: string): { url: URL; exchange: Exchange } {
        const url = URL.canParse(address, `${origin.origin}/`) ? new URL(address, `${origin.origin}/`) : undefined;
        const exchange = {
            service: service.title,
            operation: `${method} ${url?.host ? `${url.origin}/…` : "of a file"}`,
        };
        if (url?.protocol !== "http:" && url?.protocol !== "https:") {
            throw new AnswerError(exchange, "it named an address that is not one of HTTP");
        }
        url.username = "";
        url.password = "";
        return { url, exchange };
    }
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

function search(query: WireRequest["query"]): string {
    const given = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
    return given.size === 0 ? "" : `?${given}`;
}

function unusable(exchange: Exchange, problem: string): AnswerError {
    return new AnswerError(
        exchange,
        problem,
        "Is the address in the settings the service's own, without a sign-in page or gateway in front?",
    );
}

/** What is to be told of an origin before anything is sent to it, once. */
function warnOfClearText(service: Service, origin: Origin, notify: (text: string) => void): (url: URL) => void {
    const warned = new Set<string>();
    return (url) => {
        if (url.protocol === "https:" || isLoopback(url.hostname) || warned.has(url.origin)) return;
        warned.add(url.origin);
        const hasToken = url.origin === origin.origin && Object.keys(origin.token).length > 0;
        const what = hasToken ? "the token travels" : "what is sent and received travels";
        notify(`${service.title}: ${what} in clear to ${url.origin}; use https: if the service offers it`);
    };
}
