/** A proxy in front of a real server, which can record every exchange, and which gives OTF its own name of a rollback's relationship. */

import { serve } from "../http/support";

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

/** Starts a proxy. It replaces the server's address in answers by its own, so that uploads and downloads pass through it too. Returns its address; `closeAll` closes it. */
export async function startProxy(
    address: string,
    { isOtf = false, record }: { readonly isOtf?: boolean; readonly record?: ((passed: Passed) => void) | undefined },
): Promise<string> {
    const target = new URL(address);
    const proxy = await serve(async ({ method = "GET", url: path = "/", headers: all, body: sent }, response) => {
        const { host: _, connection: __, "content-length": ___, ...headers } = all;
        const isRollback = isOtf && method === "PATCH";
        const body = isRollback ? sent.replace('"rollback-state-version":', '"state-version":') : sent;
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
        record?.({ method, path, token, body: sent, status, headers: answer.headers, answer: text });
    });
    return proxy.address + target.pathname.replace(/\/$/, "");
}
