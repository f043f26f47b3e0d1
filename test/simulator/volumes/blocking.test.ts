/** Blocking queries at the simulator's volumes, and the permission that each operation needs. */
import assert from "node:assert/strict";
import type { Seed } from "../../../src/simulator/seed";
import { type RunningSimulator, startSimulator } from "../../../src/simulator/server";

const volume = (id: string) => ({ ID: id, Name: id, ExternalID: `x-${id}`, PluginID: "disks" });
const seed: Seed = {
    plugins: [{ id: "disks", nodes: ["a1b2c3"] }],
    volumes: [volume("data")],
    tokens: [
        { token: "all", kind: "user", id: "user-1" },
        { token: "lists", kind: "user", id: "user-2", permissions: ["namespace:csi-list-volume"] },
        { token: "reads", kind: "user", id: "user-3", permissions: ["namespace:csi-read-volume"] },
        { token: "writes", kind: "user", id: "user-4", permissions: ["namespace:csi-write-volume"] },
        { token: "nothing", kind: "user", id: "user-5", access: "write", permissions: [] },
    ],
};

describe("volumes at the simulator:", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator();
    });
    beforeEach(async () => {
        await control("POST", "/simulator/reset", seed);
        await control("DELETE", "/simulator/requests");
    });
    after(() => simulator.close());

    const control = async (method: string, path: string, body?: unknown) => {
        const init = body === undefined ? {} : { body: JSON.stringify(body) };
        return fetch(simulator.url + path, { method, ...init });
    };
    const ask = async (path: string, token = "all", method = "GET", body?: unknown) => {
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        const init = body === undefined ? {} : { body: JSON.stringify(body) };
        const answer = await fetch(simulator.url + path, { method, headers, ...init });
        return { status: answer.status, index: answer.headers.get("x-volumes-index"), text: await answer.text() };
    };
    /** Asks, and returns once the simulator holds the request back. */
    const held = async (path: string, token = "all") => {
        const answer = ask(path, token);
        for (;;) {
            const requests = (await (await control("GET", "/simulator/requests")).json()) as { status: unknown }[];
            const last = requests.at(-1);
            if (last !== undefined) {
                assert.equal(last.status, null, "the request should be waiting");
                return { answer };
            }
        }
    };
    const register = (id: string) => ask(`/v1/volume/csi/${id}`, "all", "PUT", { Volumes: [volume(id)] });

    describe("a blocking query", () => {
        it("is not one without an index; every read tells up to which write it holds", async () => {
            assert.equal((await ask("/v1/volumes?type=csi")).index, "1");
            await register("more");
            assert.equal((await ask("/v1/volumes?type=csi")).index, "2");
            assert.equal((await ask("/v1/volume/csi/data")).index, "2");
            assert.deepEqual(await ask("/v1/volume/csi/none"), { status: 404, index: "2", text: "volume not found" });
            assert.equal((await ask("/v1/volumes?type=csi&index=0&wait=5m")).index, "2");
        });

        it("is answered at once if there is something newer", async () => {
            await register("more");
            assert.equal((await ask("/v1/volumes?type=csi&index=1&wait=5m")).index, "2");
        });

        it("of the list is answered when something is written", async () => {
            const { answer } = await held("/v1/volumes?type=csi&index=1&wait=5m");
            await register("more");
            const { index, text } = await answer;
            assert.equal(index, "2");
            assert.deepEqual(
                (JSON.parse(text) as { ID: string }[]).map(({ ID }) => ID),
                ["data", "more"],
            );
        });

        it("of a volume is answered when an allocation claims it", async () => {
            const { answer } = await held("/v1/volume/csi/data?index=1&wait=5m");
            await control("POST", "/simulator/claims", { volume: "data", node: "a1b2c3", allocation: "alloc-1" });
            const { index, text } = await answer;
            assert.deepEqual([index, JSON.parse(text).ReadAllocs], ["2", { "alloc-1": null }]);
        });

        it("of an absent volume waits too, and sees it made", async () => {
            const { answer } = await held("/v1/volume/csi/more?index=1&wait=5m");
            await register("more");
            assert.equal((await answer).status, 200);
        });

        it("is answered with what there is when its time on the simulator's clock is over", async () => {
            const { answer } = await held("/v1/volumes?type=csi&index=1&wait=1m30s");
            await control("POST", "/simulator/clock", { advance: 90 });
            assert.equal((await answer).index, "1");
        });

        it("waits no longer than its time when the clock is set back", async () => {
            const { answer } = await held("/v1/volumes?type=csi&index=1&wait=1m");
            await control("POST", "/simulator/clock", { advance: -86_400 });
            await control("POST", "/simulator/clock", { advance: 60 });
            assert.equal((await answer).index, "1");
        });

        it("waits five minutes unless told otherwise, and ten at most", async () => {
            for (const [query, seconds] of [
                ["index=1", 300],
                ["index=1&wait=3h", 600],
            ] as const) {
                const { answer } = await held(`/v1/volumes?type=csi&${query}`);
                await control("POST", "/simulator/clock", { advance: seconds });
                assert.equal((await answer).index, "1");
                await control("DELETE", "/simulator/requests");
            }
        });

        it("may be one of many", async () => {
            const warnings: Error[] = [];
            const note = (warning: Error) => warnings.push(warning);
            process.on("warning", note);
            const answers = Array.from({ length: 12 }, () => ask("/v1/volumes?type=csi&index=1&wait=1m"));
            for (;;) {
                const seen = (await (await control("GET", "/simulator/requests")).json()) as unknown[];
                if (seen.length === answers.length) break;
            }
            await control("POST", "/simulator/clock", { advance: 60 });
            assert.deepEqual(new Set((await Promise.all(answers)).map(({ index }) => index)), new Set(["1"]));
            process.off("warning", note);
            assert.deepEqual(warnings, []);
        });

        it("needs an index and a wait that can be read", async () => {
            for (const index of ["-1", "x", "1.5"]) {
                const { status, text } = await ask(`/v1/volumes?type=csi&index=${index}`);
                assert.deepEqual([status, text], [400, "Invalid index"]);
            }
            for (const wait of ["5", "soon", "-1s", "5s?"]) {
                const { status, text } = await ask(`/v1/volume/csi/data?index=1&wait=${encodeURIComponent(wait)}`);
                assert.deepEqual([status, text], [400, "Invalid wait time"]);
            }
        });

        it("keeps nobody waiting who may not read, and nobody beyond the simulator's end", async () => {
            assert.equal((await ask("/v1/volumes?type=csi&index=1&wait=5m", "writes")).status, 403);
            const other = await startSimulator({ seed });
            const headers = { authorization: "Bearer all" };
            const waiting = fetch(`${other.url}/v1/volumes?type=csi&index=1&wait=5m`, { headers });
            const rejected = assert.rejects(waiting);
            for (;;) {
                const seen = (await (await fetch(`${other.url}/simulator/requests`)).json()) as unknown[];
                if (seen.length > 0) break;
            }
            await other.close();
            await rejected;
        });
    });

    describe("a permission of the document", () => {
        const operations: [permission: string, method: string, path: string, body?: unknown][] = [
            ["lists", "GET", "/v1/volumes?type=csi"],
            ["reads", "GET", "/v1/volume/csi/data"],
            ["writes", "PUT", "/v1/volume/csi/more", { Volumes: [volume("more")] }],
            ["writes", "DELETE", "/v1/volume/csi/data/detach?node=a1b2c3"],
            ["writes", "DELETE", "/v1/volume/csi/data"],
        ];
        for (const [permission, method, path, body] of operations) {
            it(`${method} ${path} is given by ${permission} alone`, async () => {
                for (const token of ["lists", "reads", "writes", "nothing"].filter((each) => each !== permission)) {
                    const { status, text } = await ask(path, token, method, body);
                    assert.deepEqual([status, text], [403, "Permission denied"], token);
                }
                assert.equal((await ask(path, permission, method, body)).status, 200);
            });
        }
    });
});
