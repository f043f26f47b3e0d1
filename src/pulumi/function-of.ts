/** A function definition as functions of a program: one that returns a promise, one that takes and returns outputs. */

import * as pulumi from "@pulumi/pulumi";
import type { DefinedFunction } from "../core/defined-function";
import { invokeFunction } from "../core/invoke";
import type { Runtime } from "../core/runtime";
import type { Values } from "../schema/facts";
import { objectNode } from "../schema/node";
import { changeSecrets } from "../schema/secrets";

/** Both forms of a function. */
export interface ProgramFunction<Args, OutputArgs, Result> {
    /** Looks it up now. Its arguments must be known. */
    readonly plain: (args: Args) => Promise<Result>;
    /** Looks it up as soon as its arguments are known; its result is an output. */
    readonly output: (args: OutputArgs) => pulumi.Output<pulumi.Unwrap<Result>>;
}

/** Makes both forms. The runtime is asked for at the first call, so that declaring resources loads nothing of it. */
export function functionOf<Args extends object, OutputArgs extends object, Result>(
    definition: DefinedFunction,
    runtime: () => Runtime,
): ProgramFunction<Args, OutputArgs, Result> {
    const plain = async (args: Args): Promise<Result> => {
        const result = await invokeFunction(definition, runtime(), args as Values).catch((error: unknown) => {
            throw asRunError(error);
        });
        return changeSecrets(objectNode(definition.result, "product"), result, pulumi.secret) as Result;
    };
    return {
        plain,
        output: (args) =>
            pulumi.output(args).apply((known) => plain(known as unknown as Args)) as pulumi.Output<
                pulumi.Unwrap<Result>
            >,
    };
}

/**
 * The SDK prints a run error by its message alone, any other one with the stack of the code that threw it; and what nobody waits for
 * by its stack alone, so that this has to be the message.
 */
function asRunError(error: unknown): unknown {
    return error instanceof Error ? Object.assign(error, { __pulumiRunError: true, stack: error.message }) : error;
}
