/** A service that allows so many requests a second, and a client with more to ask than that. */

import assert from "node:assert/strict";
import { operation } from "../../src/core/operation";
import { createClient } from "../../src/http/client";
import type { Clock } from "../../src/http/delivery";
import { manager } from "../../src/services/manager/service";
import { type RunningSimulator, startSimulator } from "../../src/simulator/server";

const write = operation("POST /v1/auth/clouda/role/{name}", "refused");
const many = Array.from({ length: 150 }, (_, number) => `role-${number}`);

describe("a rate limit", () => {
    let simulator: RunningSimulator;
    beforeEach(async () => {
        simulator = await startSimulator();
    });
    afterEach(() => simulator.close());

    const control = async (method: string, path: string, body?: unknown): Promise<unknown> => {
        const init = body === undefined ? {} : { body: JSON.stringify(body) };
        const answer = await fetch(`${simulator.url}/simulator${path}`, { method, ...init });
        const text = await answer.text();
        assert.ok(answer.ok, text);
        return text === "" ? undefined : JSON.parse(text);
    };

    /** Waiting takes no time here: the simulator's clock goes along, as far as the longest of the waits that begin together. */
    function skippingClock(): Clock & { readonly passed: () => number } {
        let time = 0;
        return {
            now: () => time,
            passed: () => time,
            random: () => 0.5,
            async sleep(milliseconds) {
                const end = time + milliseconds;
                await new Promise(setImmediate);
                const ahead = end - time;
                if (ahead <= 0) return;
                time = end;
                await control("POST", "/clock", { advance: ahead / 1000 });
            },
        };
    }

    for (const hint of ["x-ratelimit-reset", "retry-after", "none"] as const) {
        it(`holds up everything and fails nothing, however much waits in the queue (hint: ${hint})`, async () => {
            await control("PUT", "/rate-limit", { requestsPerSecond: 5, hint });
            const clock = skippingClock();
            const client = createClient(manager, { address: simulator.url, token: "any" }, clock);
            await Promise.all(many.map((name) => client.call(write, { parameters: { name }, body: {} })));
            const seen = (await control("GET", "/requests")) as { path: string; status: number }[];
            const done = seen.filter(({ status }) => status === 204);
            assert.deepEqual(
                done.map(({ path }) => path).sort(),
                many.map((name) => `/v1/auth/clouda/role/${name}`).sort(),
            );
            // One window after the other is used up, and in each as many are refused as may be in flight.
            const refused = seen.length - done.length;
            assert.ok(refused <= 10 * Math.ceil(many.length / 5), `${refused} were refused`);
            if (hint === "x-ratelimit-reset") {
                assert.ok(clock.passed() <= 1.5 * (many.length / 5) * 1000, `it took ${clock.passed()} ms`);
            }
        });
    }
});
