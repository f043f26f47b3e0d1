/** The simulator as a command. */

import { demonstration } from "./demonstration";
import { CommandError, readFlags } from "./flags";
import { messageOf } from "./refusal";
import { type RunningSimulator, type ServerOptions, startSimulator } from "./server";

/** Starts the simulator as the flags say, and prints how to reach it. */
export async function main(args: readonly string[], print: (text: string) => void): Promise<RunningSimulator> {
    const { empty, ...options } = readFlags(args);
    const simulator = await start({ ...options, ...(!empty && { seed: demonstration }) });
    print(greeting(simulator, options));
    return simulator;
}

async function start(options: ServerOptions): Promise<RunningSimulator> {
    try {
        return await startSimulator(options);
    } catch (error) {
        const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
        const reason = isTaken ? `port ${options.port} is in use: choose another one with --port` : messageOf(error);
        throw new CommandError(reason, 1);
    }
}

function greeting({ url, store }: RunningSimulator, { file, names }: ServerOptions): string {
    const keys = names === "product" ? ["vault", "nomad", "terraform"] : ["manager", "volumes", "stateVersions"];
    const place = file === undefined ? "in memory and end with this process" : `in the file ${file}, secrets in clear`;
    return [
        `simulator listening on ${url}`,
        `Its objects are ${place}.`,
        "Point a stack at it:",
        ...keys.map((key) => `    pulumi config set --path 'statecraft:${key}.address' ${url}`),
        `Tokens: ${store.tokens.length === 0 ? "any text is accepted" : `${store.tokens.length} known, others are refused`}.`,
    ].join("\n");
}
