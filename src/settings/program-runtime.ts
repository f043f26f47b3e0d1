/** The runtime of a program's functions. It is loaded at the first call. */

import type { Runtime } from "../core/context";
import { InternalError } from "../errors";
import { callEngine, callInProgram, hasMocks } from "../pulumi/call-in-program";
import { sayInProgram, stackConfig, thisRun, warnOfUnknownKeys } from "../pulumi/program-log";
import type { Values } from "../schema/values";
import { loadFunction } from "../services/registry";
import { createRuntimes } from "./runtime";

/** A process may run several programs, side by side or for days one after the other. Each run reads the settings, and a token that has changed. */
const runtimes = new WeakMap<object, ReturnType<typeof createRuntimes>>();

/** Settings from the stack's configuration and the environment, messages to Pulumi's log. */
export function programRuntime(): Runtime {
    const run = thisRun() ?? process;
    const runtimeOf = runtimes.get(run) ?? createRuntimes({ environment: process.env, say: sayInProgram });
    runtimes.set(run, runtimeOf);
    return runtimeOf(stackConfig);
}

/** Calls the function of this name: in the process of the program, or with a `provider` in that one's plugin. */
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
