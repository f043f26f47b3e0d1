import assert from "node:assert/strict";
import { UnreachableError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { manager } from "./services";
import { closeAll, connect, json, serve } from "./support";

describe("a connection", () => {
    afterEach(closeAll);

    it("that stalls is closed after `timeout`, and tried again for a read", async () => {
        const place = await serve((_, answer, number) => (number < 3 ? clock.elapse() : json(answer, 200, {})));
        const { call, clock } = connect(manager, place.address, { timeout: 0.1 });
        assert.equal((await failureOf(call("POST /x"), UnreachableError)).fate, "unknown");
        assert.equal(place.seen.length, 1);
        assert.equal((await call("GET /x")).status, 200);
    });

    it("whose answer never ends is closed after `timeout`", async () => {
        const place = await serve((_, answer) => {
            answer.writeHead(200, { "content-type": "application/json" });
            // Larger than every buffer between server and client: when the write ends, the client has read the beginning.
            answer.write(" ".repeat(32 * 1024 ** 2), () => clock.elapse());
        });
        const { call, clock } = connect(manager, place.address, { timeout: 0.4 });
        assert.equal((await failureOf(call("POST /x"), UnreachableError)).fate, "unknown");
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
