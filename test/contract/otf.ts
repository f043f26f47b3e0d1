/** A proxy in front of OTF, which has another name for the relationship of a rollback. The proxy renames it, and changes nothing else. */

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface OtfProxy {
    readonly address: string;
    close(): void;
}

export async function proxyOtf(address: string): Promise<OtfProxy> {
    const target = new URL(address);
    const server = createServer((request, response) => {
        forward(target.origin, request).then(
            async (answer) => {
                const body = Buffer.from(await answer.arrayBuffer());
                const { connection: _, ...headers } = Object.fromEntries(answer.headers);
                // `fetch` has decoded the body.
                delete headers["content-encoding"];
                delete headers["transfer-encoding"];
                response.writeHead(answer.status, { ...headers, "content-length": body.length }).end(body);
            },
            (error: unknown) => response.writeHead(502).end(String(error)),
        );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return { address: `http://127.0.0.1:${port}${target.pathname}`, close: () => server.close() };
}

async function forward(origin: string, request: IncomingMessage): Promise<Response> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
    const method = request.method ?? "GET";
    const sent = method === "PATCH" ? body.toString().replace('"rollback-state-version":', '"state-version":') : body;
    return fetch(origin + request.url, {
        method,
        headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
        redirect: "manual",
        ...(body.length > 0 ? { body: sent } : {}),
    });
}
