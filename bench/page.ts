/** Puts what was measured into docs/performance.md, between its marks, and draws the chart beside it. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chartOf } from "./chart";
import { type ContenderName, titles } from "./contenders";
import { type Cell, commands } from "./engine";
import type { Results } from "./results-file";

const docs = join(__dirname, "..", "docs");
const page = join(docs, "performance.md");

const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
    [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

/** Each goal with its figures. */
function goalsTable({ measurements }: Results): string {
    const all = Object.values(measurements).flat();
    return table(
        ["goal", "what", "figure", "limit", ""],
        all.map(({ goal, what, figure, unit, limit, held }) => [
            goal,
            what,
            unit ? `${figure} ${unit}` : figure,
            limit,
            held ? "held" : "**missed**",
        ]),
    );
}

/** What the engine's commands cost, of one figure of the cells. */
function cellsTable(cells: readonly Cell[], show: (cell: Cell) => string | number): string {
    const names = [...new Set(cells.map(({ contender }) => contender))];
    const sizes = [...new Set(cells.map(({ size }) => size))];
    const cellOf = (contender: ContenderName, size: number, command: string) =>
        cells.find((cell) => cell.contender === contender && cell.size === size && cell.command === command);
    const rows = sizes.flatMap((size) =>
        commands.map((command) => [
            `${size.toLocaleString("en")} \`${command}\``,
            ...names.map((name) => {
                const cell = cellOf(name, size, command);
                return cell === undefined ? "" : show(cell);
            }),
        ]),
    );
    return table(["N, command", ...names.map((name) => titles[name])], rows);
}

function runsOf(cells: readonly Cell[]): string {
    const sizes = [...new Map(cells.map((cell) => [cell.size, cell])).values()];
    const texts = sizes.map(({ size, runs, isWithoutCheckpoints }) => {
        const how = isWithoutCheckpoints ? ", without checkpoints" : "";
        return `N = ${size.toLocaleString("en")}: ${runs} ${runs === 1 ? "run" : "runs"}${how}`;
    });
    return `${texts.join("; ")}.`;
}

/** The parts of the page that `<!-- goals -->` and the like begin, and `<!-- end -->` ends. */
const parts: Readonly<Record<string, (results: Results) => string>> = {
    goals: goalsTable,
    chart: () => "![CPU of the commands, beside an empty plugin](performance.svg)",
    engine: ({ cells }) =>
        `${runsOf(cells)} Seconds until the command ends, and in brackets CPU seconds of all its processes:

${cellsTable(cells, ({ wall, cpu }) => `${wall.toFixed(1)} (${cpu.toFixed(1)})`)}`,
    memory: ({ cells }) =>
        `MiB of all processes together at most, and in brackets the requests that the server got:

${cellsTable(cells, ({ memory, requests, otherRequests }) => `${memory} (${requests + otherRequests})`)}`,
    ratios: ({ cells }) => {
        const some = cells.filter(({ size }) => size === 500);
        const floors = new Map(
            some.filter(({ contender }) => contender === "floor").map(({ command, cpu }) => [command, cpu]),
        );
        const rest = some.filter(({ contender }) => contender !== "floor");
        return cellsTable(rest, ({ command, cpu }) => (cpu / (floors.get(command) ?? Number.NaN)).toFixed(2));
    },
    state: ({ cells }) => {
        const some = cells.filter((cell) => cell.command === "up" && cell.size === 500);
        return table(
            some.map(({ contender }) => titles[contender]),
            [some.map(({ stateBytes }) => `${stateBytes.toLocaleString("en")} bytes`)],
        );
    },
};

/** The page with these figures; without any, it is as it was. */
export function pageWith(text: string, results: Results): string {
    if (results.cells.length === 0) return text;
    return Object.entries(parts).reduce(
        (all, [name, write]) =>
            all.replace(
                new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- end -->)`),
                (_, begin, end) => `${begin}\n${write(results)}\n${end}`,
            ),
        text,
    );
}

/** Writes the page and the chart, which shows the largest size that was measured with checkpoints. */
export function writePage(results: Results): void {
    writeFileSync(page, pageWith(readFileSync(page, "utf8"), results));
    const cells = results.cells.filter(({ isWithoutCheckpoints }) => !isWithoutCheckpoints);
    const size = Math.max(...cells.map((cell) => cell.size));
    if (cells.length === 0) return;
    writeFileSync(join(docs, "performance.svg"), chartOf(cells.filter((cell) => cell.size === size)));
}
