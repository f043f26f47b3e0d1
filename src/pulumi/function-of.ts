/** Functions in programs, in two variants: one takes known arguments and returns a promise, the other takes and returns outputs. */

import * as pulumi from "@pulumi/pulumi";
import type { Values } from "../schema/values";

/** Options of a function. */
export interface FunctionOptions {
    /** A `Provider` of `pulumi-statecraft/native`. Its settings are used instead of the stack's configuration. */
    readonly provider?: pulumi.ProviderResource | undefined;
}

/** Options of the variant of a function that takes outputs. */
export interface OutputOptions extends FunctionOptions {
    /** Resources and components that must exist before the call. */
    readonly dependsOn?: pulumi.InvokeOutputOptions["dependsOn"];
}

/** Makes both variants from a function that takes known arguments. */
export function functionOf<Args extends object, OutputArgs extends object, Result>(
    call: (args: Values, provider?: pulumi.ProviderResource) => Promise<Values>,
) {
    const plain = async (args?: Args, opts?: FunctionOptions) =>
        (await call((args ?? {}) as Values, opts?.provider)) as Result;
    return {
        /** Calls the function now. All arguments must be known. */
        plain,
        /** Calls the function when its arguments are known and the resources that they come from exist. */
        output(args?: OutputArgs, { dependsOn = [], provider }: OutputOptions = {}) {
            const given = pulumi.output([args ?? {}, dependsOn] as const);
            const ids = given.apply(async ([, named]) => idsOf([...(await resourcesBehind(given)), ...[named].flat()]));
            const whole = pulumi.output([given, ids] as const);
            const result = whole.apply(([[known]]) => plain(known as unknown as Args, { provider }));
            return result as pulumi.Output<pulumi.Unwrap<Result>>;
        },
    };
}

/** The resources that an output comes from. Pulumi's types do not show the method. */
const resourcesBehind = (output: unknown) =>
    (output as { allResources(): Promise<Iterable<pulumi.Resource>> }).allResources();

/** A function of Pulumi's SDK that its types do not show. */
interface Dependencies {
    getAllTransitivelyReferencedResources(
        resources: ReadonlySet<pulumi.Resource>,
        exclude: ReadonlySet<pulumi.Resource>,
    ): Promise<readonly pulumi.Resource[]>;
}

/**
 * The ids of these resources and of those inside components. A call that depends on the ids waits until the resources exist: in a preview,
 * a new resource may have a known name, but its id is unknown.
 */
async function idsOf(resources: readonly pulumi.Resource[]): Promise<pulumi.Output<string>[]> {
    // Loaded when it is needed, because another version of the SDK may not have this module.
    const dependencies = require("@pulumi/pulumi/runtime/dependsOn") as Dependencies;
    const all = await dependencies.getAllTransitivelyReferencedResources(new Set(resources), new Set());
    return all.map((one) => (pulumi.CustomResource.isInstance(one) ? one.id : one.urn));
}
