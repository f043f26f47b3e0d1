/** Local servers, clients and clocks for the tests of the HTTP client. */

import { readFileSync } from "node:fs";
import http, { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import https, { type ServerOptions } from "node:https";
import net, { type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { inspect } from "node:util";
import { type Method, operation, type Repeat } from "../../src/core/operation";
import type { Call, Service } from "../../src/core/service";
import type { UnreachableError } from "../../src/errors";
import { type ClientSettings, createClient } from "../../src/http/client";
import type { Clock } from "../../src/http/retry";

export const token = "token-5f2c9a";

/** A clock that only waits move on. */
export interface FakeClock extends Clock {
    /** The milliseconds of every wait. None takes real time. */
    readonly slept: readonly number[];
    /** The milliseconds of every time-out. */
    readonly timeouts: readonly number[];
    /** Ends every time-out that is running. */
    elapse(): void;
}

/** A clock whose `random` is always a half. */
export function fakeClock(): FakeClock {
    const slept: number[] = [];
    const timeouts: number[] = [];
    const running = new Set<() => void>();
    let now = Date.UTC(2030, 0, 1);
    return {
        slept,
        timeouts,
        now: () => now,
        random: () => 0.5,
        sleep: async (milliseconds) => {
            slept.push(milliseconds);
            now += milliseconds;
        },
        timer: (milliseconds, strike) => {
            timeouts.push(milliseconds);
            running.add(strike);
            return () => running.delete(strike);
        },
        elapse: () => {
            for (const strike of running) strike();
        },
    };
}

/** A client with a fake clock. `call` sends one request. */
export function connect(
    service: Service,
    address: string,
    settings: Partial<ClientSettings> = {},
    changes: Partial<Clock> = {},
) {
    const clock = { ...fakeClock(), ...changes };
    const client = createClient(service, { address, token, ...settings }, clock);
    const call = (line: `${Method} /${string}`, { repeat, ...more }: Partial<Call> & { repeat?: Repeat } = {}) =>
        client.call(operation(line, repeat), { ...more, parameters: {} });
    return { client, clock, slept: clock.slept, call };
}

/** What a server saw of a request. */
export interface Seen {
    readonly method: string | undefined;
    readonly url: string | undefined;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
}

/** A running server. */
export interface Place {
    readonly address: string;
    readonly port: number;
    /** Complete requests, in order. */
    readonly seen: Seen[];
    /** Connections that were opened. */
    connections(): number;
}

const closers: (() => Promise<void>)[] = [];

/** Ends all servers of a test. */
export async function closeAll(): Promise<void> {
    await Promise.all(closers.splice(0).map((close) => close()));
}

type Handler = (request: Seen, answer: ServerResponse, number: number) => void;

const succeed: Handler = (_, answer) => json(answer, 200, {});

/** An HTTP server on 127.0.0.1; with `tls` an HTTPS one. The handler gets the number of the request, from 1. */
export async function serve(handler = succeed, tls?: ServerOptions): Promise<Place> {
    const seen: Seen[] = [];
    const listener: RequestListener = async (request, answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const { method, url, headers } = request;
        const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
        seen.push(one);
        handler(one, answer, seen.length);
    };
    const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
    return { ...(await listen(server, tls === undefined ? "http" : "https")), seen };
}

/** An HTTPS server that asks for a client certificate. `peers` are the names in those that it got. */
export async function serveMutualTls(options: ServerOptions = { rejectUnauthorized: false }) {
    const peers: unknown[] = [];
    const all = { ...certificate("server"), requestCert: true, ...options };
    const server = https.createServer(all, ({ socket }, answer) => {
        if (socket instanceof TLSSocket) peers.push(socket.getPeerCertificate().subject?.CN);
        json(answer, 200, {});
    });
    return { ...(await listen(server, "https")), peers };
}

/** A server of bare sockets. */
export async function serveRaw(onSocket: (socket: Socket, number: number) => void): Promise<Omit<Place, "seen">> {
    let number = 0;
    const server = net.createServer((socket) => {
        number++;
        socket.on("error", () => {});
        onSocket(socket, number);
    });
    return listen(server, "http");
}

/** Makes any server listen, and end with the test. */
export async function listen(server: Server | net.Server, scheme: string): Promise<Omit<Place, "seen">> {
    const sockets = new Set<Socket>();
    let count = 0;
    server.on("connection", (socket: Socket) => {
        count++;
        sockets.add(socket);
        socket.on("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => {
        server.listen(0, "127.0.0.1", resolve);
    });
    const close = (resolve: () => void) => {
        for (const socket of sockets) socket.destroy();
        server.close(resolve);
    };
    closers.push(() => new Promise(close));
    const { port } = server.address() as AddressInfo;
    return { address: `${scheme}://127.0.0.1:${port}`, port, connections: () => count };
}

/** An address without a server. */
export async function deadAddress(): Promise<string> {
    const server = net.createServer();
    const { address } = await listen(server, "http");
    await new Promise((resolve) => server.close(resolve));
    return address;
}

/** Answers with JSON. */
export function json(
    answer: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
): void {
    answer.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Why no answer came: the code of the connection, in brackets in the message. */
export function socketCode({ message }: UnreachableError): string | undefined {
    return /\((\w+)\)/.exec(message)?.[1];
}

/** All that could ever be printed of an error. */
export function wholeText(error: unknown): string {
    return inspect(error, { depth: 10, showHidden: true, getters: true });
}

/** Path of a file beside the tests. */
export function fixture(name: string): string {
    return join(__dirname, "fixtures", name);
}

/** A certificate of the fixtures, with its key. */
export function certificate(name: string): { cert: Buffer; key: Buffer } {
    return { cert: readFileSync(fixture(`${name}.pem`)), key: readFileSync(fixture(`${name}.key.pem`)) };
}

/** Runs with these environment variables and no other setting of proxies. */
export async function withEnvironment<T>(variables: Record<string, string>, run: () => Promise<T>): Promise<T> {
    const names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"].flatMap((name) => [name, name.toUpperCase()]);
    const before = new Map(names.map((name) => [name, process.env[name]]));
    for (const name of names) delete process.env[name];
    Object.assign(process.env, variables);
    try {
        return await run();
    } finally {
        for (const [name, value] of before) {
            if (value === undefined) delete process.env[name];
            else process.env[name] = value;
        }
    }
}
