/**
 * Injects faults between a client and a simulator, on sockets and in process. The steps of a request:
 *
 * | step                 | may end the exchange with           |
 * |----------------------|-------------------------------------|
 * | log the request      |                                     |
 * | gate `before`        | a cut connection                    |
 * | fault                | a false answer, or a cut connection |
 * | the simulator        | the simulator's answer              |
 * | gate `after`         | a cut connection                    |
 *
 * Requests below `/simulator` go to the simulator without the other steps.
 */

import { isUtf8 } from "node:buffer";
import { createServer, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fetch } from "../../src/simulator/store";
import { Gate } from "./gate";

/** A request with its whole body. */
export interface SentRequest {
    readonly method: string;
    /** The path without query. */
    readonly path: string;
    readonly query: URLSearchParams;
    /** Header names are in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Buffer;
}

/** An answer with its whole body. */
export interface Answer {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Buffer;
    /** The end of the exchange instead of the answer: a reset connection, a body that ends at its half with the connection, or nothing. */
    readonly broken?: "reset" | "cut" | "stalled";
}

/** An answer without a status and a body. */
export const noAnswer: Answer = { status: 500, headers: {}, body: Buffer.alloc(0) };

/** A request in the log. */
export interface SeenRequest {
    readonly method: string;
    readonly path: string;
    readonly query: Record<string, string>;
    /** Headers with `***` instead of tokens. */
    readonly headers: Record<string, string>;
    /** The parsed JSON, another text, the length of a binary body, or `null` without a body. */
    readonly body: unknown;
    /** The status of the answer; `null` before the answer, and after a cut connection. */
    status: number | null;
}

/** A fault that hits `times` matching requests, after the first `skip` of them. */
export interface Fault {
    readonly method?: string | undefined;
    /** A regular expression for the path without query. */
    readonly path?: string | undefined;
    /** The number of matching requests before the first fault, including requests that another fault hits. Default: 0. */
    readonly skip?: number | undefined;
    /** The number of requests that the fault hits. Default: 1; 0 means all. */
    readonly times?: number | undefined;
    /** The status of the answer. Unless `after` is set, the request has no effect. */
    readonly status?: number | undefined;
    /** The request has its effect before the false answer. */
    readonly after?: boolean | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly body?: string | undefined;
    readonly contentType?: string | undefined;
    /** Milliseconds that the answer waits after the effect. */
    readonly delay?: number | undefined;
    /** Cuts the connection without an answer, before or after the effect. */
    readonly drop?: "before" | "after" | undefined;
}

/** Answers a request instead of the simulator. `act` sends the request to the simulator, and returns the real answer. */
export type Answerer = (request: SentRequest, act: () => Promise<Answer>) => Answer | Promise<Answer>;

interface Armed {
    readonly fault: Fault;
    skip: number;
    times: number;
}

const tokenHeaders: ReadonlySet<string> = new Set([
    "authorization",
    "x-secrets-token",
    "x-vault-token",
    "x-nomad-token",
]);

/** Logs the requests to one simulator, and injects faults. */
export class Injector {
    private armed: Armed[] = [];
    private readonly closing = new AbortController();
    /** Requests in the order of their arrival. */
    requests: SeenRequest[] = [];
    answerer: Answerer = (_, act) => act();
    readonly gate = new Gate();
    private fetch: Fetch = () => new Response(null, { status: 501 });
    readonly server = createServer(async (message, response) => {
        try {
            const chunks: Buffer[] = [];
            for await (const chunk of message) chunks.push(chunk);
            const { method = "", url = "/" } = message;
            const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
            const request = sentRequest(method, url, Object.fromEntries(headers), Buffer.concat(chunks));
            send(response, await this.exchange(request, `http://${message.headers.host}${url}`));
        } catch {
            message.socket.destroy();
        }
    });

    /** Handles the routes of `outsideWorld`. */
    world = this.fetch;

    arm(faults: readonly Fault[]): void {
        for (const fault of faults) {
            const { skip = 0, times = 1 } = fault;
            this.armed.push({ fault, skip, times: times === 0 ? Number.POSITIVE_INFINITY : times });
        }
    }

    heal(): void {
        this.armed = [];
    }

    /** Ends waiting delays. */
    close(): void {
        this.closing.abort();
    }

    /** Returns the server of a simulator. */
    readonly serverOf = (fetch: Fetch): Server => {
        this.fetch = fetch;
        return this.server;
    };

    /** Answers a request. */
    async exchange(request: SentRequest, url: string): Promise<Answer> {
        const { fetch } = this;
        if (/^\/simulator(\/|$)/.test(request.path)) {
            const isTests = /^\/simulator\/(claims|plugins|processing|snapshots)/.test(request.path);
            return answerOf(await (isTests ? this.world : fetch)(fetchRequest(request, url)));
        }
        const act = () => this.answerer(request, async () => answerOf(await fetch(fetchRequest(request, url))));
        const seen = this.note(request);
        await this.gate.stop("before", request);
        const fault = this.take(request);
        const real = hasEffect(fault) ? await act() : undefined;
        await this.gate.stop("after", request);
        if (fault?.delay !== undefined) await sleep(fault.delay, undefined, { signal: this.closing.signal });
        if (fault?.drop !== undefined) return { ...noAnswer, broken: "reset" };
        const answer = faulty(fault, real);
        if (answer.broken === undefined) seen.status = answer.status;
        return answer;
    }

    private note({ method, path, query, headers, body }: SentRequest): SeenRequest {
        const shown = Object.entries(headers).map(([name, value]) => [name, tokenHeaders.has(name) ? "***" : value]);
        const seen: SeenRequest = {
            method,
            path,
            query: Object.fromEntries(query),
            headers: Object.fromEntries(shown),
            body: shownBody(body),
            status: null,
        };
        this.requests.push(seen);
        return seen;
    }

    /** Returns the first matching fault. Every matching fault counts the request. */
    private take(request: SentRequest): Fault | undefined {
        let taken: Armed | undefined;
        for (const armed of this.armed.filter(({ fault }) => matches(fault, request))) {
            if (armed.skip > 0) armed.skip -= 1;
            else taken ??= armed;
        }
        if (taken === undefined) return undefined;
        taken.times -= 1;
        this.armed = this.armed.filter(({ times }) => times > 0);
        return taken.fault;
    }
}

/** Creates a request. `target` is the path with query. */
export function sentRequest(
    method: string,
    target: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
): SentRequest {
    const [path = "/", ...query] = target.split("?");
    return { method, path, query: new URLSearchParams(query.join("?")), headers, body };
}

function fetchRequest({ method, headers, body }: SentRequest, url: string): Request {
    const hasBody = body.length > 0 && method !== "GET" && method !== "HEAD";
    return new Request(url, { method, headers, ...(hasBody && { body: new Uint8Array(body) }) });
}

async function answerOf(response: Response): Promise<Answer> {
    const headers = Object.fromEntries(response.headers);
    return { status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) };
}

function matches({ method, path = "" }: Fault, request: SentRequest): boolean {
    return (method === undefined || method.toUpperCase() === request.method) && new RegExp(path).test(request.path);
}

function hasEffect(fault: Fault | undefined): boolean {
    if (fault === undefined || fault.drop === "after") return true;
    return fault.drop === undefined && (fault.status === undefined || fault.after === true);
}

/** Returns the false answer of a fault. Without `status`, the fault's other fields replace those of the real answer. */
function faulty(fault: Fault | undefined, real: Answer | undefined): Answer {
    const base = fault?.status === undefined ? (real ?? noAnswer) : { ...noAnswer, status: fault.status };
    if (fault === undefined) return base;
    const { headers, body, contentType } = fault;
    const { "content-type": usual, ...others } = base.headers;
    const type =
        contentType ?? (body === undefined ? usual : /^\s*[[{]/.test(body) ? "application/json" : "text/plain");
    return {
        ...base,
        headers: { ...others, ...(type !== undefined && { "content-type": type }), ...headers },
        ...(body !== undefined && { body: Buffer.from(body) }),
    };
}

function shownBody(bytes: Buffer): unknown {
    if (bytes.length === 0) return null;
    if (!isUtf8(bytes)) return bytes.length;
    try {
        return JSON.parse(bytes.toString());
    } catch {
        return bytes.toString();
    }
}

function send(response: ServerResponse, { status, headers, body, broken }: Answer): void {
    if (broken === "stalled") return;
    if (broken === "reset") return void response.socket?.resetAndDestroy();
    const hasLength = status !== 204 && status !== 304;
    response.writeHead(status, { ...headers, ...(hasLength && { "content-length": body.length }) });
    if (broken === "cut") response.write(body.subarray(0, body.length / 2), () => response.destroy());
    else response.end(body);
}

/** Creates an identity token of a cloud provider. The simulator does not verify its signature. */
export function identityToken(claims: object): string {
    const parts = [{ alg: "none", typ: "JWT" }, claims, "unsigned"];
    return parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
}

/** Changes the JSON of the successful answers to requests with such a path. */
export const withJson =
    <Body>(path: RegExp, change: (body: Body) => unknown): Answerer =>
    async (request, act) => {
        const answer = await act();
        if (answer.status !== 200 || !path.test(request.path)) return answer;
        return { ...answer, body: Buffer.from(JSON.stringify(change(JSON.parse(answer.body.toString())))) };
    };

/** Omits empty fields from the answers to reads, as some servers do. */
export const withoutEmptyFields: Answerer = async ({ method, path }, act) => {
    const answer = await act();
    if (method !== "GET" || answer.status !== 200 || path.startsWith("/api/")) return answer;
    const body: unknown = JSON.parse(answer.body.toString());
    const isWrapped = typeof body === "object" && body !== null && "data" in body;
    const shown = isWrapped ? { ...body, data: full(body.data) } : Array.isArray(body) ? body.map(full) : full(body);
    return { ...answer, body: Buffer.from(JSON.stringify(shown)) };
};

const isEmpty = (value: unknown) => !value || (typeof value === "object" && Object.keys(value).length === 0);

function full(value: unknown): unknown {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([, inner]) => !isEmpty(inner)));
}
