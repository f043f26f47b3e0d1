/** The typed client for scripts: the same operations and errors as in programs, without Pulumi. */

import { randomUUID } from "node:crypto";
import type * as pulumi from "@pulumi/pulumi";
import type { Runtime } from "./core/context";
import { invokeFunction } from "./core/functions";
import { OperationError, Operations } from "./core/operations";
import type { AnyResource } from "./core/resource";
import { InputError, StatecraftError } from "./errors";
import type { FunctionTypes, ResourceTypes, ServiceSettings } from "./generated/args";
import { allFunctions, allResources } from "./generated/registry";
import { Logins, ProcessRuntime, type RuntimeOptions } from "./runtime/runtime";
import { asSentence } from "./schema/check";
import { unsealed } from "./schema/secrets";
import { mapValues, type Values } from "./schema/values";
import { type SettingsKey, simulatorVariable, unprefixed } from "./settings/config-keys";

export * from "./errors";
export type { ServiceSettings } from "./generated/args";

/** Settings of one server of each service, by one of the two keys of the service. */
type Servers = { readonly [Key in SettingsKey]?: ServiceSettings };

/** Settings of the services. Environment variables apply only to services without settings here. */
export interface ConnectOptions extends Servers {
    /** Further servers, by the names that `connection` uses. */
    readonly connections?: Readonly<Record<string, Servers>>;
    /** The environment variables. Default: `process.env`. */
    readonly environment?: NodeJS.ProcessEnv;
    /** Receives warnings. Default: `console.warn`. */
    readonly warn?: (message: string) => void;
    /** Receives informational messages, and one line for each request if `STATECRAFT_LOG` is `requests`. Default: `console.warn`. */
    readonly inform?: (message: string) => void;
    /** Receives messages about the progress of a wait. Default: ignores them. */
    readonly progress?: (message: string) => void;
}

/**
 * Arguments without promises and outputs. A list with items of any type stays the same, because `pulumi.Unwrap` would allow no item in it.
 */
type Plain<Values> = {
    [Name in keyof Values]: [Anything, Values[Name]] extends [Values[Name], pulumi.Input<Anything | undefined>]
        ? Anything | Extract<Values[Name], undefined>
        : pulumi.Unwrap<Values[Name]>;
};
type Anything = readonly unknown[];

/** Options of a resource, or the outputs of an earlier operation. */
type State<Args, Outputs> = Partial<Plain<Args> & Plain<Outputs>>;

/** The operations on objects of one resource type. */
export interface ResourceClient<Args, Outputs> {
    /** Creates an object. @throws StatecraftError if it exists already, unless `adopt` is set */
    create(args: Plain<Args>): Promise<{ id: string; outputs: Plain<Outputs> }>;
    /**
     * Reads an object by its id, through the `connection` in `state` if there is one; `undefined` if the object does not exist. `state` is the
     * outputs of an earlier operation, which have the values that the service does not show.
     */
    read(id: string, state?: State<Args, Outputs>): Promise<Plain<Outputs> | undefined>;
    /**
     * Updates an object to these arguments: a field that they leave out goes back to its default. `state` is the outputs of an earlier operation,
     * for values that the service does not show, such as `triggers`.
     * @throws InputError for arguments of another object, and for changes that need another object
     * @throws StatecraftError with the code `absent` if the object does not exist
     */
    update(id: string, args: Plain<Args>, state?: State<Args, Outputs>): Promise<Plain<Outputs>>;
    /**
     * Deletes an object; succeeds if the object does not exist. `state` is options, or the outputs of an earlier operation.
     * @throws InputError if an option needs outputs that `state` does not have
     */
    delete(id: string, state?: State<Args, Outputs>): Promise<void>;
}

/** A method for each function, and a `ResourceClient` for each resource type. */
export type Connection = {
    readonly [Name in keyof FunctionTypes]: (
        ...args: object extends FunctionTypes[Name]["args"]
            ? [args?: FunctionTypes[Name]["args"]]
            : [args: FunctionTypes[Name]["args"]]
    ) => Promise<Plain<FunctionTypes[Name]["result"]>>;
} & {
    readonly [Type in keyof ResourceTypes as Uncapitalize<Type>]: ResourceClient<
        ResourceTypes[Type]["args"],
        ResourceTypes[Type]["outputs"]
    >;
} & {
    /**
     * Revokes the tokens of logins, in at most one second, and ends the connections that no other client of this process uses. Later
     * operations connect and log in again.
     */
    close(): Promise<void>;
};

/**
 * Connects to the services. Nothing is sent before the first operation.
 *
 * ```ts
 * const { getAuthRole, authRole } = connect({ vault: { address: "https://vault.example", token } });
 * await authRole.create({ name: "web", tokenPolicies: ["web"] });
 * console.log((await getAuthRole({ name: "web" })).tokenPolicies);
 * ```
 */
export function connect(options: ConnectOptions = {}): Connection {
    const logins = new Logins();
    const closers = new Set<() => void>();
    const runtime = runtimeOf(options, { logins, closers });
    const functions = allFunctions().map(
        (definition) => [definition.name, (args?: Values) => invokeFunction(definition, runtime, args)] as const,
    );
    const resources = allResources().map((definition) => {
        const name = definition.type.charAt(0).toLowerCase() + definition.type.slice(1);
        return [name, resourceClient(definition, runtime)] as const;
    });
    const close = async () => {
        await logins.revokeTokens();
        for (const close of closers) close();
        closers.clear();
    };
    return Object.fromEntries<unknown>([...functions, ...resources, ["close", close]]) as Connection;
}

function runtimeOf(options: ConnectOptions, ofClient: Pick<RuntimeOptions, "logins" | "closers">): Runtime {
    const ignore = () => undefined;
    const {
        environment = process.env,
        warn = console.warn,
        inform = console.warn,
        progress = ignore,
        ...settings
    } = options;
    const config: Readonly<Record<string, unknown>> = settings;
    const listeners = { warning: warn, info: inform, progress, debug: ignore };
    const textOf = (key: string): string | undefined => JSON.stringify(config[unprefixed(key)]);
    // In a command of the simulator, a script reaches no other server, whatever environment it passes.
    const { [simulatorVariable]: simulator } = process.env;
    const guarded = simulator ? { ...environment, [simulatorVariable]: simulator } : environment;
    const say: Runtime["say"] = (severity, message) => listeners[severity](message);
    return new ProcessRuntime(textOf, { environment: guarded, say, ...ofClient }, true);
}

function resourceClient(definition: AnyResource, runtime: Runtime): ResourceClient<object, object> {
    const operations = new Operations(definition, runtime);
    const checked = async (args: object, olds?: Values): Promise<Values> => {
        const { inputs, failures } = await withCause(
            operations.check(olds, { ...args }, { owner: newOwner(), isPreview: false }),
        );
        // The operation itself throws a `ConfigError` for problems of the settings.
        const problems = failures.filter(({ code }) => code !== "config");
        if (problems.length > 0) throw new InputError(definition.type, problems.map(asSentence));
        return mapValues(inputs, unsealed);
    };
    const readState = async (id: string, { connection, ...state }: Values): Promise<Values> => {
        const about = typeof connection === "string" ? { connection } : {};
        const stored = await withCause(operations.read(id, state, about));
        if (stored !== undefined) return mapValues(stored.outputs, unsealed);
        throw new StatecraftError("absent", `${definition.type} ${id}: it does not exist. Create it first. [absent]`);
    };
    return {
        async create(args) {
            const { id, outputs } = await withCause(operations.create(await checked(args)));
            return { id, outputs: mapValues(outputs, unsealed) };
        },
        read: (id, state = {}) =>
            readState(id, { ...state }).catch((error: unknown) => {
                if (error instanceof StatecraftError && error.code === "absent") return undefined;
                throw error;
            }),
        async update(id, args, state = {}) {
            const { connection }: Values = { ...args };
            const olds = await readState(id, { ...state, connection });
            return mapValues(await withCause(operations.update(id, olds, await checked(args, olds))), unsealed);
        },
        delete: (id, state = {}) => withCause(operations.delete(id, { ...state }, { owner: newOwner() })),
    };
}

/** A new owner for each operation, so that a script does not take another script's lock for the lock of its own interrupted run. */
const newOwner = () => `script ${randomUUID()}`;

/** The result of an operation. A failure is the cause of the `OperationError`, which has the same message. */
const withCause = <Result>(operation: Promise<Result>): Promise<Result> =>
    operation.catch((error: unknown) => {
        throw error instanceof OperationError ? error.cause : error;
    });
