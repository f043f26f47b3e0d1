/**
 * The fault matrix. A cell combines a resource, a verb, a fault, a request that the fault hits (each write, and the first, middle and last read),
 * whether it hits all later requests too, and the command that the user runs next.
 */

import type { Vocabulary } from "../support/simulator";
import { faults } from "./faults";
import { FaultFixture, type Measures } from "./fixture";
import { runCell } from "./judge";
import type { Ending } from "./promises";
import type { Passed } from "./proxy";
import { nameOf, type Subject, subjects } from "./subjects";
import { type Cell, commands, isRead, type Target, type Verb, verbs } from "./verbs";

/** The result of a cell. */
export interface Verdict {
    readonly cell: Cell;
    readonly ending: Ending | undefined;
    /** The failed expectation. */
    readonly problem: string | undefined;
}

/** Returns all cells of the matrix. */
export async function plan(): Promise<Cell[]> {
    return onFixtures(async (fixtureOf) => {
        const cells: Cell[] = [];
        for (const subject of subjects) {
            const fixture = await fixtureOf(subject);
            for (const verb of verbs) cells.push(...cellsOf(subject, verb, await fixture.requests({ subject, verb })));
        }
        return cells;
    });
}

function cellsOf(subject: Subject, verb: Verb, requests: readonly Passed[]): Cell[] {
    const targets = targetsOf(requests);
    const follows = commands.filter((next) => next !== "destroy" || !verb.leavesNothing);
    const ways = targets.flatMap((target) => [true, false].map((once) => ({ target, once })));
    return faults.flatMap((fault, number) =>
        ways.map(({ target, once }, way) => {
            // The cells alternate between the commands.
            const next = follows[(number + way) % follows.length] ?? "up";
            return { subject, verb, fault, target, once, next };
        }),
    );
}

/** Calls `work` with a function that opens a fixture for the vocabulary of a subject, and closes all fixtures afterwards. */
export async function onFixtures<Result>(
    work: (fixtureOf: (subject: Subject) => Promise<FaultFixture>) => Promise<Result>,
    measures?: Measures,
): Promise<Result> {
    const fixtures = new Map<Vocabulary | undefined, Promise<FaultFixture>>();
    try {
        return await work(({ vocabulary }) => {
            const fixture = fixtures.get(vocabulary) ?? FaultFixture.open(vocabulary, measures);
            fixtures.set(vocabulary, fixture);
            return fixture;
        });
    } finally {
        for (const fixture of fixtures.values()) await (await fixture).close();
    }
}

/** Returns every write, and the first, the middle and the last read. */
function targetsOf(requests: readonly Passed[]): Target[] {
    const all = requests.map((request, index) => ({ ...request, number: index + 1, of: requests.length }));
    const reads = all.filter(isRead);
    const chosen = new Set([reads.at(0), reads.at(Math.floor(reads.length / 2)), reads.at(-1)]);
    return all.filter((target) => !isRead(target) || chosen.has(target));
}

/** Runs cells, `lanes` of them at once. */
export async function run(cells: readonly Cell[], lanes: number): Promise<Verdict[]> {
    const measures: Measures = new Map();
    const verdicts: Verdict[] = [];
    const queue = [...cells];
    const lane = () =>
        onFixtures(async (fixtureOf) => {
            for (let cell = queue.shift(); cell !== undefined; cell = queue.shift()) {
                const verdict = await judge(await fixtureOf(cell.subject), cell);
                verdicts.push(verdict);
                // A hanging cell still uses the fixture, so no other cell can.
                if (verdict.problem === hung) return;
            }
        }, measures);
    await Promise.all(Array.from({ length: Math.min(lanes, cells.length) }, lane));
    return verdicts;
}

/** Seconds after which a cell counts as hanging. */
const longestCell = 120;
const hung = `no end after ${longestCell} s`;

async function judge(fixture: FaultFixture, cell: Cell): Promise<Verdict> {
    let alarm: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
        alarm = setTimeout(() => reject(new Error(hung)), longestCell * 1000);
    });
    try {
        return { cell, ending: await Promise.race([runCell(fixture, cell), late]), problem: undefined };
    } catch (error) {
        return { cell, ending: undefined, problem: error instanceof Error ? error.message : String(error) };
    } finally {
        clearTimeout(alarm);
    }
}

/** Describes a cell in one line. */
export function titleOf({ subject, verb, fault, target, once, next }: Cell): string {
    const { method, number, of } = target;
    const span = once ? "" : " and all later ones";
    return `${nameOf(subject)}, ${verb.name}: ${fault.name} at the ${method}, request ${number} of ${of}${span}, then ${next}`;
}
