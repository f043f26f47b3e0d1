/** The runtime of functions that a program calls. Programs load this file at the first call. */

import type { Runtime } from "../core/context";
import { InternalError } from "../errors";
import { loadFunction } from "../generated/registry";
import { callEngine, callInProgram, hasMocks } from "../pulumi/call-in-program";
import { sayInProgram, stackConfig, thisRun, warnOfUnknownKeys } from "../pulumi/program-log";
import type { Values } from "../schema/values";
import { createRuntimes } from "./runtime";

/**
 * The runtimes of each run. A process may run several programs, at the same time or one after the other. Each run reads the settings again,
 * because a token may have changed.
 */
const runtimes = new WeakMap<object, ReturnType<typeof createRuntimes>>();

/** The runtime of this run: settings from the stack's configuration and the environment, messages to Pulumi's log. */
export function programRuntime(): Runtime {
    const run = thisRun() ?? process;
    const runtimeOf = runtimes.get(run) ?? createRuntimes({ environment: process.env, say: sayInProgram });
    runtimes.set(run, runtimeOf);
    return runtimeOf(stackConfig);
}

/** Calls a function by its name: in the process of the program, or in the native plugin if a `provider` is given. */
export async function callFunction(
    name: string,
    args: Values,
    provider?: Parameters<typeof callEngine>[2],
): Promise<Values> {
    const definition = loadFunction(name);
    if (definition === undefined) throw new InternalError(`there is no function ${JSON.stringify(name)}`);
    warnOfUnknownKeys();
    if (provider !== undefined || hasMocks()) return callEngine(definition, args, provider);
    return callInProgram(definition, programRuntime(), args);
}
