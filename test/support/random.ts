/** Random values that can be repeated: test titles contain the seed, and `STATECRAFT_SEED=<seed>` repeats a failure. */

export interface Chance {
    whole(below: number): number;
    pick<Item>(items: readonly Item[]): Item;
    /** Returns a random subset of the items in random order. */
    some<Item>(items: readonly Item[]): Item[];
}

/** The seed of every random test of this run. */
export const seed = Number(process.env["STATECRAFT_SEED"] ?? 20_261_121);

/** Creates a random generator from a seed (mulberry32). */
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
            const remaining = [...items];
            const taken = [];
            for (let count = whole(items.length + 1); count > 0; count--)
                taken.push(...remaining.splice(whole(remaining.length), 1));
            return taken;
        },
    };
}
