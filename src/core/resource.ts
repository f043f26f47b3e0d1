/** The interface that each resource file implements, and helpers for state. */

import * as z from "zod";
import type { PropertyChange } from "../schema/compare";
import { Declared } from "../schema/declared";
import { asType, factsOrNone, type ObjectNode, objectNode, property, type Spelled } from "../schema/property";
import { duration } from "../schema/property-types";
import { withSources } from "../schema/secret-sources";
import { filterValues, type Values, withoutUndefined } from "../schema/values";
import type { Context, DeploymentContext, Runtime, ServerDefaults } from "./context";
import type { Identity, IdParts } from "./identity";
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
export interface Write<In extends z.ZodObject, Out extends z.ZodObject> {
    /** Whether the write makes the object, or changes one that another program made (`adopt`) or this resource (`update`). */
    readonly kind: "create" | "adopt" | "update";
    /** The complete object, by the field names of the API. */
    readonly body: Body;
    /** With digests of the secrets that have a source, as in `olds`. */
    readonly inputs: Inputs<In>;
    /** The inputs as the program writes them, without defaults. */
    readonly written: Values;
    /** The inputs of the last deployment. Empty unless the write is an update. */
    readonly olds: Partial<Inputs<In>>;
    /** The outputs of the object, as `read` saw them before this write, or as the last deployment stored them. Empty for a new object. */
    readonly outputs: Partial<Outputs<Out>>;
}

/** An object in a list. The name is empty if the object has none. */
type Entry<Address> = readonly [address: Address, name: string];

/** How the existing objects of a resource are listed. */
interface Listing<In extends z.ZodObject, Address extends IdParts, Defaults = unknown> {
    /** The inputs that narrow the list. */
    readonly inputs: In;
    /** Returns the objects in the server's order: at least `limit` of them, or all. */
    find(context: Context<Defaults>, query: Inputs<In>, limit: number): Promise<readonly Entry<Address>[]>;
}

/** Defines a list, and erases the type of its inputs. */
export const defineListing = <In extends z.ZodObject, Address extends IdParts, Defaults>(
    listing: Listing<In, Address, Defaults>,
): Listing<z.ZodObject, Address, Defaults> => listing;

/** The members of both kinds of resources. A special case of one resource belongs into its file, not into a new member here. */
interface Common<In extends z.ZodObject, Out extends z.ZodObject, Address extends IdParts, Defaults> {
    /** Name of the class, and of the type in Pulumi. */
    readonly type: string;
    readonly service: Service<Defaults>;
    readonly description: string;
    readonly inputs: In;
    /** Outputs that are not inputs. */
    readonly outputs: Out;
    readonly identity: Identity<Address>;
    /** Lists the objects of the server, also those that no program manages. Default: they cannot be listed. */
    readonly list?: Listing<z.ZodObject, Address, Defaults>;
    /** The name of the object in messages, such as `snapshot configuration hourly`. */
    title(address: Address): string;
    /** The name in messages of an object that does not exist yet; an empty string selects its future id. Default: the first required input. */
    subject?(inputs: Partial<Inputs<In>>): string;
    /**
     * Changes checked inputs before they are stored: for example, replaces a value that must not be in state by its digest.
     * @param before the inputs of the last deployment
     */
    prepare?(inputs: Values, about: DeploymentContext, before: Values, runtime: Runtime): Values | Promise<Values>;
    /** The address of the object that inputs describe. After create, it comes from the id instead. */
    address(inputs: Inputs<In>, settings: ServerDefaults<Defaults>): Address;
    /** Deletes the object. `state` has the outputs that a read before the deletion saw. Default: nothing. */
    remove?(context: Context<Defaults>, address: Address, state: State<In, Out>): Promise<void>;
    /** The rest on the server after a deletion that changes nothing there. Default: it deletes the object. */
    stays?(state: State<In, Out>): string | undefined;
    /**
     * Waits after a write or an action if the inputs ask for it, and returns the outputs that are known only after the wait. `state` is the
     * outputs so far.
     */
    wait?(
        context: Context<Defaults>,
        address: Address,
        inputs: Inputs<In>,
        state: State<In, Out>,
    ): Promise<Partial<Outputs<Out>>>;
    /** Shows in a preview what the deployment would do. A failure is shown as a warning. */
    preview?(
        context: Context<Defaults>,
        inputs: Inputs<In>,
        state: State<In, Out> | undefined,
        changes: readonly PropertyChange[],
    ): Promise<void>;
}

/** A resource whose id consists of its inputs, and whose object each write replaces completely. */
export interface NamedResource<
    In extends z.ZodObject,
    Out extends z.ZodObject,
    Address extends IdParts,
    Defaults = unknown,
> extends Common<In, Out, Address, Defaults> {
    /**
     * Reads the object; `undefined` if the service says that it is absent. `state` is absent for an import, and for an object that another
     * program may have created.
     */
    read(context: Context<Defaults>, address: Address, state?: State<In, Out>): Promise<Seen<In, Out> | undefined>;
    /** Creates the object or replaces it completely. */
    write(context: Context<Defaults>, address: Address, write: Write<In, Out>): Promise<void>;
    /** Changes the body of a write before it is sent. */
    toWire?(body: Body, write: Write<In, Out>): Body;
    /** Changes the body of an answer before it is decoded. */
    fromWire?(body: Body): Body;
}

/** A resource that acts when it is created and when an input changes. */
interface ActionResource<In extends z.ZodObject, Out extends z.ZodObject, Address extends IdParts, Defaults = unknown>
    extends Common<In, Out, Address, Defaults> {
    /**
     * Acts. `state` is absent at create. Returns the outputs that change, and the address if only the service knows it.
     * @throws HalfMade if something was done and a later step failed
     */
    act(
        context: Context<Defaults>,
        address: Address,
        inputs: Inputs<In>,
        state?: State<In, Out>,
    ): Promise<{ readonly address?: Address; readonly outputs: Partial<Outputs<Out>> }>;
    /** Reads what the action made; `undefined` if it does not exist. Default: a refresh returns the state unchanged. */
    read?(context: Context<Defaults>, address: Address, state?: State<In, Out>): Promise<Seen<In, Out> | undefined>;
}

/** Members that a definition adds: the kind of the resource, and the properties of its inputs and of its outputs. */
interface Defined<Kind> {
    readonly kind: Kind;
    readonly node: ObjectNode;
    readonly outputNode: ObjectNode;
}

/** A resource of any types. */
export type AnyNamed = NamedResource<z.ZodObject, z.ZodObject, IdParts> & Defined<"named">;
export type AnyAction = ActionResource<z.ZodObject, z.ZodObject, IdParts> & Defined<"action">;
export type AnyResource = AnyNamed | AnyAction;

/** Defines a named resource, and erases its types. */
export function defineNamed<
    In extends z.ZodObject,
    Out extends z.ZodObject,
    Address extends IdParts,
    Defaults = unknown,
>(resource: NamedResource<In, Out, Address, Defaults>): AnyNamed {
    // The core decodes inputs and state by the schema before it calls a function of the file.
    const erased = resource as unknown as NamedResource<z.ZodObject, z.ZodObject, IdParts>;
    return { ...erased, kind: "named", ...nodesOf(erased, { adopt: adoptProperty }) };
}

/** Defines an action, and erases its types. */
export function defineAction<
    In extends z.ZodObject,
    Out extends z.ZodObject,
    Address extends IdParts,
    Defaults = unknown,
>(resource: ActionResource<In, Out, Address, Defaults>): AnyAction {
    const erased = resource as unknown as ActionResource<z.ZodObject, z.ZodObject, IdParts>;
    return { ...erased, kind: "action", ...nodesOf(erased) };
}

const adoptProperty = property(
    z.union([z.boolean(), z.literal("identical")], { error: 'must be true, false or "identical"' }).optional(),
    {
        option: true,
        default: false,
        description:
            "Whether to take over an existing object: `true` overwrites it, `identical` takes it over only if it equals " +
            "the program. By default, an existing object is an error.",
    },
);

const longest = (operation: string) =>
    property(duration().optional(), {
        description: `Maximum time to wait in ${operation}: whole seconds, or a string such as \`10m\`.`,
    });

/** The input of resources that wait. */
const timeoutsProperty = () =>
    property(
        z.strictObject({ create: longest("create"), update: longest("update"), delete: longest("delete") }).optional(),
        {
            option: true,
            typeName: "Timeouts",
            description: "Maximum time to wait in each operation. The resource option `customTimeouts` sets them too.",
        },
    );

/** Adds the input `connection`, which every resource and every function has, and further ones. */
export function withConnection(inputs: z.ZodObject, more: z.ZodRawShape = {}): z.ZodObject {
    const connection = property(z.string().optional(), {
        option: true,
        description:
            "Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product.",
    });
    const whole = z.strictObject({ ...inputs.shape, ...more, connection });
    const facts = factsOrNone(inputs);
    return facts ? property(whole, facts) : whole;
}

function nodesOf({ inputs, outputs, wait }: Pick<AnyResource, "inputs" | "outputs" | "wait">, more?: z.ZodRawShape) {
    const timeouts = wait && { timeouts: timeoutsProperty() };
    const sourced = withSources(withConnection(inputs, { ...more, ...timeouts })) as z.ZodObject;
    return { inputs: sourced, node: objectNode(sourced), outputNode: objectNode(outputs) };
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
    /** The outputs that are known so far. */
    outputs: Values;
    /** The steps that the next `up` repeats. */
    readonly steps: readonly string[];
    /** Set by the core, if the resource file does not know it. */
    readonly id: string | undefined;

    /** @param problem one sentence, without the cause */
    constructor(
        problem: string,
        {
            outputs = {},
            steps,
            cause,
            id,
        }: Pick<HalfMade, "steps" | "cause"> & Partial<Pick<HalfMade, "outputs" | "id">>,
    ) {
        super(problem, { cause });
        this.name = "HalfMade";
        this.outputs = outputs;
        this.steps = steps;
        this.id = id;
    }

    /** A copy with an id, and with the outputs that were known before. */
    of(id: string, known: Values): HalfMade {
        const { steps, cause } = this;
        const outputs = withoutUndefined({ ...known, ...this.outputs, unfinished: [...steps] });
        return new HalfMade(this.message, { outputs, steps, cause, id: this.id ?? id });
    }
}

/** The state of a resource after the last deployment, or its inputs of that time. */
export class Deployed extends Declared {
    /** Whether there is no state, because the object is imported. */
    get isEmpty(): boolean {
        return Object.keys(this.written).length === 0;
    }

    /** The steps that failed after the object was created or written. */
    get unfinished(): readonly string[] {
        const { unfinished } = this.written;
        return Array.isArray(unfinished) ? unfinished.filter((step) => typeof step === "string") : [];
    }

    /** The outputs that are not inputs. */
    get outputs(): Values {
        return filterValues(this.written, (_, name) => !this.node.properties.has(name));
    }
}

/** Decoded inputs and outputs, as resource files get them. An output of another type than in the schema is left out. */
export function stateOf(resource: AnyResource, { meaning, written }: Spelled<Values>): Values {
    const types = Object.entries({ ...resource.outputs.shape, ...sharedOutputs.shape });
    const valid = types.filter(
        ([name, type]) => written[name] !== undefined && asType(type).safeParse(written[name]).success,
    );
    return { ...meaning, ...Object.fromEntries(valid.map(([name]) => [name, written[name]])) };
}
