/**
 * A server for benches in a separate process: it stores what is written to a path, returns it, and counts requests. Requests cost it almost
 * nothing, because the client is measured. `GET /counted` returns their number and resets it.
 */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A running stub server. */
export interface Stub {
    readonly address: string;
    /** The number of requests since the last call. */
    counted(): Promise<number>;
    close(): void;
}

export async function startStub(): Promise<Stub> {
    const child: ChildProcess = fork(__filename, { execArgv: process.execArgv });
    const [port] = await once(child, "message");
    const address = `http://127.0.0.1:${port}`;
    return {
        address,
        counted: async () => Number(await (await fetch(`${address}/counted`)).text()),
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

async function serve(): Promise<void> {
    const kept = new Map<string, string>();
    let requests = 0;
    const answer = ({ method = "", url = "" }: IncomingMessage, body: string): [status: number, body: string] => {
        if (url === "/counted") {
            const counted = requests;
            requests = 0;
            return [200, String(counted)];
        }
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
            response.writeHead(status, { "content-type": "application/json" }).end(body);
        });
    });

    // A connection that closes while a request is on its way would add a retry to the measurement.
    server.keepAliveTimeout = 0;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    process.send?.((server.address() as AddressInfo).port);
    process.once("disconnect", () => process.exit());
}

if (require.main === module) void serve();
