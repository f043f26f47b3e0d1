/**
 * The providers of dynamic resources. The text of the provider in state loads them by name:
 * `require("pulumi-statecraft/runtime").provider("AuthRole")`.
 */

import type { Runtime } from "../core/context";
import { Operations } from "../core/operations";
import { OwnedObjects } from "../core/owned-objects";
import { InternalError } from "../errors";
import { loadResource } from "../generated/registry";
import { dynamicProvider, printNoHostErrors } from "../pulumi/dynamic-provider";
import { hostLog } from "../pulumi/engine-log";
import { createRuntimes, Logins } from "./runtime";

/** The providers of one process. */
export type Providers = ReturnType<typeof createProviders>;

/** Makes the providers of a process. They share clients and the record of objects that the program manages. */
export function createProviders(environment: NodeJS.ProcessEnv, say: Runtime["say"]) {
    const logins: Logins = new Logins(() => logins.watchSignals());
    const runtimeOf = createRuntimes({ environment, say, logins });
    const owned = new OwnedObjects();
    return {
        /** The provider of a resource type, for Pulumi's dynamic host. */
        provider(type: string): ReturnType<typeof dynamicProvider> {
            const definition = loadResource(type);
            if (definition === undefined) throw new InternalError(`there is no resource type ${JSON.stringify(type)}`);
            return dynamicProvider((config) => new Operations(definition, runtimeOf(config), owned), logins);
        },
    };
}

/** The providers of this process. Pulumi starts a process for each run. */
let processProviders: Providers | undefined;

/** The provider of a resource type, for Pulumi's dynamic host. */
export function provider(type: string): ReturnType<typeof dynamicProvider> {
    if (processProviders === undefined) {
        // Pulumi starts the process of dynamic providers with the engine's address as its argument.
        const [, , engine] = process.argv;
        processProviders = createProviders(process.env, engine === undefined ? () => undefined : hostLog(engine));
        printNoHostErrors();
    }
    return processProviders.provider(type);
}
