/** The runtime of a program's functions. It is loaded at the first call. */

import type { Runtime } from "../core/runtime";
import { InternalError } from "../errors";
import { callInProgram, callMocks, hasMocks } from "../pulumi/call-in-program";
import { sayInProgram, stackConfig, warnOfUnknownKeys } from "../pulumi/program-log";
import type { Values } from "../schema/facts";
import { loadFunction } from "../services/on-demand";
import { createRuntimes } from "./runtime";

/** A process may run several programs, of stacks with settings of their own. */
let runtimeOf: ReturnType<typeof createRuntimes> | undefined;

/** Settings from the stack's configuration and the environment, messages to Pulumi's log. */
export function programRuntime(): Runtime {
    runtimeOf ??= createRuntimes({ environment: process.env, say: sayInProgram });
    return runtimeOf(stackConfig);
}

/** Calls the function of this name. */
export async function callFunction(name: string, args: Values): Promise<Values> {
    const definition = loadFunction(name);
    if (definition === undefined) throw new InternalError(`there is no function ${JSON.stringify(name)}`);
    warnOfUnknownKeys();
    return hasMocks() ? callMocks(definition, args) : callInProgram(definition, programRuntime(), args);
}
