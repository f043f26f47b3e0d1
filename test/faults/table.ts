/** What the matrix came to, as the tables of docs/reliability.md. */

import type { Tells } from "./faults";
import type { Verdict } from "./matrix";
import { endings, type Kind, kindOf, kinds } from "./promises";

const tellings: Readonly<Record<Tells, string>> = {
    all: "an answer that comes late",
    untouched: "the service did nothing, and may take it soon",
    nothing: "no answer that can be read",
    refusal: "another answer",
};
const called: Readonly<Record<Kind, string>> = {
    read: "a read",
    repeated: "a write or removal that may be repeated",
    "looked up": "a write that is looked up",
    "in the dark": "a rotation, a deletion for good",
};

/** The table of verdicts that are all good: how it ended, by what went wrong with what. */
export function faultTable(verdicts: readonly Verdict[]): string {
    const rows = kinds.flatMap((kind) =>
        Object.entries(tellings).map(([tells, telling]) => {
            const met = verdicts.filter(({ cell }) => kindOf(cell.target) === kind && cell.fault.tells === tells);
            return [
                `${called[kind]}: ${telling}`,
                met.length,
                ...endings.map((ending) => met.filter((verdict) => verdict.ending === ending).length),
            ];
        }),
    );
    return markdown(["what it meets, and what comes back", "cells", ...endings], rows);
}

/** A table. Nothing stands where the count is 0. */
export function markdown(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
    const line = (cells: readonly (string | number)[]) =>
        `| ${cells.map((cell) => (cell === 0 ? "" : cell)).join(" | ")} |`;
    const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
    return [line(head), line(rule), ...rows.map(line)].join("\n");
}
