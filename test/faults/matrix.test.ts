/**
 * The fault matrix. Of its cells `npm test` runs a sample: every fault, every resource and operation, and every write before and after its
 * effect. `npm run test:nightly -- --only matrix` runs all of them, and prints how they ended; `STATECRAFT_CELLS` chooses by a part of their titles.
 */

import assert from "node:assert/strict";
import { definitions } from "../support/definitions";
import { patternOf } from "../support/endpoints";
import { endpoints } from "../support/resource-facts";
import { plan, run, titleOf, type Verdict } from "./matrix";
import { kindOf } from "./promises";
import { sampleOf, unharmed } from "./sample";
import { subjects } from "./subjects";
import { type Cell, isRead } from "./verbs";

const isWhole = process.env["STATECRAFT_FAULTS"] === "all";
const wanted = process.env["STATECRAFT_CELLS"] ?? "";

describe(`the fault matrix${isWhole ? "" : ", in part"}`, () => {
    let cells: Cell[];
    let chosen: Cell[];
    let verdicts: Verdict[];
    let mebibytes: number;
    before(async function () {
        // Each cell has a limit of its own.
        this.timeout(0);
        cells = await plan();
        chosen = (isWhole ? cells : sampleOf(cells)).filter((cell) => titleOf(cell).includes(wanted));
        const peak = () => process.resourceUsage().maxRSS / 1024;
        const before = peak();
        // Most of the time is waiting for time-outs.
        verdicts = await run(chosen, isWhole ? 4 : 2);
        mebibytes = peak() - before;
        if (isWhole) tell(verdicts);
    });

    it("ends as promised in every cell", () => {
        const problems = verdicts.flatMap(({ cell, problem }) =>
            problem === undefined ? [] : [`${titleOf(cell)}\n    ${problem}`],
        );
        const first = JSON.stringify(problems[0]?.split("\n")[0]);
        const again = `STATECRAFT_CELLS=${first} npm run test:nightly -- --only matrix runs the first of them again`;
        assert(problems.length === 0, `${problems.length} cells, ${again}:\n${problems.join("\n")}`);
        assert(verdicts.length > 0, "no cell was run");
    });

    it("holds no more in memory than one answer may be large, a few times over", () => {
        assert(mebibytes < (isWhole ? 1024 : 512), `${Math.round(mebibytes)} MiB`);
    });

    if (wanted !== "") return;

    it("harms every write of every verb, before and after its effect", () => {
        assert.deepEqual(unharmed(cells, chosen), []);
    });

    it("is about every resource, and every request of the documents that changes something", () => {
        const types = new Set(subjects.map(({ type }) => type));
        assert.deepEqual([...types].sort(), definitions.map(({ type }) => type).sort());
        const harmed = new Set(cells.map(({ target }) => `${target.method} ${target.path}`));
        const missing = endpoints
            .filter((endpoint) => !isRead(endpoint) && !endpoint.path.endsWith("/login"))
            .filter((endpoint) => ![...harmed].some((line) => patternOf(endpoint).test(line)));
        assert.deepEqual(
            missing.map(({ method, path }) => `${method} ${path}`),
            [],
        );
    });
});

/** Prints how many cells ended in which way. */
function tell(verdicts: readonly Verdict[]): void {
    const rows: Record<string, Record<string, number>> = {};
    for (const { cell, ending = "failed" } of verdicts) {
        const name = `${kindOf(cell.target)}, the fault tells: ${cell.fault.tells}`;
        const row = rows[name] ?? {};
        rows[name] = { ...row, [ending]: (row[ending] ?? 0) + 1 };
    }
    console.log(`${verdicts.length} cells:`);
    console.table(rows);
}
