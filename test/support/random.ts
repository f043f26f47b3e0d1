/** Chance that can be repeated: titles of tests print the seed, and `STATECRAFT_SEED=<seed>` runs a failure again. */

/** Draws from a seed. */
export interface Chance {
    whole(below: number): number;
    pick<Item>(items: readonly Item[]): Item;
    /** A part of the items, in another order. */
    some<Item>(items: readonly Item[]): Item[];
}

/** The seed of every random test of this run. */
export const seed = Number(process.env["STATECRAFT_SEED"] ?? 20_261_121);

/** The sequence that a seed stands for (mulberry32). */
export function chance(start = seed): Chance {
    let state = start >>> 0;
    const next = () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
    const whole = (below: number) => Math.floor(next() * below);
    return {
        whole,
        pick: (items) => {
            const item = items[whole(items.length)];
            if (item === undefined) throw new Error("nothing to pick from");
            return item;
        },
        some: (items) => {
            const left = [...items];
            const taken = [];
            for (let count = whole(items.length + 1); count > 0; count--)
                taken.push(...left.splice(whole(left.length), 1));
            return taken;
        },
    };
}
