/** Faults on order. */
import assert from "node:assert/strict";
import type { Fault } from "../../src/simulator/faults";
import { type RunningSimulator, startSimulator } from "../../src/simulator/server";
import { at, call } from "./requests";

describe("simulator: faults", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator();
    });
    beforeEach(async () => {
        await call("POST", `${simulator.url}/simulator/reset`);
        await call("DELETE", `${simulator.url}/simulator/faults`);
        await call("DELETE", `${simulator.url}/simulator/requests`);
    });
    after(() => simulator.close());

    const order = async (faults: Fault | Fault[]) => {
        const answer = await call("POST", `${simulator.url}/simulator/faults`, { body: faults });
        assert.equal(answer.status, 204, answer.text);
    };
    const role = (method: string, name = "web") =>
        call(method, `${simulator.url}/v1/auth/clouda/role/${name}`, { headers: { "x-secrets-token": "any" } });
    const statuses = async (...methods: string[]) => {
        const seen: number[] = [];
        for (const method of methods) seen.push((await role(method)).status);
        return seen;
    };
    const logged = async () => {
        const { json } = await call("GET", `${simulator.url}/simulator/requests`);
        assert.ok(Array.isArray(json));
        return json.map((entry: unknown) => at(entry, "status"));
    };

    it("answer once, without effect", async () => {
        await order({ status: 503 });
        assert.deepEqual(await statuses("POST", "GET", "POST", "GET"), [503, 404, 204, 200]);
    });

    it("answer after the effect", async () => {
        await order({ status: 504, after: true });
        assert.deepEqual(await statuses("POST", "GET"), [504, 200]);
    });

    it("answer several times, or for ever until they are taken away", async () => {
        await order({ status: 500, times: 2 });
        assert.deepEqual(await statuses("GET", "GET", "GET"), [500, 500, 404]);
        await order({ status: 500, times: 0 });
        assert.deepEqual(await statuses("GET", "GET", "GET", "GET"), [500, 500, 500, 500]);
        assert.equal((await call("DELETE", `${simulator.url}/simulator/faults`)).status, 204);
        assert.deepEqual(await statuses("GET"), [404]);
    });

    it("let requests pass first", async () => {
        await order({ status: 500, skip: 2 });
        assert.deepEqual(await statuses("GET", "GET", "GET", "GET"), [404, 404, 500, 404]);
    });

    it("take only their method and path", async () => {
        await order({ status: 500, method: "post", path: "/role/w.b$" });
        assert.deepEqual(await statuses("GET", "DELETE"), [404, 204]);
        assert.equal((await role("POST", "webs")).status, 204);
        assert.equal((await role("POST", "web?a=b")).status, 500);
    });

    it("take LIST by its own name", async () => {
        await order({ status: 500, method: "LIST" });
        assert.deepEqual(await statuses("GET"), [404]);
        assert.equal((await role("LIST")).status, 500);
    });

    it("come in the order they were given, and each counts every request", async () => {
        await order([{ status: 500 }, { status: 502 }, { status: 503, skip: 3 }]);
        assert.deepEqual(await statuses("GET", "GET", "GET", "GET", "GET"), [500, 502, 404, 503, 404]);
    });

    it("answer with headers and a body of any kind", async () => {
        await order([
            { status: 429, headers: { "Retry-After": "7" }, body: '{"errors":["slow down"]}' },
            { status: 502, body: "<html>", contentType: "text/html" },
            { status: 500, body: "plain" },
            { status: 500 },
        ]);
        const slow = await role("GET");
        assert.deepEqual(
            [slow.status, slow.headers["retry-after"], slow.headers["content-type"], slow.json],
            [429, "7", "application/json", { errors: ["slow down"] }],
        );
        const page = await role("GET");
        assert.deepEqual([page.status, page.headers["content-type"], page.text], [502, "text/html", "<html>"]);
        assert.match((await role("GET")).headers["content-type"] ?? "", /^text\/plain/);
        const empty = await role("GET");
        assert.deepEqual([empty.text, empty.headers["content-length"]], ["", "0"]);
    });

    it("without a status change what they name of the real answer", async () => {
        await order([{ headers: { warning: "x" } }, { body: "not what you expect" }]);
        const withHeader = await role("POST");
        assert.deepEqual([withHeader.status, withHeader.headers["warning"]], [204, "x"]);
        const withBody = await role("GET");
        assert.deepEqual([withBody.status, withBody.text], [200, "not what you expect"]);
    });

    it("cut the connection before the effect", async () => {
        await order({ drop: "before" });
        await assert.rejects(role("POST"), { code: "ECONNRESET" });
        assert.deepEqual(await statuses("GET"), [404]);
        assert.deepEqual(await logged(), [null, 404]);
    });

    it("cut the connection after the effect", async () => {
        await order({ drop: "after" });
        await assert.rejects(role("POST"), { code: "ECONNRESET" });
        assert.deepEqual(await statuses("GET"), [200]);
        assert.deepEqual(await logged(), [null, 200]);
    });

    it("send a part of the answer's body under its full length", async () => {
        await role("POST");
        const whole = await role("GET");
        for (const length of [0, 1, 20]) {
            await order({ method: "GET", truncate: length });
            const cut = await fetch(`${simulator.url}/v1/auth/clouda/role/web`, {
                headers: { "x-secrets-token": "any" },
            });
            assert.equal(cut.status, 200);
            assert.equal(cut.headers.get("content-length"), whole.headers["content-length"]);
            await assert.rejects(cut.text());
        }
    });

    it("leave an answer whole that is no longer than what may be sent", async () => {
        await order({ status: 500, body: "short", truncate: 5 });
        assert.equal((await role("GET")).text, "short");
    });

    it("answer late, after the effect, while others are answered", async () => {
        await order([
            { method: "POST", delay: 600_000 },
            { method: "DELETE", delay: 1 },
        ]);
        const patience = new AbortController();
        const late = fetch(`${simulator.url}/v1/auth/clouda/role/web`, {
            method: "POST",
            headers: { "x-secrets-token": "any" },
            signal: patience.signal,
        });
        // The log knows a request from its arrival on.
        while ((await logged()).length === 0);
        assert.deepEqual(await statuses("GET", "DELETE", "GET"), [200, 204, 404]);
        assert.deepEqual(await logged(), [null, 200, 204, 404]);
        patience.abort();
        await assert.rejects(late);
    });

    it("do not keep a simulator from closing", async () => {
        const own = await startSimulator();
        await call("POST", `${own.url}/simulator/faults`, { body: { delay: 600_000 } });
        const late = assert.rejects(call("GET", `${own.url}/v1/volumes`));
        for (;;) {
            const { json } = await call("GET", `${own.url}/simulator/requests`);
            if (Array.isArray(json) && json.length > 0) break;
        }
        await own.close();
        await late;
    });

    it("leave the control API alone", async () => {
        await order({ status: 500, times: 0 });
        assert.equal((await call("GET", `${simulator.url}/simulator`)).status, 200);
    });
});
