/** A function as programs have it: one form that returns a promise, one that takes and returns outputs. */

import * as pulumi from "@pulumi/pulumi";
import type { Values } from "../schema/unknown";

/** Options of a function's `…Output` form. */
export interface OutputOptions {
    /** Resources and components that are to be made before the function looks. */
    readonly dependsOn?: pulumi.InvokeOutputOptions["dependsOn"];
}

/** Both forms of a function. */
export interface ProgramFunction<Args, OutputArgs, Result> {
    /** Looks it up now. Its arguments must be known. */
    readonly plain: (args?: Args) => Promise<Result>;
    /** Looks it up as soon as its arguments are known, and what they come from is made; its result is an output. */
    readonly output: (args?: OutputArgs, opts?: OutputOptions) => pulumi.Output<pulumi.Unwrap<Result>>;
}

/** Makes both forms of what calls a function with known arguments. */
export function functionOf<Args extends object, OutputArgs extends object, Result>(
    call: (args: Values) => Promise<Values>,
): ProgramFunction<Args, OutputArgs, Result> {
    const plain = async (args?: Args) => (await call((args ?? {}) as Values)) as Result;
    return {
        plain,
        output(args, { dependsOn = [] } = {}) {
            const asked = pulumi.output([args ?? {}, dependsOn] as const);
            const signs = asked.apply(([, named]) => signsOf([named].flat()));
            return pulumi
                .output([asked, idsBehind(asked), signs] as const)
                .apply(([[known]]) => plain(known as unknown as Args)) as pulumi.Output<pulumi.Unwrap<Result>>;
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

/** What Pulumi's types do not show of its SDK, which does this for the functions of every provider. */
interface Dependencies {
    getAllTransitivelyReferencedResources(
        resources: ReadonlySet<pulumi.Resource>,
        exclude: ReadonlySet<pulumi.Resource>,
    ): Promise<readonly pulumi.Resource[]>;
}

/** What is known as soon as these resources are made, and those inside components. A component of another process knows its own. */
async function signsOf(named: readonly pulumi.Resource[]): Promise<pulumi.Output<string>[]> {
    if (named.length === 0) return [];
    if (!named.every((one) => pulumi.Resource.isInstance(one)))
        throw new pulumi.RunError("the option `dependsOn` of a function takes resources, and outputs of resources");
    // It may be elsewhere in another version of the SDK: programs that ask for nothing of it need not find it.
    const dependencies = require("@pulumi/pulumi/runtime/dependsOn") as Dependencies;
    const made = await dependencies.getAllTransitivelyReferencedResources(new Set(named), new Set());
    return made.map((one) => (pulumi.CustomResource.isInstance(one) ? one.id : one.urn));
}
