/**
 * The simulator's HTTP server, on a port of the loopback interface. A request to a service goes through these steps:
 *
 * | step              | may end it with                     |
 * |-------------------|-------------------------------------|
 * | journal           |                                     |
 * | rate limit        | 429                                 |
 * | hook `before`     | a cut connection                    |
 * | fault             | its own answer, or a cut connection |
 * | wait for a change |                                     |
 * | route             | its answer                          |
 * | save              | 500                                 |
 * | hook `after`      | a cut connection                    |
 *
 * A request to the control API only goes to its route, and is saved.
 */

import { EventEmitter, once, setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Controlled, controlRoutes, isControl } from "./control";
import { openStore } from "./data-file";
import { type Fault, Faults, faultyReply, hasEffect } from "./faults";
import { Journal } from "./journal";
import { acceptList, sentMethod } from "./list-method";
import type { MannersByService } from "./manners";
import { RateLimit } from "./rate-limit";
import type { Context, Reply, Request } from "./route";
import { createRouter, type Find, type Match, redirectToClean } from "./router";
import type { Seed, TokenSeed } from "./seed";
import { addSeed, routes, tick } from "./services";
import { errorReply, messageOf, SimulatorError } from "./simulator-error";
import { nowIn, type Store } from "./store";
import { documentedRequest, productReply, type Vocabulary } from "./vocabulary";

/** How to start. */
export interface SimulatorOptions {
    /** Default: any free port. */
    readonly port?: number;
    /** The data file. Without one everything is in memory. */
    readonly file?: string;
    /** Tokens that are known beside the seed's, also after a reset; the data file does not keep them. Where none is known, any token will do. */
    readonly tokens?: readonly TokenSeed[];
    /** Added only if there is no data file yet. */
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
    /** All that it holds. Where that knows no token, any token will do. */
    readonly store: Store;
    /** Does all that it does with a request, but for the network. Without an answer where the connection would be cut. */
    exchange(request: Request): Promise<Reply | undefined>;
    close(): Promise<void>;
}

interface Simulator extends Controlled {
    readonly url: string;
    readonly find: Find;
    readonly hooks: Hooks;
    /** Emits `change` after every write, and when the simulator closes. */
    readonly changes: EventEmitter;
    readonly closing: AbortSignal;
}

const reads: ReadonlySet<string> = new Set(["GET", "HEAD", "LIST", "OPTIONS"]);

/** Starts a simulator. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<RunningSimulator> {
    const { tokens = [], seed = {}, hooks = {} } = options;
    const kept = openStore(options.file, tokens);
    const { store } = kept;
    const server = createServer();
    // An idle connection is kept: a client would else write into one that is just being closed.
    server.keepAliveTimeout = 0;
    acceptList(server);
    server.listen(options.port ?? 0, "127.0.0.1");
    await once(server, "listening");

    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : options.port;
    const url = `http://127.0.0.1:${port}`;
    store.vocabulary = options.vocabulary ?? "documented";
    store.manners = options.manners ?? {};
    try {
        if (kept.isNew) addSeed(store, seed);
        kept.save();
    } catch (error) {
        server.close();
        throw error;
    }

    const controlled = { kept, tokens, faults: new Faults(), journal: new Journal(), rateLimit: new RateLimit() };
    const find = createRouter([...controlRoutes(controlled), ...routes]);
    const closing = new AbortController();
    // Any number of requests may wait at once.
    setMaxListeners(0, closing.signal);
    const changes = new EventEmitter().setMaxListeners(0);
    const simulator: Simulator = { ...controlled, url, find, hooks, changes, closing: closing.signal };
    server.on("request", (message: IncomingMessage, response: ServerResponse) => {
        // A client that hangs up, or a simulator that closes, ends an exchange halfway.
        serve(message, response, simulator).catch(() => response.destroy());
    });

    return {
        url,
        store,
        exchange: async (request) => (await exchange(request, simulator))?.reply,
        close: async () => {
            if (closing.signal.aborted) return;
            closing.abort();
            changes.emit("change");
            const closed = once(server, "close");
            server.close();
            server.closeAllConnections();
            await closed;
        },
    };
}

async function serve(message: IncomingMessage, response: ServerResponse, simulator: Simulator): Promise<void> {
    const exchanged = await exchange(await receive(message), simulator);
    if (exchanged === undefined) message.socket.destroy();
    else send(response, exchanged.reply, exchanged.fault);
}

async function exchange(
    request: Request,
    simulator: Simulator,
): Promise<{ readonly reply: Reply; readonly fault?: Fault | undefined } | undefined> {
    const { journal, rateLimit, faults, hooks, closing, kept } = simulator;
    if (isControl(request.path)) {
        const reply = answer(request, simulator);
        return { reply: save(request, simulator) ?? reply };
    }
    const entry = journal.add(request);
    const early = rateLimit.refuse(request, nowIn(kept.store));
    if (early !== undefined) {
        entry.status = early.status;
        return { reply: early };
    }
    await hooks.before?.(request);
    const fault = faults.take(request);
    if (hasEffect(fault)) await held(request, simulator);
    const real = hasEffect(fault) ? answer(request, simulator) : undefined;
    const unsaved = save(request, simulator);
    await hooks.after?.(request);
    if (fault?.delay !== undefined) await sleep(fault.delay, undefined, { signal: closing });
    if (fault?.drop !== undefined) return undefined;
    const reply = unsaved ?? faultyReply(fault, real);
    entry.status = reply.status;
    return { reply, fault };
}

/** Saves what a request changed. Where that fails, the answer says why. */
function save({ method, path }: Request, { kept, changes }: Simulator): Reply | undefined {
    if (reads.has(method)) return undefined;
    changes.emit("change");
    try {
        kept.save();
        return undefined;
    } catch (error) {
        return errorReply(path, new SimulatorError(500, `the simulator cannot save its objects: ${messageOf(error)}`));
    }
}

/** Resolves when the route does not hold the request back any longer. The simulator's clock counts, so that whoever moves it ends the wait. */
async function held(request: Request, simulator: Simulator): Promise<void> {
    const { find, kept, changes, closing } = simulator;
    const match = find(request);
    const now = () => nowIn(kept.store).getTime();
    let arrival = now();
    while (match !== undefined && !closing.aborted) {
        const seconds = match.route.holds?.(contextOf(documented(request, simulator), match, simulator));
        // A clock that was set back does not tell what has passed: the time begins anew.
        arrival = Math.min(arrival, now());
        const left = seconds === undefined ? 0 : arrival + seconds * 1000 - now();
        if (left <= 0) return;
        const waited = new AbortController();
        const { signal } = waited;
        await Promise.race([once(changes, "change", { signal }), sleep(left, undefined, { signal })]);
        waited.abort();
    }
}

function answer(request: Request, simulator: Simulator): Reply {
    const reply = answerAsDocumented(documented(request, simulator), simulator);
    return simulator.kept.store.vocabulary === "documented" ? reply : productReply(request, reply);
}

function documented(request: Request, { kept }: Simulator): Request {
    return kept.store.vocabulary === "documented" ? request : documentedRequest(request);
}

function answerAsDocumented(request: Request, simulator: Simulator): Reply {
    const { method, path } = request;
    try {
        tick(simulator.kept.store);
        const redirect = redirectToClean(request);
        if (redirect !== undefined) return redirect;
        const match = simulator.find(request);
        // Not 404, which means something to clients.
        if (match === undefined) throw new SimulatorError(501, `no route: ${method} ${path}`);
        return match.route.respond(contextOf(request, match, simulator));
    } catch (error) {
        if (error instanceof SimulatorError) return errorReply(path, error);
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
        return errorReply(path, new SimulatorError(500, `the simulator itself failed: ${reason}`));
    }
}

function contextOf(request: Request, { parameters }: Match, { kept: { store }, url }: Simulator): Context {
    return { request, store, parameters, now: nowIn(store), url };
}

async function receive(message: IncomingMessage): Promise<Request> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const [path = "/", ...query] = (message.url ?? "/").split("?");
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(message.headers)) {
        if (value !== undefined) headers[name] = [value].flat().join(", ");
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

/** The bytes of an answer, and what they are. */
export function encode({ body, contentType }: Reply): { bytes: Buffer; contentType: string | undefined } {
    if (body === undefined) return { bytes: Buffer.alloc(0), contentType };
    if (Buffer.isBuffer(body)) return { bytes: body, contentType: contentType ?? "application/octet-stream" };
    if (typeof body === "string") {
        return { bytes: Buffer.from(body), contentType: contentType ?? "text/plain; charset=utf-8" };
    }
    return { bytes: Buffer.from(JSON.stringify(body)), contentType: contentType ?? "application/json" };
}
