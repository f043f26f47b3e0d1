/**
 * `npm run bench [measures]`: measures what docs/performance.md tells, and prints each goal with its figure and `held` or `missed`. What is
 * measured takes the place of what `bench/results.json` knew of it; the rest stays, so that a run may be split.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lineOf, type Measure, type Measurement } from "./measurement";
import * as pluginStart from "./plugin-start";

/** The files of measures, in the order in which they run. */
const measures: Readonly<Record<string, { readonly measure: Measure }>> = {
    "plugin-start": pluginStart,
};

const resultsFile = join(__dirname, "results.json");

/** What was measured last, by the file of measures. */
type Results = Record<string, readonly Measurement[]>;

async function main(args: readonly string[]): Promise<void> {
    const names = args.length > 0 ? args : Object.keys(measures);
    const results: Results = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, "utf8")) : {};
    for (const name of names) {
        const file = measures[name];
        if (file === undefined) throw new Error(`There is no ${name}: there are ${Object.keys(measures).join(", ")}.`);
        const begun = performance.now();
        const measured = await file.measure();
        results[name] = measured;
        for (const measurement of measured) console.log(lineOf(measurement));
        console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
        writeFileSync(resultsFile, `${JSON.stringify(results, undefined, 4)}\n`);
    }
}

void main(process.argv.slice(2));
