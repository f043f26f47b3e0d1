/**
 * One HTTP request and its whole answer, over axios: no retries, no redirects, no judgement of statuses. Errors of axios and of Node hold
 * headers and bodies, and go no further than here.
 */

import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { TLSSocket } from "node:tls";
import type * as AxiosModule from "axios";
import type { Method } from "../core/operation";
import { notReached, proxyInTheWay, tooSlow } from "../core/request-failures";
import type { Connection } from "./connections";
import { ProxyRefusal } from "./tunnel";

/** A request, ready to go. */
export interface Sending {
    readonly method: Method;
    readonly url: URL;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | Buffer | undefined;
    readonly connection: Connection;
    /** Milliseconds for all of it, the answer's last byte included. */
    readonly timeout: number;
    /** Aborts when they are over, and with `signal`. */
    readonly deadline: AbortSignal;
    /** Aborts when the user cancels. */
    readonly signal?: AbortSignal | undefined;
    /** Bound of the answer's body, counted after decompression. */
    readonly maxBytes: number;
}

/** An answer, unread. */
export interface Received {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly bytes: Buffer;
}

type Axios = InstanceType<typeof AxiosModule.Axios>;

let loaded: Axios | undefined;

/** Loaded at the first request: it takes longer than all of our own code. Made without axios's defaults, which others in the process may change. */
function axios(): Axios {
    if (loaded !== undefined) return loaded;
    const { Axios } = require("axios") as typeof AxiosModule;
    loaded = new Axios({
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

/** Sends. @throws SendFailure */
export async function send(sending: Sending): Promise<Received> {
    const progress: Progress = { connected: false, answered: false };
    try {
        const answer = await axios().request<Buffer>({
            method: sending.method,
            url: sending.url.href,
            headers: { ...sending.headers },
            ...(sending.body === undefined ? {} : { data: bytesOf(sending.body) }),
            ...sending.connection,
            signal: sending.deadline,
            maxContentLength: sending.maxBytes,
            transport: watched(progress, sending.deadline),
        });
        return { status: answer.status, headers: plain(answer.headers), bytes: answer.data };
    } catch (error) {
        throw explain(error, progress, sending);
    }
}

function bytesOf(body: string | Buffer): Buffer {
    return typeof body === "string" ? Buffer.from(body) : body;
}

/** Node's own transport, watched: how far a request came decides whether the service can have acted. */
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

/** Header names in lower case, repeated ones joined. */
function plain(headers: object): Record<string, string> {
    return Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
            name.toLowerCase(),
            Array.isArray(value) ? value.join(", ") : String(value),
        ]),
    );
}

/** How far a request came. */
interface Progress {
    /** The connection stood, TLS included. */
    connected: boolean;
    /** Status and headers of the answer came. */
    answered: boolean;
}

/**
 * - `unsent`: no connection, so the service did nothing.
 * - `barred`: the same, and trying again is no use (TLS, a proxy's refusal).
 * - `lost`: sent, but the answer is missing or cut.
 * - `unreadable`: an answer that is not HTTP, too large, or wrongly compressed.
 */
type SendFailureKind = "unsent" | "barred" | "lost" | "unreadable";

/** No usable answer. Its message holds no more than the address's origin. */
export class SendFailure extends Error {
    constructor(
        readonly kind: SendFailureKind,
        message: string,
        readonly code: string,
        readonly hint?: string,
    ) {
        super(message);
    }
}

const certificate =
    /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|SUBJECT_ISSUER_|AKID_|KEYUSAGE_)/;

/** A server's alert that it does not take our side of the handshake, which comes in TLS 1.3 only after we sent. */
const refusesUs = /_ALERT_(HANDSHAKE_FAILURE|ACCESS_DENIED|UNKNOWN_CA|\w*CERTIFICATE\w*)$/;

const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: "the connection was refused",
    ENOTFOUND: "the host name is unknown",
    EAI_AGAIN: "the host name could not be looked up for now",
    EHOSTUNREACH: "there is no route to the host",
    ENETUNREACH: "there is no route to the network",
    ETIMEDOUT: "the connection timed out",
    ECONNRESET: "the connection was cut",
    EPIPE: "the connection was cut",
};

/** Why there is no answer, in words. */
function explain(error: unknown, progress: Progress, about: Sending): SendFailure {
    const origin = about.url.origin;
    const { via } = about.connection;
    const at = (text: string) => `${text} at ${origin}${via === undefined ? "" : `, through the proxy ${via}`}`;
    const { code, message, proxy } = source(error);
    if (proxy !== undefined) return refusedByProxy(proxy, origin);
    if (about.signal?.aborted) {
        return new SendFailure(progress.connected ? "lost" : "unsent", at("the operation was cancelled"), "ECANCELED");
    }
    if (about.deadline.aborted) {
        const text = `nothing within ${about.timeout / 1000} s${progress.answered ? " but the beginning of an answer" : ""}`;
        return new SendFailure(progress.connected ? "lost" : "unsent", at(text), "ETIMEDOUT", tooSlow());
    }
    if (message.startsWith("maxContentLength")) {
        return new SendFailure("unreadable", at(`it is larger than ${about.maxBytes / 1024 ** 2} MiB`), "TOO_LARGE");
    }
    if (code.startsWith("HPE_"))
        return new SendFailure("unreadable", at(`it is not HTTP as it should be (${code})`), code);
    if (code.startsWith("Z_") || code.startsWith("ERR__ERROR_") || code.startsWith("ERR_BROTLI")) {
        return new SendFailure("unreadable", at(`its compressed body is damaged (${code})`), code);
    }
    if (certificate.test(code)) {
        const kind = progress.connected && !refusesUs.test(code) ? "lost" : "barred";
        return new SendFailure(kind, at(`no secure connection (${code})`), code, hintFor(code));
    }
    if (progress.answered) return new SendFailure("lost", at("the answer was cut off"), code);
    const said = `${words[code] ?? "the connection failed"} (${code || "no reason given"})`;
    if (progress.connected) return new SendFailure("lost", at(said), code, notReached());
    // Until the connection stands, only a proxy was spoken to, where there is one.
    if (via === undefined) return new SendFailure("unsent", at(said), code, notReached());
    return new SendFailure("unsent", `${said} at the proxy ${via}, on the way to ${origin}`, code, proxyInTheWay());
}

function refusedByProxy(status: number, origin: string): SendFailure {
    const text = `the proxy answered ${status} when asked for a connection to ${origin}`;
    const kind = status >= 500 || status === 429 ? "unsent" : "barred";
    return new SendFailure(kind, text, "PROXY_REFUSED", proxyInTheWay());
}

/** The first error of the chain that has a code, and its words. */
function source(error: unknown): { code: string; message: string; proxy?: number } {
    const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    if (inner instanceof ProxyRefusal) return { code: "", message: "", proxy: inner.status };
    if (!(inner instanceof Error)) return { code: "", message: "" };
    const code = "code" in inner && typeof inner.code === "string" ? inner.code : "";
    return { code: code === "EPROTO" ? handshakeCode(inner.message) : code, message: inner.message };
}

/** A failed handshake has one code for all reasons; the reason itself stands in the words: `…:SSL routines:<function>:<reason>:…`. */
function handshakeCode(message: string): string {
    const [, reason] = /:SSL routines:[^:]*:([^:]+)/.exec(message) ?? [];
    return reason === undefined ? "EPROTO" : `ERR_SSL_${reason.toUpperCase().replace(/\W+/g, "_")}`;
}

function hintFor(code: string): string {
    if (code === "CERT_HAS_EXPIRED") return "The server's certificate has expired.";
    if (code === "CERT_NOT_YET_VALID")
        return "The server's certificate is not valid yet: is the clock of this machine right?";
    if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
        return "The server's certificate is for another host name than the address. If the service has it by right, name that host in `tlsServerName`.";
    if (code === "EPROTO" || code === "ERR_SSL_WRONG_VERSION_NUMBER")
        return "Does the address begin with https: while the server speaks http:?";
    if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(code))
        return "The server speaks no version of TLS that counts as secure: it needs TLS 1.2 or newer.";
    if (code.includes("ALERT"))
        return "The server did not accept the handshake; it may want a client certificate (`clientCertFile`).";
    return "The server's certificate is not from an authority known here: name its authority in `caFile`.";
}
