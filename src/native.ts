/**
 * The resources in the native plugin: `import { AuthRole } from "pulumi-statecraft/native"`. The plugin adds explicit providers, detailed
 * diffs and previews of new objects.
 */

// First, because it says how to install a missing SDK.
import "./pulumi/sdk";
import type * as pulumi from "@pulumi/pulumi";
import type { ServiceSettings } from "./generated/args";
import { NativeProvider } from "./pulumi/native-class";
import type { SettingsKey } from "./settings/config-keys";

export * from "./generated/args";
export * from "./generated/functions";
export * from "./generated/native-resources";
export * from "./generated/native-words";

/** A setting that may be an output, whole or in part. */
type Setting<Value> = [Value] extends [string | number | boolean | undefined]
    ? pulumi.Input<Value>
    : pulumi.Input<{ [Name in keyof Value]: Setting<Value[Name]> }>;

/** Settings of one server of each service, by the key of the service, such as `vault`. */
type Servers = { [Key in SettingsKey]?: Setting<ServiceSettings> | undefined };

/** Settings of the services, as in the stack's configuration. The environment variables of a service that is named here have no effect. */
export interface ProviderArgs extends Servers {
    /** Further servers, by the names that `connection` uses. */
    connections?: pulumi.Input<Record<string, pulumi.Input<Servers>>> | undefined;
    /** Whether warnings fail the check. Default: false. */
    strict?: pulumi.Input<boolean> | undefined;
}

/** An explicit provider: settings for the resources and functions whose option `provider` names it. */
export class Provider extends NativeProvider<ProviderArgs> {}
