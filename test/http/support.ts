/** Local servers and clients for the tests of the HTTP client. */

import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import http, { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import https, { type ServerOptions } from "node:https";
import net, { type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { inspect } from "node:util";
import { endpoint, type Method, type Repeat } from "../../src/core/endpoint";
import type { Call, Service } from "../../src/core/service";
import type { UnreachableError } from "../../src/errors";
import { createClient } from "../../src/http/client";
import type { ClientSettings, Clock } from "../../src/http/client-context";
import { testClock } from "../support/clock";

export const token = "token-5f2c9a";

/** Creates a client with a test clock. `call` sends one request. */
export function connect(
    service: Service,
    address: string,
    settings: Partial<ClientSettings> = {},
    changes: Partial<Clock> = {},
) {
    const clock = { ...testClock(), ...changes };
    const client = createClient(service, { address, token, ...settings }, clock);
    const call = (line: `${Method} /${string}`, { repeat, ...more }: Partial<Call> & { repeat?: Repeat } = {}) =>
        client.call(endpoint(line, repeat), { ...more, parameters: {} });
    return { client, clock, slept: clock.slept, call };
}

/** A request that a server received. */
export interface Seen {
    readonly method: string | undefined;
    readonly url: string | undefined;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
}

export interface Place {
    readonly address: string;
    readonly port: number;
    /** Complete requests, in the order of their arrival. */
    readonly seen: Seen[];
    /** The number of connections that clients opened. */
    connections(): number;
    /** The largest number of connections at one time. */
    most(): number;
    /** Resolves as soon as no connection is open. */
    emptied(): Promise<void>;
}

const closers: (() => Promise<void>)[] = [];

/** Closes all servers of a test. */
export async function closeAll(): Promise<void> {
    await Promise.all(closers.splice(0).map((close) => close()));
}

type Handler = (request: Seen, answer: ServerResponse, number: number) => unknown;

const succeed: Handler = (_, answer) => json(answer, 200, {});

/** Starts an HTTP server on 127.0.0.1, or an HTTPS server with `tls`. The handler gets the number of the request, counted from 1; its error is a 502. */
export async function serve(handler = succeed, tls?: ServerOptions): Promise<Place> {
    const seen: Seen[] = [];
    const listener: RequestListener = async (request, answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const { method, url, headers } = request;
        const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
        seen.push(one);
        try {
            await handler(one, answer, seen.length);
        } catch (error) {
            answer.writeHead(502).end(String(error));
        }
    };
    const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
    // Only the client ends a connection.
    server.keepAliveTimeout = 0;
    return { ...(await listen(server, tls === undefined ? "http" : "https")), seen };
}

/** Starts an HTTPS server that requests a client certificate. `peers` are the names in the received certificates. */
export async function serveMutualTls(options: ServerOptions = { rejectUnauthorized: false }) {
    const peers: unknown[] = [];
    const all = { ...certificate("server"), requestCert: true, ...options };
    const server = https.createServer(all, ({ socket }, answer) => {
        if (socket instanceof TLSSocket) peers.push(socket.getPeerCertificate().subject?.CN);
        json(answer, 200, {});
    });
    return { ...(await listen(server, "https")), peers };
}

/** Starts a server that passes each socket to `onSocket`. */
export async function serveRaw(onSocket: (socket: Socket, number: number) => void): Promise<Omit<Place, "seen">> {
    let number = 0;
    const server = net.createServer((socket) => {
        number++;
        socket.on("error", () => {});
        onSocket(socket, number);
    });
    return listen(server, "http");
}

/** Lets a server listen until `closeAll`. */
export async function listen(server: Server | net.Server, scheme: string): Promise<Omit<Place, "seen">> {
    const sockets = new Set<Socket>();
    const ends = new EventEmitter();
    let [count, most] = [0, 0];
    server.on("connection", (socket: Socket) => {
        count++;
        sockets.add(socket);
        most = Math.max(most, sockets.size);
        socket.on("close", () => sockets.delete(socket) && ends.emit("end"));
    });
    const emptied = async () => {
        while (sockets.size > 0) await once(ends, "end");
    };
    await new Promise<void>((resolve) => {
        server.listen(0, "127.0.0.1", resolve);
    });
    const close = (resolve: () => void) => {
        for (const socket of sockets) socket.destroy();
        server.close(resolve);
    };
    closers.push(() => new Promise(close));
    const { port } = server.address() as AddressInfo;
    return { address: `${scheme}://127.0.0.1:${port}`, port, connections: () => count, most: () => most, emptied };
}

/** Returns an address at which no server listens. */
export async function deadAddress(): Promise<string> {
    const server = net.createServer();
    const { address } = await listen(server, "http");
    await new Promise((resolve) => server.close(resolve));
    return address;
}

export function json(
    answer: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
): void {
    answer.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Returns the code of the connection's error, which the message contains in brackets. */
export function socketCode({ message }: UnreachableError): string | undefined {
    // Since OpenSSL 3.2, which Node 22 has, codes such as `ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC` contain a slash.
    return /\(([\w/]+)\)/.exec(message)?.[1];
}

/** Returns everything that a program can print of an error. */
export function wholeText(error: unknown): string {
    return inspect(error, { depth: 10, showHidden: true, getters: true });
}

/** Returns the path of a file in `fixtures`. */
export function fixture(name: string): string {
    return join(__dirname, "fixtures", name);
}

/** Returns a certificate in `fixtures` with its key. */
export function certificate(name: string): { cert: Buffer; key: Buffer } {
    return { cert: readFileSync(fixture(`${name}.pem`)), key: readFileSync(fixture(`${name}.key.pem`)) };
}

/** Calls `run` with these environment variables and no other variables of a proxy. */
export async function withEnvironment<T>(variables: Record<string, string>, run: () => Promise<T>): Promise<T> {
    const names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"].flatMap((name) => [name, name.toUpperCase()]);
    const before = process.env;
    process.env = { ...before };
    for (const name of names) delete process.env[name];
    Object.assign(process.env, variables);
    try {
        return await run();
    } finally {
        process.env = before;
    }
}
