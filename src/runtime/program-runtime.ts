/** The runtime of a program's functions. It is loaded at the first call. */

import type { Runtime } from "../core/runtime";
import { callInProgram } from "../pulumi/call-in-program";
import { sayInProgram, stackConfig } from "../pulumi/program-log";
import type { Values } from "../schema/facts";
import { functions } from "../services/functions";
import { createRuntimes } from "./runtime";

/** A process may run several programs, of stacks with settings of their own. */
let runtimeOf: ReturnType<typeof createRuntimes> | undefined;

/** Settings from the stack's configuration and the environment, messages to Pulumi's log. */
export function programRuntime(): Runtime {
    runtimeOf ??= createRuntimes({ environment: process.env, say: sayInProgram });
    return runtimeOf(stackConfig);
}

/** Calls the function of this name. */
export function callFunction(name: keyof typeof functions, args: Values): Promise<Values> {
    return callInProgram(functions[name], programRuntime(), args);
}
