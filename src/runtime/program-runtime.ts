/** The host that a program's functions run on. */

import type { Runtime } from "../core/runtime";
import { sayInProgram, stackConfig } from "../pulumi/program-log";
import { createRuntimes } from "./runtime";

/** A process may run several programs, of stacks with settings of their own. */
let runtimeOf: ReturnType<typeof createRuntimes> | undefined;

/** Settings from the stack's configuration and the environment, messages to Pulumi's log. */
export function programRuntime(): Runtime {
    runtimeOf ??= createRuntimes({ environment: process.env, say: sayInProgram });
    return runtimeOf(stackConfig);
}
