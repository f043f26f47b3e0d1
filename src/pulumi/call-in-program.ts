/** Calls functions in a program. Secrets in results are Pulumi secrets, and the text of a failure is one paragraph. */

import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import type { Runtime } from "../core/context";
import { type AnyFunction, invokeFunction } from "../core/functions";
import { objectNode } from "../schema/property";
import { changeSecrets } from "../schema/secrets";
import type { Values } from "../schema/values";

/** Calls a function with known arguments. */
export function callInProgram(definition: AnyFunction, runtime: Runtime, args: Values): Promise<Values> {
    return withSecrets(definition, invokeFunction(definition, runtime, args));
}

/** Whether a unit test runs the program, with `pulumi.runtime.setMocks`. */
export const hasMocks = (): boolean => pulumi.runtime.getMonitor() instanceof MockMonitor;

/** Calls a function through the engine: the native plugin of a provider, or the mocks of a unit test. */
export function callEngine(definition: AnyFunction, args: Values, provider?: pulumi.ProviderResource): Promise<Values> {
    const opts = provider === undefined ? {} : { provider };
    return withSecrets(definition, pulumi.runtime.invoke(`statecraft:index:${definition.name}`, args, opts));
}

async function withSecrets({ result: type }: AnyFunction, call: Promise<Values>): Promise<Values> {
    const result = await call.catch((error: unknown) => {
        throw asRunError(error);
    });
    return changeSecrets(objectNode(type).secrets, result, pulumi.secret);
}

/**
 * Makes an error a `RunError` whose stack is its message, so that Pulumi prints only the message: the SDK prints the message of a
 * `RunError`, but the stack of every unhandled rejection.
 */
function asRunError(error: unknown): unknown {
    return error instanceof Error ? Object.assign(error, { __pulumiRunError: true, stack: error.message }) : error;
}
