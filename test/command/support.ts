/** Runs the command in this process, and returns its output. */

import { type CommandProcess, commands, runProgram } from "../../src/command/program";
import { defineSimulator } from "../../src/command/simulator";

export interface Run {
    readonly code: number;
    readonly out: string;
    readonly complaints: string;
}

/** Runs `statecraft` with these arguments. `onPrint` is called with each printed text. */
export async function statecraft(
    args: readonly string[],
    environment: NodeJS.ProcessEnv = {},
    onPrint: (text: string) => void = () => undefined,
): Promise<Run> {
    const { log, error } = console;
    const [out, complaints]: [string[], string[]] = [[], []];
    console.log = (text: string) => {
        out.push(text);
        onPrint(text);
    };
    console.error = (text: string) => void complaints.push(text);
    try {
        const around: CommandProcess = { argv: ["node", "statecraft", ...args], env: environment, exitCode: undefined };
        await runProgram("npx statecraft", { ...commands, simulator: defineSimulator }, around);
        return { code: Number(around.exitCode ?? 0), out: out.join("\n"), complaints: complaints.join("\n") };
    } finally {
        Object.assign(console, { log, error });
    }
}
