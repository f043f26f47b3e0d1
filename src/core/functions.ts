/** Definitions of Pulumi functions such as `getAuthRole`, and how hosts call them. */

import * as z from "zod";
import { InputError, NotFoundError, StatecraftError } from "../errors";
import { asSentence, check } from "../schema/check";
import { Declared } from "../schema/declared";
import { encode, readAnswer } from "../schema/meaning";
import { factsOf, objectNode } from "../schema/property";
import { filterValues, type Values } from "../schema/values";
import { type Alarm, asAlarms, Context, type DeploymentContext, failing, type Report, type Runtime } from "./context";
import type { IdParts } from "./identity";
import { type AnyResource, type Body, type Inputs, type NamedResource, withConnection } from "./resource";
import type { Service } from "./service";
import { Voice } from "./voice";

/** The definition of a Pulumi function. */
interface FunctionSpec<In extends z.ZodObject, Result extends z.ZodObject, Defaults = unknown> {
    /** Name, such as `getAuthRole`. The variant that takes outputs is named `getAuthRoleOutput`. */
    readonly name: string;
    readonly service: Service<Defaults>;
    readonly description: string;
    readonly inputs: In;
    readonly result: Result;
    /** The function needs no token. */
    readonly anonymous?: true;
    /** Performs the function. @param body the arguments under the field names of the API */
    invoke(context: Context<Defaults>, args: Inputs<In>, body: Body): Promise<z.output<Result>>;
}

/** A function of any argument and result types. */
export type AnyFunction = FunctionSpec<z.ZodObject, z.ZodObject>;

/** Defines a function, and erases its types. */
export function defineFunction<In extends z.ZodObject, Result extends z.ZodObject, Defaults>(
    spec: FunctionSpec<In, Result, Defaults>,
): AnyFunction {
    return { ...spec, inputs: withConnection(spec.inputs) };
}

/** A function that looks up a named object by the inputs that its address consists of. */
export function lookupOf<In extends z.ZodObject, Out extends z.ZodObject, Address extends IdParts, Defaults>(
    object: NamedResource<In, Out, Address, Defaults>,
    {
        name,
        description,
        by,
    }: {
        readonly name: string;
        readonly description: string;
        /** The inputs that name the object. */
        readonly by: readonly (keyof In["shape"] & string)[];
    },
): AnyFunction {
    const shape = object.inputs.shape as Readonly<Record<string, z.ZodType>>;
    const names: readonly string[] = by;
    const among = (isWanted: (property: string, type: z.ZodType) => boolean) =>
        z.strictObject(Object.fromEntries(Object.entries(shape).filter((entry) => isWanted(...entry))));
    const isShown = (property: string, type: z.ZodType) => {
        const { option, internal, wire } = factsOf(type);
        return (wire !== undefined || names.includes(property)) && !option && !internal;
    };
    const node = objectNode(object.inputs);
    return defineFunction({
        name,
        service: object.service,
        description,
        inputs: among((property) => names.includes(property)),
        result: among(isShown),
        async invoke(context, args) {
            const address = object.address(args as Inputs<In>, context.settings);
            const title = object.title(address);
            const seen = await object.read(context, address).catch(asAbsent(title));
            if (seen === undefined) throw absentError(title);
            const body = object.fromWire?.(seen.body ?? {}) ?? seen.body ?? {};
            return { ...address, ...readAnswer(node, body), ...seen.inputs };
        },
    });
}

/** For the `catch` of a look-up: rewords a `NotFoundError` so that its message names the object. Throws every error. */
export const asAbsent =
    (title: string) =>
    (error: unknown): never => {
        throw error instanceof NotFoundError ? absentError(title, error) : error;
    };

const absentError = (title: string, error = new StatecraftError("absent", "")) =>
    error.reword({ message: `there is no ${title}`, hint: "Check its name and the server of the settings" });

/** The members of a function that a call needs. */
interface Invocable<Result> extends Pick<AnyFunction, "name" | "service" | "inputs" | "anonymous"> {
    readonly result?: z.ZodObject;
    invoke(context: Context, args: Values, body: Body): Promise<Result>;
}

/**
 * Calls a function.
 * @throws InputError for wrong arguments; otherwise the error of the settings or the service, as one paragraph that begins with the name
 */
export async function invokeFunction<Result>(
    { name, service, inputs, result, anonymous, invoke }: Invocable<Result>,
    runtime: Runtime,
    args: Values = {},
    { signal }: DeploymentContext = {},
): Promise<Result> {
    const node = objectNode(inputs);
    const given = filterValues(args, (value) => value != null);
    const declared = new Declared(node, given);
    const voice = new Voice(runtime, { name: () => name, declared: [declared], isStateless: true });
    try {
        const { failures, warnings } = check(declared);
        failures.push(...failing(asAlarms(warnings), runtime.strict, voice));
        if (failures.length > 0) throw new InputError(name, failures.map(asSentence));
        const session = runtime.open(service, declared.connection, anonymous ? { anonymous } : {});
        const { meaning } = declared;
        const alarms: Alarm[] = [];
        const report: Report = (severity, { code, message: reason }) =>
            void alarms.push({ severity, path: "", code, reason });
        // A program calls functions in its previews too.
        const context = new Context(session, { voice, signal, ...(runtime.strict === true && { report }) });
        const found = await invoke(context, meaning, encode(node, meaning));
        if (result) context.assertKinds(objectNode(result), Object(found));
        for (const { code = "", reason } of failing(alarms, runtime.strict, voice))
            throw new StatecraftError(code, reason);
        return found;
    } catch (error) {
        if (error instanceof InputError) throw error.reword({ message: voice.clean(error.message) });
        throw voice.failure(error);
    }
}

/** An object on a server: the id that `pulumi import` takes, what it consists of, and the name, which is empty if the object has none. */
interface ListedObject {
    readonly id: string;
    readonly address: IdParts;
    readonly name: string;
}

/**
 * Lists the objects of a resource.
 * @param limit the most objects
 * @throws the errors of `invokeFunction`
 */
export async function listObjects(
    { type, service, identity, list }: Required<Pick<AnyResource, "type" | "service" | "identity" | "list">>,
    runtime: Runtime,
    query: Values,
    limit = Infinity,
    about: DeploymentContext = {},
): Promise<readonly ListedObject[]> {
    const invoke = (context: Context, args: Values) => list.find(context, args, limit);
    const listing = { name: `list of ${type}`, service, inputs: list.inputs, invoke };
    const found = await invokeFunction(listing, runtime, query, about);
    return found.slice(0, limit).map(([address, name]) => ({ id: identity.id(address), address, name }));
}
