/**
 * The fault matrix. `npm test` runs a sample of its cells: every fault, every resource and operation, and every write before and after its
 * effect. `npm run test:nightly -- --only matrix` runs all cells and prints how they ended; `STATECRAFT_CELLS` selects by a part of the titles.
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
    before(async function () {
        // `run` limits the time of each cell.
        this.timeout(0);
        cells = await plan();
        chosen = (isWhole ? cells : sampleOf(cells)).filter((cell) => titleOf(cell).includes(wanted));
        // Cells run at once, because most of their time is waiting before retries.
        verdicts = await run(chosen, isWhole ? 4 : 2);
        if (isWhole) printEndings(verdicts);
    });

    it("ends in every cell as docs/reliability.md promises", () => {
        const problems = verdicts.flatMap(({ cell, problem }) =>
            problem === undefined ? [] : [`${titleOf(cell)}\n    ${problem}`],
        );
        const first = JSON.stringify(problems[0]?.split("\n")[0]);
        const again = `STATECRAFT_CELLS=${first} npm run test:nightly -- --only matrix runs the first of them again`;
        assert(problems.length === 0, `${problems.length} cells, ${again}:\n${problems.join("\n")}`);
        assert(verdicts.length > 0, "no cell was run");
    });

    if (wanted !== "") return;

    it("injects a fault at every write of every verb, before and after its effect", () => {
        assert.deepEqual(unharmed(cells, chosen), []);
    });

    it("injects a fault at every resource, and at every write of the API documents", () => {
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

/** Prints the number of cells for each ending. */
function printEndings(verdicts: readonly Verdict[]): void {
    const rows: Record<string, Record<string, number>> = {};
    for (const { cell, ending = "failed" } of verdicts) {
        const name = `${kindOf(cell.target)}, the fault tells: ${cell.fault.tells}`;
        const row = rows[name] ?? {};
        rows[name] = { ...row, [ending]: (row[ending] ?? 0) + 1 };
    }
    console.log(`${verdicts.length} cells:`);
    console.table(rows);
}
