#!/usr/bin/env node
/** The command `statecraft`: `doctor` checks settings and tokens, `simulator` runs the simulator. */

import { CommandError, simulatorFlags } from "../simulator/flags";
import type * as Simulator from "../simulator/main";
import { userAgent } from "../version";
import { doctor, doctorUsage, UsageError } from "./doctor";

const simulatorCommand = "statecraft simulator";
const usage = [
    "Usage:",
    `  npx ${doctorUsage}`,
    "      shows where each setting of the environment comes from, asks each service one thing, and changes nothing",
    `  npx ${simulatorCommand} ${simulatorFlags}`,
    "      runs the simulator of all three services",
].join("\n");

/** Runs the command. Resolves with the exit code: 0 for success, 1 for a failure, 2 for wrong arguments. */
export async function main(args: readonly string[], environment: NodeJS.ProcessEnv = process.env): Promise<number> {
    const [name, ...rest] = args;
    try {
        if (rest.includes("--help") || name === "help" || name === "--help") {
            console.log(usage);
            return 0;
        }
        if (name === "--version") {
            console.log(userAgent);
            return 0;
        }
        if (name === "doctor") return await doctor(rest, environment);
        if (name === "simulator") return await simulate(rest);
        throw new UsageError(
            name === undefined ? "a command is missing" : `there is no command ${JSON.stringify(name)}`,
        );
    } catch (error) {
        if (error instanceof UsageError) {
            console.error(`statecraft: ${error.message}\n${usage}`);
            return 2;
        }
        if (!(error instanceof CommandError)) throw error;
        console.error(`statecraft: ${error.message}`);
        return error.exitCode;
    }
}

async function simulate(args: readonly string[]): Promise<number> {
    // Registered before anything is printed, because a caller that reads the address may send a signal at once.
    const stopped = new Promise<void>((resolve) => {
        process.once("SIGINT", () => resolve());
        process.once("SIGTERM", () => resolve());
    });
    // Loaded only for this command, because it needs additional libraries.
    const { main: startSimulator } = require("../simulator/main") as typeof Simulator;
    const running = await startSimulator(args, console.log);
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
