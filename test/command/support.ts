/** Runs the command in this process, and returns its output. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandProcess } from "../../src/command/names";
import { commands, runProgram } from "../../src/command/program";
import { defineSimulator } from "../../src/command/simulator";
import type { Simulator } from "../support/simulator";
import { productVariables } from "../support/stack";

export interface Run {
    readonly code: number;
    readonly out: string;
    readonly complaints: string;
}

const fileOf = (name: string) => join(__dirname, "..", "fixtures", "output", `${name.replace(/[^\w/]+/g, "-")}.txt`);

/** Replaces addresses, the times of two days, ages and new ids by names. */
function neutral(out: string): string {
    const isNew = (time: string) => Math.abs(Date.now() - Date.parse(time)) < 2 * 86_400_000;
    const ids = new Set(out.match(/\b[a-z]+-[0-9a-f]{16}\b/g));
    return [...ids]
        .reduce((all, id, index) => all.replaceAll(id, id.replace(/-.*/, `-<${index + 1}>`)), out)
        .replace(/http:\/\/127\.0\.0\.1:\d+/g, "http://server")
        .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<id>")
        .replace(/\S+@\S+ \S+Z (?!0123456789abcdef)[0-9a-f]{16}\b/g, "<user>@<host> <time> <id>")
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, (time) => (isNew(time) ? "<time>" : time))
        .replace(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}\d+[hd] +/gm, "<time>  <age>  ")
        .replace(/^CREATED +AGE +/gm, "CREATED AGE    ");
}

/** Asserts that an output is that of a file in `test/fixtures/output`, which a reviewer reads. `RECORD=1` writes the file. */
export function isRecorded(name: string, out: string): void {
    const [file, text] = [fileOf(name), `${neutral(out)}\n`];
    if (process.env["RECORD"] === "1") writeFileSync(file, text);
    assert.equal(text, readFileSync(file, "utf8"));
}

/** Runs `statecraft` with these arguments, in this process without a terminal: the help would be as wide as the terminal. */
export async function statecraft(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Run> {
    const { log, error } = console;
    const streams = [process.stdin, process.stdout].map((stream) => ({ stream, isTTY: stream.isTTY }));
    for (const { stream } of streams) Object.assign(stream, { isTTY: false });
    const [out, complaints]: [string[], string[]] = [[], []];
    console.log = (text: string) => void out.push(text);
    console.error = (text: string) => void complaints.push(text);
    try {
        const around: CommandProcess = { argv: ["node", "statecraft", ...args], env: environment, exitCode: undefined };
        await runProgram("npx pulumi-statecraft", { ...commands, simulator: defineSimulator }, around);
        return { code: Number(around.exitCode ?? 0), out: out.join("\n"), complaints: complaints.join("\n") };
    } finally {
        Object.assign(console, { log, error });
        for (const { stream, isTTY } of streams) Object.assign(stream, { isTTY });
    }
}

/** Runs the commands of a session. Returns what each prints, writes to the server and ends with. */
async function played(simulator: Simulator | undefined, lines: readonly string[]): Promise<string> {
    const session: string[] = [];
    let printed = "";
    for (const line of lines) {
        const words = line.replace("PRINTED", printed).split(" ");
        const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
        const variables = Object.fromEntries(words.slice(0, start).map((word) => word.split("=")));
        await simulator?.forget();
        const environment = simulator ? productVariables(simulator) : {};
        const { code, out, complaints } = await statecraft(words.slice(start), { ...environment, ...variables });
        printed = /.*npx pulumi-statecraft (.+)$/ms.exec(out)?.[1] ?? "";
        const writes = ((await simulator?.writes()) ?? []).map(
            ({ method, path, body = "" }) => `${method} ${path} ${JSON.stringify(body)}`,
        );
        session.push(`$ ${line}`, out, complaints.replace(/^(?=.)/gm, "stderr: "), ...writes, `exit code ${code}`);
    }
    return neutral(session.filter((part) => part !== "").join("\n"));
}

/**
 * Tests each session in a file of `test/fixtures/output`, which begins with `##` and a title. Commands follow `$`; variables may precede them, as in a
 * shell, and `PRINTED` is the last command that the one before prints. `given` prepares the server. `RECORD=1` writes what commands print and send.
 */
export function describeSessions(
    name: string,
    simulator: Simulator | undefined,
    given: Readonly<Record<string, () => unknown>>,
    check: (session: string) => void = () => undefined,
): void {
    const read = () => readFileSync(fileOf(name), "utf8").split(/\n(?=## )/);
    const titleOf = (session: string) => session.slice(3, session.indexOf("\n"));
    const titles = read().map(titleOf);
    assert.deepEqual(
        Object.keys(given).filter((title) => !titles.includes(title)),
        [],
        "no such sessions",
    );
    for (const title of titles) {
        it(`${title}, as is recorded`, async () => {
            const recorded = read().find((session) => titleOf(session) === title) ?? assert.fail();
            await given[title]?.();
            const lines = [...recorded.matchAll(/^\$ (.+)$/gm)].map(([, line = ""]) => line);
            const session = `## ${title}\n${await played(simulator, lines)}\n`;
            check(session);
            if (process.env["RECORD"] === "1")
                writeFileSync(
                    fileOf(name),
                    read()
                        .map((each) => (each === recorded ? session : each))
                        .join("\n"),
                );
            else assert.equal(session, recorded);
        });
    }
}
