/** A function as programs have it: one form that returns a promise, one that takes and returns outputs. */

import * as pulumi from "@pulumi/pulumi";
import type { Values } from "../schema/facts";

/** Both forms of a function. */
export interface ProgramFunction<Args, OutputArgs, Result> {
    /** Looks it up now. Its arguments must be known. */
    readonly plain: (args?: Args) => Promise<Result>;
    /** Looks it up as soon as its arguments are known, and what they come from is made; its result is an output. */
    readonly output: (args?: OutputArgs) => pulumi.Output<pulumi.Unwrap<Result>>;
}

/** Makes both forms of what calls a function with known arguments. */
export function functionOf<Args extends object, OutputArgs extends object, Result>(
    call: (args: Values) => Promise<Values>,
): ProgramFunction<Args, OutputArgs, Result> {
    const plain = async (args?: Args) => (await call((args ?? {}) as Values)) as Result;
    return {
        plain,
        output(args) {
            const given = pulumi.output(args ?? {});
            return pulumi
                .output([given, idsBehind(given)] as const)
                .apply(([known]) => plain(known as unknown as Args)) as pulumi.Output<pulumi.Unwrap<Result>>;
        },
    };
}

/** What an output knows beside what Pulumi's types show. */
interface Derived {
    /** The resources that its value comes from. */
    allResources(): Promise<Iterable<pulumi.Resource>>;
}

/**
 * The ids of the resources that arguments come from. In a preview, the id of a resource that is still to be made is not known, though its name
 * is: what is looked up by that name is not there yet.
 */
async function idsBehind(given: unknown): Promise<pulumi.Output<string>[]> {
    const resources = await (given as Derived).allResources();
    return [...resources].flatMap((one) => (pulumi.CustomResource.isInstance(one) ? [one.id] : []));
}
