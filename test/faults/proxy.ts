/**
 * A proxy on real sockets between a client and a simulator, which does harm on order: to the k-th request, or to it and all that follow.
 * It hands requests to the simulator without the network, which would take as long again. The answers that it passes on name its own address instead of the server's, so that downloads and uploads come through it too.
 * What goes to the control door of a simulator passes untouched and is not counted.
 */

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import http, { type IncomingMessage, type Server, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { certificate } from "../http/support";
import type { Answer, Simulator } from "../support/simulator";

/** What is done to one exchange. */
export type Harm =
    /** Whoever connects is refused: nobody listens. Lasts until it is lifted. */
    | { readonly door: "closed" }
    /** Whoever connects is shown another certificate. */
    | { readonly door: "expired" | "wrong-name" }
    /** `acted`: the server gets the request and does what it says, before the harm is done to its answer. */
    | {
          readonly acted: boolean;
          /** Writes the answer, or none. `real` is the server's, where it acted. */
          readonly answer: (response: ServerResponse, real: Answer | undefined, foreign: string) => void;
      };

/** A request that came through. */
export interface Passed {
    readonly method: string;
    /** Without query. */
    readonly path: string;
}

/** Which exchanges a harm befalls. */
export interface Order {
    readonly harm: Harm;
    /** Number of the first one, counted from 1 since the order was given. */
    readonly from: number;
    /** Only that one; else all that follow as well. */
    readonly once: boolean;
    /** Told of each exchange that it has befallen. */
    readonly met?: () => void;
}

/** Ports below those that systems hand out, so that a closed door stays ours until it is opened again. */
let nextPort = 20_011 + (process.pid % 10_000);

/** A proxy at work. */
export class FaultProxy {
    private order: Order | undefined;
    private readonly sockets = new Set<Socket>();
    /** Requests since the last order, those included that were harmed. */
    requests: Passed[] = [];
    /** Exchanges and handshakes that were harmed; who meets a closed door is not seen. */
    harmed = 0;
    private isShut = false;
    /** Another certificate than its own is up. */
    private isMasked = false;

    private constructor(
        private readonly simulator: Simulator,
        private readonly server: Server,
        /** Where it listens, without slash at the end. */
        readonly url: string,
        private readonly port: number,
        private readonly foreign: Stranger,
    ) {}

    /** Starts one in front of a simulator; with `tls` it is reached by https under the tests' authority. */
    static async start(simulator: Simulator, tls = false): Promise<FaultProxy> {
        const server = tls ? https.createServer(certificate("server")) : http.createServer();
        // An idle connection is kept, as by the simulator.
        server.keepAliveTimeout = 0;
        const port = await listenSomewhere(server);
        const url = `${tls ? "https" : "http"}://127.0.0.1:${port}`;
        const proxy = new FaultProxy(simulator, server, url, port, await Stranger.start());
        server.on("connection", (socket: Socket) => {
            proxy.sockets.add(socket);
            socket.on("close", () => proxy.sockets.delete(socket));
            socket.on("error", () => socket.destroy());
            // Its handshake has begun with the certificate that is up; who does not like it may be gone before the server hears of it.
            if (!proxy.isMasked) return;
            proxy.harmed += 1;
            if (proxy.order?.once) proxy.show("server");
        });
        // Whoever leaves in the middle of a handshake.
        server.on("tlsClientError", () => {});
        server.on("request", (message: IncomingMessage, response: ServerResponse) => {
            proxy.serve(message, response).catch(() => response.destroy());
        });
        return proxy;
    }

    /** Does harm from now on, and counts anew. */
    async harm(order: Order): Promise<void> {
        this.requests = [];
        this.harmed = 0;
        this.order = order;
        this.isShut = false;
        // A connection that stands is no door any more.
        if ("door" in order.harm) for (const socket of this.sockets) socket.destroy();
        this.guardDoor();
    }

    /** Harms nothing any more, and lets go of whom it has kept waiting. */
    async heal(): Promise<void> {
        const door = this.order && "door" in this.order.harm ? this.order.harm.door : undefined;
        this.order = undefined;
        for (const socket of this.sockets) socket.destroy();
        if (!this.server.listening) await listenAt(this.server, this.port);
        if (door === "expired" || door === "wrong-name") this.show("server");
    }

    /** Whoever was refused once comes again: a door that was closed for one request is opened. */
    async expect(): Promise<void> {
        if (this.order?.once && "door" in this.order.harm && this.isShut && !this.server.listening) {
            await listenAt(this.server, this.port);
        }
    }

    /** Tokens and other headers that came to the origin to which it redirects; there ought to be none. */
    get strayed(): readonly string[] {
        return this.foreign.seen;
    }

    /** Ends it. */
    async close(): Promise<void> {
        await this.foreign.close();
        for (const socket of this.sockets) socket.destroy();
        if (this.server.listening) {
            this.server.close();
            await once(this.server, "close");
        }
    }

    /** Closes the door, or puts another certificate up, before the request that is to meet it. */
    private guardDoor(): void {
        const { harm, from } = this.order ?? {};
        if (
            harm === undefined ||
            from === undefined ||
            !("door" in harm) ||
            this.isShut ||
            this.requests.length < from - 1
        )
            return;
        this.isShut = true;
        if (harm.door === "closed") this.server.close();
        else this.show(harm.door);
    }

    private show(name: string): void {
        if (!(this.server instanceof https.Server)) throw new Error("certificates are shown by a proxy with TLS only");
        this.isMasked = name !== "server";
        this.server.setSecureContext(certificate(name));
        // A session that is taken up again shows no certificate.
        this.server.setTicketKeys(randomBytes(48));
    }

    private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
        const chunks: Buffer[] = [];
        for await (const chunk of message) chunks.push(chunk);
        const body = Buffer.concat(chunks);
        if (message.url?.startsWith("/simulator")) return pass(response, await this.forward(message, body));
        const { method = "", url = "/" } = message;
        this.requests.push({ method, path: new URL(url, this.url).pathname });
        const harm = this.harmOf(this.requests.length);
        if (harm === undefined) {
            const answer = await this.forward(message, body);
            // Who comes next has to come through the door.
            if (this.order && "door" in this.order.harm) response.setHeader("connection", "close");
            this.guardDoor();
            return pass(response, answer);
        }
        this.harmed += 1;
        const real = harm.acted ? await this.forward(message, body) : undefined;
        harm.answer(response, real, this.foreign.url);
        this.order?.met?.();
    }

    /** The harm to the exchange of this number. One whose connection stood before a door was shut passes. */
    private harmOf(number: number): Extract<Harm, { acted: boolean }> | undefined {
        if (this.order === undefined || "door" in this.order.harm) return undefined;
        const { harm, from, once: single } = this.order;
        return number === from || (number > from && !single) ? harm : undefined;
    }

    private async forward(message: IncomingMessage, body: Buffer): Promise<Answer> {
        const { method = "", url = "/" } = message;
        const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
        const answer = await this.simulator.exchange(method, url, Object.fromEntries(headers), body);
        const isJson = /json/.test(answer.headers["content-type"] ?? "");
        if (!isJson) return answer;
        return { ...answer, body: Buffer.from(answer.body.toString().replaceAll(this.simulator.url, this.url)) };
    }
}

/** Somebody else's server. It remembers the headers that could let it in, and answers as if nothing existed. */
class Stranger {
    readonly seen: string[] = [];

    private constructor(
        private readonly server: Server,
        readonly url: string,
    ) {}

    static async start(): Promise<Stranger> {
        const server = http.createServer();
        server.listen(0, "127.0.0.1");
        await once(server, "listening");
        const stranger = new Stranger(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
        server.on("request", (message: IncomingMessage, response: ServerResponse) => {
            for (const [name, value] of Object.entries(message.headers)) {
                if (/token|authorization|cookie/.test(name)) stranger.seen.push(`${name}: ${value}`);
            }
            response.writeHead(404, { "content-type": "application/json" }).end('{"errors":[]}');
        });
        return stranger;
    }

    async close(): Promise<void> {
        this.server.closeAllConnections();
        this.server.close();
        await once(this.server, "close");
    }
}

function pass(response: ServerResponse, { status, headers, body }: Answer): void {
    response.writeHead(status, { ...headers, ...(status === 204 ? {} : { "content-length": body.length }) });
    response.end(body);
}

async function listenSomewhere(server: Server): Promise<number> {
    for (;;) {
        const port = nextPort++;
        try {
            await listenAt(server, port);
            return port;
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
        }
    }
}

async function listenAt(server: Server, port: number): Promise<void> {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
}
