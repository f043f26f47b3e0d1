/** The faults that the fault matrix injects between a client and a server. */

import type { ServerResponse } from "node:http";
import type { Answer } from "../support/simulator";
import type { Harm } from "./proxy";

/** One way in which a request or its answer fails. */
export interface Fault {
    /** The name in test titles. */
    readonly name: string;
    readonly harm: Harm;
    readonly tells: Tells;
    /** The server does not answer before the client's time-out. */
    readonly stalls?: true;
    /** A real service can send this answer, so the client assumes that the object is absent or the write succeeded, unless a later read contradicts it. */
    readonly believable?: true;
}

/**
 * The effect of a request, as far as the answer under the fault shows it:
 * - `all`: the real answer arrives late.
 * - `untouched`: the service did nothing, and may accept the same request soon.
 * - `nothing`: the service may or may not have acted.
 * - `refusal`: the client received an answer without success.
 */
export type Tells = "all" | "untouched" | "nothing" | "refusal";

const json = { "content-type": "application/json" };
const jsonApi = { "content-type": "application/vnd.api+json" };
const html = { "content-type": "text/html" };
const text = { "content-type": "text/plain" };

type Act = (response: ServerResponse, real: Answer | undefined, foreign: string) => void;

const says =
    (status: number, body: string, headers: Readonly<Record<string, string>> = text): Act =>
    (response) => {
        response.writeHead(status, headers).end(body);
    };
/** Answers with the 404 that each service sends for an absent object. */
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

/** Returns two faults with the same answer: before and after the server handles the request. */
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
const lost = { tells: "nothing" } as const;
const untouched = { tells: "untouched" } as const;

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
    ...either("a redirect to another origin", redirect),
];
