/**
 * What the provider text in state looks up at run time, by name: `require("pulumi-statecraft/runtime").provider("AuthRole")`.
 * Here the rooms are put together: definitions, settings, client, and the engine's log.
 */

import type { ConfigReader } from "./config";
import type { Host } from "./core/host";
import { operationsOf } from "./core/resource-operations";
import { Run } from "./core/run";
import { InternalError } from "./errors";
import { createHosts } from "./host";
import { dynamicProvider } from "./pulumi/dynamic-provider";
import { hostLog } from "./pulumi/engine-log";
import { definitions } from "./services/definitions";

/** The providers of one process. */
export interface Runtime {
    /** The provider of a resource type, for Pulumi's dynamic host. */
    provider(type: string): ReturnType<typeof dynamicProvider>;
}

/** Makes the providers of a process. They share all that is one for a run and its settings, and nothing with those of another. */
export function createRuntime(environment: NodeJS.ProcessEnv, say: Host["say"]): Runtime {
    const hostOf = createHosts(environment, say);
    const run = new Run();
    return {
        provider(type) {
            const definition = definitions.find((candidate) => candidate.type === type);
            if (definition === undefined) throw new InternalError(`there is no resource type ${JSON.stringify(type)}`);
            let host = hostOf(() => undefined);
            return dynamicProvider(
                operationsOf(
                    definition,
                    changing(() => host),
                    run,
                ),
                (config) => {
                    const stack: ConfigReader = (key) => config.get(key);
                    host = hostOf(stack);
                },
            );
        },
    };
}

/** The host of a provider, which its configuration decides. */
function changing(now: () => Host): Host {
    return {
        open: (...asked) => now().open(...asked),
        vocabulary: (...asked) => now().vocabulary(...asked),
        defaults: (...asked) => now().defaults(...asked),
        get strict() {
            return now().strict;
        },
        say: (...message) => now().say(...message),
        warnOnce: (message) => now().warnOnce(message),
        redacted: (message) => now().redacted(message),
        memory: (make) => now().memory(make),
    };
}

/** Pulumi starts a process for each run. */
let ofThisProcess: Runtime | undefined;

/** The provider of a resource type, for Pulumi's dynamic host. */
export function provider(type: string): ReturnType<typeof dynamicProvider> {
    // Pulumi's host is started with the engine's address.
    const [, , engine] = process.argv;
    ofThisProcess ??= createRuntime(process.env, engine === undefined ? () => undefined : hostLog(engine));
    return ofThisProcess.provider(type);
}
