/** The classes of resources with a dynamic provider, which state stores as a short text. */

import * as pulumi from "@pulumi/pulumi";
import type { ClassFacts } from "./class-facts";
import { deploymentContextKey } from "./deployment-context";
import { warnOfUnknownKeys } from "./program-log";
import { type ResourceClass, resourceClass } from "./resource-class";

/**
 * The text of the provider in the state of every resource. It finds the provider by name. A closure would be stored twice in each resource,
 * keep the code of an old release, and perhaps contain secrets.
 */
export function providerText(type: string): string {
    return `exports.handler = () => require("pulumi-statecraft/runtime").provider("${type}")`;
}

/** Makes the class of a resource. */
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

/** Refuses the option `import`: Pulumi's dynamic host fails at every import before it calls a provider, and the native plugin has no dynamic types. */
function refuseNativeOptions(name: string, { type, optional }: ClassFacts, opts: pulumi.CustomResourceOptions): void {
    const refuse = (option: string, instead: string) => {
        throw new pulumi.RunError(
            `${type} ${name}: the resource option \`${option}\` works with the native classes only. Take the class from \`pulumi-statecraft/native\`${instead}.`,
        );
    };
    if (opts.import !== undefined) refuse("import", optional.includes("adopt") ? ", or set `adopt: true` instead" : "");
    // Another copy of this package may have made the resource.
    const isOurs = opts.provider && Reflect.get(opts.provider, "__pulumiType") === "pulumi:providers:statecraft";
    if (isOurs) refuse("provider", ", or name the server in `statecraft:connections` and set `connection` instead");
}

/** `customTimeouts` as an argument, because the dynamic host passes them to no provider. */
function timeoutsOf({ customTimeouts = {} }: pulumi.CustomResourceOptions): Record<string, unknown> {
    const { create, update, delete: remove } = customTimeouts;
    return (create ?? update ?? remove) ? { timeouts: { create, update, delete: remove } } : {};
}

/** Where the resource is in the program: for messages at the resource, and for the mark of its locks. */
function deploymentContext(
    name: string,
    type: string,
    opts: pulumi.CustomResourceOptions,
): Record<string, pulumi.Input<string | boolean>> {
    const [project, stack] = [pulumi.getProject(), pulumi.getStack()];
    // An output would depend on the parent, and so on all resources in that component: two of them would wait for each other.
    const urn = new Promise<string>((resolve) => {
        pulumi.createUrn(name, type, opts.parent).apply(resolve);
    });
    const lockMark = `[statecraft ${organization()}/${project}/${stack} ${name.split("::").at(-1)}]`;
    return { urn, lockMark, isPreview: pulumi.runtime.isDryRun() };
}

/** The organization. The SDK's mocks have none unless the test names one. */
function organization(): string {
    try {
        return pulumi.getOrganization();
    } catch {
        return "organization";
    }
}
