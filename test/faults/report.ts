/** The figures of test runs, in docs/reliability.md: each run replaces its own block and leaves the rest alone. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const page = join(__dirname, "..", "..", "docs", "reliability.md");

/** Where the block is within the page, its markers included. */
function find(name: string, text: string): { start: number; end: number } {
    const [opening, closing] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
    const [start, end] = [text.indexOf(opening), text.indexOf(closing)];
    if (start < 0 || end < start) throw new Error(`docs/reliability.md has no block ${opening.trim()} … ${closing}`);
    return { start: start + opening.length, end };
}

/** What the page says in the block `<!-- name --> … <!-- /name -->`. @throws Error when there is none */
export function readReport(name: string): string {
    const text = readFileSync(page, "utf8");
    const { start, end } = find(name, text);
    return text.slice(start, end).trim();
}

/** Puts Markdown into the block `<!-- name --> … <!-- /name -->`, in the place of what was there. @throws Error when there is none */
export function writeReport(name: string, markdown: string): void {
    const text = readFileSync(page, "utf8");
    const { start, end } = find(name, text);
    writeFileSync(page, `${text.slice(0, start)}\n${markdown.trim()}\n\n${text.slice(end)}`);
}

/** For an `after` of a suite: whether all of its tests were run and passed, so that they may be reported. */
export const isWhole = (hook: Mocha.Context): boolean =>
    hook.test?.parent?.tests.every((test) => test.isPassed()) === true;
