/** One HTTP request and its whole answer, over axios: no retries, no redirects, no judgement of statuses. */

import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { TLSSocket } from "node:tls";
import type * as AxiosModule from "axios";
import type { Method } from "../core/operation";
import type { Route } from "./routes";
import { explain, type Progress } from "./send-failure";

/** A request, ready to go. */
export interface Sending {
    readonly method: Method;
    readonly url: URL;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | Buffer | undefined;
    readonly route: Route;
    /** Strikes after this many milliseconds, the answer's last byte included. */
    readonly timeout: number;
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
    const signal = sending.signal ? AbortSignal.any([sending.deadline, sending.signal]) : sending.deadline;
    try {
        const answer = await axios().request<Buffer>({
            method: sending.method,
            url: sending.url.href,
            headers: { ...sending.headers },
            ...(sending.body === undefined ? {} : { data: bytesOf(sending.body) }),
            ...sending.route,
            signal,
            maxContentLength: sending.maxBytes,
            transport: watched(progress, signal),
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
    const entries = Object.entries(headers).filter(([, value]) => value !== undefined && value !== null);
    return Object.fromEntries(
        entries.map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(", ") : String(value)]),
    );
}
