/** The faults that the fault matrix injects between a client and a server. */

import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, noAnswer, type SentRequest } from "../support/injector";

/** Returns the answer under a fault. `real` is the server's answer if it acted; `foreign` is the address of another server. */
type Reply = (real: Answer, request: SentRequest, foreign: string) => Answer | Promise<Answer>;

/** One way in which a request or its answer fails. */
export interface Fault {
    /** The name in test titles. */
    readonly name: string;
    /** Replaces the server's answer. Without it, the server refuses connections. */
    readonly reply?: Reply;
    /** The server handles the request before the reply. */
    readonly acted?: boolean;
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

const says =
    (status: number, body: string, headers: Readonly<Record<string, string>> = text): Reply =>
    () => ({ status, headers, body: Buffer.from(body) });
const [ofVolumes, ofManager, ofStateVersions] = [
    says(404, "volume not found"),
    says(404, '{"errors":[]}', json),
    says(404, '{"errors":[{"status":"404","title":"not found"}]}', jsonApi),
];
/** Answers with the 404 that each service sends for an absent object. */
const denied: Reply = (real, request, foreign) => {
    const ofOthers = request.path.startsWith("/v1/") ? ofManager : ofStateVersions;
    return (request.path.startsWith("/v1/volume") ? ofVolumes : ofOthers)(real, request, foreign);
};
const reset: Reply = () => ({ ...noAnswer, broken: "reset" });
const stall: Reply = () => ({ ...noAnswer, broken: "stalled" });
const delay: Reply = (real) => sleep(20, real);
const cut: Reply = (real) => {
    const body = real.body.length > 0 ? real.body : Buffer.from("{}");
    return { ...real, status: real.status === 204 ? 200 : real.status, body, broken: "cut" };
};
const redirect: Reply = (_, __, foreign) => ({
    ...noAnswer,
    status: 307,
    headers: { location: `${foreign}/elsewhere` },
});

const before = (name: string, reply: Reply, more: Partial<Fault> = {}): Fault => {
    return { name, reply, tells: "refusal", ...more };
};
const after = (name: string, reply: Reply, more: Partial<Fault>): Fault => ({
    ...before(name, reply, more),
    acted: true,
});
/** Returns two faults with the same answer: before and after the server handles the request. */
const either = (name: string, reply: Reply, more: Partial<Fault> = {}): Fault[] => [
    before(`${name}, before the server acted`, reply, more),
    after(`${name}, after the server acted`, reply, more),
];
const lost = { tells: "nothing" } as const;
const untouched = { tells: "untouched" } as const;

export const faults: readonly Fault[] = [
    { name: "connection refused", ...untouched },
    ...either("connection reset", reset, lost),
    ...either("no answer at all", stall, { ...lost, stalls: true }),
    after("a late answer", delay, { tells: "all" }),
    after("a body that is cut", cut, lost),
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
