/** Inputs that check leaves something else in the place of, because state must not hold them. */

import { holdsUnknown } from "./engine-values";
import type { Fields, Props } from "./field";
import type { Memory } from "./memory";

/** Values that must not be kept in state are replaced by what stands for them. */
export function keptInputs(fields: Fields, inputs: Props, memory: Memory): Props {
    return Object.fromEntries(
        Object.entries(inputs).map(([name, value]) => {
            const kind = fields[name]?.kind;
            return [name, kind?.keep && !holdsUnknown(value) ? kind.keep(value, memory) : value];
        }),
    );
}

/** The other end of `keptInputs`. */
export function letGo(fields: Fields, inputs: Props, memory: Memory): void {
    for (const [name, value] of Object.entries(inputs)) fields[name]?.kind.letGo?.(value, memory);
}
