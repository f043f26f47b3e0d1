import assert from "node:assert/strict";
import { parseDuration, secondsOf } from "../../src/schema/duration";
import { chance, seed } from "../support/random";

describe("duration", () => {
    const accepted: [written: number | string, seconds: number][] = [
        [0, 0],
        [60, 60],
        ["", 0],
        ["0", 0],
        ["60", 60],
        ["60s", 60],
        ["90m", 5400],
        ["1h", 3600],
        ["1h30m", 5400],
        ["1h30m15s", 5415],
        ["1.5h", 5400],
        [".5h", 1800],
        ["30m1h", 5400],
        ["1d", 86_400],
        ["30d", 2_592_000],
        ["1500ms", 1],
        ["2000000us", 2],
        ["2000000µs", 2],
        ["3000000000ns", 3],
    ];
    for (const [written, seconds] of accepted) {
        it(`${JSON.stringify(written)} is ${seconds} s`, () => assert.equal(parseDuration(written), seconds));
    }

    const cut: [written: string, seconds: number][] = [
        ["0.5s", 0],
        ["999ms", 0],
        ["999999999ns", 0],
        ["1.9s", 1],
        ["1m0.999s", 60],
    ];
    for (const [written, seconds] of cut) {
        it(`${written} is cut to ${seconds} s`, () => assert.equal(parseDuration(written), seconds));
    }

    it("is not cut too far by the way computers count: 0.1s0.2s0.7s is 1 s", () => {
        assert.equal(parseDuration("0.1s0.2s0.7s"), 1);
        assert.equal(parseDuration("0.3m"), 18);
        assert.equal(parseDuration("2.05m"), 123);
        assert.equal(parseDuration("1.1h"), 3960);
    });

    const refused: (number | string)[] = [
        ...["1d12h", "1h1d", "1w", "1y", " 60", "60 ", "60 s", "1e3", "1e3s", "0x10", "1_000", "1,5h"],
        ...["abc", "h", "s60", ".", "-1", "-1s", "1h-30m", "٣s", "1H", "null"],
        ...[-1, 60.5, Number.NaN, Number.POSITIVE_INFINITY],
    ];
    for (const written of refused) {
        it(`${typeof written === "string" ? JSON.stringify(written) : written} is none`, () =>
            assert.equal(parseDuration(written), undefined));
    }

    it("reaches as far as 64 bits of nanoseconds do", () => {
        assert.equal(parseDuration(9_223_372_036), 9_223_372_036);
        assert.equal(parseDuration("9223372036"), 9_223_372_036);
        assert.equal(parseDuration("2562047h47m16s"), 9_223_372_036);
        assert.equal(parseDuration(9_223_372_037), undefined);
        assert.equal(parseDuration("2562047h47m17s"), undefined);
        assert.equal(parseDuration("106752d"), undefined);
        assert.equal(parseDuration("9".repeat(400)), undefined);
        assert.equal(parseDuration(`${"1".repeat(200_000)}x`), undefined, "it is not read at length");
    });

    it(`is the sum of its parts, whatever the spelling (STATECRAFT_SEED=${seed})`, () => {
        const draw = chance();
        for (let round = 0; round < 300; round++) {
            const [hours, minutes, seconds] = [draw.whole(2000), draw.whole(100), draw.whole(100)];
            const sum = hours * 3600 + minutes * 60 + seconds;
            for (const spelled of [`${hours}h${minutes}m${seconds}s`, `${seconds}s${hours}h${minutes}m`, `${sum}s`]) {
                assert.equal(parseDuration(spelled), sum, spelled);
            }
        }
    });

    it("counts what was left out, or is none, as 0 seconds", () => {
        assert.equal(secondsOf(undefined), 0);
        assert.equal(secondsOf("1m"), 60);
        assert.equal(secondsOf(true), 0);
        assert.equal(secondsOf("soon"), 0);
    });
});
