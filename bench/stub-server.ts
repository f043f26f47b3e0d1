/**
 * A server for benches, in a process of its own: it keeps what is written at a path, gives it back, and counts the requests. Each costs the
 * same, and next to nothing: what is measured is the other side. `GET /counted` tells the counts and begins anew.
 */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Counts {
    readonly roles: number;
    readonly others: number;
}

/** A running server. */
export interface Stub {
    readonly address: string;
    /** Requests since the last call: for roles, and for anything else. */
    counted(): Promise<Counts>;
    close(): void;
}

/** Starts the server. */
export async function startStub(): Promise<Stub> {
    const child: ChildProcess = fork(__filename, ["serve"], { execArgv: process.execArgv });
    const [port] = await once(child, "message");
    const address = `http://127.0.0.1:${port}`;
    return {
        address,
        counted: async () => (await fetch(`${address}/counted`)).json() as Promise<Counts>,
        close: () => child.disconnect(),
    };
}

async function serve(): Promise<void> {
    const kept = new Map<string, string>();
    let counts = { roles: 0, others: 0 };
    const answer = (request: IncomingMessage, body: string): [status: number, body: string] => {
        const { method = "", url = "" } = request;
        if (url === "/counted") {
            const told = JSON.stringify(counts);
            counts = { roles: 0, others: 0 };
            return [200, told];
        }
        counts[url.startsWith("/v1/") ? "roles" : "others"] += 1;
        if (method === "GET") {
            const data = kept.get(url);
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
            response.writeHead(status, { "content-type": "application/json" }).end(body);
        });
    });
    // A connection that is closed while its next request is on the way would be a fault, which is not what is measured.
    server.keepAliveTimeout = 0;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    process.send?.((server.address() as AddressInfo).port);
    process.once("disconnect", () => process.exit());
}

if (require.main === module) void serve();
