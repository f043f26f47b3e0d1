import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { AnswerError, DeniedError, StatecraftError, UnreachableError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { manager } from "./services";
import { closeAll, connect, json, serve, token, wholeText } from "./support";

const redirect = (answer: ServerResponse, location: string, status = 302) =>
    answer.writeHead(status, { location }).end();

describe("a client that is redirected", () => {
    afterEach(closeAll);

    it("carries neither token nor extra headers to another origin", async () => {
        const there = await serve((_, answer) => json(answer, 200, { from: "there" }));
        const here = await serve((_, answer) => redirect(answer, `${there.address}/x?sig=s3cr3t`));
        const { call } = connect(manager, here.address, { headers: { "X-Extra": "private-extra" } });
        const answer = await call("GET /a", { headers: { "X-Own": "private-own" } });
        assert.deepEqual(answer.body, { from: "there" });
        assert.equal(here.seen[0]?.headers["x-extra"], "private-extra");
        assert.equal(here.seen[0]?.headers["x-own"], "private-own");
        const names = Object.keys(there.seen[0]?.headers ?? {}).sort();
        assert.deepEqual(names, ["accept", "accept-encoding", "connection", "host", "user-agent"]);
        assert.equal(there.seen[0]?.url, "/x?sig=s3cr3t");
    });

    it("sends no token when another origin redirects back to its own", async () => {
        const there = await serve((_, answer) => redirect(answer, `${here.address}/b`));
        const here = await serve(({ url }, answer) => {
            if (url === "/a") redirect(answer, there.address);
            else json(answer, 403, { errors: ["permission denied"] });
        });
        const error = await failureOf(connect(manager, here.address).call("GET /a"), DeniedError);
        assert.equal(here.seen[1]?.headers["x-secrets-token"], undefined);
        assert.match(error.hint ?? "", /`address`/);
    });

    it("does not delay other requests after a 429 of another origin", async () => {
        const there = await serve((_, answer, number) => json(answer, number === 1 ? 429 : 200, {}));
        const here = await serve(({ url }, answer) => {
            if (url === "/away") redirect(answer, there.address);
            else json(answer, 200, {});
        });
        // The wait after the 429 ends only after the answer to the other request.
        const sleep = async () => void (await call("GET /own"));
        const { call } = connect(manager, here.address, {}, { sleep });
        await call("GET /away");
        const urls = here.seen.map(({ url }) => url);
        assert.deepEqual(urls, ["/away", "/own", "/away"]);
    });

    for (const status of [301, 302, 303, 307, 308]) {
        it(`follows ${status} on its own origin with body and token, for ${status < 307 ? "reads" : "every method"}`, async () => {
            for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const) {
                const place = await serve(({ url }, answer) => {
                    if (url === "/a") redirect(answer, "/b", status);
                    else json(answer, 200, {});
                });
                const isFollowed = status >= 307 || method === "GET";
                const sent = method === "GET" ? {} : { body: { n: 1 } };
                const end = connect(manager, place.address).call(`${method} /a`, sent);
                if (isFollowed) await end;
                else await failureOf(end, AnswerError);
                const whole = [token, method === "GET" ? "" : '{"n":1}'];
                assert.deepEqual(
                    place.seen.map((each) => [each.method, each.url, each.headers["x-secrets-token"], each.body]),
                    ["/a", "/b"].slice(0, isFollowed ? 2 : 1).map((url) => [method, url, ...whole]),
                );
            }
        });
    }

    describe("to an origin of `otherAddresses`", () => {
        const redirected = async (status: number, onward?: string) => {
            const there = await serve(({ url }, answer) => {
                if (onward !== undefined && url === "/b") redirect(answer, onward, 307);
                else json(answer, 200, {});
            });
            const here = await serve((_, answer) => redirect(answer, `${there.address}/b`, status));
            const otherAddresses = ["http://former.test", `${there.address}/v1`];
            return { there, ...connect(manager, here.address, { otherAddresses, headers: { "X-Extra": "1" } }) };
        };

        it("sends token, headers, method and body there", async () => {
            for (const status of [307, 308]) {
                const { there, call } = await redirected(status);
                await call("PUT /a", { body: { n: 1 } });
                const { method, url, body, headers } = there.seen[0] ?? assert.fail();
                assert.deepEqual([method, url, body], ["PUT", "/b", '{"n":1}']);
                assert.deepEqual([headers["x-secrets-token"], headers["x-extra"]], [token, "1"]);
            }
        });

        it("follows 302 with the token for reads alone", async () => {
            const { there, call } = await redirected(302);
            await call("GET /a");
            await failureOf(call("PUT /a", { body: {} }), AnswerError);
            assert.equal(there.seen.at(-1)?.method, "GET");
            assert.equal(there.seen.at(-1)?.headers["x-secrets-token"], token);
        });

        it("sends no token after a redirect onwards from there", async () => {
            const elsewhere = await serve();
            for (const onward of ["/c", elsewhere.address]) {
                const { there, call } = await redirected(307, onward);
                await call("GET /a");
                const last = onward === "/c" ? there.seen : elsewhere.seen;
                assert.equal(last.at(-1)?.headers["x-secrets-token"], undefined);
                if (onward !== "/c") await failureOf(call("PUT /a", { body: {} }), AnswerError);
            }
            assert.equal(elsewhere.seen.length, 1);
        });

        it("sends no token for a download, and no upload", async () => {
            const { there, client } = await redirected(307);
            await client.download("/a");
            assert.equal(there.seen[0]?.headers["x-secrets-token"], undefined);
            await failureOf(client.upload("/a", Buffer.from("x")), AnswerError);
            assert.equal(there.seen.length, 1);
        });
    });

    it("sends no write to another origin, and a read without the token; a refusal names the origin and `otherAddresses`", async () => {
        const there = await serve((_, answer) => json(answer, 403, { errors: ["permission denied"] }));
        const here = await serve((_, answer) => redirect(answer, `${there.address}/x?sig=s3cr3t`, 307));
        const { call } = connect(manager, here.address);
        const read = await failureOf(call("GET /a"), DeniedError);
        const write = await failureOf(call("PUT /a", { body: {} }), AnswerError);
        for (const { hint = "" } of [read, write]) assert.match(hint, /`address`.*`otherAddresses`/);
        assert(write.message.includes(there.address));
        assert.doesNotMatch(wholeText(write), /s3cr3t/);
        assert.deepEqual(
            there.seen.map(({ method, headers }) => [method, headers["x-secrets-token"]]),
            [["GET", undefined]],
        );
    });

    for (const headers of [{}, { location: "https://" }, { location: "file:///etc/hosts" }]) {
        it(`refuses a redirect with ${JSON.stringify(headers)}`, async () => {
            const place = await serve((_, answer) => answer.writeHead(302, headers).end());
            await failureOf(connect(manager, place.address).call("GET /a"), StatecraftError);
            assert.equal(place.seen.length, 1);
        });
    }

    it("follows at most five in a row", async () => {
        const place = await serve((_, answer, number) => redirect(answer, `/${number}`, 307));
        await failureOf(connect(manager, place.address).call("GET /a"), AnswerError);
        assert.equal(place.seen.length, 6);
    });

    it("has one `timeout` for all redirects of a try, without the wait for `maxConcurrency`", async () => {
        const place = await serve(({ url }, answer, number) => {
            if (url === "/stall") return clock.elapse();
            assert.equal(clock.timeouts.length, number, "requests in the queue have none yet");
            if (url === "/a") answer.writeHead(307, { location: "/stall" }).end();
            else json(answer, 200, {});
        });
        const { call, clock } = connect(manager, place.address, { timeout: 0.5, maxConcurrency: 1 });
        await Promise.all(Array.from({ length: 8 }, () => call("GET /b")));
        const error = await failureOf(call("GET /a", { repeat: "refused" }), UnreachableError);
        assert.equal(error.fate, "unknown");
        assert.deepEqual(clock.timeouts, Array(9).fill(500));
        assert.equal(place.seen.length, 10);
    });
});
