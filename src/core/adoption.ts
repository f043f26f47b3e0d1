/**
 * Taking over an object that exists and that this resource has not made.
 *
 * | the object                          | `adopt: true` | `adopt: "identical"`, or `STATECRAFT_ADOPT=identical` | neither |
 * | ----------------------------------- | ------------- | ----------------------------------------------------- | ------- |
 * | is as declared                      | it is ours    | it is ours                                            | refused |
 * | differs                             | is written    | refused                                               | refused |
 * | differs in what no write can change | refused       | refused                                               | refused |
 */

import { reworded, type StatecraftError } from "../errors";
import { exists, notAdoptable, notIdentical, takesOver } from "./failures";
import { joinSentences } from "./format-error";
import type { Comparison, Desired, LiveState } from "./live-state";
import type { RequestContext } from "./request-context";

/**
 * Whether the object is to be written. Where no look can confirm a property, such as a secret, it is.
 * @throws StatecraftError where the object is to be left untouched
 */
export function isWrittenToAdopt(
    comparison: Comparison,
    desired: Desired,
    live: LiveState,
    { adoptIdentical }: Pick<RequestContext, "adoptIdentical">,
    title: string,
): boolean {
    const { adopt } = desired.inputs;
    const adopts = adopt === true;
    if (!adopts && adopt !== "identical" && !adoptIdentical) throw exists({ title });
    const differences = comparison.foundDifferences(desired, live);
    if (differences.length === 0) return adopts && comparison.isInDoubt(desired, live);
    if (!adopts) throw notIdentical({ title, paths: differences.join(", ") });
    const immovable = comparison.immovable(desired, live);
    if (immovable.length > 0) throw notAdoptable({ title, names: immovable.join(", ") });
    return true;
}

/** Adds `pulumi import` to a failure with the code `exists`. The dynamic host imports nothing, and its URNs have another type. */
export function withImport(exists: StatecraftError, urn: string | undefined, id: string | undefined): StatecraftError {
    const [, , types = "", ...name] = urn?.split("::") ?? [];
    const type = types.split("$").at(-1) ?? "";
    if (id === undefined || !type.startsWith("statecraft:")) return exists;
    const words = [type, name.join("::"), id].map((word) => (/^[\w@:./-]+$/.test(word) ? word : JSON.stringify(word)));
    const command = `pulumi import ${words.join(" ")}`;
    return reworded(exists, { hint: joinSentences(exists.hint, takesOver({ command })) });
}
