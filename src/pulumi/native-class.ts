/** The classes of resources with the native plugin. They have the same arguments and outputs as the classes with a dynamic provider. */

import * as pulumi from "@pulumi/pulumi";
import { linkPlugin } from "./plugin-link";
import { type ClassFacts, type ResourceClass, resourceClass } from "./resource-class";

/** The name of the native plugin in the types of resources. */
const packageName = "statecraft";

/** The version of the plugin. The first resource of a program sets it, after it has made the plugin available to the engine. */
let linked: string | undefined;

/** Adds the version of the plugin, by which the engine finds the plugin of this package. */
function pluginOptions<Options extends pulumi.ResourceOptions>(opts: Options): Options {
    // A unit test has no engine and needs no plugin.
    linked ??= linkPlugin((text) => void (pulumi.runtime.hasEngine() && pulumi.log.info(text)));
    return { ...opts, version: opts.version ?? linked };
}

export function nativeClass<Args, Instance>(facts: ClassFacts): ResourceClass<Args, Instance> {
    return resourceClass("native", facts, (_name, opts) => ({ options: pluginOptions(opts) }));
}

/** An explicit provider: settings of the native plugin for some resources of a program. */
export class NativeProvider<Args extends object> extends pulumi.ProviderResource {
    /**
     * Declares the provider.
     * @param name its name in the program
     * @param args the settings; environment variables apply only to services that are not among them
     * @param opts the options of every Pulumi resource
     */
    constructor(name: string, args: Args, opts: pulumi.ResourceOptions = {}) {
        super(packageName, name, { ...args }, pluginOptions(opts));
    }
}
