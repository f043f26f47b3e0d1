/** One run of a program, as the providers of a host know it whose process ends with the run. */

import type { Props } from "./field";

/** What they remember of it. */
export class Run {
    /** Objects that the program has: made, written or found as they should be. The run deletes none of them. */
    readonly kept = new Set<string>();
    /** What was settled of the resources that are there, by URN: the engine checks one that it replaces as if it were new. */
    readonly settled = new Map<string, Props>();
}
