/** Selects the cells of the fault matrix that `npm test` runs. */

import { nameOf } from "./subjects";
import { type Cell, isRead } from "./verbs";

/**
 * Returns the features of a cell. The sample contains every feature: each fault with and without an existing object, each request, each command after
 * each verb; for each write, a fault without effect, a lost answer before and after the effect, and another answer; for each read, each answer that
 * a client could mistake for an absent object.
 */
function featuresOf(cell: Cell): string[] {
    const { subject, verb, fault, target, once, next } = cell;
    const { name, tells, harm } = fault;
    const place = `${storyOf(cell)}, ${target.number}`;
    const all = [
        `${name}, prepared: ${verb.prepare !== undefined}`,
        place,
        `${verb.name} ${next}`,
        `${verb.name} ${once}`,
    ];
    const isLost = tells === "nothing" && "acted" in harm && harm.acted;
    // A fault that hits all later requests too prevents the reads that would show the effect of a write.
    if (!once) return isLost && !isRead(target) ? [...all, `${place}: lost from here on`] : all;
    const isGone = /^40[134]/.test(name) && (verb.name === "read" || verb.name === "delete");
    if (isRead(target)) return isGone ? [...all, `${subject.type}, ${verb.name}: ${name}`] : all;
    return tells === "all" ? all : [...all, `${place}: ${tells}, acted: ${isLost}`];
}

/** Returns a small sample of cells. It has few stories, because each story also runs without a fault. */
export function sampleOf(cells: readonly Cell[]): Cell[] {
    const stride = 7919;
    if (cells.length % stride === 0) throw new Error("the stride must reach every cell");
    const spread = cells.flatMap((_, index) => cells[(index * stride) % cells.length] ?? []);
    const usual = new Map<string, Cell["next"]>();
    for (const cell of spread) usual.set(storyOf(cell), usual.get(storyOf(cell)) ?? cell.next);
    const isUsual = (cell: Cell) => usual.get(storyOf(cell)) === cell.next;
    const met = new Set<string>();
    // Cells with many new features come first.
    return [spread.filter(isUsual), spread].flatMap((some) =>
        [3, 2, 1].flatMap((least) =>
            some.filter((cell) => {
                const fresh = featuresOf(cell).filter((feature) => !met.has(feature));
                if (fresh.length < least) return false;
                for (const feature of fresh) met.add(feature);
                return true;
            }),
        ),
    );
}

const storyOf = ({ subject, verb }: Cell) => `${nameOf(subject)}, ${verb.name}`;

/** Returns the writes of `cells` at which `done` has no fault before their effect, or none after it. */
export function unharmed(cells: readonly Cell[], done: readonly Cell[]): string[] {
    const writes = (some: readonly Cell[], acted: boolean) =>
        some
            .filter(({ target, fault }) => !isRead(target) && "acted" in fault.harm && fault.harm.acted === acted)
            .map(
                ({ subject, verb, target }) =>
                    `${nameOf(subject)}, ${verb.name}: ${target.method} ${target.path}, acted: ${acted}`,
            );
    return [true, false].flatMap((acted) => {
        const harmed = new Set(writes(done, acted));
        return [...new Set(writes(cells, acted))].filter((write) => !harmed.has(write));
    });
}
