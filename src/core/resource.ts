/** The interface that each resource file implements, and helpers for state. */

import * as z from "zod";
import type { PropertyChange } from "../schema/compare";
import type { Meaning } from "../schema/meaning";
import { asType, type ObjectNode, objectNode, property } from "../schema/property";
import { type Values, withoutUndefined } from "../schema/values";
import type { Context, ServerDefaults } from "./context";
import type { Service } from "./service";

/** Decoded inputs with defaults, as resource files get them. */
export type Inputs<In extends z.ZodObject> = Readonly<z.output<In>>;

/** Outputs that are not inputs. */
export type Outputs<Out extends z.ZodObject> = Readonly<z.input<Out>>;

/** State of the last deployment. Every property may be absent, because an older version or an import stored less. */
export type State<In extends z.ZodObject, Out extends z.ZodObject> = Partial<
    Inputs<In> & Outputs<Out> & Outputs<typeof sharedOutputs>
>;

/** The JSON body of a request or an answer, by the field names of the API. */
export type Body = Readonly<Record<string, unknown>>;

/** An object as the service shows it. */
export interface Seen<In extends z.ZodObject, Out extends z.ZodObject> {
    /** The record, by the field names of the API. */
    readonly body?: Body;
    /** Inputs that the resource file reads itself, because the record does not contain them as a field of their API name. */
    readonly inputs?: Partial<Inputs<In>>;
    readonly outputs?: Partial<Outputs<Out>>;
}

/** A write of a named object. */
export interface Write<In extends z.ZodObject> {
    /** The complete object, by the field names of the API. */
    readonly body: Body;
    readonly inputs: Inputs<In>;
    /** The inputs of the last deployment; `undefined` for a new or just adopted object. */
    readonly olds: Partial<Inputs<In>> | undefined;
}

/**
 * A resource. A resource file defines `write` for a named object, or `act` for an action. A special case of one resource belongs into its
 * file, not into a new member here.
 */
export interface Resource<In extends z.ZodObject, Out extends z.ZodObject, Address> {
    /** Name of the class, and of the type in Pulumi. */
    readonly type: string;
    readonly service: Service;
    readonly description: string;
    readonly inputs: In;
    /** Outputs that are not inputs. */
    readonly outputs: Out;
    /** The form of ids, for docs and messages: `auth/<mount>/config`. */
    readonly idForm: string;
    /** A replacement deletes the old object first, because the new one has the same id. */
    readonly deletesFirst?: true;
    /** The name of the object in messages, such as `role web of auth/azure`. */
    title(address: Address): string;
    /** The name in messages of an object that does not exist yet; an empty string selects its future id. Default: the first required input. */
    subject?(inputs: Partial<Inputs<In>>): string;
    /** Changes checked inputs before they are stored, for example replaces a value that must not be in state by its digest. */
    prepare?(inputs: Values): Values | Promise<Values>;
    /** Changes the body of a write before it is sent. */
    toWire?(body: Body, write: Write<In>): Body;
    /** Changes the body of an answer before it is decoded. */
    fromWire?(body: Body): Body;
    /** The address of the object that inputs describe. After create, `parse` reads it from the id instead. */
    address(inputs: Inputs<In>, settings: ServerDefaults): Address;
    id(address: Address): string;
    /** The address of an id; `undefined` for an id of another form. */
    parse(id: string): Address | undefined;
    /** The inputs that an address consists of. */
    named(address: Address): Partial<z.input<In>>;
    /**
     * Reads the object; `undefined` if the service says that it is absent. `state` is absent for an import, and for an object that somebody
     * else may have created. A refresh of an action without `read` returns its state unchanged.
     */
    read?(context: Context, address: Address, state?: State<In, Out>): Promise<Seen<In, Out> | undefined>;
    /** Creates a named object or replaces it completely. */
    write?(context: Context, address: Address, write: Write<In>): Promise<void>;
    /**
     * Performs an action. `state` is absent at create. Returns the outputs that change, and the address if only the service knows it.
     * @throws HalfMade if something was done and a later step failed
     */
    act?(
        context: Context,
        address: Address,
        inputs: Inputs<In>,
        state?: State<In, Out>,
    ): Promise<{ readonly address?: Address; readonly outputs: Partial<Outputs<Out>> }>;
    /** Deletes the object. Default: nothing. */
    remove?(context: Context, address: Address, state: State<In, Out>): Promise<void>;
    /**
     * Waits after a write or an action if the inputs ask for it, and returns the outputs that are known only after the wait. `state` is the
     * outputs so far.
     */
    wait?(
        context: Context,
        address: Address,
        inputs: Inputs<In>,
        state: State<In, Out>,
    ): Promise<Partial<Outputs<Out>>>;
    /** Shows in a preview what the deployment would do. A failure is shown as a warning. */
    preview?(
        context: Context,
        inputs: Inputs<In>,
        state: State<In, Out> | undefined,
        changes: readonly PropertyChange[],
    ): Promise<void>;
}

/** A resource of any types. The core passes decoded plain data to its functions. */
export interface AnyResource extends Resource<z.ZodObject, z.ZodObject, unknown> {
    /** The properties of the inputs, read from their schema once. */
    readonly node: ObjectNode;
}

/** Defines a resource, and erases its types. */
export function defineResource<In extends z.ZodObject, Out extends z.ZodObject, Address>(
    resource: Resource<In, Out, Address>,
): AnyResource {
    // The core decodes inputs and state by the schema before it calls a function of the file.
    const erased = resource as unknown as Resource<z.ZodObject, z.ZodObject, unknown>;
    return { ...erased, node: objectNode(erased.inputs) };
}

/** Outputs of every resource. */
export const sharedOutputs = z.strictObject({
    server: property(z.string(), {
        description: "Address of the object's server. Operations on another server fail.",
    }),
    unfinished: property(z.array(z.string()).optional(), {
        description:
            "Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none.",
    }),
});

/** The id of an object and its outputs in state. */
export interface Stored {
    readonly id: string;
    readonly outputs: Values;
}

/** The object exists but a later step failed. Pulumi keeps the object in state, and the next `up` goes on with the steps in `unfinished`. */
export class HalfMade extends Error {
    /**
     * @param outputs what is known of the object so far
     * @param steps the steps that the next `up` repeats
     * @param problem one sentence, without the cause
     * @param id set by the core, if the resource file does not know it
     */
    constructor(
        readonly outputs: Values,
        readonly steps: readonly string[],
        problem: string,
        override readonly cause: unknown,
        readonly id?: string,
    ) {
        super(problem);
        this.name = "HalfMade";
    }

    /** A copy with an id, and with the outputs that were known before. */
    of(id: string, known: Values): HalfMade {
        const { outputs, steps, message, cause } = this;
        const whole = withoutUndefined({ ...known, ...outputs, unfinished: [...steps] });
        return new HalfMade(whole, steps, message, cause, this.id ?? id);
    }
}

/** The steps in the output `unfinished` of a state. */
export function unfinishedSteps(state: Values): readonly string[] {
    const steps = state["unfinished"];
    return Array.isArray(steps) ? steps.filter((step) => typeof step === "string") : [];
}

/** Decoded inputs and outputs in a state, as resource files get them. An output of another type than in the schema is left out. */
export function stateOf(resource: AnyResource, state: Values, meaning: Meaning): Values {
    const types = Object.entries({ ...resource.outputs.shape, ...sharedOutputs.shape });
    const outputs = types.filter(
        ([name, type]) => state[name] !== undefined && asType(type).safeParse(state[name]).success,
    );
    return { ...meaning, ...Object.fromEntries(outputs.map(([name]) => [name, state[name]])) };
}

/** The outputs of a state that are not inputs. */
export function outputsIn({ node }: AnyResource, state: Values): Values {
    return Object.fromEntries(Object.entries(state).filter(([name]) => !node.properties.has(name)));
}

/** The inputs in a state. */
export function inputsIn({ node }: AnyResource, state: Values): Values {
    return Object.fromEntries(Object.entries(state).filter(([name]) => node.properties.has(name)));
}

/** The inputs with the fact `place` in an address, which state stores because the program may leave them out. */
export function placeOf({ node, named }: AnyResource, address: unknown): Values {
    const isPlace = (name: string) => node.properties.get(name)?.facts.place;
    const names = address === undefined ? {} : named(address);
    return Object.fromEntries(Object.entries(names).filter(([name, value]) => isPlace(name) && value !== undefined));
}
