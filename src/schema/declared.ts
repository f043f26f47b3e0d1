/** The properties of one object, as a program or a state contains them, and decoded. */

import { type Meaning, meaningOf } from "./meaning";
import type { ObjectNode } from "./property";
import { type SourcedSecret, sourcedSecrets } from "./secret-sources";
import { secretStrings } from "./secrets";
import { holdsUnknown, isRecord, unknown, type Values } from "./values";

const textOrNone = (value: unknown) => (typeof value === "string" && value !== unknown ? value : undefined);

/** Inputs or state of one resource, or the arguments of a function. They are decoded once, when `meaning` is first read. */
export class Declared {
    private decoded: Meaning | undefined;

    /**
     * @param written the values as the program or the state spells them
     * @param given the same with the secrets that sources name, after the sources were read
     */
    constructor(
        readonly node: ObjectNode,
        readonly written: Values,
        readonly given: Values = written,
    ) {}

    /** The decoded values with defaults. */
    get meaning(): Meaning {
        this.decoded ??= meaningOf(this.node, this.written);
        return this.decoded;
    }

    /** The decoded values that requests contain. */
    get sent(): Meaning {
        return this.given === this.written ? this.meaning : meaningOf(this.node, this.given);
    }

    /** The decoded values with digests in place of the secrets that have a source, by which such secrets are compared. */
    get digested(): Meaning {
        const change = (values: Values, place: SourcedSecret) => place.replacedIn(values, place.digest);
        return this.sourced.length === 0
            ? this.meaning
            : meaningOf(this.node, this.sourced.reduce(change, this.written));
    }

    /** The secrets that have a source. */
    get sourced(): readonly SourcedSecret[] {
        if (Object.keys(this.node.secrets).length === 0) return [];
        return sourcedSecrets(this.node, this.written).filter(({ from }) => from != null);
    }

    /** The connection that the inputs name. `undefined` if it is not known yet. */
    get connection(): string | undefined {
        return textOrNone(this.written["connection"]);
    }

    get isConnectionUnknown(): boolean {
        return holdsUnknown(this.written["connection"]);
    }

    /** The connection, or while it is not known yet, that of the last deployment: both must lead to the same server. */
    connectionAfter(before: Declared | undefined): string | undefined {
        return this.isConnectionUnknown ? before?.connection : this.connection;
    }

    /** Whether to take over an existing object: always, or only if it is as declared. */
    get adopt(): boolean | "identical" | undefined {
        const { adopt } = this.written;
        return typeof adopt === "boolean" || adopt === "identical" ? adopt : undefined;
    }

    /** The address of the server in a state. */
    get server(): string | undefined {
        return textOrNone(this.written["server"]);
    }

    /** The time-outs of operations by their names, as the program spells them. */
    get timeouts(): Values {
        const { timeouts } = this.written;
        return isRecord(timeouts) ? timeouts : {};
    }

    /** The secrets, which no message may contain. */
    get secrets(): readonly string[] {
        return secretStrings(this.node, this.written);
    }
}
