/**
 * Sends one HTTP request over axios, and reads its whole answer: no repetition, no redirect, no judgement of statuses. Errors of axios and of
 * Node hold headers and bodies, and stay in this file.
 */

import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { TLSSocket } from "node:tls";
import type * as AxiosModule from "axios";
import type { Method, Repeat } from "../core/operation";
import { handshakeFailed, notReached, proxyInTheWay, tooSlow } from "../core/request-failures";
import type { Exchange } from "../errors";
import { type Connection, ProxyRefusal } from "./connect";

/** One request, which may be sent several times. */
export interface Request {
    readonly exchange: Exchange;
    /** `download` and `upload` go to an address that an answer named. An answer to an upload says nothing about the service's objects. */
    readonly kind: "call" | "download" | "upload";
    readonly method: Method;
    readonly url: URL;
    /** For the service's own origin. */
    readonly headers: Headers;
    /** For any other origin, to which a redirect or an address may lead: no token. */
    readonly foreignHeaders: Headers;
    readonly body?: string | Buffer | undefined;
    readonly repeat: Repeat;
    /** Milliseconds for one try, its redirects included. */
    readonly timeout: number;
    /** Secrets of the operation, which an answer may quote. */
    readonly secrets?: readonly string[] | undefined;
    /** Aborts when the user cancels: then nothing is sent any more. */
    readonly signal?: AbortSignal | undefined;
}

/** Headers by their names. */
export type Headers = Readonly<Record<string, string>>;

/** Where a request goes: to its own address, or to that of a redirect. */
export interface Hop {
    readonly url: URL;
    readonly headers: Headers;
    readonly connection: Connection;
}

/** An answer, unread. Names of headers are in lower case. */
export interface Received {
    readonly status: number;
    readonly headers: Headers;
    readonly bytes: Buffer;
}

/**
 * Why there is no usable answer. The message holds no more of the address than its origin.
 * - `unsent`: no connection, so the service did nothing.
 * - `barred`: the same, and a repetition is no use (TLS, a proxy's refusal).
 * - `lost`: sent, but the answer is missing or cut.
 * - `unreadable`: an answer that is not HTTP, is too large, or is compressed wrongly, or a redirect that is not followed.
 */
export class SendFailure extends Error {
    constructor(
        readonly kind: "unsent" | "barred" | "lost" | "unreadable",
        message: string,
        readonly code: string,
        readonly hint?: string,
    ) {
        super(message);
    }
}

let loaded: InstanceType<typeof AxiosModule.Axios> | undefined;

/** Loaded with the first request, because that takes longer than loading all of our own code. The defaults of axios, which other code may change, are not used. */
function axios(): InstanceType<typeof AxiosModule.Axios> {
    const { Axios } = require("axios") as typeof AxiosModule;
    loaded ??= new Axios({
        adapter: "http",
        responseType: "arraybuffer",
        transformRequest: [],
        transformResponse: [],
        validateStatus: () => true,
        decompress: true,
        maxRedirects: 0,
        maxBodyLength: Number.POSITIVE_INFINITY,
    });
    return loaded;
}

/** MiB of the largest answer, counted after decompression. */
const largest = { call: 64, download: 256, upload: 64 };

/** Sends a request, and gives up when `deadline` aborts. Returns a failure instead of throwing it. */
export async function send(request: Request, hop: Hop, deadline: AbortSignal): Promise<Received | SendFailure> {
    const { method, body, kind } = request;
    const progress: Progress = { connected: false, answered: false };
    try {
        const answer = await axios().request<Buffer>({
            method,
            url: hop.url.href,
            headers: { ...hop.headers },
            ...(body !== undefined && { data: Buffer.from(body) }),
            ...hop.connection,
            signal: deadline,
            maxContentLength: largest[kind] * 1024 ** 2,
            transport: watched(progress, deadline),
        });
        const headers = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), [value].join(", ")]);
        return { status: answer.status, headers: Object.fromEntries(headers), bytes: answer.data };
    } catch (error) {
        return explain(error, progress, { request, hop, deadline });
    }
}

/** How far a request came, which decides whether the service can have acted. */
interface Progress {
    /** The connection stood, TLS included. */
    connected: boolean;
    /** Status and headers of the answer came. */
    answered: boolean;
}

/** Node's own transport, which notes the progress. */
function watched(progress: Progress, deadline: AbortSignal) {
    return {
        request(options: RequestOptions, done: (answer: IncomingMessage) => void): ClientRequest {
            const { request: start } = options.protocol === "https:" ? https : http;
            const request = start(Object.assign(options, { deadline }), (answer) => {
                progress.answered = true;
                done(answer);
            });
            const connected = () => {
                progress.connected = true;
            };
            request.once("socket", (socket) => {
                if (request.reusedSocket) connected();
                else socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", connected);
            });
            return request;
        },
    };
}

const tlsCode =
    /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|SUBJECT_ISSUER_|AKID_|KEYUSAGE_)/;

/** In TLS 1.3 a server refuses our certificate only after the handshake, by such an alert. */
const certificateAlert = /_ALERT_(HANDSHAKE_FAILURE|ACCESS_DENIED|UNKNOWN_CA|\w*CERTIFICATE\w*)$/;

const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: "the connection was refused",
    ENOTFOUND: "the host name is unknown",
    ECONNRESET: "the connection was cut",
};

function explain(
    error: unknown,
    { connected, answered }: Progress,
    { request, hop, deadline }: { readonly request: Request; readonly hop: Hop; readonly deadline: AbortSignal },
): SendFailure {
    const { origin } = hop.url;
    const { via } = hop.connection;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const fail = (kind: SendFailure["kind"], text: string, hint?: string, failureCode = code) =>
        new SendFailure(kind, `${text} at ${origin}${via ? `, through the proxy ${via}` : ""}`, failureCode, hint);
    const reached = connected ? "lost" : "unsent";
    if (cause instanceof ProxyRefusal) {
        const text = `the proxy answered ${cause.status} when asked for a connection to ${origin}`;
        const isTemporary = cause.status >= 500 || cause.status === 429;
        return new SendFailure(isTemporary ? "unsent" : "barred", text, "PROXY_REFUSED", proxyInTheWay());
    }
    if (request.signal?.aborted) return fail(reached, "the operation was cancelled", undefined, "ECANCELED");
    if (deadline.aborted) {
        const part = answered ? " but the beginning of an answer" : "";
        return fail(reached, `nothing within ${request.timeout / 1000} s${part}`, tooSlow(), "ETIMEDOUT");
    }
    if (cause instanceof Error && cause.message.startsWith("maxContentLength")) {
        return fail("unreadable", `it is larger than ${largest[request.kind]} MiB`);
    }
    if (/^(HPE_|Z_|ERR__ERROR_|ERR_BROTLI)/.test(code)) {
        return fail("unreadable", `it is not HTTP, or compressed wrongly (${code})`);
    }
    if (tlsCode.test(code)) {
        const kind = connected && !certificateAlert.test(code) ? "lost" : "barred";
        return fail(kind, `no secure connection (${code})`, handshakeFailed());
    }
    if (answered) return fail("lost", "the answer was cut off");
    const text = `${words[code] ?? "the connection failed"} (${code || "no reason given"})`;
    // Without a connection to the service, a request has only come to the proxy.
    return fail(reached, text, via !== undefined && !connected ? proxyInTheWay() : notReached());
}
