/** The classes of resources with the native plugin. They have the same arguments and outputs as the dynamic ones. */

import * as pulumi from "@pulumi/pulumi";
import type { ClassFacts } from "./class-facts";
import { linkPlugin } from "./plugin-link";
import type { ResourceClass } from "./resource-class";
import { resourceClass } from "./resource-class";

/** The name of the native plugin in the types of resources. */
const packageName = "statecraft";

/** The version of the plugin, which the first resource of a program puts where the engine looks for it. */
let linked: string | undefined;

/** Adds the plugin's version, by which the engine finds the plugin of this package. */
function pluginOptions<Options extends pulumi.ResourceOptions>(opts: Options): Options {
    // Without an engine, as in a unit test, a missing plugin does no harm.
    linked ??= linkPlugin((text) => void (pulumi.runtime.hasEngine() && pulumi.log.info(text)));
    return { ...opts, version: opts.version ?? linked };
}

/** Makes the class of a resource. */
export function nativeClass<Args, Instance>(facts: ClassFacts): ResourceClass<Args, Instance> {
    return resourceClass("native", facts, (_name, opts) => ({ options: pluginOptions(opts) }));
}

/** A configuration of the native plugin: further servers in one program. */
export class NativeProvider<Args extends object> extends pulumi.ProviderResource {
    /**
     * Declares the provider.
     * @param name its name in the program
     * @param args the settings; a service that they leave out has the settings of the environment
     * @param opts the options of every Pulumi resource
     */
    constructor(name: string, args: Args, opts: pulumi.ResourceOptions = {}) {
        super(packageName, name, { ...args }, pluginOptions(opts));
    }
}
