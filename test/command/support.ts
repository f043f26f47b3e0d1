/** Runs the command in this process, and returns its output. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { CommandProcess } from "../../src/command/names";
import { commands, runProgram } from "../../src/command/program";
import { defineSimulator } from "../../src/command/simulator";

export interface Run {
    readonly code: number;
    readonly out: string;
    readonly complaints: string;
}

/**
 * Asserts that an output is that of a file in `test/fixtures/output`, which a reviewer reads. Addresses, times and ages are replaced by names.
 * `RECORD=1` writes the file.
 */
export function isRecorded(name: string, out: string): void {
    const file = join(__dirname, "..", "fixtures", "output", `${name}.txt`);
    const text = out
        .replace(/http:\/\/127\.0\.0\.1:\d+/g, "http://server")
        .replace(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}\d+[hd] +/gm, "<time>  <age>  ")
        .replace(/^CREATED +AGE +/gm, "CREATED AGE    ");
    if (process.env["RECORD"] === "1") writeFileSync(file, `${text}\n`);
    assert.equal(`${text}\n`, readFileSync(file, "utf8"));
}

/** Runs `statecraft` with these arguments, in this process. */
export async function statecraft(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Run> {
    const { log, error } = console;
    const [out, complaints]: [string[], string[]] = [[], []];
    console.log = (text: string) => void out.push(text);
    console.error = (text: string) => void complaints.push(text);
    try {
        const around: CommandProcess = { argv: ["node", "statecraft", ...args], env: environment, exitCode: undefined };
        await runProgram("npx pulumi-statecraft", { ...commands, simulator: defineSimulator }, around);
        return { code: Number(around.exitCode ?? 0), out: out.join("\n"), complaints: complaints.join("\n") };
    } finally {
        Object.assign(console, { log, error });
    }
}
