/** Faults on order. */
import assert from "node:assert/strict";
import type { Fault } from "../../src/simulator/faults";
import { startSimulator } from "../../src/simulator/server";
import { withSimulator } from "../support/simulator";
import { section } from "./exchanges";
import { at, call } from "./requests";

const headers = { "x-secrets-token": "any" };
const place = { below: "/v1/auth/clouda/role/", headers };
const order = (...faults: Fault[]) => `POST /simulator/faults ${JSON.stringify(faults)} -> 204`;
const answers = (...statuses: number[]) => statuses.map((status) => `GET web -> ${status}`);

section("faults", place)`
    a status answers once, without effect
        POST /simulator/faults {"status": 503} -> 204
        POST web -> 503
        GET web -> 404
    with after, the effect comes first
        ${order({ status: 504, after: true })}
        POST web -> 504
        GET web -> 200
    times: several, or for ever until they are taken away; the control API is left alone
        ${order({ status: 500, times: 2 })}
        ${answers(500, 500, 404)}
        ${order({ status: 500, times: 0 })}
        ${answers(500, 500, 500, 500)}
        GET /simulator -> 200
        DELETE /simulator/faults -> 204
        ${answers(404)}
    skip: so many requests pass first
        ${order({ status: 500, skip: 2 })}
        ${answers(404, 404, 500, 404)}
    only their method and path
        ${order({ status: 500, method: "post", path: "/role/w.b$" })}
        GET web -> 404
        DELETE web -> 204
        POST webs -> 204
        POST web?a=b -> 500
    LIST has its own name
        ${order({ status: 500, method: "LIST" })}
        GET web -> 404
        LIST web -> 500
    they come in the order they were given, and each counts every request
        ${order({ status: 500 }, { status: 502 }, { status: 503, skip: 3 })}
        ${answers(500, 502, 404, 503, 404)}
    headers and a body of any kind
        ${order(
            { status: 429, headers: { "Retry-After": "7" }, body: '{"errors":["slow down"]}' },
            { status: 502, body: "html", contentType: "text/html" },
            { status: 500, body: "plain" },
            { status: 500 },
        )}
        GET web -> 429 = {"errors": ["slow down"]} | retry-after: 7 | content-type: application/json
        GET web -> 502 html | content-type: text/html
        GET web -> 500 plain | content-type: text/plain; charset=utf-8
        GET web -> 500 "" | content-length: 0
    without a status they change what they name of the real answer
        ${order({ headers: { warning: "x" } }, { body: "not what you expect" })}
        POST web -> 204 | warning: x
        GET web -> 200 not what you expect
    an answer that is no longer than what may be sent stays whole
        ${order({ status: 500, body: "short", truncate: 5 })}
        GET web -> 500 short
`;

describe("simulator: faults of connections", () => {
    const simulator = withSimulator();
    const role = (method: string) => call(method, `${simulator.url}/v1/auth/clouda/role/web`, { headers });
    const logged = async () => (await simulator.requests()).map(({ status }) => status);

    for (const [drop, status] of [
        ["before", 404],
        ["after", 200],
    ] as const) {
        it(`drop: the connection is cut ${drop} the effect`, async () => {
            await simulator.fault({ drop });
            await assert.rejects(role("POST"), { code: "ECONNRESET" });
            assert.equal((await role("GET")).status, status);
            assert.deepEqual(await logged(), [null, status]);
        });
    }

    it("truncate: a part of the body is sent under its full length", async () => {
        await role("POST");
        const whole = await role("GET");
        for (const truncate of [0, 1, 20]) {
            await simulator.fault({ method: "GET", truncate });
            const cut = await fetch(`${simulator.url}/v1/auth/clouda/role/web`, { headers });
            assert.equal(cut.headers.get("content-length"), whole.headers["content-length"]);
            await assert.rejects(cut.text());
        }
    });

    it("delay: the answer comes late, after the effect, while others are answered", async () => {
        await simulator.fault({ method: "POST", delay: 600_000 }, { method: "DELETE", delay: 1 });
        const patience = new AbortController();
        const { signal } = patience;
        const url = `${simulator.url}/v1/auth/clouda/role/web`;
        const late = assert.rejects(fetch(url, { method: "POST", headers, signal }));
        // The journal knows a request from its arrival on.
        while ((await logged()).length === 0);
        for (const method of ["GET", "DELETE", "GET"]) await role(method);
        assert.deepEqual(await logged(), [null, 200, 204, 404]);
        patience.abort();
        await late;
    });

    it("delay: it keeps no simulator from closing", async () => {
        const own = await startSimulator();
        await call("POST", `${own.url}/simulator/faults`, { body: { delay: 600_000 } });
        const late = assert.rejects(call("GET", `${own.url}/v1/volumes`));
        while (at((await call("GET", `${own.url}/simulator/requests`)).json, 0) === undefined);
        await own.close();
        await late;
    });
});
