/** What the matrix came to, as the tables of docs/reliability.md. */

import { faults } from "./faults";
import { type Cell, type Ending, endings, type Verdict, verbs } from "./matrix";
import { nameOf, subjects } from "./subjects";

/** The tables of verdicts that are all good. */
export function faultTables(verdicts: readonly Verdict[]): string {
    const cells = verdicts.map(({ cell }) => cell);
    const ended = (ending: Ending) => verdicts.filter((verdict) => verdict.ending === ending).length;
    return [
        `\`npm run test:faults\` has lived through ${cells.length} cells, all with success: ${listed(endings.map((ending) => `${ended(ending)} ${ending}`))}.`,
        coverage(cells),
        faultTable(verdicts),
    ].join("\n\n");
}

/** How many cells there are of each resource and verb. */
export function coverage(cells: readonly Cell[]): string {
    const rows = subjects.map((row) => [
        nameOf(row).replace(/^\w+/, "`$&`"),
        ...verbs.map(
            ({ name }) =>
                cells.filter(({ subject, verb }) => nameOf(subject) === nameOf(row) && verb.name === name).length,
        ),
    ]);
    return markdown(["resource", ...verbs.map(({ name }) => name)], rows);
}

function faultTable(verdicts: readonly Verdict[]): string {
    const rows = faults.map(({ name }) => {
        const met = verdicts.filter(({ cell }) => cell.fault.name === name);
        return [
            name,
            met.length,
            ...endings.map((ending) => met.filter((verdict) => verdict.ending === ending).length),
        ];
    });
    return markdown(["what goes wrong", "cells", ...endings], rows);
}

/** A table. Nothing stands where the count is 0. */
export function markdown(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
    const line = (cells: readonly (string | number)[]) =>
        `| ${cells.map((cell) => (cell === 0 ? "" : cell)).join(" | ")} |`;
    const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
    return [line(head), line(rule), ...rows.map(line)].join("\n");
}

function listed(parts: readonly string[]): string {
    return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
