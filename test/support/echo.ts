/** A server that stands in front of a simulator and, when it turns hostile, repeats to the client what it was sent. */

import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";

/** What came in, as a hostile server sees it. */
export interface Heard {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
}

/** What it answers instead of the simulator. */
export interface Retort {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string;
}

/** A running one. */
export interface Echo {
    readonly url: string;
    /** Asked of every request but those of the control door; `undefined` lets it through. */
    retort: (heard: Heard) => Retort | undefined;
    close(): Promise<void>;
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    return Buffer.concat(chunks);
}

/** Starts one, which lets everything through. */
export async function startEcho(target: string): Promise<Echo> {
    const server = createServer(async (message, answer) => {
        const body = await bodyOf(message);
        const [method, path] = [message.method ?? "", message.url ?? ""];
        const headers = message.headers as Record<string, string>;
        const retort = path.startsWith("/simulator")
            ? undefined
            : echo.retort({ method, path, headers, body: body.toString() });
        if (retort !== undefined) {
            answer.writeHead(retort.status, retort.headers).end(retort.body);
            return;
        }
        const way = request(new URL(path, target), { method, headers, agent: false }, async (real) => {
            const said = await bodyOf(real);
            answer.writeHead(real.statusCode ?? 500, { ...real.headers, connection: "close" }).end(said);
        });
        way.on("error", () => answer.destroy());
        way.end(body);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const echo: Echo = {
        url: `http://127.0.0.1:${port}`,
        retort: () => undefined,
        close: async () => {
            const closed = once(server, "close");
            server.close();
            server.closeAllConnections();
            await closed;
        },
    };
    return echo;
}
