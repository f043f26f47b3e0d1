#!/usr/bin/env node
/** The command `statecraft`: `doctor` looks whether everything is set, `simulator` runs the simulator. */

import { CommandError, simulatorFlags } from "../simulator/flags";
import type * as Simulator from "../simulator/main";
import { userAgent } from "../version";
import { doctor, doctorUsage, UsageError } from "./doctor";
import { processSurroundings, type Surroundings } from "./surroundings";

const simulatorCommand = "statecraft simulator";
const usage = [
    "Usage:",
    `  npx ${doctorUsage}`,
    "      tells where each setting comes from, asks each service one thing, and changes nothing",
    `  npx ${simulatorCommand} ${simulatorFlags}`,
    "      runs the simulator of all three services",
].join("\n");

/** Runs the command. Resolves with the exit code: 0 when all is well, 1 when something failed, 2 for flags that make no sense. */
export async function main(args: readonly string[], around: Surroundings = processSurroundings()): Promise<number> {
    const [name, ...rest] = args;
    try {
        if (rest.includes("--help") || name === "help" || name === "--help") {
            around.print(usage);
            return 0;
        }
        if (name === "--version") {
            around.print(userAgent);
            return 0;
        }
        if (name === "doctor") return await doctor(rest, around);
        if (name === "simulator") return await simulate(rest, around);
        throw new UsageError(
            name === undefined ? "what is to be done?" : `there is no command ${JSON.stringify(name)}`,
        );
    } catch (error) {
        if (error instanceof UsageError) {
            around.complain(`statecraft: ${error.message}\n${usage}`);
            return 2;
        }
        if (!(error instanceof CommandError)) throw error;
        around.complain(`statecraft: ${error.message}`);
        return error.exitCode;
    }
}

async function simulate(args: readonly string[], around: Surroundings): Promise<number> {
    // Before anything is printed: a reader of the address may send a signal at once.
    const stopped = around.stopped();
    // The libraries of the simulator are loaded by nothing else.
    const { main: startSimulator } = require("../simulator/main") as typeof Simulator;
    const running = await startSimulator(args, `npx ${simulatorCommand}`, around.print);
    await stopped;
    await running.close();
    return 0;
}

if (require.main === module) {
    main(process.argv.slice(2)).then(
        (code) => {
            process.exitCode = code;
        },
        (error: unknown) => {
            console.error(`statecraft: ${error instanceof Error ? error.message : String(error)}`);
            process.exitCode = 1;
        },
    );
}
