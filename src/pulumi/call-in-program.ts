/** Calls of functions in a program: Pulumi secrets in results, and failures of one paragraph. */

import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import type { Runtime } from "../core/context";
import { type AnyFunction, invokeFunction } from "../core/functions";
import { objectNode } from "../schema/property";
import { changeSecrets } from "../schema/secrets";
import type { Values } from "../schema/values";

/** Calls a function with known arguments. */
export async function callInProgram(definition: AnyFunction, runtime: Runtime, args: Values): Promise<Values> {
    const result = await invokeFunction(definition, runtime, args).catch((error: unknown) => {
        throw asRunError(error);
    });
    return withSecrets(definition, result);
}

/** Whether a unit test runs the program, with `pulumi.runtime.setMocks`. */
export const hasMocks = (): boolean => pulumi.runtime.getMonitor() instanceof MockMonitor;

/** Calls the mocks of a unit test instead of a server, as the functions of every Pulumi provider do. */
export async function callMocks(definition: AnyFunction, args: Values): Promise<Values> {
    return withSecrets(definition, await pulumi.runtime.invoke(`statecraft:index:${definition.name}`, args));
}

const withSecrets = ({ result: type }: AnyFunction, result: Values): Values =>
    changeSecrets(objectNode(type).secrets, result, pulumi.secret);

/**
 * A `RunError` whose stack is its message. The SDK prints the message of a `RunError`, the stack of other errors, and the stack of every
 * unhandled rejection.
 */
function asRunError(error: unknown): unknown {
    return error instanceof Error ? Object.assign(error, { __pulumiRunError: true, stack: error.message }) : error;
}
