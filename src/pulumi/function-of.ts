/** A function as programs have it: one form that returns a promise, one that takes and returns outputs. */

import * as pulumi from "@pulumi/pulumi";
import type { Values } from "../schema/facts";

/** Both forms of a function. */
export interface ProgramFunction<Args, OutputArgs, Result> {
    /** Looks it up now. Its arguments must be known. */
    readonly plain: (args: Args) => Promise<Result>;
    /** Looks it up as soon as its arguments are known; its result is an output. */
    readonly output: (args: OutputArgs) => pulumi.Output<pulumi.Unwrap<Result>>;
}

/** Makes both forms of what calls a function with known arguments. */
export function functionOf<Args extends object, OutputArgs extends object, Result>(
    call: (args: Values) => Promise<Values>,
): ProgramFunction<Args, OutputArgs, Result> {
    const plain = async (args: Args) => (await call(args as Values)) as Result;
    return {
        plain,
        output: (args) =>
            pulumi.output(args).apply((known) => plain(known as unknown as Args)) as pulumi.Output<
                pulumi.Unwrap<Result>
            >,
    };
}
