/** The runtime of functions that a program calls. Programs load this file at the first call. */

import type * as pulumi from "@pulumi/pulumi";
import type { Runtime } from "../core/context";
import { invokeFunction } from "../core/functions";
import { InternalError } from "../errors";
import { loadFunction } from "../generated/registry";
import * as program from "../pulumi/program";
import { objectNode } from "../schema/property";
import type { Values } from "../schema/values";
import { createRuntimes, Logins } from "./runtime";

/**
 * The runtimes of each run. A process may run several programs, at the same time or one after the other. Each run reads the settings again,
 * because a token may have changed.
 */
const runtimes = new WeakMap<object, ReturnType<typeof createRuntimes>>();

/** The logins of the program, whose tokens are revoked when it has nothing else to do. */
const logins = new Logins(() => process.once("beforeExit", () => void logins.revokeTokens()));

/** The runtime of this run: settings from the stack's configuration and the environment, messages to Pulumi's log. */
export function programRuntime(): Runtime {
    const run = program.thisRun() ?? process;
    const runtimeOf = runtimes.get(run) ?? createRuntimes({ environment: process.env, logins, say: program.say });
    runtimes.set(run, runtimeOf);
    return runtimeOf(program.stackConfig);
}

/** Calls a function by its name: in the process of the program, or in the native plugin if a `provider` is given. */
export async function callFunction(name: string, args: Values, provider?: pulumi.ProviderResource): Promise<Values> {
    const definition = loadFunction(name);
    if (definition === undefined) throw new InternalError(`there is no function ${JSON.stringify(name)}`);
    program.warnOfUnknownKeys();
    const isThroughEngine = provider !== undefined || program.hasMocks();
    const call = isThroughEngine
        ? program.callEngine(name, args, provider)
        : invokeFunction(definition, programRuntime(), args);
    return program.resultOf(call, objectNode(definition.result).secrets);
}
