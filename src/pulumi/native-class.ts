/** A resource as a class whose resources the native plugin leads: the same arguments and outputs as the dynamic one. */

import * as pulumi from "@pulumi/pulumi";
import { changeSecrets } from "../schema/secrets";
import type { ClassFacts } from "./class-facts";
import { linkPlugin, packageVersion } from "./plugin-link";
import type { ResourceClass } from "./resource-class";

/** What the native plugin is called in resources' types. */
const packageName = "statecraft";

/** Every resource names the plugin's version: the engine finds the one of this package. */
function pluginOptions<Options extends pulumi.ResourceOptions>(opts: Options): Options {
    linkPlugin();
    return { ...opts, version: opts.version ?? packageVersion() };
}

/** Makes the class of a resource. */
export function nativeClass<Args, Values>({
    type,
    declared,
    optional,
    secrets,
}: ClassFacts): ResourceClass<Args, Values> {
    const pulumiType = `${packageName}:index:${type}`;
    // A stack that was made with the dynamic class moves here without a change.
    const aliases = [{ type: `pulumi-nodejs:dynamic/statecraft:${type}` }];

    class NativeResource extends pulumi.CustomResource {
        static get(name: string, id: pulumi.Input<pulumi.ID>, opts: pulumi.CustomResourceOptions = {}): NativeResource {
            // A subclass gets an instance of itself.
            return new this(name, {}, { ...opts, id });
        }

        static override isInstance(value: unknown): value is NativeResource {
            return typeof value === "object" && value !== null && Reflect.get(value, "__pulumiType") === pulumiType;
        }

        constructor(name: string, args: Record<string, unknown>, opts: pulumi.CustomResourceOptions = {}) {
            const outputs = Object.fromEntries([...declared, ...optional].map((output) => [output, undefined]));
            // Secrets are marked before they leave the program, so that not even a log of the engine's calls holds them in clear.
            const inputs = changeSecrets(secrets, args ?? {}, pulumi.secret);
            super(pulumiType, name, { ...outputs, ...inputs }, pulumi.mergeOptions({ aliases }, pluginOptions(opts)));
        }
    }
    return NativeResource as unknown as ResourceClass<Args, Values>;
}

/** A configuration of the native plugin: further servers in one program. */
export class NativeProvider<Args extends object> extends pulumi.ProviderResource {
    /**
     * Declares the provider.
     * @param name its name in the program
     * @param args the settings; a service that is left out has those of the stack's environment
     * @param opts the options of every Pulumi resource
     */
    constructor(name: string, args: Args, opts: pulumi.ResourceOptions = {}) {
        super(packageName, name, { ...args }, pluginOptions(opts));
    }
}
