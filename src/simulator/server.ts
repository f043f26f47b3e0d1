/** The mouth of the simulator: bytes in, bytes out, on a port of the loopback interface. */

import { once, setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Changes } from "./changes";
import { type Controlled, control, isControl } from "./control";
import { openStore } from "./data-file";
import { type Fault, Faults, faultyReply, hasEffect } from "./faults";
import { Journal } from "./journal";
import { acceptList, sentMethod } from "./list-method";
import type { MannersByService } from "./manners";
import { RateLimit } from "./rate-limit";
import type { Reply, Request } from "./route";
import { cleaned, createRouter, noRoute } from "./router";
import type { Seed, TokenSeed } from "./seed";
import { ownWords } from "./simulator-error";
import { layInto, scopeOf, serviceRoutes } from "./store";
import { documentedRequest, productReply, type Vocabulary } from "./vocabulary";

export type { Fault } from "./faults";

/** How to start. */
export interface SimulatorOptions {
    /** Default: any free port. */
    readonly port?: number;
    /** The data file. Without one the world is in memory. */
    readonly file?: string;
    /** Tokens that are known beside those of the world, also after a reset; the data file does not keep them. Where none is known, any token will do. */
    readonly tokens?: readonly TokenSeed[];
    /** Laid only if the world is new. */
    readonly seed?: Seed;
    /** Whose names and rules hold. Default: the documents'. */
    readonly vocabulary?: Vocabulary;
    /** How services behave where the documents leave it open. */
    readonly manners?: MannersByService;
    readonly hooks?: Hooks;
}

/** Called around the effect of each request to a service. The request waits for a hook; if the hook throws, the connection is cut. */
export interface Hooks {
    before?(request: Request): Promise<void> | void;
    after?(request: Request): Promise<void> | void;
}

/** A simulator at work. */
export interface RunningSimulator {
    /** `http://127.0.0.1:PORT`, no slash at the end. */
    readonly url: string;
    /** The world's id. */
    readonly id: string;
    /** How many tokens it knew when it started, the given ones included. Where it knows none, any token will do. */
    readonly knownTokens: number;
    close(): Promise<void>;
}

const find = createRouter(serviceRoutes);
const reads: ReadonlySet<string> = new Set(["GET", "HEAD", "LIST", "OPTIONS"]);

/** Starts a simulator. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<RunningSimulator> {
    const tokens = options.tokens ?? [];
    const store = openStore(options.file, tokens);
    const closing = new AbortController();
    // Any number of requests may be held back at once.
    setMaxListeners(0, closing.signal);
    const changes = new Changes();

    const http = createServer();
    // An idle connection is kept: a client would else write into one that is just being closed.
    http.keepAliveTimeout = 0;
    acceptList(http);
    http.listen(options.port ?? 0, "127.0.0.1");
    await once(http, "listening");

    const address = http.address();
    const port = typeof address === "object" && address !== null ? address.port : options.port;
    const url = `http://127.0.0.1:${port}`;
    const instruments = { faults: new Faults(), journal: new Journal(), rateLimit: new RateLimit() };
    const controlled: Controlled = { store, ...instruments, url, tokens };
    store.world.vocabulary = options.vocabulary ?? "documented";
    store.world.manners = options.manners ?? {};
    try {
        if (store.isNew) layInto(store.world, options.seed ?? {}, url);
        store.save();
    } catch (error) {
        http.close();
        throw error;
    }

    http.on("request", (message: IncomingMessage, response: ServerResponse) => {
        // A client that hangs up, or a simulator that closes, ends an exchange halfway.
        serve(message, response, controlled, changes, closing.signal, options.hooks).catch(() => response.destroy());
    });

    return {
        url,
        id: store.world.id,
        knownTokens: store.world.tokens.length,
        close: async () => {
            if (closing.signal.aborted) return;
            closing.abort();
            const closed = once(http, "close");
            http.close();
            http.closeAllConnections();
            await closed;
        },
    };
}

async function serve(
    message: IncomingMessage,
    response: ServerResponse,
    controlled: Controlled,
    changes: Changes,
    closing: AbortSignal,
    hooks: Hooks = {},
): Promise<void> {
    const request = await receive(message);
    if (isControl(request.path)) {
        const reply = control(request, controlled) ?? dispatch(request, controlled);
        send(response, keep(request, controlled, changes) ?? reply);
        return;
    }
    const entry = controlled.journal.add(request);
    const early = controlled.rateLimit.refuse(request, scopeOf(controlled.store.world, controlled.url).now());
    if (early !== undefined) {
        entry.status = early.status;
        send(response, early);
        return;
    }
    await hooks.before?.(request);
    const fault = controlled.faults.take(request);
    if (hasEffect(fault)) await release(request, controlled, changes, closing);
    const real = hasEffect(fault) ? dispatch(request, controlled) : undefined;
    const unkept = keep(request, controlled, changes);
    await hooks.after?.(request);
    if (fault?.delay !== undefined) await sleep(fault.delay, undefined, { signal: closing });
    if (fault?.drop !== undefined) {
        message.socket.destroy();
        return;
    }
    const reply = unkept ?? faultyReply(fault, real);
    entry.status = reply.status;
    send(response, reply, fault);
}

/** Keeps what a request changed. Where that fails, the answer says why. */
function keep(request: Request, { store }: Controlled, changes: Changes): Reply | undefined {
    if (reads.has(request.method)) return undefined;
    changes.tell();
    try {
        store.save();
        return undefined;
    } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return ownWords(request.path, 500, "internal error", `the simulator cannot keep its world: ${reason}`);
    }
}

/** Resolves when a route holds the request back no longer. The simulator's clock counts, so that whoever moves it ends the wait. */
async function release(
    request: Request,
    { store, url }: Controlled,
    changes: Changes,
    closing: AbortSignal,
): Promise<void> {
    const match = find(request.method, request.path);
    const asked = inDocumentedWords(request, store.world.vocabulary);
    const now = () => scopeOf(store.world, url).now().getTime();
    let arrival = now();
    while (match !== undefined && !closing.aborted) {
        const seconds = match.route.holds(asked, store.world, scopeOf(store.world, url), match.parameters);
        // A clock that was set back does not tell what has passed: the time begins anew.
        arrival = Math.min(arrival, now());
        const left = seconds === undefined ? 0 : arrival + seconds * 1000 - now();
        if (left <= 0) return;
        await changes.next(left, closing);
    }
}

function dispatch(request: Request, controlled: Controlled): Reply {
    const { vocabulary } = controlled.store.world;
    const reply = answer(inDocumentedWords(request, vocabulary), controlled);
    return vocabulary === "documented" || isControl(request.path) ? reply : productReply(request, reply);
}

function inDocumentedWords(request: Request, vocabulary: Vocabulary): Request {
    return vocabulary === "documented" || isControl(request.path) ? request : documentedRequest(request);
}

function answer(request: Request, { store, url }: Controlled): Reply {
    const way = cleaned(request);
    if (way !== undefined) return way;
    const match = find(request.method, request.path);
    if (match === undefined) return noRoute(request);
    try {
        return match.route.respond(request, store.world, scopeOf(store.world, url), match.parameters);
    } catch (error) {
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
        return ownWords(request.path, 500, "internal error", `the simulator itself failed: ${reason}`);
    }
}

async function receive(message: IncomingMessage): Promise<Request> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const [path = "/", ...query] = (message.url ?? "/").split("?");
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(message.headers)) {
        if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
    }
    return {
        method: sentMethod(message.method),
        path,
        query: new URLSearchParams(query.join("?")),
        headers,
        body: Buffer.concat(chunks),
    };
}

function send(response: ServerResponse, reply: Reply, fault?: Fault): void {
    const { bytes, contentType } = encode(reply);
    response.statusCode = reply.status;
    if (contentType !== undefined) response.setHeader("content-type", contentType);
    for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
    if (reply.status !== 204 && reply.status !== 304) response.setHeader("content-length", bytes.length);
    if (fault?.truncate === undefined || fault.truncate >= bytes.length) {
        response.end(bytes);
        return;
    }
    response.flushHeaders();
    response.write(bytes.subarray(0, fault.truncate), () => response.destroy());
}

function encode(reply: Reply): { bytes: Buffer; contentType: string | undefined } {
    const { body, contentType } = reply;
    if (body === undefined) return { bytes: Buffer.alloc(0), contentType };
    if (Buffer.isBuffer(body)) return { bytes: body, contentType: contentType ?? "application/octet-stream" };
    if (typeof body === "string") {
        return { bytes: Buffer.from(body), contentType: contentType ?? "text/plain; charset=utf-8" };
    }
    return { bytes: Buffer.from(JSON.stringify(body)), contentType: contentType ?? "application/json" };
}
