/** What figures of the engine's commands mean for the goals, and that the page shows those that were measured. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ContenderName } from "../../bench/contenders";
import { type Cell, commands } from "../../bench/engine";
import { inTurns, median } from "../../bench/measurement";
import { pageWith } from "../../bench/page";
import { readResults } from "../../bench/results-file";
import { engineRequests, engineWork, growth } from "../../bench/verdicts";

/** The same cost in each of the four commands. */
function cells(contender: ContenderName, size: number, figures: Partial<Cell>): Cell[] {
    const none = { runs: 5, wall: 1, cpu: 1, memory: 1, requests: 0, otherRequests: 0, stateBytes: 1000 };
    return commands.map((command) => ({
        ...none,
        isWithoutCheckpoints: false,
        contender,
        size,
        command,
        ...figures,
    }));
}

const verdicts = (found: ReturnType<typeof engineWork>) => found.map(({ figure, held }) => [figure, held]);

describe("what is measured", () => {
    it("is held up to the limit against the empty plugin, in CPU and in state", () => {
        const of = (cpu: number, stateBytes: number) =>
            verdicts(engineWork([...cells("floor", 500, {}), ...cells("native", 500, { cpu, stateBytes })]));
        assert.deepEqual(of(1.1, 1300), [...commands.map(() => [1.1, true]), [1.3, true]]);
        assert.deepEqual(of(1.12, 1310), [...commands.map(() => [1.12, false]), [1.31, false]]);
    });

    it("must be ahead of the textbook way in every command: the worst one counts", () => {
        const ours = cells("dynamic", 1, { wall: 0.9 });
        const [first, ...rest] = ours;
        assert(first);
        const against = (all: Cell[]) => verdicts(engineWork([...cells("textbook", 1, {}), ...all]));
        assert.deepEqual(against(ours), [[0.9, true]]);
        assert.deepEqual(against([{ ...first, wall: 1 }, ...rest]), [[1, false]]);
    });

    it("may be a little behind the official provider for one resource, and not for more", () => {
        const against = (size: number, wall: number) =>
            verdicts(engineWork([...cells("peer", size, {}), ...cells("dynamic", size, { wall })]));
        assert.deepEqual(against(1, 1.3), [[1.3, true]]);
        assert.deepEqual(against(50, 1.3), [[1.3, false]]);
        assert.deepEqual(against(50, 0.9), [[0.9, true]]);
        assert.deepEqual(against(2000, 1.3), []);
    });

    it("counts the requests of a new role, and any of a preview", () => {
        const of = (figures: Partial<Cell>) => verdicts(engineRequests(cells("native", 50, figures)));
        assert.deepEqual(of({ requests: 150 }), [
            [3, true],
            [150, false],
        ]);
        assert.deepEqual(of({ otherRequests: 1 }), [
            [0, true],
            [1, false],
        ]);
    });

    it("takes the engine's own growth off", () => {
        const of = (cpu: number) =>
            verdicts(
                growth([
                    ...cells("floor", 200, {}),
                    ...cells("floor", 2000, { cpu: 20 }),
                    ...cells("native", 200, {}),
                    ...cells("native", 2000, { cpu }),
                ]),
            );
        assert.deepEqual(
            of(22),
            commands.map(() => [1.1, true]),
        );
        assert.deepEqual(
            of(23),
            commands.map(() => [1.15, false]),
        );
    });

    it("is measured in turns, and its median counts", async () => {
        const order: string[] = [];
        const note = (name: string) => () => order.push(name);
        const results = await inTurns(2, { one: note("one"), other: note("other") });
        assert.deepEqual(order, ["one", "other", "one", "other"]);
        assert.deepEqual(results, { one: [1, 3], other: [2, 4] });
        assert.deepEqual([median([9, 1, 5]), median([1, 2, 4, 9])], [5, 3]);
    });

    it("is what docs/performance.md shows", () => {
        const page = readFileSync(join(__dirname, "..", "..", "docs", "performance.md"), "utf8");
        assert.equal(pageWith(page, readResults()), page, "`npm run bench -- page` writes the page");
    });
});
