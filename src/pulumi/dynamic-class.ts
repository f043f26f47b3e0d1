/** The classes of resources with a dynamic provider. State stores the provider as a short text. */

import * as pulumi from "@pulumi/pulumi";
import { deploymentContextKey, ownerOf } from "./deployment-context";
import { warnOfUnknownKeys } from "./program";
import { type ClassFacts, type ResourceClass, resourceClass } from "./resource-class";

/**
 * The text of the provider in the state of every resource, which loads the provider by name. Pulumi's default, a serialized closure, would
 * be stored twice in each resource, contain the code of an old release, and perhaps secrets.
 */
export function providerText(type: string): string {
    return `exports.handler = () => require("pulumi-statecraft/runtime").provider("${type}")`;
}

export function dynamicClass<Args, Instance>(facts: ClassFacts): ResourceClass<Args, Instance> {
    const { type, optional, secrets } = facts;
    const secretOutputs = Object.keys(secrets).filter((name) => secrets[name] === "whole");
    const provider = { __provider: providerText(type) };
    return resourceClass("dynamic", facts, (name, opts, pulumiType) => {
        refuseNativeOptions(name, facts, opts);
        warnOfUnknownKeys();
        return {
            props: {
                ...provider,
                ...(optional.includes("timeouts") ? timeoutsOf(opts) : {}),
                ...(opts.id === undefined ? { [deploymentContextKey]: deploymentContext(name, pulumiType, opts) } : {}),
            },
            options: { ...opts, additionalSecretOutputs: [...secretOutputs, ...(opts.additionalSecretOutputs ?? [])] },
        };
    });
}

/**
 * Refuses the option `import`, which fails in Pulumi's dynamic host before it calls a provider, and the option `provider` with the native
 * plugin, which has no dynamic types.
 */
function refuseNativeOptions(name: string, { type, optional }: ClassFacts, opts: pulumi.CustomResourceOptions): void {
    const refuse = (option: string, instead: string) => {
        throw new pulumi.RunError(
            `${type} ${name}: the resource option \`${option}\` works with the native classes only. Take the class from \`pulumi-statecraft/native\`${instead}.`,
        );
    };
    if (opts.import !== undefined) refuse("import", optional.includes("adopt") ? ", or set `adopt: true` instead" : "");
    // Not `instanceof`, because another copy of this package may have made the provider.
    const isOurs = opts.provider && Reflect.get(opts.provider, "__pulumiType") === "pulumi:providers:statecraft";
    if (isOurs) refuse("provider", ", or name the server in `statecraft:connections` and set `connection` instead");
}

/** The option `customTimeouts` as the argument `timeouts`, because the dynamic host does not pass the option to providers. */
function timeoutsOf({ customTimeouts = {} }: pulumi.CustomResourceOptions): Record<string, unknown> {
    const { create, update, delete: remove } = customTimeouts;
    return (create ?? update ?? remove) ? { timeouts: { create, update, delete: remove } } : {};
}

/** The URN of the resource, for messages; its owner, for locks; and whether this is a preview. */
function deploymentContext(name: string, type: string, { parent }: pulumi.CustomResourceOptions) {
    const owner = ownerOf(pulumi.getProject(), pulumi.getStack(), name, organization());
    // A promise and not an output: an output would depend on all resources in the parent component, and two of them would wait for each other.
    const urn = new Promise<string>((resolve) => {
        pulumi.createUrn(name, type, parent).apply(resolve);
    });
    return { urn, owner, isPreview: pulumi.runtime.isDryRun() };
}

/** The organization of the stack, or `organization` in a unit test whose mocks have none. */
function organization(): string {
    try {
        return pulumi.getOrganization();
    } catch {
        return "organization";
    }
}
