/**
 * The fault matrix. A cell combines a resource, a verb, a fault, a request that the fault hits (each write, the first, middle and last read, and the one before a lock is released),
 * whether it hits all later requests too, and the command that the user runs next.
 */

import { faults } from "./faults";
import type { FaultFixture } from "./fixture";
import { runCell } from "./judge";
import { nameOf, type Subject, subjects } from "./subjects";
import { type Cell, commands, isRead, type Passed, type Target, type Verb, verbs } from "./verbs";

/** The result of a cell. */
export interface Verdict {
    readonly cell: Cell;
    /** The failed expectation. */
    readonly problem: string | undefined;
}

/** Returns all cells of the matrix. */
export async function plan(fixture: FaultFixture): Promise<Cell[]> {
    const cells: Cell[] = [];
    for (const subject of subjects) {
        for (const verb of verbs) {
            const { requests } = await fixture.done({ subject, verb });
            cells.push(...cellsOf(subject, verb, requests));
        }
    }
    return cells;
}

function cellsOf(subject: Subject, verb: Verb, requests: readonly Passed[]): Cell[] {
    const targets = targetsOf(requests);
    const follows = commands.filter((next) => next !== "destroy" || !verb.leavesNothing);
    const ways = targets.flatMap((target) => [true, false].map((once) => ({ target, once })));
    return faults.flatMap((fault, number) =>
        ways.map(({ target, once }, way) => {
            // Each of the commands follows a share of the cells.
            const next = follows[(number + way) % follows.length] ?? "up";
            return { subject, verb, fault, target, once, next };
        }),
    );
}

/** Returns every write, the first, the middle and the last read, and the read before a workspace is unlocked. */
function targetsOf(requests: readonly Passed[]): Target[] {
    const all = requests.map((request, index) => ({ ...request, number: index + 1, of: requests.length }));
    const reads = all.filter(isRead);
    const decisive = reads.filter(({ number }) => /\/unlock$/.test(requests[number]?.path ?? ""));
    const chosen = new Set([reads.at(0), reads.at(Math.floor(reads.length / 2)), reads.at(-1), ...decisive]);
    return all.filter((target) => !isRead(target) || chosen.has(target));
}

/** Runs cells, up to one that hangs: it still uses the fixture. */
export async function run(fixture: FaultFixture, cells: readonly Cell[]): Promise<Verdict[]> {
    const verdicts: Verdict[] = [];
    for (const cell of cells) {
        verdicts.push(await judge(fixture, cell));
        if (verdicts.at(-1)?.problem === hung) break;
    }
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
        await Promise.race([runCell(fixture, cell), late]);
        return { cell, problem: undefined };
    } catch (error) {
        return { cell, problem: error instanceof Error ? error.message : String(error) };
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
