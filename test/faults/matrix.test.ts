/** A part of the fault matrix: every fault, every resource with every verb, every verb at every place and with every next command. `npm run test:faults` lives it all. */

import assert from "node:assert/strict";
import { definitions } from "../../src/services/definitions";
import { faults } from "./faults";
import { type Cell, plan, run, titleOf, type Verdict, verbs } from "./matrix";
import { readReport } from "./report";
import { nameOf, subjects } from "./subjects";
import { coverage } from "./table";

/** What has to be met at least once. */
const keysOf = ({ subject, verb, fault, place, once, next }: Cell) => [
    fault.name,
    `${nameOf(subject)} ${verb.name}`,
    `${verb.name} ${place} ${once}`,
    `${verb.name} ${next}`,
];

/** As few cells as are needed for it, spread over the whole. */
function representative(cells: readonly Cell[]): Cell[] {
    const stride = 7919;
    assert(cells.length % stride !== 0, "the stride must reach every cell");
    const met = new Set<string>();
    const spread = cells.flatMap((_, index) => cells[(index * stride) % cells.length] ?? []);
    // A flood that goes on costs seconds of each request.
    const bearable = spread.filter(({ fault, once }) => once || !fault.floods);
    // What brings much that is new comes first, so that little is left for others to bring.
    return [3, 2, 1].flatMap((least) =>
        bearable.filter((cell) => {
            const fresh = keysOf(cell).filter((key) => !met.has(key));
            if (fresh.length < least) return false;
            for (const key of fresh) met.add(key);
            return true;
        }),
    );
}

describe("the fault matrix, in part", () => {
    let cells: Cell[];
    let verdicts: Verdict[];
    let mebibytes: number;
    before(async function () {
        // Each cell has a limit of its own.
        this.timeout(0);
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
    for (const name of subjects.map(nameOf)) {
        it(`ends well for ${name}`, () => allWell(({ subject }) => nameOf(subject) === name));
    }
    for (const { name } of verbs) {
        it(`ends well for ${name}`, () => allWell(({ verb }) => verb.name === name));
    }

    it("holds no more in memory than one answer may be large, a few times over", () => {
        assert(mebibytes < 512, `${Math.round(mebibytes)} MiB`);
    });

    it("is about every resource that there is", () => {
        const types = new Set(subjects.map(({ type }) => type));
        assert.deepEqual([...types].sort(), definitions.map(({ type }) => type).sort());
    });

    it("stands in the documentation, with every fault and as many cells of each resource and verb as there are", () => {
        const report = readReport("faults");
        assert(report.includes(coverage(cells)), "`npm run test:faults` writes it");
        const missing = faults.filter(({ name }) => !report.includes(`\n| ${name} | `));
        assert.deepEqual(missing, []);
    });
});
