/** What a file says of a named object that is written whole. */

import type * as z from "zod";
import { NotFoundError } from "../errors";
import type { Defaults } from "../schema/facts";
import type { RequestContext } from "./request-context";
import type { Inputs, Outputs, ResourceSpec, State } from "./resource";

/** A body as it travels, by the names of the wire. */
export type Body = Readonly<Record<string, unknown>>;

/** What the service tells of an object. */
export interface Live<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject> {
    /** The record, by the names of the wire. */
    readonly body: Body;
    /** Inputs that the record tells in another way than by their wire names. */
    readonly inputs?: Partial<Inputs<InputSchema>>;
    readonly outputs?: Outputs<OutputSchema>;
}

/** What is to be written. */
export interface Write<InputSchema extends z.ZodObject> {
    /** The whole object, by the names of the wire. */
    readonly body: Body;
    readonly inputs: Inputs<InputSchema>;
    /** What the last deployment left in state; none for an object that is new or just being taken over. */
    readonly olds: Partial<Inputs<InputSchema>> | undefined;
}

/** A wait that an input asks for, after the object was written. */
export interface ObjectWait<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject, Address> {
    /** The input that asks for it. */
    readonly name: string;
    isWanted(inputs: Inputs<InputSchema>): boolean;
    /** Waits, and returns the outputs learned meanwhile. */
    until(
        context: RequestContext,
        address: Address,
        inputs: Inputs<InputSchema>,
    ): Promise<Partial<Outputs<OutputSchema>>>;
}

/** What a file says of a resource whose inputs make its id. `Address` is what that id is made of. */
export interface Addressed<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject, Address>
    extends ResourceSpec<InputSchema, OutputSchema> {
    address(inputs: Inputs<InputSchema>, settings: Defaults): Address;
    id(address: Address): string;
    /** The address of an id, or `undefined` when it has another form. */
    parse(id: string): Address | undefined;
    /** The inputs that an address is made of. The outputs hold the sticky ones. */
    named(address: Address): Partial<z.input<InputSchema>>;
}

/** What a file says of an object that is written whole. */
export interface NamedObject<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject, Address>
    extends Addressed<InputSchema, OutputSchema, Address> {
    /** How messages call it: `role web of auth/clouda`. */
    title(address: Address): string;
    /** What the service holds. An object that is absent is `undefined`, or a `NotFoundError`. */
    read(context: RequestContext, address: Address): Promise<Live<InputSchema, OutputSchema> | undefined>;
    /** Writes the whole object. Warnings of the server go to the context. */
    write(context: RequestContext, address: Address, write: Write<InputSchema>): Promise<void>;
    remove(context: RequestContext, address: Address, state: State<InputSchema, OutputSchema>): Promise<void>;
    readonly wait?: ObjectWait<InputSchema, OutputSchema, Address>;
}

/** For the `catch` of a read or a deletion: an object that is absent is no failure there. */
export function unlessAbsent(error: unknown): undefined {
    if (error instanceof NotFoundError) return undefined;
    throw error;
}
