/** The resources of the fault matrix, from `test/resources`, and the server's seed. */

import type { Seed } from "../../src/simulator/seed";
import { canaryToken } from "../support/canaries";
import { type FaultFacts, joined, type ResourceFacts, resourceFacts } from "../support/resource-facts";

/** A resource with two programs. */
export interface Subject extends FaultFacts {
    readonly type: string;
}

/** Returns the name of a subject for titles and tables. */
export function nameOf({ type, variant }: Subject): string {
    return variant === undefined ? type : `${type} (${variant})`;
}

/** The server's objects before a story. */
export const seed: Seed = joined(
    {
        tokens: [
            { token: canaryToken, kind: "user", id: "user-1" },
            { token: "outside", kind: "user", id: "user-2" },
        ],
    },
    ...resourceFacts.flatMap((facts) => facts.seed ?? []),
);

/** At least one subject for every resource, and more for special cases. */
export const subjects: readonly Subject[] = resourceFacts.flatMap((facts) =>
    (facts.faults ?? [usual(facts)]).map((each) => ({ type: facts.type, ...each })),
);

function usual({ full, edited, theirs }: ResourceFacts): FaultFacts {
    return { inputs: full, edited: { ...full, ...edited }, ...(theirs && { theirs: { ...full, ...theirs } }) };
}
