/**
 * A proxy on real sockets between a client and a simulator. It applies a fault to the k-th request, or to the k-th and all later ones. It replaces the
 * simulator's address in answers by the proxy's, so that downloads and uploads pass through the proxy too. It does not count requests below `/simulator`.
 */

import { once } from "node:events";
import http, { type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Answer, Simulator } from "../support/simulator";

/** The effect of a fault on one request. */
export type Harm =
    /** The proxy refuses connections. */
    | { readonly door: "closed" }
    /** The proxy replaces the answer. `acted`: the server handles the request before. */
    | {
          readonly acted: boolean;
          /** Writes an answer, or none. `real` is the server's answer if `acted`; `foreign` is the address of another server. */
          readonly answer: (response: ServerResponse, real: Answer | undefined, foreign: string) => void;
      };

/** A request that the proxy received. */
export interface Passed {
    readonly method: string;
    /** The path without query. */
    readonly path: string;
}

/** The requests to which the proxy applies a fault. */
export interface Order {
    readonly harm: Harm;
    /** The number of the first such request, counted from 1 since the last call of `harm`. */
    readonly from: number;
    /** Whether the fault hits only the request `from`, not all later ones too. */
    readonly once: boolean;
    /** Called after each request that the fault hits. */
    readonly met?: () => void;
}

/** The next port to try. It is below the ephemeral ports, so that no other process takes a port while the proxy has closed it. */
let nextPort = 20_011 + (process.pid % 10_000);

/** A running proxy. */
export class FaultProxy {
    private port = 0;
    private order: Order | undefined;
    private readonly sockets = new Set<Socket>();
    /** All requests since the last call of `harm`. */
    requests: Passed[] = [];
    /** The number of requests that the fault hit, without refused connections. */
    harmed = 0;
    /** Secret headers that the target of redirects received. */
    readonly strayed: string[] = [];
    private isShut = false;
    private readonly server = http.createServer((message, response) => {
        this.serve(message, response).catch(() => response.destroy());
    });
    /** The target of redirects, which is another origin. */
    private readonly foreign = http.createServer(({ headers }, response) => {
        const secret = Object.entries(headers).filter(([name]) => /token|authorization|cookie/.test(name));
        this.strayed.push(...secret.map(([name, value]) => `${name}: ${value}`));
        response.writeHead(404, { "content-type": "application/json" }).end('{"errors":[]}');
    });

    private constructor(private readonly simulator: Simulator) {
        // Like the simulator, the proxy never closes an idle connection.
        this.server.keepAliveTimeout = 0;
        this.server.on("connection", (socket: Socket) => {
            this.sockets.add(socket);
            socket.on("close", () => this.sockets.delete(socket));
            socket.on("error", () => socket.destroy());
        });
    }

    /** Starts a proxy in front of a simulator. */
    static async start(simulator: Simulator): Promise<FaultProxy> {
        const proxy = new FaultProxy(simulator);
        proxy.port = await listenSomewhere(proxy.server);
        await listenAt(proxy.foreign, 0);
        return proxy;
    }

    /** The address of the proxy, without a slash at the end. */
    get url(): string {
        return `http://127.0.0.1:${this.port}`;
    }

    /** Sets the fault, and restarts the count of requests. */
    async harm(order: Order): Promise<void> {
        this.requests = [];
        this.harmed = 0;
        this.order = order;
        this.isShut = false;
        // A client could send the request over an open connection although the port is closed.
        if ("door" in order.harm) for (const socket of this.sockets) socket.destroy();
        this.guardDoor();
    }

    /** Removes the fault, and closes all connections. */
    async heal(): Promise<void> {
        this.order = undefined;
        for (const socket of this.sockets) socket.destroy();
        if (!this.server.listening) await listenAt(this.server, this.port);
    }

    /** Opens the port again if the fault refuses only one request. Called before each retry. */
    async expect(): Promise<void> {
        if (this.order?.once && "door" in this.order.harm && this.isShut && !this.server.listening) {
            await listenAt(this.server, this.port);
        }
    }

    async close(): Promise<void> {
        for (const socket of this.sockets) socket.destroy();
        this.foreign.closeAllConnections();
        for (const server of [this.foreign, this.server].filter(({ listening }) => listening)) {
            server.close();
            await once(server, "close");
        }
    }

    /** Closes the port if the next request is the one to refuse. */
    private guardDoor(): void {
        const { harm, from = 0 } = this.order ?? {};
        if (harm === undefined || !("door" in harm) || this.isShut || this.requests.length < from - 1) return;
        this.isShut = true;
        this.server.close();
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
            // The port can refuse the next request only if the client opens a new connection.
            if (this.order && "door" in this.order.harm) response.setHeader("connection", "close");
            this.guardDoor();
            return pass(response, answer);
        }
        this.harmed += 1;
        const real = harm.acted ? await this.forward(message, body) : undefined;
        const { port } = this.foreign.address() as AddressInfo;
        harm.answer(response, real, `http://127.0.0.1:${port}`);
        this.order?.met?.();
    }

    /** Returns the fault for the request with this number. */
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
