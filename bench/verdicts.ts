/** What the cells of the engine's commands mean for the goals. */

import type { ContenderName } from "./contenders";
import { type Cell, type Command, commands } from "./engine";
import { atMost, below, type Goal, type Measurement } from "./measurement";

const own = ["dynamic", "native"] as const;

/** The cells of one size; with checkpoints unless they were measured without. */
const cellOf =
    (cells: readonly Cell[], size: number) =>
    (contender: ContenderName, command: Command): Cell | undefined =>
        cells.find((cell) => cell.size === size && cell.contender === contender && cell.command === command);

/** Of all commands, the one in which `contender` does worst beside `other`. */
function worst(
    cells: readonly Cell[],
    size: number,
    contender: ContenderName,
    other: ContenderName,
): { readonly ratio: number; readonly command: Command } | undefined {
    const at = cellOf(cells, size);
    const ratios = commands.flatMap((command) => {
        const [one, beside] = [at(contender, command), at(other, command)];
        return one && beside ? [{ command, ratio: one.wall / beside.wall }] : [];
    });
    return ratios.sort((a, b) => b.ratio - a.ratio)[0];
}

const sizesOf = (cells: readonly Cell[]) => [...new Set(cells.map(({ size }) => size))].sort((a, b) => a - b);

/** Goal 1, of the cells that there are. */
export function engineWork(cells: readonly Cell[]): Measurement[] {
    const goal: Goal = "Engine work";
    const at = cellOf(cells, 500);
    const found: Measurement[] = [];
    for (const kind of own) {
        for (const command of commands) {
            const [one, floor] = [at(kind, command), at("floor", command)];
            if (!one || !floor) continue;
            const what = `CPU of \`${command}\`, N = 500, ${kind}, beside the empty plugin`;
            found.push(atMost(goal, what, one.cpu / floor.cpu, 1.1));
        }
        const [one, floor] = [at(kind, "up"), at("floor", "up")];
        if (one && floor) {
            const what = `state of a role, ${kind}, beside the empty plugin`;
            found.push(atMost(goal, what, one.stateBytes / floor.stateBytes, 1.3));
        }
        for (const size of sizesOf(cells)) {
            const textbook = worst(cells, size, kind, "textbook");
            const title = (name: string, command: Command) =>
                `wall time, N = ${size}, ${kind}, beside ${name}; worst of four: \`${command}\``;
            if (textbook) found.push(below(goal, title("the textbook way", textbook.command), textbook.ratio, 1));
            const peer = worst(cells, size, kind, "peer");
            if (!peer || size > 500) continue;
            const what = title("the official provider", peer.command);
            if (size === 1) found.push(atMost(goal, what, peer.ratio, kind === "dynamic" ? 1.3 : 1));
            else found.push(below(goal, what, peer.ratio, 1));
        }
    }
    return found;
}

const sent = ({ requests, otherRequests }: Cell) => requests + otherRequests;

/** The part of goal 2 that a run of the engine shows. */
export function engineRequests(cells: readonly Cell[]): Measurement[] {
    const size = Math.max(...cells.map((cell) => cell.size));
    const at = cellOf(cells, size);
    return own.flatMap((kind) => {
        const [up, preview] = [at(kind, "up"), at(kind, "preview")];
        if (!up || !preview) return [];
        return [
            atMost("Requests", `requests for each new role, ${kind}, N = ${size}`, up.requests / size, 3),
            atMost("Requests", `requests of a preview without changes, ${kind}, N = ${size}`, sent(preview), 0),
        ];
    });
}

/** Goal 5: how much dearer a resource gets, beside how much dearer the empty plugin's gets. */
export function growth(cells: readonly Cell[]): Measurement[] {
    const [small, large] = [cellOf(cells, 200), cellOf(cells, 2000)];
    return own.flatMap((kind) =>
        commands.flatMap((command) => {
            const [few, many] = [small(kind, command), large(kind, command)];
            const [floorFew, floorMany] = [small("floor", command), large("floor", command)];
            if (!few || !many || !floorFew || !floorMany) return [];
            const ratio = many.cpu / few.cpu / (floorMany.cpu / floorFew.cpu);
            const what = `CPU of a resource in \`${command}\`, ${kind}, at 2,000 over 200, over the empty plugin's`;
            return [atMost("Growth", what, ratio, 1.1)];
        }),
    );
}
