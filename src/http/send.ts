/**
 * Sends one HTTP request over axios and reads the complete answer, without retries, redirects and checks of the status.
 * Errors of axios and Node contain headers and bodies, so no other file sees them.
 */

import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { TLSSocket } from "node:tls";
import type * as AxiosModule from "axios";
import type { Connection } from "./connect";
import type { Request, Response } from "./request";

/** One HTTP request of an attempt: to the address of the request, or to that of a redirect. */
type Hop = Pick<Request, "url"> & Pick<Response, "fromService" | "headers"> & { readonly connection: Connection };

/** The end of an attempt that takes too long. */
export interface Deadline {
    /** Aborts at the end, and when the user cancels. */
    readonly signal: AbortSignal;
    /** Counts the bytes of the attempt's connection from now on. */
    watch(socket: Socket): void;
}

/**
 * The reason why there is no usable answer. Of the address, the message contains only the origin.
 * - `unsent`: there was no connection, so the service did nothing.
 * - `unresolved`: like `unsent`, and no name server has answered yet.
 * - `barred`: like `unsent`, and a retry would fail too (TLS, the proxy refuses, or there is no such host).
 * - `lost`: the request was sent, but the answer is missing or incomplete.
 * - `unreadable`: the answer is not HTTP, too large or compressed wrongly, or is a redirect that is not followed.
 */
export class SendFailure extends Error {
    constructor(
        readonly kind: "unsent" | "unresolved" | "barred" | "lost" | "unreadable",
        message: string,
        readonly hint?: string,
    ) {
        super(message);
    }
}

/** Advice for a proxy that refuses a connection or is unreachable. */
const proxyAdvice =
    "Check the proxy that HTTPS_PROXY or HTTP_PROXY names, with its user and password, or add the host to NO_PROXY";

let loaded: InstanceType<typeof AxiosModule.Axios> | undefined;

/**
 * Returns an axios of this package, because other code may change the defaults of the global one.
 * axios is loaded at the first request, because loading it takes longer than loading all of this package.
 */
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

/** Maximum size of an answer in MiB, after decompression. */
const largest = { call: 64, download: 256, upload: 64 };

/** Splits an upload, because a connection counts the bytes of a part as sent as soon as it gets the part. */
function* partsOf(body: Buffer, size = 16 * 1024): Generator<Buffer> {
    for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

/** Advice for a download or an upload whose address, which the service chose and no setting changes, has no usable answer. */
export const accessAdvice = ({ host }: URL): string => `Let this machine reach ${host}, directly or through a proxy`;

/** Sends a request, and gives up at the deadline. Returns a failure instead of throwing it. */
export async function send(request: Request, hop: Hop, deadline: Deadline): Promise<Response | SendFailure> {
    const { method, body, kind } = request;
    // Whether there was a connection, TLS included. Without one, the service cannot have processed the request.
    let connected = false;
    const connect = () => {
        connected = true;
    };
    // Node's HTTP client, which reports the connection.
    const transport = {
        request(options: RequestOptions, done: (answer: IncomingMessage) => void): ClientRequest {
            const sent = (options.protocol === "https:" ? https : http).request(options, done);
            return sent.once("socket", (socket) => {
                if (kind !== "call") deadline.watch(socket);
                if (sent.reusedSocket) connect();
                else socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", connect);
            });
        },
    };
    try {
        const answer = await axios().request<Buffer>({
            method,
            url: hop.url.href,
            headers: {
                ...hop.headers,
                ...(hop.connection.socketPath && { Host: hop.url.host }),
                ...(Buffer.isBuffer(body) && { "Content-Length": String(body.length) }),
            },
            ...(body !== undefined && {
                data: Buffer.isBuffer(body) ? Readable.from(partsOf(body)) : Buffer.from(body),
            }),
            ...hop.connection,
            signal: deadline.signal,
            maxContentLength: largest[kind] * 1024 ** 2,
            transport,
        });
        const headers = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), [value].join(", ")]);
        const { status, data: bytes } = answer;
        return { status, headers: Object.fromEntries(headers), bytes, fromService: hop.fromService };
    } catch (error) {
        return explain(error, connected, request, hop, deadline.signal);
    }
}

const tlsCode =
    /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|SUBJECT_ISSUER_|AKID_|KEYUSAGE_)/;

/** TLS alerts by which a server refuses the client certificate. In TLS 1.3 it sends them only after the handshake. */
const certificateAlert = /_ALERT_(HANDSHAKE_FAILURE|ACCESS_DENIED|UNKNOWN_CA|\w*CERTIFICATE\w*)$/;

function tlsAdvice(code: string): string {
    if (/EXPIRED|NOT_YET_VALID/.test(code)) return "Renew the certificate of the server, or correct the clock";
    if (/ALTNAME|HOSTNAME/.test(code)) return "Set `tlsServerName` to the host name in the server's certificate";
    if (!/^(EPROTO$|ERR_)/.test(code))
        return "Set `caFile` to the file of the authority that signed the server's certificate";
    return "Set `clientCertFile` if the server wants a certificate, or use `http:` in `address` if it does not speak TLS";
}

function explain(error: unknown, connected: boolean, request: Request, hop: Hop, deadline: AbortSignal): SendFailure {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "no reason given";
    const { via, socketPath } = hop.connection;
    const place = `at ${socketPath ? `unix://${socketPath}` : hop.url.origin}${via ? `, through the proxy ${via}` : ""}`;
    const fail = (kind: SendFailure["kind"], text: string, hint?: string) =>
        new SendFailure(kind, `${text} ${place}`, hint);
    const reached = connected ? "lost" : "unsent";
    const isCall = request.kind === "call";
    if (code.startsWith("PROXY_")) {
        const isTemporary = /_(5..|429)$/.test(code);
        return fail(isTemporary ? "unsent" : "barred", `the proxy refused the connection (${code})`, proxyAdvice);
    }
    if (request.signal?.aborted) return fail(reached, "the operation was cancelled");
    if (deadline.aborted) {
        const hint = "Run again, or raise `timeout` in the settings if the service is slow";
        const seconds = `within ${request.timeout / 1000} s`;
        const slow = `fewer than 64 KiB moved ${seconds}, or not all within an hour`;
        return fail(reached, isCall ? `no whole answer ${seconds}` : slow, hint);
    }
    if (cause instanceof Error && cause.message.startsWith("maxContentLength")) {
        return fail("unreadable", `it is larger than ${largest[request.kind]} MiB`);
    }
    if (/^(HPE_|Z_|ERR__ERROR_|ERR_BROTLI)/.test(code)) return fail("unreadable", `it is not valid HTTP (${code})`);
    if (tlsCode.test(code)) {
        const isRefusal = !connected || certificateAlert.test(code);
        return fail(isRefusal ? "barred" : "lost", `no secure connection (${code})`, tlsAdvice(code));
    }
    // Without a connection to the service, the failure is the proxy's, if there is one.
    const ofPlace = isCall ? "Check `address` in the settings, and that the service is running" : accessAdvice(hop.url);
    const hint = via && !connected ? proxyAdvice : ofPlace;
    if (code === "ENOTFOUND") return fail("barred", `there is no such host (${code})`, hint);
    if (code === "EAI_AGAIN") return fail("unresolved", `no name server answered (${code})`, hint);
    return fail(reached, `the connection failed (${code})`, hint);
}
