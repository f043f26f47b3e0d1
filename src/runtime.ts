/**
 * What the provider text in state looks up at run time, by name: `require("pulumi-statecraft/runtime").provider("AuthRole")`.
 * Here the rooms are put together: definitions, settings, client, and the engine's log.
 */

import { configKeys } from "./config";
import { type Host, lifecycle } from "./core/lifecycle";
import { Run } from "./core/run";
import { InternalError } from "./errors";
import { createHost } from "./host";
import { dynamicProvider } from "./pulumi/dynamic-provider";
import { engineLog } from "./pulumi/engine-log";
import { definitions } from "./services/definitions";

/** The provider of a resource type, for Pulumi's dynamic host. */
export function provider(type: string): ReturnType<typeof dynamicProvider> {
    const definition = definitions.find((candidate) => candidate.type === type);
    if (definition === undefined) throw new InternalError(`there is no resource type ${JSON.stringify(type)}`);
    const stack = new Map<string, string>();
    const host = createHost((key) => stack.get(key), process.env, sayToEngine);
    return dynamicProvider(lifecycle(definition, host, theRun), (config) => {
        for (const key of configKeys) {
            const value = config.get(key);
            if (value !== undefined) stack.set(key, value);
        }
    });
}

/** Pulumi starts a host for each run. */
const theRun = new Run();

let log: Host["say"] | undefined;

/** Where messages of all providers of this process go. */
function sayToEngine(...message: Parameters<Host["say"]>): void {
    log ??= hostLog();
    log(...message);
}

/** Where messages go from a process of Pulumi's host, which is started with the engine's address. */
function hostLog(): Host["say"] {
    const address = process.argv[2];
    if (address === undefined) return () => undefined;
    const log = engineLog(address);
    // The same warning for many verbs of one run is one warning.
    const told = new Set<string>();
    return (severity, message, urn) => {
        const key = JSON.stringify([message, urn]);
        if (severity === "warning" && told.has(key)) return;
        told.add(key);
        void log(severity, message, urn);
    };
}
