/** The resources that meet the faults, from the facts of each, and what was there before them. */

import type { Seed } from "../../src/simulator/seed";
import { canaryToken } from "../support/canaries";
import { type FaultFacts, joined, type ResourceFacts, resourceFacts } from "../support/resource-facts";

/** A resource and two programs of it. */
export interface Subject extends FaultFacts {
    readonly type: string;
}

/** What the subject is called in titles and tables. */
export function nameOf({ type, variant }: Subject): string {
    return variant === undefined ? type : `${type} (${variant})`;
}

/** What was there before, much of it somebody else's, which must stay as it is. */
export const seed: Seed = joined(
    {
        tokens: [
            { token: canaryToken, kind: "user", id: "user-1" },
            { token: "outside", kind: "user", id: "user-2" },
        ],
    },
    ...resourceFacts.flatMap((facts) => facts.seed ?? []),
);

/** At least one for every resource that there is; what a vocabulary does otherwise has its own. */
export const subjects: readonly Subject[] = resourceFacts.flatMap((facts) =>
    (facts.faults ?? [usual(facts)]).map((each) => ({ type: facts.type, ...each })),
);

function usual({ full, edited, theirs }: ResourceFacts): FaultFacts {
    return { inputs: full, edited: { ...full, ...edited }, ...(theirs && { theirs: { ...full, ...theirs } }) };
}
