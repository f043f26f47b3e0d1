/**
 * The fault matrix. `npm test` runs the cells of `sample.txt`. `npm run test:nightly -- --only matrix` runs all cells;
 * `STATECRAFT_CELLS` selects by a part of the titles.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { definitions } from "../support/definitions";
import { endpoints, patternOf } from "../support/endpoints";
import { FaultFixture } from "./fixture";
import { plan, run, titleOf, type Verdict } from "./matrix";
import { nameOf, subjects } from "./subjects";
import { type Cell, isRead } from "./verbs";

const isWhole = process.env["STATECRAFT_FAULTS"] === "all";
const wanted = process.env["STATECRAFT_CELLS"] ?? "";

/** The titles in `sample.txt`. */
const sample = readFileSync(join(__dirname, "sample.txt"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

describe(`the fault matrix${isWhole ? "" : ", in part"}`, () => {
    let cells: Cell[];
    let sampled: Cell[];
    let verdicts: Verdict[];
    before(async function () {
        // `run` limits the time of each cell.
        this.timeout(0);
        verdicts = await FaultFixture.use(async (fixture) => {
            cells = await plan(fixture);
            sampled = cells.filter((cell) => sample.includes(titleOf(cell)));
            const chosen = (isWhole ? cells : sampled).filter((cell) => titleOf(cell).includes(wanted));
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

    it("has a sample with every fault, every verb of every resource, and faults before and after the effect of every write", () => {
        const titles = cells.map(titleOf);
        const unknown = sample.filter((title) => !titles.includes(title));
        const near = unknown.map((title) => [title, ...nearest(title, titles)].join("\n    the matrix has: "));
        assert(unknown.length === 0, `sample.txt names cells that the matrix does not have:\n${near.join("\n")}`);
        const there = new Set(sampled.flatMap(partsOf));
        const missing = [...new Set(cells.flatMap(partsOf))].filter((part) => !there.has(part));
        const examples = missing.map(
            (part) => `${part}\n    such as: ${cells.filter((cell) => partsOf(cell).includes(part)).map(titleOf)[0]}`,
        );
        assert(missing.length === 0, `sample.txt has no cell of these:\n${examples.join("\n")}`);
    });

    it("injects a fault at every resource, and at every write of the API documents", () => {
        const types = new Set(subjects.map(({ type }) => type));
        assert.deepEqual([...types].sort(), definitions.map(({ type }) => type).sort());
        const harmed = new Set(cells.map(({ target }) => `${target.method} ${target.path}`));
        const missing = endpoints
            .filter((endpoint) => !isRead(endpoint) && !endpoint.path.endsWith("/login"))
            .filter((endpoint) => ![...harmed].some((line) => patternOf(endpoint).test(line)));
        const lines = missing.map(({ method, path }) => `${method} ${path}`);
        assert.deepEqual(lines, []);
    });
});

/** Returns the three titles that share the most words with `title`. */
function nearest(title: string, titles: readonly string[]): string[] {
    const words = new Set(title.split(" "));
    const shared = (other: string) => other.split(" ").filter((word) => words.has(word)).length;
    return [...titles].sort((one, other) => shared(other) - shared(one)).slice(0, 3);
}

/**
 * Returns the fault, the verb and, for a write, whether it had its effect. The sample has a cell for each of them. A write that several subjects of a
 * resource send counts once.
 */
function partsOf({ subject, verb, target, fault }: Cell): string[] {
    const story = `${nameOf(subject)}, ${verb.name}`;
    if (isRead(target) || fault.reply === undefined) return [fault.name, story];
    const write = `${target.method} ${target.path.replace(/object-.*/, ":id")}`;
    return [
        fault.name,
        story,
        `${subject.type}, ${verb.name}: ${fault.acted ? "after" : "before"} the effect of ${write}`,
    ];
}
