/** A call of a function in a program: secrets of its result are Pulumi's, and a failure is one paragraph. */

import * as pulumi from "@pulumi/pulumi";
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
    return changeSecrets(objectNode(definition.result, "product").secrets, result, pulumi.secret);
}

/**
 * The SDK prints a run error by its message alone, any other one with the stack of the code that threw it; and what nobody waits for
 * by its stack alone, so that this has to be the message.
 */
function asRunError(error: unknown): unknown {
    return error instanceof Error ? Object.assign(error, { __pulumiRunError: true, stack: error.message }) : error;
}
