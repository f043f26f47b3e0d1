/**
 * What the provider text in state looks up at run time, by name: `require("pulumi-statecraft/runtime").provider("AuthRole")`.
 * It joins definitions, settings, clients and the engine's log.
 */

import type { Runtime } from "../core/context";
import { Operations } from "../core/operations";
import { OwnedObjects } from "../core/owned-objects";
import { InternalError } from "../errors";
import { dynamicProvider, printNoHostErrors } from "../pulumi/dynamic-provider";
import { hostLog } from "../pulumi/engine-log";
import { loadResource } from "../services/registry";
import { createRuntimes } from "./runtime";

/** The providers of one process. */
export interface Providers {
    /** The provider of a resource type, for Pulumi's dynamic host. */
    provider(type: string): ReturnType<typeof dynamicProvider>;
}

/** Makes the providers of a process. They share clients and the record of the run's objects. */
export function createProviders(environment: NodeJS.ProcessEnv, say: Runtime["say"]): Providers {
    const runtimeOf = createRuntimes({ environment, say });
    const owned = new OwnedObjects();
    return {
        provider(type) {
            const definition = loadResource(type);
            if (definition === undefined) throw new InternalError(`there is no resource type ${JSON.stringify(type)}`);
            return dynamicProvider((config) => new Operations(definition, runtimeOf(config), owned));
        },
    };
}

/** Pulumi starts a process for each run. */
let ofThisProcess: Providers | undefined;

/** The provider of a resource type, for Pulumi's dynamic host. */
export function provider(type: string): ReturnType<typeof dynamicProvider> {
    // Pulumi's host is started with the engine's address.
    const [, , engine] = process.argv;
    if (ofThisProcess === undefined) {
        ofThisProcess = createProviders(process.env, engine === undefined ? () => undefined : hostLog(engine));
        printNoHostErrors();
    }
    return ofThisProcess.provider(type);
}
