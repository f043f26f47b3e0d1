/**
 * Sends one HTTP request over axios, and reads its whole answer: no repetition, no redirect, no judgement of statuses. Errors of axios and of
 * Node hold headers and bodies, and stay in this file.
 */

import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { TLSSocket } from "node:tls";
import type * as AxiosModule from "axios";
import type { Method } from "../core/operation";
import { handshakeFailed, notReached, proxyInTheWay, tooSlow } from "../core/request-failures";
import { type Connection, ProxyRefusal } from "./connect";

/** A request to one address. */
export interface Sending {
    readonly method: Method;
    readonly url: URL;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | Buffer | undefined;
    readonly connection: Connection;
    /** Milliseconds until `deadline` aborts, for messages. */
    readonly timeout: number;
    readonly deadline: AbortSignal;
    /** The caller's: `deadline` aborts with it. */
    readonly signal?: AbortSignal | undefined;
    /** Limit of the answer's body, counted after decompression. */
    readonly maxBytes: number;
}

/** An answer, unread. Names of headers are in lower case. */
export interface Received {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
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

/** Sends a request. Returns a failure instead of throwing it. */
export async function send(sending: Sending): Promise<Received | SendFailure> {
    const { method, url, headers, body, connection, deadline, maxBytes } = sending;
    const progress: Progress = { connected: false, answered: false };
    try {
        const answer = await axios().request<Buffer>({
            method,
            url: url.href,
            headers: { ...headers },
            ...(body !== undefined && { data: Buffer.from(body) }),
            ...connection,
            signal: deadline,
            maxContentLength: maxBytes,
            transport: watched(progress, deadline),
        });
        const lowerCase = Object.entries(answer.headers).map(([name, value]) => [
            name.toLowerCase(),
            Array.isArray(value) ? value.join(", ") : String(value),
        ]);
        return { status: answer.status, headers: Object.fromEntries(lowerCase), bytes: answer.data };
    } catch (error) {
        return explain(error, progress, sending);
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
            request.once("socket", (socket) => {
                const connected = () => {
                    progress.connected = true;
                };
                const secure = socket instanceof TLSSocket;
                const ready = secure ? Boolean(socket.getFinished()) : !socket.connecting;
                if (request.reusedSocket || ready) connected();
                else socket.once(secure ? "secureConnect" : "connect", connected);
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
    EAI_AGAIN: "the host name could not be looked up for now",
    ECONNRESET: "the connection was cut",
    EPIPE: "the connection was cut",
};

function explain(error: unknown, { connected, answered }: Progress, sending: Sending): SendFailure {
    const { origin } = sending.url;
    const { via } = sending.connection;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const fail = (kind: SendFailure["kind"], text: string, failureCode = code, hint?: string) =>
        new SendFailure(kind, `${text} at ${origin}${via ? `, through the proxy ${via}` : ""}`, failureCode, hint);
    const reached = connected ? "lost" : "unsent";
    if (cause instanceof ProxyRefusal) {
        const text = `the proxy answered ${cause.status} when asked for a connection to ${origin}`;
        const isTemporary = cause.status >= 500 || cause.status === 429;
        return new SendFailure(isTemporary ? "unsent" : "barred", text, "PROXY_REFUSED", proxyInTheWay());
    }
    if (sending.signal?.aborted) return fail(reached, "the operation was cancelled", "ECANCELED");
    if (sending.deadline.aborted) {
        const part = answered ? " but the beginning of an answer" : "";
        return fail(reached, `nothing within ${sending.timeout / 1000} s${part}`, "ETIMEDOUT", tooSlow());
    }
    if (cause instanceof Error && cause.message.startsWith("maxContentLength")) {
        return fail("unreadable", `it is larger than ${sending.maxBytes / 1024 ** 2} MiB`, "TOO_LARGE");
    }
    if (code.startsWith("HPE_")) return fail("unreadable", `it is not HTTP as it should be (${code})`);
    if (/^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(code))
        return fail("unreadable", `its compressed body is damaged (${code})`);
    if (tlsCode.test(code)) {
        const kind = connected && !certificateAlert.test(code) ? "lost" : "barred";
        return fail(kind, `no secure connection (${code})`, code, handshakeFailed());
    }
    if (answered) return fail("lost", "the answer was cut off");
    const text = `${words[code] ?? "the connection failed"} (${code || "no reason given"})`;
    if (connected || via === undefined) return fail(reached, text, code, notReached());
    // The request has only come to the proxy.
    return new SendFailure("unsent", `${text} at the proxy ${via}, on the way to ${origin}`, code, proxyInTheWay());
}
