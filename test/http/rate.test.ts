/** A client that sends more requests than the service's rate limit allows. */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { testClock } from "../support/clock";
import { manager } from "./services";
import { closeAll, connect, json, serve } from "./support";

const names = Array.from({ length: 60 }, (_, number) => `${number}`);
const perSecond = 5;

/** How many times faster than real time the clocks of client and service run. */
const speed = 8;
const clock = {
    ...testClock((milliseconds) => sleep(milliseconds / speed)),
    now: () => performance.now() * speed,
};

describe("a rate limit", () => {
    afterEach(closeAll);

    for (const header of ["x-ratelimit-reset", "retry-after", "none"]) {
        it(`delays requests and fails none (header: ${header})`, async () => {
            let [second, count] = [0, 0];
            const done: (string | undefined)[] = [];
            const place = await serve(({ url }, answer) => {
                const now = clock.now() / 1000;
                if (Math.floor(now) !== second) count = 0;
                second = Math.floor(now);
                const left = second + 1 - now;
                if (++count <= perSecond) {
                    done.push(url);
                    return json(answer, 200, {});
                }
                const wait = header === "retry-after" ? Math.ceil(left) : left.toFixed(3);
                json(answer, 429, { errors: ["rate limit exceeded"] }, { [header]: `${wait}` });
            });
            const { call } = connect(manager, place.address, {}, clock);
            await Promise.all(names.map((name) => call(`POST /v1/thing/${name}`, { body: {} })));
            assert.deepEqual(done.sort(), names.map((name) => `/v1/thing/${name}`).sort(), "each is done once");
        });
    }
});
