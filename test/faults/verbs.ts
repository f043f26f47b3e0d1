/** The operations that the fault matrix runs with a fault, and the commands that follow. */

import type { SentRequest } from "../support/injector";
import { type ManagedResource, Shown } from "../support/managed-resource";
import type { Props } from "../support/pulumi-values";
import type { Simulator } from "../support/simulator";
import type { Fault } from "./faults";
import type { Subject } from "./subjects";

/** An operation that runs with a fault. */
export interface Verb {
    readonly name: string;
    /** Runs without a fault before the operation. */
    prepare?(resource: ManagedResource, subject: Subject, simulator: Simulator): Promise<unknown>;
    act(resource: ManagedResource, subject: Subject): Promise<unknown>;
    /** The program's inputs after the verb; `undefined` if the program no longer declares the resource. */
    program(subject: Subject): Props | undefined;
    /** The inputs of another program's object that exists before the verb. */
    found?(subject: Subject): Props | undefined;
    /** The verb never writes. */
    readonly onlyLooks?: true;
    /** The verb succeeds even if its reads fail. */
    readonly neverFails?: true;
    /** Pulumi's state is empty after the verb. */
    readonly leavesNothing?: true;
}

const up = (resource: ManagedResource, { inputs }: Subject) => resource.up(inputs);
const upTheirs = async (resource: ManagedResource, { theirs }: Subject) => {
    if (theirs) await resource.up(theirs);
    resource.state = undefined;
};
const asNew = ({ inputs }: Subject) => inputs;
const asEdited = ({ edited }: Subject) => edited;

/** All verbs. The matrix has no cells for a verb that sends no request. */
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
        prepare: up,
        act: (resource, { edited }) => resource.preview(edited),
        program: asEdited,
        onlyLooks: true,
        neverFails: true,
    },
    { name: "create", act: up, program: asNew },
    {
        name: "create over another's object",
        prepare: upTheirs,
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
    { name: "read", prepare: up, act: (resource) => resource.refresh(), program: asNew, onlyLooks: true },
    { name: "update", prepare: up, act: (resource, { edited }) => resource.up(edited), program: asEdited },
    {
        name: "delete",
        prepare: up,
        act: (resource) => resource.destroy(),
        program: () => undefined,
        leavesNothing: true,
    },
];

/** Whether an error refuses to create an object that exists. */
export function asksToAdopt(error: Error): boolean {
    return error instanceof Shown && error.code === "exists";
}

/** The commands that the user may run after the verb. */
export const commands = ["up", "refresh", "destroy"] as const;
export type Command = (typeof commands)[number];

/** A resource, a verb and the next command. */
export interface Story {
    readonly subject: Subject;
    readonly verb: Verb;
    readonly next: Command;
}

export type Passed = Pick<SentRequest, "method" | "path">;

/** A request of a verb. */
export interface Target extends Passed {
    /** The number of the request in the verb, counted from 1. */
    readonly number: number;
    /** The number of all requests of the verb. */
    readonly of: number;
}

/** A story with a fault at one of the verb's requests. */
export interface Cell extends Story {
    readonly fault: Fault;
    readonly target: Target;
    /** Whether the fault hits only the target, not all later requests too. */
    readonly once: boolean;
}

/** Whether a request only reads. */
export const isRead = ({ method }: Passed): boolean => method === "GET" || method === "LIST";
