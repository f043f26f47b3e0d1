/** A limit of requests in each second: hosted services have one, the documents leave it open. */
import assert from "node:assert/strict";
import { withSimulator } from "../support/simulator";
import { exchangesAt } from "./exchanges";
import { call } from "./requests";

describe("simulator: rate limit", () => {
    const simulator = withSimulator();
    const run = (...lines: string[]) => exchangesAt(simulator.url)`${lines}`;
    const limit = (settings: object) => simulator.control("PUT", "/simulator/rate-limit", settings);
    afterEach(() => simulator.control("DELETE", "/simulator/rate-limit"));

    /** So many requests that some of them meet a second that is full. */
    const refusal = async (path = "/v1/auth/clouda/role/web") => {
        for (let tries = 0; tries < 1000; tries += 1) {
            const answer = await call("GET", simulator.url + path);
            if (answer.status === 429) return answer;
        }
        assert.fail("nothing was refused");
    };

    it("refuses what is too much in a second, tells when it ends, and takes as much in the next", async () => {
        await limit({ requestsPerSecond: 3 });
        const { headers, json } = await refusal();
        assert.equal(headers["x-ratelimit-limit"], "3");
        const reset = Number(headers["x-ratelimit-reset"]);
        assert.ok(reset > 0 && reset <= 1, `${reset}`);
        assert.deepEqual(json, { errors: ["rate limit exceeded"] });
        await simulator.control("POST", "/simulator/clock", { advance: reset });
        await run("GET /v1/auth/clouda/role/web -> 403");
    });

    it("hints in whole seconds, or not at all", async () => {
        await limit({ requestsPerSecond: 1, hint: "retry-after" });
        assert.equal((await refusal()).headers["retry-after"], "1");
        await limit({ requestsPerSecond: 1, hint: "none" });
        const { headers } = await refusal();
        assert.deepEqual([headers["retry-after"], headers["x-ratelimit-reset"]], [undefined, undefined]);
    });

    it("speaks as each service does, and does not count the control API", async () => {
        await limit({ requestsPerSecond: 1 });
        assert.match((await refusal("/api/v2/state-versions/sv-1")).text, /^\{"errors":\[\{"status":"429"/);
        assert.equal((await refusal("/v1/volume/csi/data")).text, "rate limit exceeded");
        await run(...Array<string>(5).fill("GET /simulator -> 200"));
    });

    it("does not take what is no limit", () =>
        run(
            "PUT /simulator/rate-limit {} -> 400 ~ requestsPerSecond",
            'PUT /simulator/rate-limit {"requestsPerSecond": 0} -> 400 ~ requestsPerSecond',
            'PUT /simulator/rate-limit {"requestsPerSecond": 1.5} -> 400 ~ requestsPerSecond',
            'PUT /simulator/rate-limit {"requestsPerSecond": 1, "hint": "x"} -> 400 ~ hint',
        ));
});
