/** The properties of one object, as a program or a state contains them, and decoded. */

import { type Meaning, meaningOf } from "./meaning";
import type { ObjectNode } from "./property";
import { secretStrings } from "./secrets";
import type { Values } from "./values";

/** Inputs or state of one resource, or the arguments of a function. They are decoded once, when `meaning` is first read. */
export class Declared {
    private decoded: Meaning | undefined;

    /** @param written the values as the program or the state spells them */
    constructor(
        readonly node: ObjectNode,
        readonly written: Values,
    ) {}

    /** The decoded values with defaults. */
    get meaning(): Meaning {
        this.decoded ??= meaningOf(this.node, this.written);
        return this.decoded;
    }

    /** The secrets, which no message may contain. */
    get secrets(): readonly string[] {
        return secretStrings(this.node, this.written);
    }
}
