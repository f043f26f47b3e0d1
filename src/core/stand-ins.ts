/**
 * Stand-ins. Some values must not be stored in state, so state gets a digest instead. The engine calls check first and then create or
 * update, and gives the latter only what check returned. So a runtime keeps the value between the two calls.
 */

import type { Values } from "../schema/facts";
import type { ObjectNode } from "../schema/node";
import { holdsUnknown } from "../schema/unknown";

/** The values of one runtime that wait for their create or update, each under its digest. */
export class StandIns {
    private readonly values = new Map<string, { readonly written: unknown; readonly checks: number }>();

    /** Puts digests in the place of what must not be kept in state, and remembers that. */
    put(node: ObjectNode, inputs: Values): Values {
        return Object.fromEntries(
            Object.entries(inputs).map(([name, value]) => {
                const standIn = node.properties.get(name)?.facts.standIn;
                return [name, standIn && !holdsUnknown(value) ? this.remember(standIn(value), value) : value];
            }),
        );
    }

    /** What a program wrote where this stands in state, or `undefined` where no check of this runtime has seen it. */
    writtenFor(standIn: string): unknown {
        return this.values.get(standIn)?.written;
    }

    /** Forgets the values of a finished operation, unless another operation still needs them. */
    forget(node: ObjectNode, inputs: Values): void {
        for (const [name, standIn] of Object.entries(inputs)) {
            if (typeof standIn !== "string" || !node.properties.get(name)?.facts.standIn) continue;
            const known = this.values.get(standIn);
            if (known && known.checks > 1) this.values.set(standIn, { ...known, checks: known.checks - 1 });
            else this.values.delete(standIn);
        }
    }

    /** A value that is a digest already was remembered by an earlier check. */
    private remember(standIn: string, value: unknown): string {
        const known = this.values.get(standIn);
        const written = value === standIn ? known?.written : value;
        this.values.set(standIn, { written, checks: (known?.checks ?? 0) + 1 });
        return standIn;
    }
}
