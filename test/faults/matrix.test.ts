/** A part of the fault matrix: every fault, every resource with every verb, every place and every next command. `npm run test:faults` lives it all. */

import assert from "node:assert/strict";
import { definitions } from "../../src/services/definitions";
import { faults } from "./faults";
import { type Cell, plan, run, titleOf, type Verdict, verbs } from "./matrix";
import { readReport } from "./report";
import { subjects } from "./subjects";
import { coverage } from "./table";

/** What has to be met at least once. */
const keysOf = ({ subject, verb, fault, place, once, next }: Cell) => [
    fault.name,
    `${subject.type} ${verb.name}`,
    `${place} ${once}`,
    `${verb.name} ${next}`,
];

/** As few cells as are needed for it, spread over the whole. */
function representative(cells: readonly Cell[]): Cell[] {
    const stride = 7919;
    assert(cells.length % stride !== 0, "the stride must reach every cell");
    const met = new Set<string>();
    return cells
        .map((_, index) => cells[(index * stride) % cells.length])
        .filter((cell) => {
            // A flood that goes on costs seconds of each request.
            if (cell === undefined || (cell.fault.floods && !cell.once)) return false;
            const fresh = keysOf(cell).filter((key) => !met.has(key));
            for (const key of fresh) met.add(key);
            return fresh.length > 0;
        })
        .flatMap((cell) => cell ?? []);
}

describe("the fault matrix, in part", () => {
    let cells: Cell[];
    let verdicts: Verdict[];
    let mebibytes: number;
    before(async function () {
        this.timeout(120_000);
        cells = await plan();
        const peak = () => process.resourceUsage().maxRSS / 1024;
        const before = peak();
        verdicts = await run(representative(cells), 2);
        mebibytes = peak() - before;
    });

    const allWell = (of: (cell: Cell) => boolean) => {
        const lived = verdicts.filter(({ cell }) => of(cell));
        assert(lived.length > 0, "no cell was lived");
        const problems = lived.filter(({ problem }) => problem !== undefined);
        assert.deepEqual(
            problems.map(({ cell, problem }) => `${titleOf(cell)}: ${problem}`),
            [],
        );
    };

    for (const { name } of faults) {
        it(`ends well in spite of ${name}`, () => allWell(({ fault }) => fault.name === name));
    }
    for (const { type } of subjects) {
        it(`ends well for ${type}`, () => allWell(({ subject }) => subject.type === type));
    }
    for (const { name } of verbs) {
        it(`ends well for ${name}`, () => allWell(({ verb }) => verb.name === name));
    }

    it("holds no more in memory than one answer may be large, a few times over", () => {
        assert(mebibytes < 512, `${Math.round(mebibytes)} MiB`);
    });

    it("is about every resource that there is", () => {
        assert.deepEqual(subjects.map(({ type }) => type).sort(), definitions.map(({ type }) => type).sort());
    });

    it("stands in the documentation, with every fault and as many cells of each resource and verb as there are", () => {
        const report = readReport("faults");
        assert(report.includes(coverage(cells)), "`npm run test:faults` writes it");
        const missing = faults.filter(({ name }) => !report.includes(`\n| ${name} | `));
        assert.deepEqual(missing, []);
    });
});
