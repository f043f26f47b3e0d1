/** The classes whose resources a dynamic provider leads, which state holds by name only. */

import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { ClassFacts } from "./class-facts";
import { deploymentContextKey } from "./deployment-context";
import { warnOfUnknownKeys } from "./program-log";
import { type ResourceClass, resourceClass } from "./resource-class";

/**
 * The provider as it stands in the state of every resource. It is found by its name when it is needed: what a closure
 * would capture is stored twice in each resource, goes stale with every release, and may hold secrets.
 */
export function providerText(type: string): string {
    return `exports.handler = () => require("pulumi-statecraft/runtime").provider("${type}")`;
}

/** Makes the class of a resource. */
export function dynamicClass<Args, Instance>(facts: ClassFacts): ResourceClass<Args, Instance> {
    const { type, properties, secrets } = facts;
    const secretOutputs = Object.keys(secrets).filter((name) => secrets[name] === "whole");
    const provider = { __provider: providerText(type) };
    let isReachable = false;
    return resourceClass("dynamic", facts, (name, opts, pulumiType) => {
        refuseNativeOptions(name, facts, opts);
        // The look costs 0.05 ms, and programs make hundreds of resources.
        if (!isReachable) requireReachable();
        isReachable = true;
        warnOfUnknownKeys();
        return {
            props: {
                ...provider,
                ...(properties.includes("timeouts") ? timeoutsOf(opts) : {}),
                ...(opts.id === undefined ? { [deploymentContextKey]: deploymentContext(name, pulumiType, opts) } : {}),
            },
            options: { ...opts, additionalSecretOutputs: [...secretOutputs, ...(opts.additionalSecretOutputs ?? [])] },
        };
    });
}

/**
 * Pulumi's dynamic host looks the package up from the program's folder. A package of components that alone depends on this one keeps it below itself
 * where it is linked, or where pnpm installs it. Only Pulumi's own runner surely works in the folder that the host works in.
 */
function requireReachable(): void {
    if (!/@pulumi[\\/]pulumi[\\/]cmd[\\/]run[\\/]/.test(require.main?.filename ?? "")) return;
    const folder = process.cwd();
    try {
        createRequire(join(folder, "program.js")).resolve("pulumi-statecraft/runtime");
    } catch {
        throw new pulumi.RunError(
            `Pulumi looks for \`pulumi-statecraft\` from ${folder}, and it is not found there. Add it to the dependencies of the program itself, or take the classes from \`pulumi-statecraft/native\`.`,
        );
    }
}

/** Pulumi's dynamic host fails at every import, and before it asks a provider; the plugin of our own provider knows no dynamic type. */
function refuseNativeOptions(name: string, { type, properties }: ClassFacts, opts: pulumi.CustomResourceOptions): void {
    const refuse = (option: string, instead: string) => {
        throw new pulumi.RunError(
            `${type} ${name}: the resource option \`${option}\` works with the native classes only. Take the class from \`pulumi-statecraft/native\`${instead}.`,
        );
    };
    if (opts.import !== undefined)
        refuse("import", properties.includes("adopt") ? ", or set `adopt: true` instead" : "");
    // Whichever copy of this package has made it.
    const isOurs = opts.provider && Reflect.get(opts.provider, "__pulumiType") === "pulumi:providers:statecraft";
    if (isOurs) refuse("provider", ", or name the server in `statecraft:connections` and set `connection` instead");
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
    // An output would depend on the parent, and so on all that is in that component: two resources there would wait for each other.
    const urn = new Promise<string>((resolve) => {
        pulumi.createUrn(name, type, opts.parent).apply(resolve);
    });
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
