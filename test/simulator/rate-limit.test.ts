/** A limit of requests in each second. */
import assert from "node:assert/strict";
import type { RateLimitSettings } from "../../src/simulator/rate-limit";
import { type RunningSimulator, startSimulator } from "../../src/simulator/server";
import { at, call } from "./requests";

describe("simulator: rate limit", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator();
    });
    after(() => simulator.close());
    afterEach(() => call("DELETE", `${simulator.url}/simulator/rate-limit`));

    const limit = (order: RateLimitSettings | object) =>
        call("PUT", `${simulator.url}/simulator/rate-limit`, { body: order });
    const role = () =>
        call("GET", `${simulator.url}/v1/auth/clouda/role/web`, { headers: { "x-secrets-token": "any" } });
    /** So many requests that some of them meet a second that is full. */
    const refusal = async (ask = role) => {
        for (let tries = 0; tries < 1000; tries++) {
            const answer = await ask();
            if (answer.status === 429) return answer;
        }
        assert.fail("nothing was refused");
    };

    it("refuses what is too much in a second, tells when it ends, and takes as much in the next", async () => {
        await limit({ requestsPerSecond: 3 });
        const first = await refusal();
        assert.equal(first.headers["x-ratelimit-limit"], "3");
        const reset = Number(first.headers["x-ratelimit-reset"]);
        assert.ok(reset > 0 && reset <= 1, `${reset}`);
        assert.deepEqual(at(first.json, "errors"), ["rate limit exceeded"]);
        await call("POST", `${simulator.url}/simulator/clock`, { body: { advance: reset } });
        assert.equal((await role()).status, 404);
    });

    it("hints in whole seconds, or not at all", async () => {
        await limit({ requestsPerSecond: 1, hint: "retry-after" });
        assert.equal((await refusal()).headers["retry-after"], "1");
        await limit({ requestsPerSecond: 1, hint: "none" });
        const bare = await refusal();
        assert.deepEqual([bare.headers["retry-after"], bare.headers["x-ratelimit-reset"]], [undefined, undefined]);
    });

    it("speaks as each service does, and does not count the control API", async () => {
        await limit({ requestsPerSecond: 1 });
        const versions = await refusal(() => call("GET", `${simulator.url}/api/v2/state-versions/sv-1`));
        assert.equal(at(versions.json, "errors", "0", "status"), "429");
        const volume = await refusal(() => call("GET", `${simulator.url}/v1/volume/csi/data`));
        assert.equal(volume.text, "rate limit exceeded");
        for (let times = 0; times < 5; times++) {
            assert.equal((await call("GET", `${simulator.url}/simulator`)).status, 200);
        }
    });

    for (const order of [
        {},
        { requestsPerSecond: 0 },
        { requestsPerSecond: 1.5 },
        { requestsPerSecond: 1, hint: "x" },
    ]) {
        it(`does not take ${JSON.stringify(order)}`, async () => {
            const answer = await limit(order);
            assert.equal(answer.status, 400);
            assert.match(answer.text, /requestsPerSecond|hint/);
        });
    }
});
