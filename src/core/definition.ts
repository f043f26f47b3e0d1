/** A resource as data and a few functions: everything the frame needs to derive check, diff, secrets and the argument types. */

import type { StatecraftError } from "../errors";
import { holdsUnknown } from "./engine-values";
import type { Fields, Props, Rule } from "./field";
import type { Service } from "./service";
import type { Session } from "./session";
import type { ToldError } from "./told-error";

/** An output that is not an input. */
export interface OutputField {
    readonly doc: string;
    /** The type in TypeScript's words. */
    readonly type: string;
    /** Absent in some states of the object. */
    readonly optional?: true;
}

/** What a verb leaves in state, beside what the frame adds. */
export interface Made {
    readonly id: string;
    readonly outputs: Props;
}

/** How a resource lives. Every verb gets a session that leads to the server its object is on. */
export interface Verbs {
    create(session: Session, inputs: Props): Promise<Made>;
    /** What the service holds now, or `undefined` when the object is gone. `state` is empty when only the id is known. */
    read(session: Session, id: string, state: Props): Promise<Made | undefined>;
    /** Brings the object to `news` and returns the outputs. */
    update(session: Session, id: string, olds: Props, news: Props): Promise<Props>;
    delete(session: Session, id: string, state: Props): Promise<void>;
    /** The inputs that an id is made of. Throws for an id of another form. None: the service makes it. */
    named?(id: string): Props;
    /** The object that deleting takes away, by a name of its own on the server: another resource of the program may have it too. None: nothing is taken. */
    holds?(id: string, state: Props): string | undefined;
    /** Done in place of `delete` where another resource of the program has that object: gives up what is this one's alone. */
    leave?(session: Session, id: string, state: Props): Promise<void>;
    /** Further reasons for an update that the fields do not show; the names of outputs. */
    outdated?(olds: Props, news: Props): string[];
}

/** A resource. One constant per resource, in a file of its own. */
export interface Definition {
    /** Name of the class and of the type. */
    readonly type: string;
    readonly service: Service;
    readonly doc: string;
    readonly inputs: Fields;
    readonly outputs: Readonly<Record<string, OutputField>>;
    readonly rules: readonly Rule[];
    /** Whether a replacement must delete first, because the id is taken. */
    readonly deleteBeforeReplace?: true;
    readonly verbs: Verbs;
    /** How messages call an object that has no id yet, by those of its inputs that are known. Default: its first required field. */
    subject?(inputs: Props): string;
    /** What it says when something is wrong, beside what every resource may say. */
    readonly errors: readonly ToldError[];
    /**
     * In a preview: tells the user, through the session, what the inputs will come to, and `hinder` what would make it fail now, as far as a
     * look can tell: a warning, or a failure where warnings are. Asked only when check found no failure; its own failures are warnings.
     */
    preview?(
        session: Session,
        inputs: Props,
        olds: Props | undefined,
        hinder: (problem: StatecraftError) => void,
    ): Promise<void>;
}

/** How messages call an object that has no id yet. */
export function subjectOf({ type, inputs: fields, subject }: Definition, inputs: Props): string {
    const known = Object.fromEntries(Object.entries(inputs).filter(([, value]) => !holdsUnknown(value)));
    const name = Object.keys(fields).find((key) => fields[key]?.required) ?? "";
    const value = subject === undefined ? known[name] : subject(known);
    return typeof value === "object" ? type : `${type} ${value ?? ""}`.trimEnd();
}

/** Outputs that every resource has; the frame fills them. */
export const frameOutputs: Readonly<Record<string, OutputField>> = {
    server: {
        doc: "The server that holds the object: origin and path of its address, or `simulator:<id>`. Later runs refuse to act on another.",
        type: "string",
    },
    unfinished: {
        doc: "What the last deployment left to do after the object was made. The next `pulumi up` goes on from there. Absent when nothing is left.",
        type: "string[]",
        optional: true,
    },
};

/** The object was made, but a later step failed: it is kept in state, and `unfinished` says what is left to do. */
export class HalfMadeError extends Error {
    readonly id: string;
    readonly outputs: Props;
    override readonly cause: unknown;

    /** `problem` says in one sentence what is not finished; `cause` why. */
    constructor(id: string, outputs: Props, unfinished: readonly string[], problem: string, cause: unknown) {
        super(problem);
        this.name = "HalfMadeError";
        this.id = id;
        this.outputs = { ...outputs, unfinished: [...unfinished] };
        this.cause = cause;
    }
}

/** The steps that a state says are left to do. */
export function unfinishedSteps(state: Props): readonly string[] {
    const steps = state["unfinished"];
    return Array.isArray(steps) ? steps.filter((step) => typeof step === "string") : [];
}
