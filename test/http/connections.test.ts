import assert from "node:assert/strict";
import { operation } from "../../src/core/operation";
import { UnreachableError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { manager } from "./services";
import { closeAll, connect, deadAddress, json, serve, serveRaw, socketCode, withEnvironment } from "./support";

describe("a connection", () => {
    afterEach(closeAll);

    it("that is refused is repeated, and counts as not sent", async () => {
        const address = await deadAddress();
        for (const repeat of ["always", "refused"] as const) {
            const line = connect(manager, address);
            const error = await failureOf(
                line.client.call(operation("POST /x", repeat), { parameters: {} }),
                UnreachableError,
            );
            assert.equal(error.sent, false);
            assert.equal(error.code, "unreachable");
            assert.equal(line.slept.length, 5);
        }
    });

    it("that is refused after a cut one counts as sent", async () => {
        const place = await serveRaw((socket) => socket.once("data", () => closeAll()));
        const { client, slept } = connect(manager, place.address, { maxRetries: 1 });
        const error = await failureOf(client.call(operation("PUT /x"), { parameters: {} }), UnreachableError);
        assert.equal(slept.length, 1);
        assert.equal(socketCode(error), "ECONNREFUSED");
        assert.equal(error.sent, true);
    });

    it("to an unknown host counts as not sent", async () => {
        const { client } = connect(manager, "https://nobody.invalid", { maxRetries: 0 });
        const call = () => client.call(operation("POST /x"), { parameters: {} });
        const error = await failureOf(withEnvironment({}, call), UnreachableError);
        assert.equal(error.sent, false);
    });

    it("that is reset after the request counts as sent", async () => {
        const place = await serveRaw((socket) => socket.once("data", () => socket.resetAndDestroy()));
        const { client } = connect(manager, place.address);
        const error = await failureOf(client.call(operation("POST /x"), { parameters: {} }), UnreachableError);
        assert.equal(error.sent, true);
        assert.equal(socketCode(error), "ECONNRESET");
        assert.equal(place.connections(), 1);
    });

    it("that stalls during the TLS handshake counts as not sent", async () => {
        const place = await serveRaw((socket) => socket.once("data", () => clock.elapse()));
        const { client, clock } = connect(manager, place.address.replace("http:", "https:"), { maxRetries: 0 });
        const error = await failureOf(client.call(operation("POST /x"), { parameters: {} }), UnreachableError);
        assert.equal(error.sent, false);
    });

    it("that stalls is closed after `timeout`", async () => {
        const place = await serve(() => clock.elapse());
        const { client, clock } = connect(manager, place.address, { timeout: 0.1 });
        const error = await failureOf(client.call(operation("POST /x"), { parameters: {} }), UnreachableError);
        assert.equal(error.sent, true);
        assert.equal(place.seen.length, 1);
    });

    it("that stalls is repeated for a read", async () => {
        const place = await serve((_, answer, number) => (number === 1 ? clock.elapse() : json(answer, 200, {})));
        const { client, clock } = connect(manager, place.address);
        assert.equal((await client.call(operation("GET /x"), { parameters: {} })).status, 200);
    });

    it("whose answer never ends is closed after `timeout`", async () => {
        const place = await serve((_, answer) => {
            answer.writeHead(200, { "content-type": "application/json" });
            // More than any buffer between the two holds: once it is written, the beginning has been read.
            answer.write(" ".repeat(32 * 1024 ** 2), () => clock.elapse());
        });
        const { client, clock } = connect(manager, place.address, { timeout: 0.4 });
        const error = await failureOf(client.call(operation("POST /x"), { parameters: {} }), UnreachableError);
        assert.equal(error.sent, true);
    });

    it("has one `timeout` for all redirects of a try, which begins after the queue", async () => {
        const place = await serve(({ url }, answer, number) => {
            if (url === "/stall") return clock.elapse();
            assert.equal(clock.timeouts.length, number, "what waits in the queue has none yet");
            if (url === "/a") answer.writeHead(307, { location: "/stall" }).end();
            else json(answer, 200, {});
        });
        const { client, clock } = connect(manager, place.address, { timeout: 0.5, maxConcurrency: 1 });
        const get = operation("GET /{name}", "refused");
        const queued = Array.from({ length: 8 }, () => client.call(get, { parameters: { name: "b" } }));
        assert.equal((await Promise.all(queued)).length, 8);
        const error = await failureOf(client.call(get, { parameters: { name: "a" } }), UnreachableError);
        assert.equal(error.sent, true);
        assert.deepEqual(clock.timeouts, Array(9).fill(500));
        assert.equal(place.seen.length, 10);
    });
});
