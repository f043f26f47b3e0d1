/** Values that an object gets when it is made and keeps: settings that differ between machines must not move it, not even when it is replaced. */

import type { Defaults, Fields, Props } from "./field";
import type { DeploymentContext } from "./host";
import type { Run } from "./run";

/** What is settled of a resource, as far as the program leaves it out. `olds` are its former inputs; a new one has none. */
export function settledOf(
    fields: Fields,
    olds: Props | undefined,
    defaults: () => Defaults,
    run: Run | undefined,
    { urn, isPreview }: DeploymentContext,
): Props {
    if (olds === undefined) {
        // What a preview knew would set off the lookups that wait for it, of an object that is not there yet.
        if (isPreview) return {};
        const before = urn === undefined ? undefined : run?.settled.get(urn);
        return before ?? settledBy(fields, defaults());
    }
    // A settled value that stands among the inputs stays there: a program that leaves it out means just that.
    const before = Object.fromEntries(
        Object.entries(olds).filter(([name, value]) => fields[name]?.settled && value !== null),
    );
    if (urn !== undefined) run?.settled.set(urn, { ...settledByNothing(fields), ...before });
    return before;
}

/** What the settings make of values that a new object settles. */
function settledBy(fields: Fields, defaults: Defaults): Props {
    const settled = Object.entries(fields).map(([name, field]) => [
        name,
        typeof field.settled === "function" ? field.settled(defaults) : undefined,
    ]);
    return Object.fromEntries(settled.filter(([, value]) => value !== undefined));
}

/** What a value that was not stored has settled: that there is none. */
function settledByNothing(fields: Fields): Props {
    const settled = Object.entries(fields).filter(([, field]) => field.settled && field.defaultBy);
    return Object.fromEntries(settled.map(([name, field]) => [name, field.defaultBy?.({})]));
}
