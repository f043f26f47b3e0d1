/** The host that a program's functions run on, made at the first call. */

import type { Host } from "./core/lifecycle";
import { createHost } from "./host";
import { sayInProgram, stackConfig } from "./pulumi/program-log";

let host: Host | undefined;

/** Settings from the stack's configuration and the environment, messages to Pulumi's log. */
export function programHost(): Host {
    host ??= createHost(stackConfig, process.env, sayInProgram);
    return host;
}
