import assert from "node:assert/strict";
import { operation } from "../../src/core/operation";
import { AnswerError, DeniedError, StatecraftError } from "../../src/errors";
import { createClient } from "../../src/http/client";
import { failureOf } from "../support/failures";
import { manager } from "./services";
import { closeAll, connect, fakeClock, json, serve, token, wholeText } from "./support";

/** A promise that is kept from outside. */
function deferred() {
    let resolve = () => {};
    const promise = new Promise<void>((done) => {
        resolve = done;
    });
    return { promise, resolve };
}

describe("a client that is redirected", () => {
    afterEach(closeAll);

    it("sends method, body and token again to its own origin", async () => {
        const place = await serve(({ url }, answer) => {
            if (url === "/a") answer.writeHead(307, { location: "/b" }).end();
            else json(answer, 200, { ok: true });
        });
        const { client } = connect(manager, place.address);
        await client.call(operation("PATCH /a"), { parameters: {}, body: { n: 1 } });
        const last = place.seen[1];
        assert.equal(last?.method, "PATCH");
        assert.equal(last?.url, "/b");
        assert.equal(last?.body, '{"n":1}');
        assert.equal(last?.headers["x-secrets-token"], token);
    });

    it("carries neither token nor extra headers to another origin", async () => {
        const there = await serve((_, answer) => json(answer, 200, { from: "there" }));
        const here = await serve((_, answer) =>
            answer.writeHead(302, { location: `${there.address}/x?sig=s3cr3t` }).end(),
        );
        const { client } = connect(manager, here.address, { headers: { "X-Extra": "private-extra" } });
        const answer = await client.call(operation("GET /a"), { parameters: {}, headers: { "X-Own": "private-own" } });
        assert.deepEqual(answer.body, { from: "there" });
        assert.equal(here.seen[0]?.headers["x-extra"], "private-extra");
        assert.equal(here.seen[0]?.headers["x-own"], "private-own");
        const names = Object.keys(there.seen[0]?.headers ?? {}).sort();
        assert.deepEqual(names, ["accept", "accept-encoding", "connection", "host", "user-agent"]);
        assert.equal(there.seen[0]?.url, "/x?sig=s3cr3t");
    });

    it("sends no token when it is led back from another origin", async () => {
        const there = await serve((_, answer) => answer.writeHead(302, { location: `${here.address}/b` }).end());
        const here = await serve(({ url }, answer) => {
            if (url === "/a") answer.writeHead(302, { location: there.address }).end();
            else json(answer, 403, { errors: ["permission denied"] });
        });
        const error = await failureOf(
            connect(manager, here.address).client.call(operation("GET /a"), { parameters: {} }),
            DeniedError,
        );
        assert.equal(here.seen[1]?.headers["x-secrets-token"], undefined);
        assert.match(error.hint ?? "", /`address`/);
    });

    it("does not believe an absence of another origin", async () => {
        const there = await serve((_, answer) => json(answer, 404, { errors: [] }));
        const here = await serve((_, answer) => answer.writeHead(302, { location: there.address }).end());
        const error = await connect(manager, here.address)
            .client.call(operation("GET /a"), { parameters: {} })
            .catch((e) => e);
        assert.equal(error.name, "ServiceError");
        assert.equal(error.code, "service");
    });

    it("holds no other request back for a 429 of another origin", async () => {
        const there = await serve((_, answer, number) => json(answer, number === 1 ? 429 : 200, {}));
        const here = await serve(({ url }, answer) => {
            if (url === "/away") answer.writeHead(302, { location: there.address }).end();
            else json(answer, 200, {});
        });
        const [waiting, awake] = [deferred(), deferred()];
        const clock = {
            ...fakeClock(),
            sleep: () => {
                waiting.resolve();
                return awake.promise;
            },
        };
        const client = createClient(manager, { address: here.address, token }, clock);
        const away = client.call(operation("GET /away"), { parameters: {} });
        await waiting.promise;
        await client.call(operation("GET /own"), { parameters: {} });
        awake.resolve();
        await away;
        assert.equal(there.seen.length, 2);
    });

    const methods = ["GET", "LIST", "POST", "PUT", "PATCH", "DELETE"] as const;
    for (const status of [301, 302, 303, 307, 308]) {
        it(`follows ${status} on its own origin, for ${status < 307 ? "reads" : "every method"}`, async () => {
            for (const method of methods.filter((each) => each !== "LIST")) {
                const place = await serve(({ url }, answer) => {
                    if (url === "/a") answer.writeHead(status, { location: "/b" }).end();
                    else json(answer, 200, {});
                });
                const call = connect(manager, place.address).client.call(operation(`${method} /a`), { parameters: {} });
                if (status >= 307 || method === "GET") await call;
                else await failureOf(call, AnswerError);
                const follows = status >= 307 || method === "GET" ? [`${method} /b`] : [];
                assert.deepEqual(
                    place.seen.map((each) => `${each.method} ${each.url}`),
                    [`${method} /a`, ...follows],
                );
            }
        });
    }

    for (const location of [undefined, "https://", "file:///etc/hosts"]) {
        it(`refuses a redirect to ${location ?? "nowhere"}`, async () => {
            const place = await serve((_, answer) => answer.writeHead(302, location ? { location } : {}).end());
            const call = connect(manager, place.address).client.call(operation("GET /a"), { parameters: {} });
            await failureOf(call, StatecraftError);
            assert.equal(place.seen.length, 1);
        });
    }

    it("sends no write to another origin, and names that origin alone", async () => {
        const there = await serve((_, answer) => json(answer, 200, {}));
        const here = await serve((_, answer) =>
            answer.writeHead(307, { location: `${there.address}/x?sig=s3cr3t` }).end(),
        );
        const write = connect(manager, here.address).client.call(operation("PUT /a"), { parameters: {}, body: {} });
        const error = await failureOf(write, AnswerError);
        assert.ok(error.message.includes(there.address));
        assert.match(error.hint ?? "", /`address`/);
        assert.doesNotMatch(wholeText(error), /s3cr3t/);
        assert.equal(there.seen.length, 0);
    });

    it("follows at most five in a row", async () => {
        const place = await serve((_, answer, number) => answer.writeHead(307, { location: `/${number}` }).end());
        const call = connect(manager, place.address).client.call(operation("GET /a"), { parameters: {} });
        await failureOf(call, AnswerError);
        assert.equal(place.seen.length, 6);
    });
});
