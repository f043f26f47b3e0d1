/** Failures of operations, as hosts get them. */

import { reworded, type StatecraftError } from "../errors";
import { ofFamily } from "./format-error";
import type { Created } from "./resource";

/** An operation failed. The message is the whole paragraph; where the object was made all the same, its id and outputs are kept. */
export class OperationError extends Error {
    readonly partial: Created | undefined;

    constructor(message: string, partial?: Created, cause?: unknown) {
        super(message, { cause });
        this.name = "OperationError";
        this.partial = partial;
    }
}

/** The same failure, to be branched on by its class and code, with its whole paragraph as the message. */
export function retold(error: unknown, message: string, reword: (text: string) => string): StatecraftError {
    const known = ofFamily(error);
    const { hint } = known;
    return reworded(known, { message, ...(hint === undefined ? {} : { hint: reword(hint) }) });
}
