/** What was measured last, in `results.json`. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Cell } from "./engine";
import type { Measurement } from "./measurement";

const file = join(__dirname, "results.json");

/** All that is known. */
export interface Results {
    /** By the file of measures. */
    readonly measurements: Readonly<Record<string, readonly Measurement[]>>;
    /** What the engine's commands cost. */
    readonly cells: readonly Cell[];
}

/** What was measured last, if anything was. */
export function readResults(): Results {
    if (!existsSync(file)) return { measurements: {}, cells: [] };
    return JSON.parse(readFileSync(file, "utf8")) as Results;
}

/** Keeps what was measured. */
export function writeResults(results: Results): void {
    writeFileSync(file, `${JSON.stringify(results, undefined, 4)}\n`);
}
