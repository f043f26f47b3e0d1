import assert from "node:assert/strict";
import { createMemory } from "../../src/core/memory";
import { forgetSharedReads, sharedReads, unshared } from "../../src/core/shared-reads";
import { manager } from "../../src/services/manager/service";
import { volumes } from "../../src/services/volumes/service";

describe("reads that share requests", () => {
    let time = 0;
    let memory = createMemory();
    beforeEach(() => {
        time = 0;
        memory = createMemory();
    });
    const shared = (service = volumes, connection?: string) =>
        sharedReads({ memory, now: () => time }, service, connection);
    /** A request that answers with its number, when it is let. */
    const request = () => {
        let asked = 0;
        const open: ((fails?: Error) => void)[] = [];
        return {
            asked: () => asked,
            read: () => {
                asked += 1;
                const number = asked;
                return new Promise<number>((resolve, reject) => {
                    open.push((fails) => (fails ? reject(fails) : resolve(number)));
                });
            },
            answer: (number: number, fails?: Error) => open[number - 1]?.(fails),
        };
    };

    it("get the answer that is on its way, and afterwards one of their own", async () => {
        const { read, answer, asked } = request();
        const both = Promise.all([shared().once("a", read), shared().once("a", read)]);
        answer(1);
        assert.deepEqual(await both, [1, 1]);
        const own = shared().once("a", read);
        answer(2);
        assert.equal(await own, 2);
        assert.equal(asked(), 2);
    });

    it("get an answer for as long as they allow, from when it was asked for", async () => {
        const { read, answer } = request();
        const first = shared().once("a", read, 5);
        time = 4_000;
        answer(1);
        assert.equal(await first, 1);
        time = 5_000;
        assert.equal(await shared().once("a", read, 5), 1);
        time = 5_001;
        const next = shared().once("a", read, 5);
        answer(2);
        assert.equal(await next, 2);
    });

    it("ask for themselves where what they share fails", async () => {
        const { read, answer } = request();
        const all = Promise.allSettled([1, 2, 3].map(() => shared().once("a", read, 5)));
        answer(1, new Error("refused"));
        await new Promise(setImmediate);
        answer(2);
        answer(3, new Error("refused too"));
        assert.deepEqual(
            (await all).map((end) => (end.status === "fulfilled" ? end.value : String(end.reason))),
            ["Error: refused", 2, "Error: refused too"],
        );
    });

    it("share nothing across a write, by name, service and connection, nor in scripts", async () => {
        const { read, answer, asked } = request();
        const all = [shared().once("a", read, 5)];
        forgetSharedReads(memory);
        all.push(shared().once("a", read, 5), shared().once("b", read, 5), shared(manager).once("a", read, 5));
        all.push(shared(volumes, "west").once("a", read, 5), unshared.once("a", read, 5), unshared.once("a", read, 5));
        assert.equal(asked(), 7);
        for (const number of [7, 6, 5, 4, 3, 2, 1]) answer(number);
        assert.deepEqual(await Promise.all(all), [1, 2, 3, 4, 5, 6, 7]);
    });

    it("do not take the answer of a request before a write for that of the one after it", async () => {
        const { read, answer } = request();
        const before = shared().once("a", read);
        forgetSharedReads(memory);
        const after = shared().once("a", read);
        answer(1);
        await before;
        const joined = shared().once("a", read);
        answer(2);
        assert.deepEqual(await Promise.all([after, joined]), [2, 2]);
    });

    it("ask for a list where three of them wait at once or one has asked for it, and not where those before have ended", async () => {
        const { read, answer, asked } = request();
        let lists = 0;
        const list = async () => 100 + ++lists;
        const find = async (told: number) => told;
        const one = (shares = shared()) => shares.listed("a", { alone: read, list, seconds: 5, find });
        const [first, second] = [one(), one()];
        answer(1, new Error("refused"));
        await assert.rejects(first);
        const third = one();
        assert.equal(asked(), 3);
        assert.deepEqual([await one(), lists], [101, 1]);
        answer(2);
        answer(3);
        assert.deepEqual(await Promise.all([second, third, one()]), [2, 3, 101]);
        time = 5_001;
        const late = [one(), one(unshared), one(unshared), one(unshared)];
        for (const number of [4, 5, 6, 7]) answer(number);
        assert.deepEqual([await Promise.all(late), lists], [[4, 5, 6, 7], 1]);
    });
});
