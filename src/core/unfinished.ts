/** What functions of a resource file throw where something is done and something is left to do. */

import type { Values } from "../schema/facts";

/** An action or a wait was done in part: its outputs are kept, and `steps` are left to do. */
export class Unfinished extends Error {
    constructor(
        readonly outputs: Values,
        readonly steps: readonly string[],
        problem: string,
        override readonly cause: unknown,
        /** The address of a new resource, if the service has made its id. */
        readonly address?: unknown,
    ) {
        super(problem);
    }
}
