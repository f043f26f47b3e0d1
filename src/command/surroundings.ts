/** What the command takes from the process that it runs in. Tests bring their own. */

import { execFile } from "node:child_process";

/** How a program ended. */
export interface Ended {
    readonly code: number;
    readonly out: string;
    readonly error: string;
}

/** The world around the command. */
export interface Surroundings {
    readonly environment: NodeJS.ProcessEnv;
    /** The current folder. */
    readonly folder: string;
    /** Prints what was asked for. */
    print(text: string): void;
    /** Prints why it is not there. */
    complain(text: string): void;
    /** Runs the Pulumi CLI in the current folder; `undefined` where there is none. */
    pulumi(args: readonly string[]): Promise<Ended | undefined>;
    /** Resolves when the process is asked to end. */
    stopped(): Promise<void>;
}

const longestRun = 60_000;
const mebibyte = 1024 ** 2;

/** The process itself. */
export function processSurroundings(): Surroundings {
    const environment = process.env;
    const folder = process.cwd();
    return {
        environment,
        folder,
        print: (text) => console.log(text),
        complain: (text) => console.error(text),
        pulumi: (args) =>
            new Promise((resolve, reject) => {
                const options = {
                    cwd: folder,
                    env: { ...environment, PULUMI_SKIP_UPDATE_CHECK: "true" },
                    timeout: longestRun,
                    maxBuffer: 64 * mebibyte,
                };
                execFile("pulumi", args, options, (failure, out, error) => {
                    if (failure === null) resolve({ code: 0, out, error });
                    else if (failure.code === "ENOENT") resolve(undefined);
                    else if (typeof failure.code === "number") resolve({ code: failure.code, out, error });
                    else reject(new Error(`the Pulumi CLI did not end by itself within ${longestRun / 1000} s`));
                });
            }),
        stopped: () =>
            new Promise((resolve) => {
                process.once("SIGINT", () => resolve());
                process.once("SIGTERM", () => resolve());
            }),
    };
}
