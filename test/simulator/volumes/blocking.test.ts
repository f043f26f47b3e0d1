/** Blocking queries: the document says which operations have them, real servers how. */
import assert from "node:assert/strict";
import { startSimulator } from "../../../src/simulator/server";
import { withSimulator } from "../../support/simulator";
import { section } from "../exchanges";
import { type Answer, at, call } from "../requests";
import { data, place, register, seed } from "./place";

const withVolume = { ...seed, volumes: [data] };
const more = `${register({ ...data, ID: "more" })} -> 200`;

section("Volumes, What the service does 3: list and read support blocking queries", { ...place, seed: withVolume })`
    every read tells up to which write it holds, and waits for nothing without an index
        GET volumes?type=csi -> 200 | x-volumes-index: 1
        ${more}
        GET volumes?type=csi -> 200 | x-volumes-index: 2
        GET volume/csi/data -> 200 | x-volumes-index: 2
        GET volume/csi/none -> 404 volume not found | x-volumes-index: 2
        GET volumes?type=csi&index=0&wait=5m -> 200 | x-volumes-index: 2
    what is newer already is answered at once
        ${more}
        GET volumes?type=csi&index=1&wait=5m -> 200 | x-volumes-index: 2
    an index and a wait must be such
        ${["-1", "x", "1.5"].map((index) => `GET volumes?type=csi&index=${index} -> 400 Invalid index`)}
        ${["5", "soon", "-1s", "5s%3F"].map((wait) => `GET volume/csi/data?index=1&wait=${wait} -> 400 Invalid wait time`)}
        GET volume/csi/data?index=1&wait=0 -> 200
    who may not read is not kept waiting
        POST /simulator/seed {"tokens": [{"token": "writes", "kind": "user", "id": "u", "permissions": ["namespace:csi-write-volume"]}]} -> 204
        GET volumes?type=csi&index=1&wait=5m | authorization: Bearer writes -> 403
`;

describe("simulator: Volumes, What the service does 3: a query that waits", () => {
    const simulator = withSimulator(withVolume);
    const headers = { authorization: "Bearer any" };
    const list = "volumes?type=csi&index=1&wait=5m";
    const advance = (seconds: number) => simulator.control("POST", "/simulator/clock", { advance: seconds });
    const register = (ID: string) =>
        call("PUT", `${simulator.url}/v1/volumes`, { headers, body: { Volumes: [{ ...data, ID }] } });
    /** Asks, and returns once the simulator holds as many requests back. */
    const held = async (path: string, times = 1) => {
        await simulator.forget();
        const answers = Array.from({ length: times }, () => call("GET", `${simulator.url}/v1/${path}`, { headers }));
        while ((await simulator.requests()).length < times);
        const requests = await simulator.requests();
        assert.deepEqual(new Set(requests.map(({ status }) => status)), new Set([null]), "requests should be waiting");
        return answers;
    };
    const indexes = async (answers: readonly Promise<Answer>[]) =>
        (await Promise.all(answers)).map((answer) => answer.headers["x-volumes-index"]);

    it("of the list is answered when something is written", async () => {
        const [answer] = await held(list);
        await register("more");
        assert.equal(at((await answer)?.json, 1, "ID"), "more");
    });

    it("of a volume is answered when an allocation claims it", async () => {
        const [answer] = await held("volume/csi/data?index=1&wait=5m");
        await simulator.control("POST", "/simulator/claims", { volume: "data", node: "n", allocation: "a" });
        assert.deepEqual(at((await answer)?.json, "ReadAllocs"), { a: null });
    });

    it("of an absent volume sees it made", async () => {
        const [answer] = await held("volume/csi/more?index=1&wait=5m");
        await register("more");
        assert.equal((await answer)?.status, 200);
    });

    for (const [wait, seconds] of [
        ["&wait=1m30s", 90],
        ["", 300],
        ["&wait=3h", 600],
    ] as const) {
        it(`with "${wait}" is answered with what there is after ${seconds} s of the simulator's clock`, async () => {
            const answers = await held(`volumes?type=csi&index=1${wait}`);
            await advance(seconds - 30);
            assert.equal((await simulator.requests())[0]?.status, null);
            await advance(30);
            assert.deepEqual(await indexes(answers), ["1"]);
        });
    }

    it("waits no longer than its time when the clock is set back", async () => {
        const answers = await held("volumes?type=csi&index=1&wait=1m");
        await advance(-86_400);
        await advance(60);
        assert.deepEqual(await indexes(answers), ["1"]);
    });

    it("may be one of many", async () => {
        const warnings: Error[] = [];
        const note = (warning: Error) => warnings.push(warning);
        process.on("warning", note);
        const answers = await held(list, 12);
        await advance(300);
        assert.deepEqual(await indexes(answers), Array(12).fill("1"));
        process.off("warning", note);
        assert.deepEqual(warnings, []);
    });

    it("ends with the simulator", async () => {
        const other = await startSimulator({ seed: withVolume });
        const rejected = assert.rejects(call("GET", `${other.url}/v1/${list}`, { headers }));
        while (at((await call("GET", `${other.url}/simulator/requests`)).json, 0) === undefined);
        await other.close();
        await rejected;
    });
});
