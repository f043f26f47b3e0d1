/** A proxy in front of a real server, which can record every exchange, and which gives OTF its own name of a rollback's relationship. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request and its answer, before a recording makes them stable. */
export interface Passed {
    readonly method: string;
    /** The path with its query. */
    readonly path: string;
    /** `undefined` for a request without a token. */
    readonly token: string | undefined;
    readonly body: string;
    readonly status: number;
    readonly headers: Headers;
    readonly answer: string;
}

export interface Door {
    readonly address: string;
    close(): void;
}

/** Starts a server on the loopback interface. Requests that `answer` cannot answer get a 502 with its error. */
export async function listen(
    answer: (request: IncomingMessage, body: Buffer, response: ServerResponse) => unknown,
): Promise<Door> {
    const server = createServer(async (request, response) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of request) chunks.push(chunk);
        try {
            await answer(request, Buffer.concat(chunks), response);
        } catch (error) {
            response.writeHead(502).end(String(error));
        }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Starts a proxy. It replaces the server's address in answers by its own, so that uploads and downloads pass through it too. */
export async function startProxy(
    address: string,
    { isOtf = false, record }: { readonly isOtf?: boolean; readonly record?: ((passed: Passed) => void) | undefined },
): Promise<Door> {
    const target = new URL(address);
    const proxy = await listen(async (request, sent, response) => {
        const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
        const { method = "GET", url: path = "/" } = request;
        const isRollback = isOtf && method === "PATCH";
        const body = isRollback ? sent.toString().replace('"rollback-state-version":', '"state-version":') : sent;
        const answer = await fetch(target.origin + path, {
            method,
            headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
            redirect: "manual",
            ...(sent.length > 0 ? { body } : {}),
        });
        const text = (await answer.text()).replaceAll(target.origin, proxy.address);
        // `fetch` has decoded the body.
        const dropped = ["connection", "content-encoding", "transfer-encoding", "content-length"];
        const kept = [...answer.headers].filter(([name]) => !dropped.includes(name));
        response.writeHead(answer.status, Object.fromEntries(kept)).end(text);
        const bearer = headers.authorization?.replace(/^Bearer /, "");
        const token = [headers["x-vault-token"], headers["x-nomad-token"], bearer].flat().find(Boolean);
        const { status } = answer;
        record?.({ method, path, token, body: sent.toString(), status, headers: answer.headers, answer: text });
    });
    return { ...proxy, address: proxy.address + target.pathname.replace(/\/$/, "") };
}
