/**
 * `npm run bench [-- measures] [--sizes 1,50] [--runs 3]`: measures what docs/performance.md tells, writes the figures there, and prints each
 * goal with its figure and `held` or `missed`. What is measured takes the place of what `results.json` knew of it, and the rest stays: a run
 * may be split. `page` measures nothing, and writes the page again.
 */

import { parseArgs } from "node:util";
import * as client from "./client";
import { isPeerHere, peerPlugin } from "./contenders";
import { type Cell, measureCells } from "./engine";
import { lineOf, type Measure } from "./measurement";
import { writePage } from "./page";
import * as pluginStart from "./plugin-start";
import * as rate from "./rate";
import { type Results, readResults, writeResults } from "./results-file";
import * as startUp from "./start-up";
import * as tests from "./tests";
import * as typeCheck from "./type-check";
import { engineRequests, engineWork, growth } from "./verdicts";

/** The files of measures, in the order in which they run. */
const measures: Readonly<Record<string, { readonly measure: Measure }>> = {
    "start-up": startUp,
    "plugin-start": pluginStart,
    "type-check": typeCheck,
    client,
    rate,
    tests,
};

/** How often the engine runs at which number of resources; the large ones without its writing of the state after each step. */
const plan: readonly { readonly size: number; readonly runs: number; readonly isWithoutCheckpoints: boolean }[] = [
    { size: 1, runs: 5, isWithoutCheckpoints: false },
    { size: 50, runs: 5, isWithoutCheckpoints: false },
    { size: 500, runs: 5, isWithoutCheckpoints: false },
    { size: 200, runs: 3, isWithoutCheckpoints: true },
    { size: 2000, runs: 1, isWithoutCheckpoints: true },
];

/** Runs the engine at these sizes; the cells of the others stay. */
async function measureEngine(
    known: readonly Cell[],
    sizes: readonly number[],
    runs: number | undefined,
    keep: (cells: readonly Cell[]) => void,
): Promise<void> {
    if (!isPeerHere()) console.log(`${peerPlugin} is not on PATH: nothing is compared with it.`);
    let cells = known;
    for (const step of plan.filter(({ size }) => sizes.includes(size))) {
        const { size, isWithoutCheckpoints } = step;
        const times = runs ?? step.runs;
        const begun = performance.now();
        const fresh = await measureCells(size, times, isWithoutCheckpoints);
        cells = [...cells.filter((cell) => cell.size !== size), ...fresh].sort((one, other) => one.size - other.size);
        keep(cells);
        const how = isWithoutCheckpoints ? ", without checkpoints" : "";
        console.log(`engine, N = ${size}, ${times} runs${how}: ${secondsSince(begun)} s`);
    }
}

const secondsSince = (begun: number) => ((performance.now() - begun) / 1000).toFixed(0);

async function main(): Promise<void> {
    const { values, positionals } = parseArgs({
        allowPositionals: true,
        options: { sizes: { type: "string" }, runs: { type: "string" } },
    });
    const known = [...Object.keys(measures), "engine"];
    const names = positionals.length > 0 ? positionals : known;
    const wrong = names.filter((name) => ![...known, "page"].includes(name));
    if (wrong.length > 0) throw new Error(`There is no ${wrong.join(", ")}: there are ${known.join(", ")} and page.`);
    let results: Results = readResults();
    const keep = (change: Partial<Results>) => {
        results = { ...results, ...change };
        writeResults(results);
    };
    for (const [name, { measure }] of Object.entries(measures)) {
        if (!names.includes(name)) continue;
        const begun = performance.now();
        try {
            keep({ measurements: { ...results.measurements, [name]: await measure() } });
        } catch (error) {
            // The others are measured all the same.
            console.error(error);
            process.exitCode = 1;
        }
        console.log(`${name}: ${secondsSince(begun)} s`);
    }
    if (names.includes("engine")) {
        const sizes = values.sizes?.split(",").map(Number) ?? plan.map(({ size }) => size);
        await measureEngine(results.cells, sizes, values.runs ? Number(values.runs) : undefined, (cells) => {
            const engine = [...engineWork(cells), ...engineRequests(cells), ...growth(cells)];
            keep({ cells, measurements: { ...results.measurements, engine } });
        });
    }
    for (const name of names)
        for (const measurement of results.measurements[name] ?? []) console.log(lineOf(measurement));
    writePage(results);
}

void main();
