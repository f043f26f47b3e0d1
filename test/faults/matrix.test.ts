/**
 * The fault matrix. `npm test` runs a cell of each kind. `npm run test:nightly -- --only matrix` runs all cells;
 * `STATECRAFT_CELLS` selects by a part of the titles.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";

import { definitions } from "../support/definitions";
import { endpoints, patternOf } from "../support/endpoints";
import { FaultFixture } from "./fixture";
import { plan, run, titleOf, type Verdict } from "./matrix";
import { nameOf, subjects } from "./subjects";
import { type Cell, isRead } from "./verbs";

const isWhole = process.env["STATECRAFT_FAULTS"] === "all";
const wanted = process.env["STATECRAFT_CELLS"] ?? "";

describe(`the fault matrix${isWhole ? "" : ", in part"}`, () => {
    let cells: Cell[];
    let verdicts: Verdict[];
    before(async function () {
        // `run` limits the time of each cell.
        this.timeout(0);
        verdicts = await FaultFixture.use(async (fixture) => {
            cells = await plan(fixture);
            const chosen = (isWhole || wanted !== "" ? cells : sampleOf(cells)).filter((cell) =>
                titleOf(cell).includes(wanted),
            );
            return run(fixture, chosen);
        });
    });

    it("ends in every cell as docs/when-it-fails.md promises", () => {
        const problems = verdicts.flatMap(({ cell, problem }) =>
            problem === undefined ? [] : [`${titleOf(cell)}\n    ${problem}`],
        );
        const first = JSON.stringify(problems[0]?.split("\n")[0]);
        const again = `STATECRAFT_CELLS=${first} npm run test:nightly -- --only matrix runs the first of them again`;
        const why = "test/faults/promises.ts says which requests may be repeated, and how each cell may end";
        assert(problems.length === 0, `${problems.length} cells; ${why}; ${again}:\n${problems.join("\n")}`);
        assert(verdicts.length > 0, "no cell was run");
    });

    if (wanted !== "") return;

    it("injects a fault at every resource, and at every write of the API documents", () => {
        const types = new Set(subjects.map(({ type }) => type));
        assert.deepEqual([...types].sort(), definitions.map(({ type }) => type).sort());
        const harmed = new Set(cells.map(({ target }) => `${target.method} ${target.path}`));
        const missing = endpoints
            .filter((endpoint) => !isRead(endpoint) && !endpoint.path.endsWith("/login"))
            .filter((endpoint) => ![...harmed].some((line) => patternOf(endpoint).test(line)));
        const lines = missing.map(({ method, path }) => `${method} ${path}`);
        assert.deepEqual(lines, [], "no `faults`, `full` or `edited` of test/resources leads to these requests");
    });
});

/** Returns a cell of each kind. Which one follows from the name of the kind, so that a new resource adds cells and changes none. */
function sampleOf(cells: readonly Cell[]): Cell[] {
    const byKind = new Map<string, Cell[]>();
    for (const cell of cells) for (const kind of kindsOf(cell)) byKind.set(kind, [...(byKind.get(kind) ?? []), cell]);
    const chosen = [...byKind].map(([kind, all]) => {
        const digest = createHash("sha256").update(kind).digest();
        return all[digest.readUInt32BE() % all.length];
    });
    return cells.filter((cell) => chosen.includes(cell));
}

/** Returns the kinds of a cell: its fault; its verb; for a write, whether it had its effect, and whether it may be looked up afterwards. */
function kindsOf({ subject, verb, target, fault, once }: Cell): string[] {
    const story = `${nameOf(subject)}, ${verb.name}`;
    if (isRead(target)) {
        const isReadBack = target.number > 1 && target.number === target.of && !once;
        return [fault.name, story, ...(isReadBack ? [`${story}: no read of what was written`] : [])];
    }
    if (fault.reply === undefined) return [fault.name, story];
    const write = `${target.method} ${target.path.replace(/object-.*/, ":id")}`;
    const isLost = fault.acted === true && fault.tells === "nothing";
    return [
        fault.name,
        ...(isLost
            ? [`${story}: the answer to ${write} is lost, ${once ? "and can be looked up" : "and all later ones"}`]
            : []),
        ...(fault.acted ? [] : [`${story}: before the effect of ${write}`]),
    ];
}
