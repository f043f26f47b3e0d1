/** A resource as a class of a Pulumi program: typed arguments in, typed outputs out. */

import * as pulumi from "@pulumi/pulumi";
import { changeSecrets } from "../schema/secrets";
import type { ClassFacts } from "./class-facts";

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
     * Reads an object that exists, without managing it.
     * @param name its name in the program
     * @param id its id, in the form that the resource's page shows
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

/** What a kind of provider adds to a resource. */
export interface Addition {
    /** Properties beside the arguments, which come first. */
    readonly props?: Readonly<Record<string, unknown>>;
    /** The options of the program, changed. */
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
 * @param add returns what that kind adds
 */
export function resourceClass<Args, Instance>(
    kind: keyof typeof pulumiTypes,
    facts: ClassFacts,
    add: (name: string, opts: pulumi.CustomResourceOptions, pulumiType: string) => Addition,
): ResourceClass<Args, Instance> {
    const pulumiType = pulumiTypes[kind](facts.type);
    // Moves a stack from the other class. Without an alias the engine would create each object again, and then delete the old resource in the process
    // of another provider, which does not know that it is the same object.
    const otherType = pulumiTypes[kind === "native" ? "dynamic" : "native"](facts.type);
    // For a replacement that the user forces, the engine reads the order from this option alone.
    const order = facts.deleteBeforeReplace ? { deleteBeforeReplace: true } : {};
    const propertiesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]));
    const declared = propertiesOf(facts.declared);
    const all = { ...declared, ...propertiesOf(facts.optional) };
    class StatecraftResource extends pulumi.CustomResource {
        static get(
            name: string,
            id: pulumi.Input<pulumi.ID>,
            opts: pulumi.CustomResourceOptions = {},
        ): StatecraftResource {
            // A subclass gets an instance of itself.
            return new this(name, {}, { ...opts, id });
        }

        static override isInstance(value: unknown): value is StatecraftResource {
            return typeof value === "object" && value !== null && Reflect.get(value, "__pulumiType") === pulumiType;
        }

        constructor(name: string, args: Record<string, unknown>, opts: pulumi.CustomResourceOptions = {}) {
            const { props, options } = add(name, opts, pulumiType);
            // Secrets are marked before they leave the program, so that not even a log of the engine's calls holds them in clear.
            const inputs = changeSecrets(facts.secrets, args ?? {}, pulumi.secret);
            const restoreStackTraces = shortenStackTraces();
            try {
                super(
                    pulumiType,
                    name,
                    { ...(mayHaveAny(opts) ? all : declared), ...props, ...inputs },
                    pulumi.mergeOptions({ aliases: [{ type: otherType }], ...order }, options),
                );
            } finally {
                restoreStackTraces();
            }
        }
    }
    for (const name of facts.optional) answerFor(StatecraftResource.prototype, name);
    return StatecraftResource as unknown as ResourceClass<Args, Instance>;
}

/** Files of Node, and of what runs a program. */
const runner = /^node:|[\\/]node_modules[\\/](@pulumi[\\/]pulumi|ts-node)[\\/]/;

/** Whether a frame is neither in such a file nor, as `Array.map`, in none. */
function isOfProgram(frame: NodeJS.CallSite): boolean {
    const file = frame.getFileName();
    return typeof file === "string" && !runner.test(file);
}

/**
 * Changes the stack traces that the SDK writes while it constructs a resource, until the caller calls the function that this returns. The engine
 * stores the trace from the program's line downwards with each resource, where the frames of the runner would be a third of an `AuthRole`.
 */
function shortenStackTraces(): () => void {
    const { prepareStackTrace, stackTraceLimit } = Error;
    // Without a trace for each of the SDK's promises a program takes a third less time. The SDK lifts the limit for the trace that it stores.
    if (!process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) Error.stackTraceLimit = 0;
    Error.prepareStackTrace = (error, frames) => {
        // The SDK skips its own frames, which come first, by their number.
        const first = frames.findIndex(isOfProgram);
        const shown = frames.filter((frame, index) => index < first || isOfProgram(frame));
        return prepareStackTrace?.(error, shown) ?? [error, ...shown].join("\n    at ");
    };
    return () => Object.assign(Error, { prepareStackTrace, stackTraceLimit });
}

/** Whether an input that the arguments leave out may have a value all the same. A unit test's mocks may return any. */
const mayHaveAny = ({ id, ignoreChanges, transforms }: pulumi.CustomResourceOptions) =>
    id !== undefined || ignoreChanges !== undefined || transforms !== undefined || !pulumi.runtime.hasEngine();

/**
 * Makes a left-out input an output without a value. The SDK spends several promises on each property that is declared, and an `AuthRole` has
 * four times as many as most programs give.
 */
function answerFor(prototype: object, name: string): void {
    Object.defineProperty(prototype, name, {
        configurable: true,
        get: () => pulumi.output(undefined),
        // The SDK assigns the properties that are declared.
        set(value: unknown) {
            Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
        },
    });
}
