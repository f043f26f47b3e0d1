#!/usr/bin/env node
/**
 * The command `statecraft`: `doctor` checks settings and tokens, `history` shows state versions, `import` lists objects for `pulumi import`,
 * `simulator` runs the simulator.
 */

import { once } from "node:events";
import { CommandError, simulatorFlags } from "../simulator/flags";
import type * as Simulator from "../simulator/main";
import { userAgent } from "../version";
import { checksUsage, doctor, doctorUsage, UsageError } from "./doctor";
import { history, historyUsage } from "./history";
import { importFile, importUsage } from "./import";

const usage = [
    "Usage:",
    `  npx ${doctorUsage}`,
    "      shows where each setting of the environment comes from, asks each service one thing, and changes nothing",
    `  npx ${checksUsage}`,
    "      lists what is wrong with snapshots, volumes or a role, and changes nothing",
    `  npx ${historyUsage}`,
    "      shows the state versions of a workspace of HCP Terraform, or what differs between two of them, and changes nothing",
    `  npx ${importUsage}`,
    "      lists what is on Vault and Nomad, writes the file for `pulumi import --file`, and changes nothing on a server",
    `  npx statecraft simulator ${simulatorFlags}`,
    "      runs the simulator of all three services, or a command that uses no other server",
].join("\n");

/** Runs the command, and prints its failure. Resolves with the exit code: 0 for success, 1 for a failure, 2 for wrong arguments. */
export async function main(args: readonly string[], environment: NodeJS.ProcessEnv = process.env): Promise<number> {
    const [name, ...rest] = args;
    // Arguments after `--` are those of the simulator's command.
    const own = rest.slice(0, rest.includes("--") ? rest.indexOf("--") : rest.length);
    try {
        if (own.includes("--help") || name === "help" || name === "--help") {
            console.log(usage);
            return 0;
        }
        if (name === "--version") {
            console.log(userAgent);
            return 0;
        }
        if (name === "doctor") return await doctor(rest, environment);
        if (name === "history") return await history(rest, environment);
        if (name === "import") return await importFile(rest, environment);
        if (name === "simulator") return await simulate(rest, environment);
        throw new UsageError(
            name === undefined ? "a command is missing" : `there is no command ${JSON.stringify(name)}`,
        );
    } catch (error) {
        const isParser = (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS") === true;
        const isUsage = error instanceof UsageError || isParser;
        // Removes the parser's advice about quoting.
        const text = error instanceof Error ? error.message.replace(isUsage ? /\.? To .*$/s : "", "") : String(error);
        console.error(`statecraft: ${text}${isUsage ? `\n${usage}` : ""}`);
        if (error instanceof CommandError) return error.exitCode;
        return isUsage ? 2 : 1;
    }
}

async function simulate(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
    // Registered before anything is printed, because a caller that reads the address may send a signal at once.
    const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    // Loaded only for this command, because it needs additional libraries.
    const { main: startSimulator, runCommand } = require("../simulator/main") as typeof Simulator;
    const end = args.indexOf("--");
    if (end !== -1) return runCommand(args.slice(0, end), args.slice(end + 1), environment);
    const running = await startSimulator(args, console.log);
    await stopped;
    await running.close();
    return 0;
}

if (require.main === module) {
    void main(process.argv.slice(2)).then((code) => {
        process.exitCode = code;
    });
}
