/** A call of a function in a program: secrets of its result are Pulumi's, and a failure is one paragraph. */

import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import type { DefinedFunction } from "../core/defined-function";
import { invokeFunction } from "../core/invoke";
import type { Runtime } from "../core/runtime";
import type { Values } from "../schema/facts";
import { objectNode } from "../schema/node";
import { changeSecrets } from "../schema/secrets";

/** Calls a function with known arguments. */
export async function callInProgram(definition: DefinedFunction, runtime: Runtime, args: Values): Promise<Values> {
    const result = await invokeFunction(definition, runtime, args).catch((error: unknown) => {
        throw asRunError(error);
    });
    return withSecrets(definition, result);
}

/** Whether a unit test runs the program, with `pulumi.runtime.setMocks`. */
export const hasMocks = (): boolean => pulumi.runtime.getMonitor() instanceof MockMonitor;

/** Asks the `call` of a unit test's mocks in place of a server, as the functions of every Pulumi provider do. */
export async function callMocks(definition: DefinedFunction, args: Values): Promise<Values> {
    return withSecrets(definition, await pulumi.runtime.invoke(`statecraft:index:${definition.name}`, args));
}

const withSecrets = ({ result: type }: DefinedFunction, result: Values): Values =>
    changeSecrets(objectNode(type).secrets, result, pulumi.secret);

/**
 * The SDK prints a run error by its message alone, any other one with the stack of the code that threw it; and what nobody waits for
 * by its stack alone, so that this has to be the message.
 */
function asRunError(error: unknown): unknown {
    return error instanceof Error ? Object.assign(error, { __pulumiRunError: true, stack: error.message }) : error;
}
