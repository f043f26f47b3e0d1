/** A resource: one schema, and handlers that live by it. One constant per resource, in a file of its own. */

import * as z from "zod";
import type { Documented } from "../catalogue";
import type { StatecraftError } from "../errors";
import type { Change } from "../schema/diff";
import { type Defaults, property, type Values } from "../schema/facts";
import { asType, type ObjectNode, objectNode } from "../schema/node";
import type { RequestContext } from "./request-context";
import type { Service } from "./service";

/** Inputs as handlers get them: decoded, defaults filled in. */
export type Inputs<Schema extends z.ZodObject> = Readonly<z.output<Schema>>;

/** Outputs as handlers return them. */
export type Outputs<Schema extends z.ZodObject> = Readonly<z.input<Schema>>;

/** Outputs that every resource has; the frame fills them. */
export const sharedOutputs = z.strictObject({
    server: property(z.string(), {
        description:
            "The server that holds the object: origin and path of its address, and the region of a Nomad server where one is set. Later runs refuse to act on another.",
    }),
    unfinished: property(z.array(z.string()).optional(), {
        description:
            "What the last deployment left to do after the object was made. The next update goes on from there. Absent when nothing is left.",
    }),
});

/**
 * What the last deployment left in state: inputs decoded, defaults filled in, and outputs. What an older state lacks is absent, and so is
 * an output that somebody gave another type by hand.
 */
export type State<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject> = Partial<
    Inputs<InputSchema> & Outputs<OutputSchema> & Outputs<typeof sharedOutputs>
>;

/** What every base of resources asks for. */
export interface ResourceSpec<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject> {
    /** Name of the class and of the type. */
    readonly type: string;
    readonly service: Service;
    readonly description: string;
    readonly inputs: InputSchema;
    /** Outputs that are not inputs. */
    readonly outputs: OutputSchema;
    /** What its failures say, for the reference pages. */
    readonly errors: readonly Documented[];
    /** The form of its id, such as `auth/<mount>/config`. */
    readonly idForm: string;
    /** How messages call an object that has no id yet, by those of its inputs that are known. Default: its first required input. */
    subject?(inputs: Partial<Inputs<InputSchema>>): string;
    /** A replacement deletes first, because the id is taken. */
    readonly deleteBeforeReplace?: true;
    /** In a preview: tells the user what the inputs will come to. Its own failures are warnings. */
    previewChange?(
        context: RequestContext,
        inputs: Inputs<InputSchema>,
        state: State<InputSchema, OutputSchema> | undefined,
        /** How the inputs differ from the state; empty for a new resource. */
        changes: readonly Change[],
    ): Promise<void>;
}

/** What an operation leaves in state, beside what the frame adds. */
export interface Created {
    readonly id: string;
    readonly outputs: Values;
}

/** How a resource lives, over plain data. `olds` and `state` are outputs of the last deployment; `state` is empty when only the id is known. */
export interface Handlers {
    create(context: RequestContext, inputs: Values): Promise<Created>;
    /** What the service holds now, or `undefined` when the object is gone. */
    read(context: RequestContext, id: string, state: Values): Promise<Created | undefined>;
    /** Brings the object to `news` and returns the outputs. */
    update(context: RequestContext, id: string, olds: Values, news: Values): Promise<Values>;
    delete(context: RequestContext, id: string, state: Values): Promise<void>;
    /** The inputs that an id is made of: none where the service makes it. Throws for an id of another form. */
    named(id: string): Values;
    /** The id that inputs will have. None: only the service knows it, or several resources may have the same. */
    idOf?(inputs: Values, settings: Defaults): string;
    /** The one spelling of an id that names the same object in several ways. */
    canonicalId?(id: string): string;
    /** Outputs that ask for an update though no input differs. */
    outdated?(olds: Values, news: Values): string[];
    previewChange(context: RequestContext, inputs: Values, olds: Values | undefined): Promise<void>;
    /** Looks whether an object exists that inputs would create, and returns the failure that its creation would be. */
    findExisting?(context: RequestContext, inputs: Values): Promise<StatecraftError | undefined>;
}

/** A resource, whatever its base. */
export interface Resource extends Omit<ResourceSpec<z.ZodObject, z.ZodObject>, "previewChange"> {
    /** The node of `inputs`. */
    readonly node: ObjectNode;
    readonly handlers: Handlers;
}

/** Makes a resource of what its file says and the handlers of its base. */
export function resourceOf(
    spec: ResourceSpec<z.ZodObject, z.ZodObject>,
    handlersOf: (node: ObjectNode) => Handlers,
): Resource {
    const node = objectNode(spec.inputs);
    return { ...spec, node, handlers: handlersOf(node) };
}

/**
 * The object was made, but a later step failed: it is kept in state, and its output `unfinished` says what is left to do. Pulumi calls
 * that a failed initialization.
 */
export class PartialCreateError extends Error {
    readonly id: string;
    readonly outputs: Values;
    override readonly cause: unknown;

    /** `problem` says in one sentence what is not finished; `cause` why. */
    constructor(id: string, outputs: Values, unfinished: readonly string[], problem: string, cause: unknown) {
        super(problem);
        this.name = "PartialCreateError";
        this.id = id;
        this.outputs = { ...outputs, unfinished: [...unfinished] };
        this.cause = cause;
    }
}

/** The outputs that a state holds, each of its type. */
export function typedOutputs(schema: z.ZodObject, state: Values): Values {
    const types = Object.entries({ ...schema.shape, ...sharedOutputs.shape });
    const isTyped = ([name, type]: (typeof types)[number]) =>
        state[name] !== undefined && asType(type).safeParse(state[name]).success;
    return Object.fromEntries(types.filter(isTyped).map(([name]) => [name, state[name]]));
}

/** The steps that a state says are left to do. */
export function unfinishedSteps(state: Values): readonly string[] {
    const steps = state["unfinished"];
    return Array.isArray(steps) ? steps.filter((step) => typeof step === "string") : [];
}

/** The outputs of a state that ask for an update though no input differs. */
export function outdatedOutputs(handlers: Handlers, olds: Values, news: Values): readonly string[] {
    const unfinished = unfinishedSteps(olds).length > 0 ? ["unfinished"] : [];
    return [...(handlers.outdated?.(olds, news) ?? []), ...unfinished];
}
