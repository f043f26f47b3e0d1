/** The simulator as a command. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { demonstration } from "./demonstration";
import { messageOf } from "./refusal";
import { type RunningSimulator, type ServerOptions, startSimulator } from "./server";

/** Starts the simulator with the demonstration's objects, and prints how to reach it. */
export async function main(options: ServerOptions, print: (text: string) => void): Promise<RunningSimulator> {
    const simulator = await start(options);
    const keys =
        options.names === "product" ? ["vault", "nomad", "terraform"] : ["manager", "volumes", "stateVersions"];
    print(
        [
            `simulator listening on ${simulator.url}`,
            "Point a stack at it, with any text as token:",
            ...keys.map((key) => `    pulumi config set --path 'statecraft:${key}.address' ${simulator.url}`),
        ].join("\n"),
    );
    return simulator;
}

/** Settings of the products' tools, and of this package. `VAULT_SERVER_…` name the Vault that encrypts the secrets of a Pulumi stack. */
const settings = /^(VAULT_(?!SERVER_)|NOMAD_|TFE_|TF_TOKEN_|STATECRAFT_|TF_CLI_CONFIG_FILE$)/i;

/**
 * Runs a command until it ends, in an environment whose only servers are the simulator. `STATECRAFT_SIMULATOR` makes the package refuse any
 * other server that the configuration of a stack names. Resolves with the command's exit code: 128 + N after the signal N, and 127 if it cannot
 * be run, as in a shell.
 */
export async function runCommand(options: ServerOptions, command: readonly string[], environment: NodeJS.ProcessEnv) {
    const [program = "", ...args] = command;
    const { url, close } = await start(options);
    console.error(`statecraft: simulator on ${url} until the command ends; settings of other servers are refused`);
    const others = Object.entries(environment).filter(([name]) => !settings.test(name));
    const addresses = { VAULT_ADDR: url, NOMAD_ADDR: url, TFE_ADDRESS: url, STATECRAFT_SIMULATOR: url };
    const tokens = { VAULT_TOKEN: "any", NOMAD_TOKEN: "any", TFE_TOKEN: "any" };
    const env: NodeJS.ProcessEnv = { ...Object.fromEntries(others), ...addresses, ...tokens };
    const child = spawn(program, args, { env, stdio: "inherit" });
    const forward = () => child.kill("SIGTERM");
    // Not forwarded: a terminal sends SIGINT to the command too, and Pulumi takes a second one as the order to stop at once.
    const ignore = () => undefined;
    process.on("SIGTERM", forward).on("SIGINT", ignore);
    try {
        await once(child, "close");
        return child.exitCode ?? 128 + constants.signals[child.signalCode ?? "SIGTERM"];
    } catch (error) {
        console.error(`statecraft: ${program} cannot be run: ${messageOf(error)}`);
        return 127;
    } finally {
        process.off("SIGTERM", forward).off("SIGINT", ignore);
        await close();
    }
}

async function start(options: ServerOptions): Promise<RunningSimulator> {
    try {
        return await startSimulator({ ...options, seed: demonstration });
    } catch (error) {
        const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
        const reason = isTaken ? `port ${options.port} is in use: choose another one with --port` : messageOf(error);
        throw new Error(reason);
    }
}
