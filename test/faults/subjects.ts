/** The resources of the fault matrix, from the facts of each, and the seed of the server. */

import type { Seed } from "../../src/simulator/seed";
import { canaryToken } from "../support/canaries";
import { type FaultFacts, joined, type ResourceFacts, resourceFacts } from "../support/resource-facts";

/** A resource and two programs of it. */
export interface Subject extends FaultFacts {
    readonly type: string;
}

/** The name of a subject in titles and tables. */
export function nameOf({ type, variant }: Subject): string {
    return variant === undefined ? type : `${type} (${variant})`;
}

/** The objects before a story. Those of others must not change. */
export const seed: Seed = joined(
    {
        tokens: [
            { token: canaryToken, kind: "user", id: "user-1" },
            { token: "outside", kind: "user", id: "user-2" },
        ],
    },
    ...resourceFacts.flatMap((facts) => facts.seed ?? []),
);

/** At least one for every resource, and more for special cases. */
export const subjects: readonly Subject[] = resourceFacts.flatMap((facts) =>
    (facts.faults ?? [usual(facts)]).map((each) => ({ type: facts.type, ...each })),
);

function usual({ full, edited, theirs }: ResourceFacts): FaultFacts {
    return { inputs: full, edited: { ...full, ...edited }, ...(theirs && { theirs: { ...full, ...theirs } }) };
}
