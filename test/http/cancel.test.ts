import assert from "node:assert/strict";
import { operation } from "../../src/core/operation";
import { StatecraftError, UnreachableError } from "../../src/errors";
import { createClient } from "../../src/http/client";
import { failureOf } from "../support/failures";
import { manager } from "./services";
import { closeAll, fakeClock, json, serve, token } from "./support";

const write = operation("PUT /v1/thing");

describe("a request that is cancelled", () => {
    afterEach(closeAll);

    it("in flight ends as sent, and is not repeated", async () => {
        const cancel = new AbortController();
        const place = await serve(() => cancel.abort());
        const client = createClient(manager, { address: place.address, token }, fakeClock());
        const error = await failureOf(client.call(write, { parameters: {}, signal: cancel.signal }), UnreachableError);
        assert.deepEqual([error.sent, place.seen.length], [true, 1]);
    });

    for (const status of [503, 429]) {
        it(`while it waits after a ${status} is not repeated`, async () => {
            const cancel = new AbortController();
            const place = await serve((_, answer) => json(answer, status, { errors: ["busy"] }));
            const sleep = async (_: number, signal?: AbortSignal) => {
                assert.equal(signal, cancel.signal);
                cancel.abort();
            };
            const client = createClient(manager, { address: place.address, token }, { ...fakeClock(), sleep });
            const call = client.call(write, { parameters: {}, signal: cancel.signal });
            const error = await failureOf(call, UnreachableError);
            assert.deepEqual([error.sent, place.seen.length], [status === 503, 1]);
        });
    }

    it("before it begins is not sent", async () => {
        const place = await serve((_, answer) => json(answer, 200, {}));
        const client = createClient(manager, { address: place.address, token }, fakeClock());
        const signal = AbortSignal.abort();
        const ends = [
            client.call(write, { parameters: {}, signal }),
            client.download("/raw", signal),
            client.upload("/raw", Buffer.from("x"), signal),
        ];
        for (const end of ends) assert.equal((await failureOf(end, UnreachableError)).sent, false);
        assert.equal(place.seen.length, 0);
    });

    it("while it waits by the real clock ends its wait", async () => {
        const cancel = new AbortController();
        const place = await serve((_, answer) => {
            json(answer, 503, {}, { "retry-after": "200" });
            setImmediate(() => cancel.abort());
        });
        const client = createClient(manager, { address: place.address, token });
        await failureOf(client.call(write, { parameters: {}, signal: cancel.signal }), StatecraftError);
        assert.equal(place.seen.length, 1);
    });
});
