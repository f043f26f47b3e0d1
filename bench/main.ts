/**
 * `npm run bench [-- start-up first-answer large-values engine] [--sizes 1,50,500] [--runs 3]`: runs all or some measurements, prints the figures, and
 * writes them into docs/performance.md. Sections of other measurements, and of `first-answer` with other versions of Node, stay unchanged.
 */

import { parseArgs } from "node:util";
import { isPeerHere, peerPlugin } from "./contenders";
import { cellTable, measureCells } from "./engine";
import { publish, table } from "./figures";
import * as largeValues from "./large-values";
import * as startUp from "./start-up";

const measures = {
    "start-up": startUp.measure,
    "first-answer": startUp.measureFirstAnswers,
    "large-values": largeValues.measure,
};
/** Sections that each major version of Node has. */
const sections: Readonly<Record<string, string>> = {
    "first-answer": `first-answer-${process.versions.node.split(".")[0]}`,
};

/** Runs for a number of roles. A single role needs many, because its commands differ by hundredths of a second. */
const usualRuns = (size: number) => (size < 10 ? 21 : size < 100 ? 5 : 3);

async function main(): Promise<void> {
    const { values, positionals } = parseArgs({
        allowPositionals: true,
        options: {
            sizes: { type: "string", default: "1,50,500" },
            runs: { type: "string" },
        },
    });
    const known = [...Object.keys(measures), "engine"];
    const names = positionals.length > 0 ? positionals : known;
    const wrong = names.filter((name) => !known.includes(name));
    if (wrong.length > 0) throw new Error(`There is no ${wrong.join(", ")}: there are ${known.join(", ")}.`);
    for (const [name, measure] of Object.entries(measures)) {
        if (names.includes(name)) publish(sections[name] ?? name, table(["measured", "figure"], await measure()));
    }
    if (!names.includes("engine")) return;
    if (!isPeerHere()) console.log(`${peerPlugin} is not on PATH: the official provider is left out.`);
    for (const size of values.sizes.split(",").map(Number)) {
        publish(`engine-${size}`, cellTable(await measureCells(size, Number(values.runs ?? usualRuns(size)))));
    }
}

void main();
