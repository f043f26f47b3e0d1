/**
 * Taking over an object that is there, and that this resource has not made.
 *
 * | the object                          | `adopt: true` | `STATECRAFT_ADOPT=identical` | neither |
 * | ----------------------------------- | ------------- | ---------------------------- | ------- |
 * | is as declared                      | it is ours    | it is ours                   | refused |
 * | differs                             | is written    | refused                      | refused |
 * | differs in what no write can change | refused       | refused                      | refused |
 */

import { exists, notAdoptable, notIdentical } from "./failures";
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
    const adopts = desired.inputs["adopt"] === true;
    if (!adopts && !adoptIdentical) throw exists({ title });
    const differences = comparison.foundDifferences(desired, live);
    if (differences.length === 0) return adopts && comparison.isInDoubt(desired, live);
    if (!adopts) throw notIdentical({ title, paths: differences.join(", ") });
    const immovable = comparison.immovable(desired, live);
    if (immovable.length > 0) throw notAdoptable({ title, names: immovable.join(", ") });
    return true;
}
