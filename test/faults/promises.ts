/** The promises of docs/when-it-fails.md as rows: how a cell of the fault matrix may end, and why. */

import type { Fault } from "./faults";
import { type Cell, isRead, type Passed } from "./verbs";

/**
 * The possible endings of a cell:
 * - `unnoticed`: the verb succeeded.
 * - `finished by the next command`: the verb failed, and the next command completed it.
 * - `adopted`: the next command refused an existing object that is not in state, and adopted it with `adopt: true`.
 * - `accepted`: the service gave a false answer that the verb did not detect.
 */
export type Ending = "unnoticed" | "finished by the next command" | "adopted" | "accepted";

/**
 * The next step of the client after a lost answer:
 * - `repeated`: the request is idempotent and is repeated.
 * - `looked up`: the request is repeated only if the service certainly did nothing; else a read shows the effect.
 * - `in the dark`: no read shows the effect.
 */
type Kind = "read" | "repeated" | "looked up" | "in the dark";

/** Deletions, writes of a whole configuration, role or snapshot configuration, and declared states of backing data. */
const repeatable = /^DELETE (?!.*\/detach$)|^POST \S+\/(config|config\/[^/]+|role\/[^/]+|\w+_backing_data)$/;
/** A rotation, a detachment, a permanent deletion, and a new version before its upload. */
const inTheDark = /\/(rotate-root|permanently_delete_backing_data|detach)$|^POST \S+\/state-versions$/;

const lineOf = ({ method, path }: Passed) => `${method} ${path}`;

function kindOf(request: Passed): Kind {
    if (isRead(request)) return "read";
    if (inTheDark.test(lineOf(request))) return "in the dark";
    return repeatable.test(lineOf(request)) ? "repeated" : "looked up";
}

/** Whether the client may send a request again after a fault. */
export function mayRepeat(request: Passed, { tells }: Fault): boolean {
    return tells === "untouched" || isRead(request) || repeatable.test(lineOf(request));
}

/** Cells with the same promise. */
interface Row {
    readonly because: string;
    readonly holds: (cell: Cell) => boolean;
    readonly endings: readonly Ending[];
}

/** No read shows whether the change was made, such as that of a secret. */
const isHiddenEdit = ({ subject, verb }: Cell) => subject.hidesEdit === true && verb.name === "update";

const noticed: readonly Ending[] = ["unnoticed", "finished by the next command"];

/** The first row that holds for a cell is its promise. */
const rows: readonly Row[] = [
    { because: "the answer arrives late", holds: ({ fault }) => fault.tells === "all", endings: ["unnoticed"] },
    {
        because: "a preview shows the failure as a warning",
        holds: ({ verb }) => verb.neverFails === true,
        endings: ["unnoticed"],
    },
    {
        because: "the request is sent again",
        holds: ({ once, target, fault }) => once && fault.tells !== "refusal" && mayRepeat(target, fault),
        endings: ["unnoticed"],
    },
    {
        because: "a read shows that the request had its effect",
        holds: (cell) =>
            cell.once &&
            cell.fault.tells === "nothing" &&
            cell.fault.acted === true &&
            kindOf(cell.target) === "looked up" &&
            !isHiddenEdit(cell),
        endings: ["unnoticed"],
    },
    {
        because: "a false answer in the service's own form may count, and may hide an object",
        holds: ({ fault }) => fault.believable === true,
        endings: [...noticed, "adopted", "accepted"],
    },
    {
        because: "another program's object exists",
        holds: ({ verb }) => verb.found !== undefined,
        endings: [...noticed, "adopted"],
    },
    {
        because: "the service acted and answered with an error, so the object may not be in state",
        holds: ({ fault }) => fault.tells === "refusal" && fault.acted === true,
        endings: [...noticed, "adopted"],
    },
    { because: "the next command does what the failed one did not", holds: () => true, endings: noticed },
];

/** Returns the promise of a cell. */
export function promiseOf(cell: Cell): Row {
    const row = rows.find(({ holds }) => holds(cell));
    if (row === undefined) throw new Error("the last row holds for every cell");
    return row;
}

/** Cells at whose end the server may differ from the story without the fault, because no later command contradicts the false answer. */
const exceptions: readonly { readonly because: string; readonly holds: (cell: Cell, ending: Ending) => boolean }[] = [
    {
        because: "no read shows the change",
        holds: (cell) => cell.fault.believable === true && isHiddenEdit(cell),
    },
    {
        because: "no read shows a rotation",
        holds: ({ target }, ending) => ending === "accepted" && kindOf(target) === "in the dark",
    },
    {
        because: "what is gone from state is neither read nor destroyed again",
        holds: ({ verb, next }, ending) => ending === "accepted" && (verb.name === "delete" || next === "destroy"),
    },
];

/** Whether the server may differ at the end from the story without the fault. */
export function mayDiffer(cell: Cell, ending: Ending): boolean {
    return exceptions.some(({ holds }) => holds(cell, ending));
}
