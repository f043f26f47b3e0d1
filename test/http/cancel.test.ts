import assert from "node:assert/strict";
import { endpoint } from "../../src/core/endpoint";
import { StatecraftError, UnreachableError } from "../../src/errors";
import { createClient } from "../../src/http/client";
import { failureOf } from "../support/failures";
import { manager } from "./services";
import { closeAll, connect, json, serve, token } from "./support";

describe("a request that is cancelled", () => {
    afterEach(closeAll);

    it("in flight fails with `unknown`, and is not repeated", async () => {
        const cancel = new AbortController();
        const place = await serve(() => cancel.abort());
        const call = connect(manager, place.address).call("PUT /v1/thing", { signal: cancel.signal });
        assert.equal((await failureOf(call, UnreachableError)).fate, "unknown");
        assert.equal(place.seen.length, 1);
    });

    for (const status of [503, 429]) {
        it(`while it waits after a ${status} is not repeated`, async () => {
            const cancel = new AbortController();
            const place = await serve((_, answer) => json(answer, status, { errors: ["busy"] }));
            const sleep = async (_: number, given?: AbortSignal) => {
                assert.equal(given, cancel.signal);
                cancel.abort();
            };
            const call = connect(manager, place.address, {}, { sleep }).call("PUT /x", { signal: cancel.signal });
            assert.equal((await failureOf(call, UnreachableError)).fate, status === 503 ? "unknown" : "unsent");
            assert.equal(place.seen.length, 1);
        });
    }

    it("before it begins is not sent", async () => {
        const place = await serve();
        const { client, call } = connect(manager, place.address);
        const signal = AbortSignal.abort();
        const ends = [
            call("PUT /v1/thing", { signal }),
            client.download("/raw", signal),
            client.upload("/raw", Buffer.from("x"), signal),
        ];
        for (const end of ends) assert.equal((await failureOf(end, UnreachableError)).fate, "unsent");
        assert.equal(place.seen.length, 0);
    });

    it("while it waits for a retry ends the wait on the real clock", async () => {
        const cancel = new AbortController();
        const place = await serve((_, answer) => {
            json(answer, 503, {}, { "retry-after": "200" });
            setImmediate(() => cancel.abort());
        });
        const client = createClient(manager, { address: place.address, token });
        const call = client.call(endpoint("PUT /v1/thing"), { parameters: {}, signal: cancel.signal });
        await failureOf(call, StatecraftError);
        assert.equal(place.seen.length, 1);
    });
});
