import assert from "node:assert/strict";
import { operation } from "../../src/core/operation";
import { AnswerError, DeniedError, ServiceError } from "../../src/errors";
import { createClient } from "../../src/http/client";
import { redirect } from "../../src/http/retry";
import { failureOf } from "../support/failures";
import { manager, volumes } from "./services";
import { closeAll, connect, fakeClock, json, serve, token, wholeText } from "./support";

const from = new URL("https://here.example/v1/a?b=c");

/** A promise that is kept from outside. */
function deferred() {
    let resolve = () => {};
    const promise = new Promise<void>((done) => {
        resolve = done;
    });
    return { promise, resolve };
}

function judge(method: Parameters<typeof redirect>[0], status: number, location?: string) {
    const headers: Record<string, string> = location === undefined ? {} : { location };
    const judged = redirect(method, from, { status, headers, bytes: Buffer.alloc(0) });
    return judged !== undefined && "to" in judged ? judged.to.href : judged?.refused;
}

describe("redirect", () => {
    it("keeps to the same origin for every method with 307 and 308", () => {
        assert.equal(judge("GET", 307, "/v2"), "https://here.example/v2");
        assert.equal(judge("PATCH", 307, "/v2"), "https://here.example/v2");
        assert.equal(judge("DELETE", 308, "https://here.example:443/v2#part"), "https://here.example/v2");
    });

    it("follows 301, 302 and 303 for reads only", () => {
        for (const status of [301, 302, 303]) {
            assert.equal(judge("GET", status, "b"), "https://here.example/v1/b");
            assert.equal(judge("LIST", status, "b"), "https://here.example/v1/b");
            assert.equal(judge("POST", status, "b"), `a redirect (${status}) to https://here.example`);
            assert.equal(judge("DELETE", status, "b"), `a redirect (${status}) to https://here.example`);
        }
    });

    it("follows GET alone to another origin", () => {
        assert.equal(judge("GET", 307, "https://there.example/x?sig=1"), "https://there.example/x?sig=1");
        for (const method of ["LIST", "PUT", "POST", "PATCH", "DELETE"] as const) {
            assert.equal(
                judge(method, 307, "https://there.example/x?sig=1"),
                "a redirect (307) to https://there.example",
            );
        }
    });

    it("takes another port or scheme for another origin", () => {
        assert.equal(judge("PUT", 308, "https://here.example:8443/"), "a redirect (308) to https://here.example:8443");
        assert.equal(judge("PUT", 308, "http://here.example/"), "a redirect (308) to http://here.example");
    });

    it("refuses what leads nowhere or out of HTTP", () => {
        assert.equal(judge("GET", 302), "a redirect (302) to nowhere");
        assert.equal(judge("GET", 302, "https://"), "a redirect (302) to nowhere");
        assert.equal(judge("GET", 302, "file:///etc/hosts"), "a redirect (302) to file:");
    });

    it("leaves every other status alone", () => {
        for (const status of [200, 204, 300, 304, 404, 503]) assert.equal(judge("GET", status, "/x"), undefined);
    });
});

describe("a client that is redirected", () => {
    afterEach(closeAll);

    it("sends method, body and token again on its own origin", async () => {
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

    it("tells who wanted the token there", async () => {
        const there = await serve((_, answer) => json(answer, 403, { errors: ["permission denied"] }));
        const here = await serve((_, answer) =>
            answer.writeHead(307, { location: `${there.address}/x?sig=s3cr3t` }).end(),
        );
        const asked = connect(manager, here.address).client.call(operation("GET /a"), { parameters: {} });
        const { hint = "" } = await failureOf(asked, DeniedError);
        assert.ok(hint.endsWith(`where the token is not sent: ${there.address}.`), hint);
    });

    it("does not take the token up again when it is led back", async () => {
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
        assert.match(error.hint ?? "", /^The request was led to another address than the one in the settings/);
    });

    it("does not believe another origin that says our object is absent", async () => {
        const there = await serve((_, answer) => json(answer, 404, { errors: [] }));
        const here = await serve((_, answer) => answer.writeHead(302, { location: there.address }).end());
        const error = await connect(manager, here.address)
            .client.call(operation("GET /a"), { parameters: {} })
            .catch((e) => e);
        assert.equal(error.name, "ServiceError");
        assert.equal(error.code, "service");
    });

    it("does not believe another origin that says what is known of our service: that it passes", async () => {
        const there = await serve((_, answer) =>
            answer.writeHead(500, { "content-type": "text/plain" }).end("No cluster leader"),
        );
        const here = await serve((_, answer) => answer.writeHead(302, { location: there.address }).end());
        const { client } = connect(volumes, here.address);
        await failureOf(client.call(operation("GET /a"), { parameters: {} }), ServiceError);
        assert.equal(there.seen.length, 1);
    });

    it("holds up nobody else for the rate limit of another origin", async () => {
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

    it("refuses to take a write to another origin, and names that only", async () => {
        const there = await serve((_, answer) => json(answer, 200, {}));
        const here = await serve((_, answer) =>
            answer.writeHead(307, { location: `${there.address}/x?sig=s3cr3t` }).end(),
        );
        const write = connect(manager, here.address).client.call(operation("PUT /a"), { parameters: {}, body: {} });
        const error = await failureOf(write, AnswerError);
        assert.equal(
            error.message,
            `PUT /a: the secrets manager gave an answer that cannot be used: a redirect (307) to ${there.address}`,
        );
        assert.match(error.hint ?? "", /address in the settings is probably wrong/);
        assert.doesNotMatch(wholeText(error), /s3cr3t/);
        assert.equal(there.seen.length, 0);
    });

    it("gives up after five in a row", async () => {
        const place = await serve((_, answer, number) => answer.writeHead(307, { location: `/${number}` }).end());
        const error = await failureOf(
            connect(manager, place.address).client.call(operation("GET /a"), { parameters: {} }),
            AnswerError,
        );
        assert.match(error.message, /more than 5 redirects in a row$/);
        assert.equal(place.seen.length, 6);
    });
});
