/** The class of a resource in a Pulumi program: typed arguments, typed outputs. */

import * as pulumi from "@pulumi/pulumi";
import { changeSecrets, type SecretProperties } from "../schema/secrets";

/** The facts about one resource that its class needs. `npm run generate` writes them, so that a program does not load the schema. */
export interface ClassFacts {
    readonly type: string;
    /** Names of the outputs, and of the inputs that have an output even if the program omits them, such as `mount`. */
    readonly declared: readonly string[];
    /** Names of the other inputs. Such an input has no output if the program omits it. */
    readonly optional: readonly string[];
    readonly secrets: SecretProperties;
}

/** The class of a resource, as a program sees it. */
export interface ResourceClass<Args, Instance> {
    /**
     * Declares the resource.
     * @param name its name in the program
     * @param args its arguments
     * @param opts the options of every Pulumi resource
     */
    new (name: string, args: Args, opts?: pulumi.CustomResourceOptions): Instance;

    /**
     * Reads an existing object, without managing it.
     * @param name its name in the program
     * @param id its id, in the form that the resource's page in the docs shows
     * @param opts the options of every Pulumi resource
     */
    get<Resource>(
        this: new (
            name: string,
            args: Args,
            opts?: pulumi.CustomResourceOptions,
        ) => Resource,
        name: string,
        id: pulumi.Input<pulumi.ID>,
        opts?: pulumi.CustomResourceOptions,
    ): Resource;

    /** Whether a value is a resource of this class, also of another copy of this package. */
    isInstance(value: unknown): value is Instance;
}

/** The additions of one kind of provider to the declaration of a resource. */
interface Addition {
    /** Properties beside the arguments. An argument overrides a property with its name. */
    readonly props?: Readonly<Record<string, unknown>>;
    /** The options for the SDK, made from those of the program. */
    readonly options: pulumi.CustomResourceOptions;
}

/** The types of resources in URNs, by the kind of provider. */
const pulumiTypes = {
    dynamic: (type: string) => `pulumi-nodejs:dynamic/statecraft:${type}`,
    native: (type: string) => `statecraft:index:${type}`,
};

/**
 * Makes the class of a resource.
 * @param kind its kind of provider
 * @param add returns what the kind of provider adds
 */
export function resourceClass<Args, Instance>(
    kind: keyof typeof pulumiTypes,
    facts: ClassFacts,
    add: (name: string, opts: pulumi.CustomResourceOptions, pulumiType: string) => Addition,
): ResourceClass<Args, Instance> {
    const pulumiType = pulumiTypes[kind](facts.type);
    // An alias lets a stack change from the dynamic class to the native one or back. Without it, the engine would create each object again,
    // and then delete the old resource in the process of another provider, which does not know that both resources have the same object.
    const otherType = pulumiTypes[kind === "native" ? "dynamic" : "native"](facts.type);
    const propertiesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]));
    const declared = propertiesOf(facts.declared);
    const all = { ...declared, ...propertiesOf(facts.optional) };
    class StatecraftResource extends pulumi.CustomResource {
        static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): StatecraftResource {
            // `this`, so that `get` of a subclass returns an instance of the subclass.
            return new this(name, {}, { ...opts, id });
        }

        static override isInstance(value: unknown): value is StatecraftResource {
            return typeof value === "object" && value !== null && Reflect.get(value, "__pulumiType") === pulumiType;
        }

        constructor(name: string, args: Record<string, unknown>, opts: pulumi.CustomResourceOptions = {}) {
            const { props, options } = add(name, opts, pulumiType);
            // The engine then calls no provider when the resource leaves the program.
            if (opts.retainOnDelete === true && args?.["keepLocked"] === true) {
                const stays = "with `retainOnDelete`, the workspace stays locked when this resource leaves the program";
                void pulumi.log.info(
                    `${facts.type} ${name}: ${stays}: deploy \`keepLocked: false\` before. [lock-kept]`,
                );
            }
            // Secrets are marked in the program, so that not even a log of calls to the engine contains them in plain text.
            const inputs = changeSecrets(facts.secrets, args ?? {}, pulumi.secret);
            const restoreStackTraces = shortenStackTraces();
            try {
                super(
                    pulumiType,
                    name,
                    { ...(mayHaveAny(opts) ? all : declared), ...props, ...inputs },
                    pulumi.mergeOptions({ aliases: [{ type: otherType }] }, options),
                );
            } finally {
                restoreStackTraces();
            }
        }
    }
    for (const name of facts.optional) answerFor(StatecraftResource.prototype, name);
    return StatecraftResource as unknown as ResourceClass<Args, Instance>;
}

/** Matches files of Node, of Pulumi's SDK and of ts-node. */
const runner = /^node:|[\\/]node_modules[\\/](@pulumi[\\/]pulumi|ts-node)[\\/]/;

/** Whether a stack frame is in a file of the program. Frames of built-in functions such as `Array.map` have no file. */
function isOfProgram(frame: NodeJS.CallSite): boolean {
    const file = frame.getFileName();
    return typeof file === "string" && !runner.test(file);
}

/**
 * Shortens the stack traces that the SDK writes while it constructs a resource, until the returned function is called. The engine stores a
 * trace with each resource: without the change, frames of Node and the SDK would be a third of the state of an `AuthRole`.
 */
function shortenStackTraces(): () => void {
    const { prepareStackTrace, stackTraceLimit } = Error;
    // The SDK takes a trace for each of its promises, which is a third of a program's time. For the trace that it stores, the SDK sets its
    // own limit.
    if (!process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) Error.stackTraceLimit = 0;
    Error.prepareStackTrace = (error, frames) => {
        // The first frames are not removed, because the SDK skips a fixed number of them as its own.
        const first = frames.findIndex(isOfProgram);
        const shown = frames.filter((frame, index) => index < first || isOfProgram(frame));
        return prepareStackTrace?.(error, shown) ?? [error, ...shown].join("\n    at ");
    };
    return () => Object.assign(Error, { prepareStackTrace, stackTraceLimit });
}

/** Whether an input that the program leaves out may have a value in the outputs. A unit test's mocks may return any value. */
const mayHaveAny = ({ id, ignoreChanges, transforms }: pulumi.CustomResourceOptions) =>
    id !== undefined || ignoreChanges !== undefined || transforms !== undefined || !pulumi.runtime.hasEngine();

/**
 * Adds a getter that returns an output of `undefined` for an input that the program leaves out. Declaring the property to the SDK instead
 * would cost several promises for each property, and an `AuthRole` has four times as many inputs as most programs use.
 */
function answerFor(prototype: object, name: string): void {
    Object.defineProperty(prototype, name, {
        configurable: true,
        get: () => pulumi.output(undefined),
        // The SDK assigns to the properties that are declared to it.
        set(value: unknown) {
            Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
        },
    });
}
