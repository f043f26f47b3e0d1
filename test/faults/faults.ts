/** What goes wrong between a client and a server, one by one. */

import type { ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import type { Answer } from "../support/simulator";
import type { Harm } from "./proxy";

/** One way in which an exchange goes wrong. */
export interface Fault {
    /** For people, in titles. */
    readonly name: string;
    readonly harm: Harm;
    /** What the client can know of the request's effect from it. */
    readonly tells: Tells;
    /** It keeps the client waiting: its time is up then. */
    readonly stalls?: true;
    /** More comes than a client may take. */
    readonly floods?: true;
    /** The service itself may give this answer: that something is done, or is absent, is believed where no look tells otherwise. */
    readonly believable?: true;
    /** Happens to handshakes, and so to a proxy with TLS. */
    readonly tls?: true;
}

/**
 * What a client can know of a request's effect.
 * - `all`: the answer comes, late.
 * - `untouched`: the service did nothing, and may take the same request soon.
 * - `nothing`: it may have acted or not, and nobody said so.
 * - `refusal`: somebody answered something that is no success.
 */
export type Tells = "all" | "untouched" | "nothing" | "refusal";

const json = { "content-type": "application/json" };
const jsonApi = { "content-type": "application/vnd.api+json" };
const html = { "content-type": "text/html" };
const text = { "content-type": "text/plain" };
const gibibyte = 1024 ** 3;

type Act = (response: ServerResponse, real: Answer | undefined, foreign: string) => void;

const says =
    (status: number, body: string, headers: Readonly<Record<string, string>> = text): Act =>
    (response) => {
        response.writeHead(status, headers).end(body);
    };
/** Each service words it in its own way. */
const denied: Act = (response) => {
    const isVolumes = response.req.url?.startsWith("/v1/volume") === true;
    if (isVolumes) response.writeHead(404, text).end("volume not found");
    else if (response.req.url?.startsWith("/v1/") === true) response.writeHead(404, json).end('{"errors":[]}');
    else response.writeHead(404, jsonApi).end('{"errors":[{"status":"404","title":"not found"}]}');
};
const reset: Act = (response) => {
    response.socket?.resetAndDestroy();
};
const stall: Act = () => {};
const delay: Act = (response, real) => {
    setTimeout(() => response.writeHead(real?.status ?? 500, real?.headers).end(real?.body), 20);
};
const cut: Act = (response, real) => {
    const body = real?.body.length ? real.body : Buffer.from("{}");
    response.writeHead(real?.status === 204 ? 200 : (real?.status ?? 200), {
        ...real?.headers,
        "content-length": body.length,
    });
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
};
const redirect: Act = (response, _, foreign) => {
    response.writeHead(307, { location: `${foreign}/elsewhere` }).end();
};

/** Sends the beginning and then the same piece again and again, as fast as it is taken, up to a bound. */
function flood(response: ServerResponse, target: NodeJS.WritableStream, begin: string, piece: Buffer, bytes: number) {
    function* pieces() {
        yield Buffer.from(begin);
        for (let sent = 0; sent < bytes; sent += piece.length) yield piece;
    }
    pipeline(Readable.from(pieces()), target, () => response.destroy());
}

const mebibyte = Buffer.alloc(1024 ** 2, "a");
const hugeBody: Act = (response) => {
    response.writeHead(200, json);
    flood(response, response, '{"data":"', mebibyte, gibibyte);
};
const zeros = 16 * 1024 ** 2;
/** A gzip file may consist of several: 64 of these unpack to 1 GiB. */
const bomb = gzipSync(Buffer.alloc(zeros, " "));
const gzipBomb: Act = (response) => {
    response.writeHead(200, { ...json, "content-encoding": "gzip" });
    flood(response, response, "", bomb, (gibibyte / zeros) * bomb.length);
};
const endlessHeaders: Act = (response) => {
    const { socket } = response;
    if (socket === null) return;
    const lines = Buffer.from(`x-filler: ${"a".repeat(100)}\r\n`.repeat(64));
    flood(response, socket, "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n", lines, gibibyte);
};

/** The same fault for a request that the server never saw, and to one on which it has acted. */
const either = (name: string, answer: Act, more: Partial<Fault> = {}): Fault[] => [
    { name: `${name}, before the server acted`, harm: { acted: false, answer }, tells: "refusal", ...more },
    { name: `${name}, after the server acted`, harm: { acted: true, answer }, tells: "refusal", ...more },
];
const before = (name: string, answer: Act, more: Partial<Fault> = {}): Fault => ({
    name,
    harm: { acted: false, answer },
    tells: "refusal",
    ...more,
});
/** An answer that did not come. */
const lost = { tells: "nothing" } as const;
const untouched = { tells: "untouched" } as const;

/** All of them. */
export const faults: readonly Fault[] = [
    { name: "connection refused", harm: { door: "closed" }, ...untouched },
    ...either("connection reset", reset, lost),
    ...either("no answer at all", stall, { ...lost, stalls: true }),
    { name: "a late answer", harm: { acted: true, answer: delay }, tells: "all" },
    { name: "a body that is cut", harm: { acted: true, answer: cut }, ...lost },
    before("401", says(401, '{"errors":["planted"]}', json)),
    before("403", says(403, '{"errors":["planted"]}', json)),
    before("404 of a gateway", says(404, "404 page not found")),
    before("404 as a web page", says(404, "<html><body>Not here</body></html>", html)),
    before("404 in the service's own words", denied, { believable: true }),
    before("409", says(409, '{"errors":["planted"]}', json)),
    before("412", says(412, '{"errors":["planted"]}', json)),
    before("422", says(422, '{"errors":["planted"]}', json)),
    before("429 with Retry-After", says(429, "", { "retry-after": "0.01" }), untouched),
    before("429 with x-ratelimit-reset", says(429, "", { "x-ratelimit-reset": "0.01" }), untouched),
    before("429 that asks for an hour", says(429, "", { "retry-after": "3600" })),
    ...either("500", says(500, "planted")),
    ...[502, 503, 504].flatMap((status) => either(String(status), says(status, "planted"), lost)),
    ...either("a web page instead of JSON", says(200, "<html><body>Sign in</body></html>", html)),
    ...either("broken JSON", says(200, '{"data":', json)),
    ...either("JSON that is no object", says(200, "[1]", json), { believable: true }),
    ...either("JSON of something else", says(200, '{"data":{}}', json), { believable: true }),
    ...either("a body of 1 GiB", hugeBody, { floods: true }),
    ...either("a gzip bomb", gzipBomb, { floods: true }),
    ...either("endless headers", endlessHeaders, { floods: true }),
    ...either("a redirect to another origin", redirect),
    { name: "an expired certificate", harm: { door: "expired" }, tells: "refusal", tls: true },
    { name: "a certificate for another host", harm: { door: "wrong-name" }, tells: "refusal", tls: true },
];
