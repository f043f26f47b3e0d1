import assert from "node:assert/strict";
import dns from "node:dns";
import type { ServerResponse } from "node:http";
import { endpoint, type Repeat } from "../../src/core/endpoint";
import { LimitedError, ServiceError, UnreachableError } from "../../src/errors";
import { createClient } from "../../src/http/client";
import { testClock } from "../support/clock";
import { failureOf } from "../support/failures";
import { manager } from "./services";
import { closeAll, connect, deadAddress, json, serve, token } from "./support";

/** Sends a request to a server that fails the first `failures` tries. Returns the number of tries, the waits and the result. */
async function tries(repeat: Repeat, respond: (answer: ServerResponse) => void, failures = 99) {
    const place = await serve((_, answer, number) => (number <= failures ? respond(answer) : json(answer, 200, {})));
    const { call, slept } = connect(manager, place.address);
    const end = await call("PATCH /v1/thing", { repeat, body: { n: 1 } }).catch((error: Error) => error);
    return { seen: place.seen.length, slept, end, bodies: new Set(place.seen.map(({ body }) => body)) };
}

function status(code: number, headers: Record<string, string> = {}) {
    return (answer: ServerResponse) => json(answer, code, { errors: ["busy"] }, headers);
}

describe("retries", () => {
    afterEach(closeAll);

    it("send the same body until the service succeeds", async () => {
        const { slept, end, bodies } = await tries("always", status(503), 2);
        assert(!(end instanceof Error));
        assert.deepEqual([slept, [...bodies]], [[250, 500], ['{"n":1}']]);
    });

    it("wait a second after a 500, unless the request is not repeated then, and at most 15 s after a 429", async () => {
        assert.deepEqual((await tries("always", status(500))).slept, [1000, 1000]);
        assert.deepEqual((await tries("unlessDeclined", status(500))).slept, []);
        assert.deepEqual((await tries("unlessDeclined", status(503), 1)).slept, [250]);
        assert.equal((await tries("refused", status(429))).slept.at(-1), 15_000);
        assert.deepEqual((await tries("never", status(429))).slept, []);
    });

    it("follow a refused connection, unless the request is never repeated", async () => {
        const retries = { always: 5, unlessDeclined: 5, refused: 5, never: 0 } as const;
        for (const repeat of ["always", "unlessDeclined", "refused", "never"] as const) {
            const { call, slept } = connect(manager, await deadAddress());
            const { fate } = await failureOf(call("PATCH /v1/thing", { repeat }), UnreachableError);
            assert.deepEqual([slept.length, fate], [retries[repeat], "unsent"], repeat);
        }
    });

    it("are at most `maxRetries`", async () => {
        const place = await serve((_, answer) => json(answer, 503, {}));
        for (const maxRetries of [0, 2]) {
            place.seen.length = 0;
            const { call } = connect(manager, place.address, { maxRetries, retryBaseDelay: 1 });
            await failureOf(call("GET /x"), ServiceError);
            assert.equal(place.seen.length, maxRetries + 1);
        }
        const limited = await serve((_, answer) => json(answer, 429, {}));
        await failureOf(connect(manager, limited.address, { maxRetries: 0 }).call("GET /x"), LimitedError);
        assert.equal(limited.seen.length, 1);
    });

    const now = { date: "Tue, 01 Jan 2030 00:00:00 GMT" };
    const waits: [what: string, code: number, headers: Record<string, string>, slept: number][] = [
        ["Retry-After in seconds", 429, { "retry-after": "7" }, 7250],
        ["five minutes", 429, { "retry-after": "300" }, 300_250],
        ["Retry-After as a date", 503, { ...now, "retry-after": "Tue, 01 Jan 2030 00:01:00 GMT" }, 60_250],
        ["x-ratelimit-reset", 429, { "x-ratelimit-reset": "0.4" }, 650],
        ["x-ratelimit-reset since 1970", 429, { ...now, "x-ratelimit-reset": "1893456030" }, 30_250],
        [
            "the back-off alone after a date that has passed",
            429,
            { ...now, "retry-after": "Mon, 01 Jan 2029 00:00:00 GMT" },
            250,
        ],
    ];
    for (const [what, code, headers, slept] of waits) {
        it(`wait for ${what}`, async () => {
            assert.deepEqual((await tries("always", status(code, headers), 1)).slept, [slept]);
        });
    }

    it("end if the server asks for more than five minutes, and the error says for how many", async () => {
        const { seen, end } = await tries("always", status(429, { "retry-after": "301" }));
        assert(end instanceof LimitedError);
        assert.deepEqual([seen, end.retryAfter], [1, 301]);
    });

    it("after 429 do not count for `maxRetries`", async () => {
        const answers = [429, 429, 503, 429, 429, 503, 200];
        const place = await serve((_, answer, number) => json(answer, answers[number - 1] ?? 500, {}));
        assert.equal((await connect(manager, place.address, { maxRetries: 2 }).call("GET /x")).status, 200);
    });

    it("are reported when they wait longer than 5 s, and not when they wait exactly 5 s", async () => {
        const notes: unknown[] = [];
        const notify = (_: string, ...note: unknown[]) => void notes.push(note);
        const settings = { notify, retryBaseDelay: 5000, maxRetries: 3 };
        const place = await serve((_, answer, number) => {
            if (number === 1) json(answer, 429, {}, { "retry-after": "30" });
            else json(answer, 503, {});
        });
        const { call, slept } = connect(manager, place.address, settings);
        await call("GET /x").catch(() => {});
        assert.deepEqual(slept, [32_500, 2500, 5000, 10_000]);
        assert.deepEqual(notes, [
            ["limited", "info"],
            ["unreachable", "info"],
        ]);
    });

    it("do not count for `maxConcurrency` while they wait", async () => {
        const order: (string | undefined)[] = [];
        const place = await serve(({ url }, answer, number) => {
            order.push(url);
            json(answer, number <= 2 ? 503 : 200, {});
        });
        const { call } = connect(manager, place.address, { maxConcurrency: 1 });
        await Promise.all([call("GET /a"), call("GET /b")]);
        assert.deepEqual(order, ["/a", "/b", "/a", "/b"]);
    });

    it("after 429 go on while the service answers other requests", async () => {
        let refused = 0;
        const others: Promise<unknown>[] = [];
        const place = await serve(({ url }, answer) => {
            if (url !== "/slow" || refused === 15) return json(answer, 200, {});
            refused += 1;
            others.push(call("GET /x"));
            json(answer, 429, {});
        });
        const { call } = connect(manager, place.address, { maxConcurrency: 1 });
        await call("GET /slow");
        await Promise.all(others);
        assert.equal(refused, 15);
    });

    describe("while the host name", () => {
        const { lookup } = dns;
        afterEach(() => Object.assign(dns, { lookup }));
        /** Lets the first look-ups of host names fail. Returns the number of all. */
        const failLookups = (code: string, failures: number) => {
            let count = 0;
            const fake = (_: string, options: dns.LookupOptions, done: (...ends: unknown[]) => void) => {
                if (++count <= failures) done(Object.assign(new Error("refused"), { code }));
                else lookup("127.0.0.1", options, done);
            };
            Object.assign(dns, { lookup: fake });
            return () => count;
        };

        it("does not exist are none", async () => {
            const lookups = failLookups("ENOTFOUND", 99);
            const { call, slept } = connect(manager, "http://vualt.test");
            const { fate, hint } = await failureOf(call("GET /x"), UnreachableError);
            assert.deepEqual([fate, slept, lookups()], ["unsent", [], 1]);
            assert.match(hint ?? "", /`address`/);
        });

        it("cannot be looked up are more than `maxRetries`", async () => {
            const place = await serve();
            failLookups("EAI_AGAIN", 9);
            const { call, slept } = connect(manager, place.address.replace("127.0.0.1", "vault.test"));
            await call("POST /x");
            assert.equal(slept.length, 9);
        });

        it("cannot be looked up delay every request of the client", async () => {
            const place = await serve();
            failLookups("EAI_AGAIN", 1);
            const others: Promise<unknown>[] = [];
            // A request that begins during the wait does not overtake the one that waits.
            const clock = testClock(async () => void others.push(call("GET /b")));
            const settings = { maxConcurrency: 1 };
            const { call } = connect(manager, place.address.replace("127.0.0.1", "vault.test"), settings, clock);
            await call("GET /a");
            await Promise.all(others);
            const urls = place.seen.map(({ url }) => url);
            assert.deepEqual(urls, ["/a", "/b"]);
        });
    });

    it("after 429 wait no longer if the time of the machine is set back meanwhile", async () => {
        const { now } = Date;
        const place = await serve((_, answer, number) =>
            json(answer, number === 1 ? 429 : 200, {}, number === 1 ? { "x-ratelimit-reset": "0.05" } : {}),
        );
        // The time changes after the answer, when the client has begun to wait.
        const trace = () => setImmediate(() => Object.assign(Date, { now: () => now() - 3_600_000 }));
        try {
            const client = createClient(manager, { address: place.address, token, trace });
            await client.call(endpoint("GET /x"), { parameters: {} });
        } finally {
            Object.assign(Date, { now });
        }
        assert.equal(place.seen.length, 2);
    });

    it("after 429 delay every request of the client until the time in the answer", async () => {
        const place = await serve((_, answer, number) =>
            json(answer, number === 1 ? 429 : 200, {}, number === 1 ? { "retry-after": "7" } : {}),
        );
        const { call, slept } = connect(manager, place.address, { maxConcurrency: 1 });
        await Promise.all([call("GET /a"), call("GET /b")]);
        const urls = place.seen.map(({ url }) => url);
        assert.deepEqual(urls, ["/a", "/b", "/a"]);
        assert.deepEqual(slept, [7250]);
    });
});
