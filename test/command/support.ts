/** The command, run in surroundings of a test's own, its output kept. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "../../src/command/main";
import type { Ended, Surroundings } from "../../src/command/surroundings";

/** What a run of the command printed, and its exit code. */
export interface Run {
    readonly code: number;
    readonly out: string;
    readonly complaints: string;
    /** How the Pulumi CLI was called. */
    readonly pulumiCalls: readonly (readonly string[])[];
}

/** What there is around the command. Nothing, unless told otherwise. */
export interface Around {
    readonly environment?: NodeJS.ProcessEnv;
    readonly folder?: string;
    /** What the Pulumi CLI does; without it there is none. */
    readonly pulumi?: Ended | Error;
}

const folders: string[] = [];

/** An empty folder, outside of any Pulumi project. */
export function emptyFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), "statecraft-command-"));
    folders.push(folder);
    return folder;
}

/** A folder inside a Pulumi project. */
export function projectFolder(): string {
    const folder = emptyFolder();
    writeFileSync(join(folder, "Pulumi.yaml"), "name: app\nruntime: nodejs\n");
    return folder;
}

/** Removes all folders of a test. */
export function removeFolders(): void {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Runs `statecraft` with these arguments. */
export async function statecraft(args: readonly string[], around: Around = {}): Promise<Run> {
    const out: string[] = [];
    const complaints: string[] = [];
    const pulumiCalls: (readonly string[])[] = [];
    const surroundings: Surroundings = {
        environment: around.environment ?? {},
        folder: around.folder ?? emptyFolder(),
        print: (text) => out.push(text),
        complain: (text) => complaints.push(text),
        pulumi: async (given) => {
            pulumiCalls.push(given);
            if (around.pulumi instanceof Error) throw around.pulumi;
            return around.pulumi;
        },
        stopped: () => Promise.resolve(),
    };
    const code = await main(args, surroundings);
    return { code, out: out.join("\n"), complaints: complaints.join("\n"), pulumiCalls };
}

/** What `pulumi config --json --show-secrets` prints. */
export function configOf(values: Record<string, object>, secret = true): Ended {
    const entries = Object.entries(values).map(([key, value]) => [
        key,
        { value: JSON.stringify(value), objectValue: value, secret },
    ]);
    return { code: 0, out: JSON.stringify(Object.fromEntries(entries)), error: "" };
}

/** A check in the report for programs. */
export interface Check {
    readonly service: string;
    readonly check: string;
    readonly result: string;
    readonly detail: string;
    readonly advice?: string;
}

/** The report for programs. */
export interface Report {
    readonly settings: readonly { readonly setting: string; readonly value: string; readonly from: string }[];
    readonly checks: readonly Check[];
}

/** The report of a run with `--json`. */
export function reportOf(run: Run): Report {
    return JSON.parse(run.out) as Report;
}
