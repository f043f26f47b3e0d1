/** Inputs that check leaves something else in the place of, because state must not hold them. */

import { holdsUnknown } from "./engine-values";
import type { Fields, Props } from "./field";

/** Values that must not be kept in state are replaced by what stands for them. */
export function keptInputs(fields: Fields, inputs: Props): Props {
    return Object.fromEntries(
        Object.entries(inputs).map(([name, value]) => {
            const kind = fields[name]?.kind;
            return [name, kind?.keep && !holdsUnknown(value) ? kind.keep(value) : value];
        }),
    );
}

/** The other end of `keptInputs`. */
export function letGo(fields: Fields, inputs: Props): void {
    for (const [name, value] of Object.entries(inputs)) fields[name]?.kind.letGo?.(value);
}
