/**
 * The same resources, led by the native plugin: `import { AuthRole } from "pulumi-statecraft/native"`. Explicit providers, details of
 * differences and previews of what is created come with it.
 */

import type * as pulumi from "@pulumi/pulumi";
import type { ServiceSettings } from "./generated/args";
import { NativeProvider } from "./pulumi/native-class";

export * from "./generated/args";
export * from "./generated/functions";
export * from "./generated/native-resources";
export * from "./generated/native-words";

/** A setting that may be an output, whole or in part. */
type Setting<Value> = [Value] extends [string | number | boolean | undefined]
    ? pulumi.Input<Value>
    : pulumi.Input<{ [Name in keyof Value]: Setting<Value[Name]> }>;

/** Settings of one server. */
interface Servers {
    /** Settings of a Vault server. */
    vault?: Setting<ServiceSettings> | undefined;
    /** Settings of a Nomad cluster. */
    nomad?: Setting<ServiceSettings> | undefined;
    /** Settings of HCP Terraform or Terraform Enterprise. */
    terraform?: Setting<ServiceSettings> | undefined;
    /** Settings of a secrets manager that speaks the API document to the letter, such as the simulator. */
    manager?: Setting<ServiceSettings> | undefined;
    /** Settings of a volumes service that speaks the API document to the letter, such as the simulator. */
    volumes?: Setting<ServiceSettings> | undefined;
    /** Settings of a state versions service that speaks the API document to the letter, such as the simulator. */
    stateVersions?: Setting<ServiceSettings> | undefined;
}

/** Settings of the services, as in the stack's configuration. A service that is named here takes nothing from the environment. */
export interface ProviderArgs extends Servers {
    /** Further servers, by the names that `connection` uses. */
    connections?: pulumi.Input<Record<string, pulumi.Input<Servers>>> | undefined;
    /** Whether warnings of check are failures. */
    strict?: pulumi.Input<boolean> | undefined;
}

/** Settings for those resources that name it as their `provider`. */
export class Provider extends NativeProvider<ProviderArgs> {}
