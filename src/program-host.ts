/** The host that a program's functions run on. */

import type { Host } from "./core/host";
import { createHosts } from "./host";
import { sayInProgram, stackConfig } from "./pulumi/program-log";

/** A process may run several programs, of stacks with settings of their own. */
let hostOf: ReturnType<typeof createHosts> | undefined;

/** Settings from the stack's configuration and the environment, messages to Pulumi's log. */
export function programHost(): Host {
    hostOf ??= createHosts(process.env, sayInProgram);
    return hostOf(stackConfig);
}
