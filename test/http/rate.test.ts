/** A service that allows so many requests a second, and a client with more to ask than that. */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { operation } from "../../src/core/operation";
import { createClient } from "../../src/http/client";
import type { Clock } from "../../src/http/retry";
import { manager } from "./services";
import { closeAll, serve, token } from "./support";

const write = operation("POST /v1/thing/{name}", "refused");
const names = Array.from({ length: 60 }, (_, number) => `${number}`);
const perSecond = 5;

/** Time flies by here, for the client and the service alike. */
const speed = 8;
const clock: Clock = {
    now: () => performance.now() * speed,
    sleep: (milliseconds) => sleep(milliseconds / speed),
    timer: () => () => {},
    random: () => 0.5,
};

describe("a rate limit", () => {
    afterEach(closeAll);

    for (const hint of ["x-ratelimit-reset", "retry-after", "none"]) {
        it(`holds requests back and fails none (hint: ${hint})`, async () => {
            let [second, count, refused] = [0, 0, 0];
            const place = await serve((_, answer) => {
                const now = clock.now() / 1000;
                if (Math.floor(now) !== second) count = 0;
                second = Math.floor(now);
                count++;
                const left = second + 1 - now;
                if (count <= perSecond) return answer.writeHead(204).end();
                refused++;
                if (hint === "x-ratelimit-reset") answer.setHeader(hint, left.toFixed(3));
                if (hint === "retry-after") answer.setHeader(hint, Math.ceil(left));
                answer.writeHead(429, { "content-type": "application/json" }).end('{"errors":["rate limit exceeded"]}');
            });
            const client = createClient(manager, { address: place.address, token }, clock);
            await Promise.all(names.map((name) => client.call(write, { parameters: { name }, body: {} })));
            const done = place.seen.length - refused;
            assert.equal(done, names.length, "each is done once");
            assert.equal(new Set(place.seen.map(({ url }) => url)).size, names.length);
        });
    }
});
