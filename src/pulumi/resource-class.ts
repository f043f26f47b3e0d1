/** A resource as a class of a Pulumi program: typed arguments in, typed outputs out, and a provider that state holds by name only. */

import * as pulumi from "@pulumi/pulumi";
import { changeSecrets } from "../schema/secrets";
import type { ClassFacts } from "./class-facts";
import { deploymentContextKey } from "./deployment-context";
import { answerFor, declaredBy } from "./left-out";
import { withoutStackTexts } from "./stack-texts";
import { urnBelowStack } from "./urn";

/** What `class AuthRole extends resourceClass<…>(…)` extends. */
export interface ResourceClass<Args, Properties> {
    /**
     * Declares the resource.
     * @param name its name in the program
     * @param args its arguments
     * @param opts the options of every Pulumi resource
     */
    new (name: string, args: Args, opts?: pulumi.CustomResourceOptions): pulumi.CustomResource & Properties;

    /**
     * Reads an object that exists, without managing it.
     * @param name its name in the program
     * @param id its id, in the form that the resource's page tells
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

    /** Whether a value is a resource of this class, also when it was made by another copy of this package. */
    isInstance(value: unknown): value is pulumi.CustomResource & Properties;
}

/**
 * The provider as it stands in the state of every resource. It is found by its name when it is needed: what a closure
 * would capture is stored twice in each resource, goes stale with every release, and may hold secrets.
 */
export function providerText(type: string): string {
    return `exports.handler = () => require("pulumi-statecraft/runtime").provider("${type}")`;
}

/** Makes the class of a resource. */
export function resourceClass<Args, Properties>(facts: ClassFacts): ResourceClass<Args, Properties> {
    const { type, optional, secrets } = facts;
    const pulumiType = `pulumi-nodejs:dynamic/statecraft:${type}`;
    const additionalSecretOutputs = Object.keys(secrets).filter((name) => secrets[name] === "whole");
    // Where the user forces a replacement, the engine asks nobody else for the order.
    const order = facts.deleteBeforeReplace ? { deleteBeforeReplace: true } : {};

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
            const props = {
                ...declaredBy(facts, opts),
                ...(optional.includes("timeouts") ? timeoutsOf(opts) : {}),
                // Secrets are marked before they leave the program, so that not even a log of the engine's calls holds them in clear.
                ...changeSecrets(secrets, args ?? {}, pulumi.secret),
                __provider: providerText(type),
            };
            const told =
                opts.id === undefined ? { [deploymentContextKey]: deploymentContext(name, pulumiType, opts) } : {};
            const options = pulumi.mergeOptions({ additionalSecretOutputs, ...order }, opts);
            const restore = withoutStackTexts(type);
            try {
                super(pulumiType, name, { ...props, ...told }, options);
            } finally {
                restore();
            }
        }
    }
    for (const name of optional) answerFor(StatecraftResource.prototype, name);
    return StatecraftResource as unknown as ResourceClass<Args, Properties>;
}

/** The host passes `customTimeouts` on to no provider: they travel as an argument. */
function timeoutsOf({ customTimeouts }: pulumi.CustomResourceOptions): Record<string, unknown> {
    if (customTimeouts === undefined) return {};
    const { create, update, delete: remove } = customTimeouts;
    const given = Object.entries({ create, update, delete: remove }).filter(([, value]) => value !== undefined);
    return given.length === 0 ? {} : { timeouts: Object.fromEntries(given) };
}

/** Where the resource is in the program: for messages that stand at it, and for the mark of its locks. */
function deploymentContext(
    name: string,
    type: string,
    opts: pulumi.CustomResourceOptions,
): Record<string, pulumi.Input<string | boolean>> {
    const [project, stack] = [pulumi.getProject(), pulumi.getStack()];
    const urn = opts.parent ? pulumi.createUrn(name, type, opts.parent) : urnBelowStack(name, type);
    const lockMark = `[statecraft ${organization()}/${project}/${stack} ${name.split("::").at(-1)}]`;
    return { urn, lockMark, isPreview: pulumi.runtime.isDryRun() };
}

/** Programs under test with the SDK's mocks have no organization unless the test names one. */
function organization(): string {
    try {
        return pulumi.getOrganization();
    } catch {
        return "organization";
    }
}
