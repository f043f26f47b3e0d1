/** Measured figures, and the page that shows them. Both sides of a ratio are measured alternately in one run, because machines are noisy. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const page = join(__dirname, "..", "docs", "performance.md");

/** One figure: a title and a value. */
export type Figure = readonly [what: string, figure: string];

/** The median. */
export function median(values: readonly number[]): number {
    const sorted = [...values].sort((one, other) => one - other);
    const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
    return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/**
 * Runs contenders in turn (A B C A B C …), so that a machine that slows down for a while slows all of them down.
 * Returns the results of each contender, round by round.
 */
export async function inTurns<Name extends string, Result>(
    rounds: number,
    contenders: Readonly<Record<Name, () => Promise<Result> | Result>>,
): Promise<Record<Name, Result[]>> {
    const names = Object.keys(contenders) as Name[];
    const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
    for (let round = 0; round < rounds; round++) {
        for (const name of names) results[name].push(await contenders[name]());
    }
    return results;
}

/** The median over all rounds of one contender's cost divided by another's. */
export function ratio(one: readonly number[], other: readonly number[]): string {
    return median(one.map((figure, round) => figure / (other[round] ?? Number.NaN))).toFixed(2);
}

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
    const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
    return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

/** Prints the figures and writes them into docs/performance.md between `<!-- name -->` and `<!-- /name -->`, if the page has these marks. */
export function publish(name: string, text: string): void {
    console.log(`${name}\n\n${text}\n`);
    const marks = new RegExp(`(<!-- ${name} -->\n)[^]*(\n<!-- /${name} -->)`);
    const whole = readFileSync(page, "utf8");
    writeFileSync(
        page,
        whole.replace(marks, (_, begin: string, end: string) => `${begin}\n${text}\n${end}`),
    );
}
