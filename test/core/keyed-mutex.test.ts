import assert from "node:assert/strict";
import { createKeyedMutex } from "../../src/core/keyed-mutex";

describe("a keyed mutex", () => {
    it("runs tasks with the same key in order, and tasks with different keys in parallel", async () => {
        const exclusive = createKeyedMutex();
        const log: string[] = [];
        const write = (text: string) => async () => void log.push(text);
        let end = () => {};
        const first = exclusive("key", write("first"));
        const second = exclusive("key", () => {
            log.push("second begins");
            return new Promise<void>((resolve) => {
                end = resolve;
            });
        });
        await first;
        const third = exclusive("key", write("third"));
        await exclusive("other", write("other"));
        assert.deepEqual(log.sort(), ["first", "other", "second begins"]);
        end();
        await Promise.all([second, third]);
        assert.equal(log.at(-1), "third");
    });

    it("runs the next task after a failure", async () => {
        const exclusive = createKeyedMutex();
        const failed = exclusive("key", () => Promise.reject(new Error("no")));
        const next = exclusive("key", async () => "done");
        await assert.rejects(failed, /no/);
        assert.equal(await next, "done");
    });
});
