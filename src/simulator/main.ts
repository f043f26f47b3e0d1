/** The simulator as a command. */

import { parseArgs } from "node:util";
import { demonstration } from "./demonstration";
import { readMannersFlags } from "./manners";
import { type RunningSimulator, type SimulatorOptions, startSimulator } from "./server";
import { messageOf } from "./simulator-error";
import type { Vocabulary } from "./vocabulary";

/** The port when none is given: always the same, so that settings still fit after a restart. */
const usualPort = 8640;
/** The flags, for messages. */
export const simulatorFlags =
    "[--port N] [--data FILE] [--token T ...] [--empty] [--vocabulary product] [--manners SERVICE=MANNER,... ...]";

/** Why the command does not go on, in one sentence. */
export class CommandError extends Error {
    constructor(
        message: string,
        /** 2 for flags that cannot be understood, 1 for anything else. */
        readonly exitCode: 1 | 2,
    ) {
        super(message);
    }
}

/** How the simulator was called, and where it prints. */
interface Called {
    readonly command?: string;
    readonly print?: (text: string) => void;
}

/** Starts the simulator as the flags say, and prints how to reach it. */
export async function main(args: readonly string[], called: Called = {}): Promise<RunningSimulator> {
    const { command = "npm run simulator --", print = console.log } = called;
    let options: SimulatorOptions;
    try {
        options = readFlags(args);
    } catch (error) {
        // The later sentences of Node's parser are advice for quoting.
        const reason = messageOf(error).replace(/\.? To .*$/s, "");
        throw new CommandError(`${reason} (${command} ${simulatorFlags})`, 2);
    }
    const simulator = await start(options);
    print(greeting(simulator, options));
    return simulator;
}

function readFlags(args: readonly string[]): SimulatorOptions {
    const { port, data, token, vocabulary, manners, empty } = parseArgs({
        args: [...args],
        options: {
            port: { type: "string", default: String(usualPort) },
            data: { type: "string" },
            token: { type: "string", multiple: true, default: [] },
            vocabulary: { type: "string", default: "documented" },
            manners: { type: "string", multiple: true, default: [] },
            empty: { type: "boolean", default: false },
        },
    }).values;
    if (data?.trim() === "") throw new Error("--data must not be empty");
    if (token.some((text) => text.trim() === "")) throw new Error("--token must not be empty");
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
        throw new Error(`--port must be a number from 0 to 65535, not "${port}"`);
    }
    return {
        port: Number(port),
        tokens: [...new Set(token)].map((text, index) => ({ token: text, kind: "user", id: `user-${index + 1}` })),
        ...(data !== undefined && { file: data }),
        vocabulary: readVocabulary(vocabulary),
        manners: readMannersFlags(manners),
        ...(!empty && { seed: demonstration }),
    };
}

function readVocabulary(text: string): Vocabulary {
    if (text === "documented" || text === "product") return text;
    throw new Error(`--vocabulary must be documented or product, not "${text}"`);
}

async function start(options: SimulatorOptions): Promise<RunningSimulator> {
    try {
        return await startSimulator(options);
    } catch (error) {
        const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
        const reason = isTaken ? `port ${options.port} is in use: choose another one with --port` : messageOf(error);
        throw new CommandError(reason, 1);
    }
}

function greeting({ url, store }: RunningSimulator, { file, tokens = [], vocabulary }: SimulatorOptions): string {
    const set = (service: string, address: string) =>
        `    pulumi config set --path 'statecraft:${service}.address' ${address}`;
    const sources = [
        ...countedTokens(tokens.length, "given with --token"),
        ...countedTokens(store.tokens.length - tokens.length, "that the seeds hold"),
    ];
    return [
        `simulator listening on ${url}`,
        file === undefined
            ? "Its objects are in memory and end with this process."
            : `Its objects are in the file ${file}.`,
        "Point a stack at it:",
        set("manager", url),
        set("volumes", url),
        set("stateVersions", `${url}/api/v2`),
        ...(vocabulary === "product" ? ["    export STATECRAFT_VOCABULARY=product"] : []),
        `Tokens: ${sources.length === 0 ? "any text will do" : `only ${sources.join(" and ")}`}.`,
    ].join("\n");
}

function countedTokens(count: number, origin: string): string[] {
    return count === 0 ? [] : [`${count === 1 ? "the one" : `the ${count}`} ${origin}`];
}

if (require.main === module) {
    const started = main(process.argv.slice(2));
    // Before anything is printed: who reads the address may well send a signal at once.
    const stop = () => {
        void started.then((simulator) => simulator.close()).then(() => process.exit(0));
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    started.catch((error: unknown) => {
        console.error(`simulator: ${messageOf(error)}`);
        process.exit(error instanceof CommandError ? error.exitCode : 1);
    });
}
