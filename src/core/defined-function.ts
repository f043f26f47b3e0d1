/** A function as data: what it looks up, from what, on which service. Programs, scripts and pages get it from here. */

import * as z from "zod";
import type { Documented } from "../catalogue";
import { NotFoundError } from "../errors";
import { factsOf } from "../schema/facts";
import { objectNode } from "../schema/node";
import { isRecord } from "../schema/unknown";
import { decodedWithDefaults } from "../schema/values";
import { readAnswer } from "../schema/wire";
import type { Absence } from "./failures";
import type { Body, NamedObject } from "./named-object-spec";
import type { RequestContext } from "./request-context";
import type { Inputs, ResourceSpec } from "./resource";
import type { Service } from "./service";

/** What a file says of a function. */
interface FunctionSpec<InputSchema extends z.ZodObject, ResultSchema extends z.ZodObject> {
    /** Its name, such as `getAuthRole`. The form for outputs adds `Output`. */
    readonly name: string;
    readonly service: Service;
    readonly description: string;
    readonly inputs: InputSchema;
    readonly result: ResultSchema;
    /** Works without a token in the settings. Its calls say so as well. */
    readonly anonymous?: true;
    /** What its failures say, for the reference pages. */
    readonly errors: readonly Documented[];
    /** `args` are decoded by their schema; `body` is what they make by their names on the wire. */
    invoke(context: RequestContext, args: Inputs<InputSchema>, body: Body): Promise<z.output<ResultSchema>>;
}

/** A function, whatever its types. */
export type DefinedFunction = FunctionSpec<z.ZodObject, z.ZodObject>;

/** Makes a function. */
export function defineFunction<InputSchema extends z.ZodObject, ResultSchema extends z.ZodObject>(
    spec: FunctionSpec<InputSchema, ResultSchema>,
): DefinedFunction {
    return spec;
}

/** Reads records of answers by their schema. */
export function recordReader<Schema extends z.ZodObject>(schema: Schema) {
    const node = objectNode(schema);
    return {
        /** A whole record, with the defaults of what it lacks. */
        read(body: unknown) {
            const told = readAnswer(node, isRecord(body) ? body : {});
            // Every property of such a schema has a reader or a default.
            return decodedWithDefaults(node, told) as z.output<Schema>;
        },
    };
}

/** For the `catch` of a lookup: an object that is absent has words of its own there. */
export function saidAbsent(absent: Absence, title: string): (error: unknown) => never {
    return (error) => {
        throw error instanceof NotFoundError ? absent.of(error, { title }) : error;
    };
}

/** A function that looks up a named object: by what its address is made of, all that the service tells of it. */
export function lookupOf<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject, Address>(
    object: NamedObject<InputSchema, OutputSchema, Address>,
    {
        name,
        description,
        by,
        absent,
        errors = [],
    }: Pick<ResourceSpec<InputSchema, OutputSchema>, "description"> & {
        readonly name: string;
        /** What it says of an object that is not there. */
        readonly absent: Absence;
        /** What else its failures say. */
        readonly errors?: readonly Documented[];
        /** The inputs that name the object. */
        readonly by: readonly (keyof InputSchema["shape"] & string)[];
    },
): DefinedFunction {
    const shape = object.inputs.shape as Readonly<Record<string, z.ZodType>>;
    const naming: readonly string[] = by;
    const among = (isWanted: (property: string, type: z.ZodType) => boolean) =>
        z.strictObject(Object.fromEntries(Object.entries(shape).filter((entry) => isWanted(...entry))));
    const isTold = (property: string, type: z.ZodType) => {
        const { option, internal, aliasOf, wire } = factsOf(type);
        const isPart = wire !== undefined || naming.includes(property);
        return isPart && option === undefined && internal === undefined && aliasOf === undefined;
    };
    return defineFunction({
        name,
        service: object.service,
        description,
        inputs: among((property) => naming.includes(property) || property === "connection"),
        result: among(isTold),
        errors: [absent, ...errors],
        async invoke(context, args) {
            const address = object.address(args as Inputs<InputSchema>, context);
            const title = `the ${object.title(address)}`;
            const live = await object.read(context, address).catch(saidAbsent(absent, title));
            if (live === undefined) throw absent({ title });
            return {
                ...args,
                ...object.named(address),
                ...readAnswer(objectNode(object.inputs), live.body, { writeOnly: true }),
                ...live.inputs,
            };
        },
    });
}
