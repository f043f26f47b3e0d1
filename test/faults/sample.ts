/** The part of the matrix that `npm test` runs. */

import { nameOf } from "./subjects";
import { type Cell, isRead } from "./verbs";

/**
 * What the sample must contain: every fault with and without an existing object, every request, every command after every verb; for every
 * write a fault without effect, a lost answer before and after the effect, and another answer; for every read every answer that might be taken
 * for "gone".
 */
function keysOf(cell: Cell): string[] {
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
    // The answer is lost, and all later reads fail too.
    if (!once) return isLost && !isRead(target) ? [...all, `${place}: lost from here on`] : all;
    const isGone = /^40[134]/.test(name) && (verb.name === "read" || verb.name === "delete");
    if (isRead(target)) return isGone ? [...all, `${subject.type}, ${verb.name}: ${name}`] : all;
    return tells === "all" ? all : [...all, `${place}: ${tells}, acted: ${isLost}`];
}

/** A small sample, spread over all cells, with few stories, because each story also runs without a fault. */
export function sampleOf(cells: readonly Cell[]): Cell[] {
    const stride = 7919;
    if (cells.length % stride === 0) throw new Error("the stride must reach every cell");
    const spread = cells.flatMap((_, index) => cells[(index * stride) % cells.length] ?? []);
    const usual = new Map<string, Cell["next"]>();
    for (const cell of spread) usual.set(storyOf(cell), usual.get(storyOf(cell)) ?? cell.next);
    const isUsual = (cell: Cell) => usual.get(storyOf(cell)) === cell.next;
    const met = new Set<string>();
    // Cells with many new keys come first.
    return [spread.filter(isUsual), spread].flatMap((some) =>
        [3, 2, 1].flatMap((least) =>
            some.filter((cell) => {
                const fresh = keysOf(cell).filter((key) => !met.has(key));
                if (fresh.length < least) return false;
                for (const key of fresh) met.add(key);
                return true;
            }),
        ),
    );
}

const storyOf = ({ subject, verb }: Cell) => `${nameOf(subject)}, ${verb.name}`;

/** The writes that no cell harms before, or none after their effect. */
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
