/** What the engine does with a resource while something goes wrong, and what the user types afterwards. */

import { type ManagedResource, Shown } from "../support/managed-resource";
import type { Simulator } from "../support/simulator";
import type { Fault } from "./faults";
import type { Passed } from "./proxy";
import type { Subject } from "./subjects";

type Props = Record<string, unknown>;

/** What the engine does with a resource under the fault. */
export interface Verb {
    readonly name: string;
    /** What is done before the fault. */
    prepare?(resource: ManagedResource, subject: Subject, simulator: Simulator): Promise<unknown>;
    act(resource: ManagedResource, subject: Subject): Promise<unknown>;
    /** What the program says afterwards; `undefined`: nothing of this resource. */
    program(subject: Subject): Props | undefined;
    /** What an object says that state does not know of. Default: the inputs. */
    found?(subject: Subject): Props | undefined;
    /** Whatever happens, nothing is written: what is there already stays as it is. */
    readonly onlyLooks?: true;
    /** Whatever a look tells or does not tell, it succeeds. */
    readonly neverFails?: true;
    /** Afterwards state holds nothing that could be destroyed. */
    readonly leavesNothing?: true;
}

const up = (resource: ManagedResource, { inputs }: Subject) => resource.up(inputs);
const make = async (resource: ManagedResource, subject: Subject, simulator: Simulator) => {
    await up(resource, subject);
    await subject.settle?.(simulator);
};
const asNew = ({ inputs }: Subject) => inputs;
const asEdited = ({ edited }: Subject) => edited;

/** All verbs, each preview, and the creation of what somebody else has made before; a verb that sends nothing has no cells. */
export const verbs: readonly Verb[] = [
    {
        name: "preview",
        act: (resource, { inputs }) => resource.preview(inputs),
        program: asNew,
        onlyLooks: true,
        neverFails: true,
        leavesNothing: true,
    },
    {
        name: "preview of a change",
        prepare: make,
        act: (resource, { edited }) => resource.preview(edited),
        program: asEdited,
        onlyLooks: true,
        neverFails: true,
    },
    { name: "create", act: up, program: asNew },
    {
        name: "create over another's object",
        async prepare(resource, { theirs }) {
            if (theirs) await resource.up(theirs);
            resource.state = undefined;
        },
        async act(resource, subject) {
            if (subject.theirs === undefined) return;
            const refusal = await up(resource, subject).catch((error: Error) => error);
            if (refusal instanceof Error && !asksToAdopt(refusal)) throw refusal;
        },
        program: asNew,
        found: ({ theirs }) => theirs,
        onlyLooks: true,
        leavesNothing: true,
    },
    { name: "read", prepare: make, act: (resource) => resource.refresh(), program: asNew, onlyLooks: true },
    { name: "update", prepare: make, act: (resource, { edited }) => resource.up(edited), program: asEdited },
    {
        name: "delete",
        prepare: make,
        act: (resource) => resource.destroy(),
        program: () => undefined,
        leavesNothing: true,
    },
];

/** An object that a run may have made without knowing is refused, with the line to type. */
export function asksToAdopt(error: Error): boolean {
    return error instanceof Shown && error.code === "exists";
}

/** What the user runs when the fault is over. */
export const commands = ["up", "refresh", "destroy"] as const;
export type Command = (typeof commands)[number];

/** One story of a resource. */
export interface Story {
    readonly subject: Subject;
    readonly verb: Verb;
    readonly next: Command;
}

/** A request of a verb. */
export interface Target extends Passed {
    /** Counted from 1. */
    readonly number: number;
    /** How many requests the verb takes in all. */
    readonly of: number;
}

/** One story, and what goes wrong in it. */
export interface Cell extends Story {
    readonly fault: Fault;
    readonly target: Target;
    /** Only that request; else all that follow as well. */
    readonly once: boolean;
}

/** Whether a request only looks. */
export const isRead = ({ method }: Passed): boolean => method === "GET" || method === "LIST";
