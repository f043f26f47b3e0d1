import assert from "node:assert/strict";
import { askedWait, delay, mayRepeat, type Outcome } from "../../src/http/retry";

describe("mayRepeat", () => {
    const cases: [Outcome, always: boolean, refused: boolean][] = [
        [429, true, true],
        [502, true, false],
        [503, true, false],
        [504, true, false],
        ["unsent", true, true],
        ["lost", true, false],
        [400, false, false],
        [404, false, false],
        [408, false, false],
        [409, false, false],
        [500, false, false],
        [501, false, false],
    ];
    for (const [outcome, always, refused] of cases) {
        it(`after ${outcome}: always ${always}, refused ${refused}`, () => {
            assert.equal(mayRepeat("always", outcome), always);
            assert.equal(mayRepeat("refused", outcome), refused);
        });
    }

    it("repeats what the service knows to pass, whatever the request: nothing was done", () => {
        assert.equal(mayRepeat("always", 500, true), true);
        assert.equal(mayRepeat("refused", 500, true), true);
    });
});

describe("delay", () => {
    it("doubles the room for chance with each try, up to 30 s", () => {
        const rooms = [1, 2, 3, 4, 5, 6, 7, 8, 20].map((tries) => delay(tries, 500, undefined, 1));
        assert.deepEqual(rooms, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    });

    it("takes any part of the room", () => {
        assert.equal(delay(3, 500, undefined, 0), 0);
        assert.equal(delay(3, 500, undefined, 0.25), 500);
    });

    it("lets the server's wish win, with a little on top", () => {
        assert.equal(delay(1, 500, 7, 0), 7000);
        assert.equal(delay(9, 500, 0.25, 0.5), 500);
    });

    it("backs off by itself where the server asks for no wait at all", () => {
        assert.equal(delay(2, 500, 0, 0.5), 500);
    });
});

describe("askedWait", () => {
    const now = Date.UTC(2030, 0, 1);
    const cases: [what: string, status: number, headers: Record<string, string>, seconds: number | undefined][] = [
        ["seconds", 429, { "retry-after": "12" }, 12],
        ["a date", 503, { "retry-after": "Tue, 01 Jan 2030 00:00:30 GMT" }, 30],
        ["a date that has passed", 503, { "retry-after": "Mon, 31 Dec 2029 00:00:00 GMT" }, 0],
        [
            "a date by the server's own clock, which is another",
            503,
            { "retry-after": "Tue, 01 Jan 2030 02:00:30 GMT", date: "Tue, 01 Jan 2030 02:00:00 GMT" },
            30,
        ],
        ["decimal seconds of the rate limit", 429, { "x-ratelimit-reset": "0.75" }, 0.75],
        ["both: Retry-After wins", 429, { "retry-after": "3", "x-ratelimit-reset": "9" }, 3],
        ["a rate limit beside another failure", 503, { "x-ratelimit-reset": "9" }, undefined],
        ["nonsense", 429, { "retry-after": "soon" }, undefined],
        ["a negative number", 429, { "retry-after": "-5" }, undefined],
        ["nothing", 429, {}, undefined],
    ];
    for (const [what, status, headers, seconds] of cases) {
        it(`reads ${what}`, () => assert.equal(askedWait(status, headers, now), seconds));
    }
});
