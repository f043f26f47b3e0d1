/**
 * A server for benches in a separate process: it stores what is written to a path, returns it, and counts requests. Requests cost it almost
 * nothing, because the client is measured. `GET /counted` returns the counts and resets them.
 */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

interface Counts {
    readonly requests: number;
    /** Connections of these requests. */
    readonly connections: number;
    /** Sum of the real delays of all answers, in milliseconds: timers fire a little late. */
    readonly waited: number;
}

/** A running stub server. */
export interface Stub {
    readonly address: string;
    /** The counts since the last call. */
    counted(): Promise<Counts>;
    close(): void;
}

/** Starts the server. `latency`: milliseconds before each answer. */
export async function startStub(latency = 0): Promise<Stub> {
    const child: ChildProcess = fork(__filename, ["serve", String(latency)], { execArgv: process.execArgv });
    const [port] = await once(child, "message");
    const address = `http://127.0.0.1:${port}`;
    return {
        address,
        counted: async () => (await fetch(`${address}/counted`)).json() as Promise<Counts>,
        close: () => child.disconnect(),
    };
}

/** The first requests of the official provider. */
const ofPeer: Readonly<Record<string, object>> = {
    "/v1/auth/token/lookup-self": {
        data: {
            id: "t",
            policies: ["root"],
            ttl: 0,
            path: "auth/token/root",
            type: "service",
            display_name: "root",
            meta: null,
        },
    },
    "/v1/sys/seal-status": { type: "shamir", initialized: true, sealed: false, version: "1.21.0" },
};

async function serve(latency: number): Promise<void> {
    const kept = new Map<string, string>();
    const connections = new Set<Socket>();
    let requests = 0;
    let waited = 0;
    const answer = (request: IncomingMessage, body: string): [status: number, body: string] => {
        const { method = "", url = "" } = request;
        if (url === "/counted") {
            const counts: Counts = { requests, connections: connections.size, waited };
            waited = 0;
            requests = 0;
            connections.clear();
            return [200, JSON.stringify(counts)];
        }
        connections.add(request.socket);
        requests++;
        if (method === "GET") {
            const data = kept.get(url);
            if (data === undefined && url in ofPeer) return [200, JSON.stringify(ofPeer[url])];
            return data === undefined ? [404, '{"errors":[]}'] : [200, `{"data":${data}}`];
        }
        if (method === "DELETE") kept.delete(url);
        else kept.set(url, body);
        return [204, ""];
    };
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => {
            const [status, body] = answer(request, Buffer.concat(chunks).toString());
            const begun = performance.now();
            const send = () => {
                waited += performance.now() - begun;
                response.writeHead(status, { "content-type": "application/json" }).end(body);
            };
            if (latency === 0) send();
            else setTimeout(send, latency);
        });
    });

    // A connection that closes while a request is on its way would add a retry to the measurement.
    server.keepAliveTimeout = 0;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    process.send?.((server.address() as AddressInfo).port);
    process.once("disconnect", () => process.exit());
}

if (require.main === module) void serve(Number(process.argv[3]));
