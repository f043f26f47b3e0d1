/** The simulator as a command. */

import { parseArgs } from "node:util";
import { demonstration } from "./demonstration";
import { type MannersByService, mannersInTexts } from "./manners";
import type { TokenSeed } from "./seed";
import { type RunningSimulator, type SimulatorOptions, startSimulator } from "./server";
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

function misused(reason: string): CommandError {
    return new CommandError(reason, 2);
}

/** How the simulator was called, and where it prints. */
interface Called {
    readonly command?: string;
    readonly print?: (text: string) => void;
}

/** Starts the simulator as the flags say, and prints how to reach it. */
export async function main(args: readonly string[], called: Called = {}): Promise<RunningSimulator> {
    const { command = "npm run simulator --", print = console.log } = called;
    const options = understood(args, command);
    const simulator = await start(options);
    print(greeting(simulator, options));
    return simulator;
}

function understood(args: readonly string[], command: string): ReturnType<typeof readFlags> {
    try {
        return readFlags(args);
    } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        throw new CommandError(`${error.message} (${command} ${simulatorFlags})`, error.exitCode);
    }
}

function readFlags(args: readonly string[]): SimulatorOptions & { readonly port: number } {
    const flags = parse(args);
    const tokens = flags.token ?? [];
    if (flags.data?.trim() === "") throw misused("--data must not be empty");
    if (tokens.some((token) => token.trim() === "")) throw misused("--token must not be empty");
    return {
        port: readPort(flags.port),
        tokens: [...new Set(tokens)].map(
            (token, index): TokenSeed => ({ token, kind: "user", id: `user-${index + 1}` }),
        ),
        ...(flags.data !== undefined && { file: flags.data }),
        vocabulary: readVocabulary(flags.vocabulary),
        manners: readManners(flags.manners ?? []),
        ...(!flags.empty && { seed: demonstration }),
    };
}

function parse(args: readonly string[]) {
    try {
        return parseArgs({
            args: [...args],
            options: {
                port: { type: "string" },
                data: { type: "string" },
                token: { type: "string", multiple: true },
                vocabulary: { type: "string" },
                manners: { type: "string", multiple: true },
                empty: { type: "boolean", default: false },
            },
        }).values;
    } catch (error) {
        // The parser's later sentences are advice for quoting.
        throw misused(error instanceof Error ? error.message.replace(/\.? To .*$/s, "") : String(error));
    }
}

function readVocabulary(text: string | undefined): Vocabulary {
    if (text === undefined || text === "documented") return "documented";
    if (text === "product") return text;
    throw misused(`--vocabulary must be documented or product, not "${text}"`);
}

function readManners(texts: readonly string[]): MannersByService {
    try {
        return mannersInTexts(texts);
    } catch (error) {
        throw misused(`--manners: ${error instanceof Error ? error.message : String(error)}`);
    }
}

function readPort(text: string | undefined): number {
    if (text === undefined) return usualPort;
    if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
        throw misused(`--port must be a number from 0 to 65535, not "${text}"`);
    }
    return Number(text);
}

async function start(options: SimulatorOptions): Promise<RunningSimulator> {
    try {
        return await startSimulator(options);
    } catch (error) {
        if (!(error instanceof Error)) throw error;
        if ("code" in error && error.code === "EADDRINUSE") {
            throw new CommandError(`port ${options.port} is in use: choose another one with --port`, 1);
        }
        throw new CommandError(error.message, 1);
    }
}

function greeting({ url, knownTokens }: RunningSimulator, { file, tokens = [], vocabulary }: SimulatorOptions): string {
    const set = (service: string, address: string) =>
        `    pulumi config set --path 'statecraft:${service}.address' ${address}`;
    return [
        `simulator listening on ${url}`,
        file === undefined ? "The world is in memory and ends with this process." : `The world is in the file ${file}.`,
        "Point a stack at it:",
        set("manager", url),
        set("volumes", url),
        set("stateVersions", `${url}/api/v2`),
        ...(vocabulary === "product" ? ["    export STATECRAFT_VOCABULARY=product"] : []),
        `Tokens: ${accepted(tokens.length, knownTokens - tokens.length)}.`,
    ].join("\n");
}

function accepted(given: number, kept: number): string {
    const sources = [
        ...(given > 0 ? [`${given === 1 ? "the one" : `the ${given}`} given with --token`] : []),
        ...(kept > 0 ? [`${kept === 1 ? "the one" : `the ${kept}`} that the world holds`] : []),
    ];
    return sources.length === 0 ? "any text will do" : `only ${sources.join(" and ")}`;
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
        console.error(`simulator: ${error instanceof Error ? error.message : String(error)}`);
        process.exit(error instanceof CommandError ? error.exitCode : 1);
    });
}
