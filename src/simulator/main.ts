/** The simulator as a command. */

import { demonstration } from "./demonstration";
import { CommandError, readFlags } from "./flags";
import { messageOf } from "./refusal";
import { type RunningSimulator, type ServerOptions, startSimulator } from "./server";

/** Starts the simulator with these flags and the demonstration's objects, and prints how to reach it. */
export async function main(args: readonly string[], print: (text: string) => void): Promise<RunningSimulator> {
    const options = readFlags(args);
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

async function start(options: ServerOptions): Promise<RunningSimulator> {
    try {
        return await startSimulator({ ...options, seed: demonstration });
    } catch (error) {
        const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
        const reason = isTaken ? `port ${options.port} is in use: choose another one with --port` : messageOf(error);
        throw new CommandError(reason, 1);
    }
}
