/** A resource as a class whose resources the native plugin leads: the same arguments and outputs as the dynamic one. */

import * as pulumi from "@pulumi/pulumi";
import { changeSecrets } from "../schema/secrets";
import type { ClassFacts } from "./class-facts";
import { answerFor, declaredBy } from "./left-out";
import { linkPlugin } from "./plugin-link";
import type { ResourceClass } from "./resource-class";
import { withoutStackTexts } from "./stack-texts";
import { urnBelowStack } from "./urn";

/** What the native plugin is called in resources' types. */
const packageName = "statecraft";

/** The version of the plugin, which the first resource of a program puts where the engine looks for it. */
let linked: string | undefined;

/** Every resource names the plugin's version: the engine finds the one of this package. */
function pluginOptions<Options extends pulumi.ResourceOptions>(opts: Options): Options {
    linked ??= linkPlugin();
    return { ...opts, version: opts.version ?? linked };
}

/** Makes the class of a resource. */
export function nativeClass<Args, Properties>(facts: ClassFacts): ResourceClass<Args, Properties> {
    const { type, optional, secrets } = facts;
    const pulumiType = `${packageName}:index:${type}`;
    const dynamicType = `pulumi-nodejs:dynamic/statecraft:${type}`;

    class NativeResource extends pulumi.CustomResource {
        static get(name: string, id: pulumi.Input<pulumi.ID>, opts: pulumi.CustomResourceOptions = {}): NativeResource {
            // A subclass gets an instance of itself.
            return new this(name, {}, { ...opts, id });
        }

        static override isInstance(value: unknown): value is NativeResource {
            return typeof value === "object" && value !== null && Reflect.get(value, "__pulumiType") === pulumiType;
        }

        constructor(name: string, args: Record<string, unknown>, opts: pulumi.CustomResourceOptions = {}) {
            const outputs = declaredBy(facts, opts);
            // Secrets are marked before they leave the program, so that not even a log of the engine's calls holds them in clear.
            const inputs = changeSecrets(secrets, args ?? {}, pulumi.secret);
            // A stack that was made with the dynamic class moves here without a change.
            const aliases = [opts.parent ? { type: dynamicType } : urnBelowStack(name, dynamicType)];
            const options = pulumi.mergeOptions({ aliases }, pluginOptions(opts));
            const restore = withoutStackTexts(type);
            try {
                super(pulumiType, name, { ...outputs, ...inputs }, options);
            } finally {
                restore();
            }
        }
    }
    for (const name of optional) answerFor(NativeResource.prototype, name);
    return NativeResource as unknown as ResourceClass<Args, Properties>;
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
