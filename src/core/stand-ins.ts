/**
 * Stand-ins. Some values must not be stored in state, so state gets a digest instead. The engine calls check first and then create or
 * update, and gives the latter only what check returned. So the memory of the runtime keeps the value between the two calls.
 */

import type { Values } from "../schema/facts";
import type { ObjectNode } from "../schema/node";
import { holdsUnknown } from "../schema/unknown";
import type { Memory } from "./memory";

/** A value, and how many checks of it await their operation. */
interface Kept {
    readonly written: unknown;
    readonly awaited: number;
}

const createKept = () => new Map<string, Kept>();

/** Puts stand-ins in the place of what must not be kept in state, and remembers that. */
export function withStandIns(node: ObjectNode, inputs: Values, memory: Memory): Values {
    return Object.fromEntries(
        Object.entries(inputs).map(([name, value]) => {
            const standIn = node.properties.get(name)?.facts.standIn;
            return [name, standIn && !holdsUnknown(value) ? remembered(standIn(value), value, memory) : value];
        }),
    );
}

/** If the value is already a stand-in, an earlier check has stored what it stands for. */
function remembered(standIn: string, written: unknown, memory: Memory): string {
    const all = memory(createKept);
    const kept = all.get(standIn);
    all.set(standIn, {
        written: written === standIn ? kept?.written : written,
        awaited: (kept?.awaited ?? 0) + 1,
    });
    return standIn;
}

/** Forgets the values of a finished operation, unless another operation still needs them. */
export function forgetStandIns(node: ObjectNode, inputs: Values, memory: Memory): void {
    const all = memory(createKept);
    for (const [name, standIn] of Object.entries(inputs)) {
        if (typeof standIn !== "string" || !node.properties.get(name)?.facts.standIn) continue;
        const kept = all.get(standIn);
        if (kept && kept.awaited > 1) all.set(standIn, { ...kept, awaited: kept.awaited - 1 });
        else all.delete(standIn);
    }
}

/** What a program wrote where this stands in state, or `undefined` where no check of this runtime has seen it. */
export function writtenFor(standIn: string, memory: Memory): unknown {
    return memory(createKept).get(standIn)?.written;
}
