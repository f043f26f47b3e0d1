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

/** Settings of the services, as in the stack's configuration. */
export interface ProviderArgs {
    /** Settings of the service of state versions. */
    stateVersions?: pulumi.Input<pulumi.Unwrap<ServiceSettings>> | undefined;
    /** Settings of the secrets manager. */
    manager?: pulumi.Input<pulumi.Unwrap<ServiceSettings>> | undefined;
    /** Settings of the workload scheduler. */
    volumes?: pulumi.Input<pulumi.Unwrap<ServiceSettings>> | undefined;
    /** Whether warnings of check are failures. */
    strict?: pulumi.Input<boolean> | undefined;
}

/** Settings for those resources that name it as their `provider`. */
export class Provider extends NativeProvider<ProviderArgs> {}
