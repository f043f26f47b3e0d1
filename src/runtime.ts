/**
 * What the provider text in state looks up at run time, by name: `require("pulumi-statecraft/runtime").provider("AuthRole")`.
 * Here the rooms are put together: definitions, settings, client, and the engine's log.
 */

import { type ConfigReader, configKeys, readSettings, requireUsable } from "./config";
import { type Host, lifecycle } from "./core/lifecycle";
import type { Client, Service } from "./core/service";
import type { Session } from "./core/session";
import { InternalError } from "./errors";
import { type ClientSettings, createClient } from "./http/client";
import { identify } from "./http/identify";
import { dynamicProvider } from "./pulumi/dynamic-provider";
import { engineLog } from "./pulumi/engine-log";
import { definitions } from "./services/definitions";

/** The provider of a resource type, for Pulumi's dynamic host. */
export function provider(type: string): ReturnType<typeof dynamicProvider> {
    const definition = definitions.find((candidate) => candidate.type === type);
    if (definition === undefined) throw new InternalError(`there is no resource type ${JSON.stringify(type)}`);
    const stack = new Map<string, string>();
    const host = createHost((key) => stack.get(key), process.env, hostLog());
    return dynamicProvider(lifecycle(definition, host), (config) => {
        for (const key of configKeys) {
            const value = config.get(key);
            if (value !== undefined) stack.set(key, value);
        }
    });
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

/** How fast a host goes: the time that waits are measured in. */
export interface Pace extends Pick<Session, "now" | "sleep"> {
    /** Milliseconds before the first repetition of a request. */
    readonly retryBaseDelay?: number;
}

const wallTime: Pace = {
    now: () => performance.now(),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** A host over settings from a stack's configuration and the environment. */
export function createHost(
    config: ConfigReader,
    environment: NodeJS.ProcessEnv,
    say: Host["say"],
    pace: Pace = wallTime,
): Host {
    const clientFor = clientCache(pace);
    const settingsOf = ({ name }: Service, connection: string | undefined) =>
        readSettings(name, connection, config, environment);
    return {
        say,
        vocabulary: (service, connection) => settingsOf(service, connection).vocabulary ?? "documented",
        async open(service, connection, tell) {
            const settings = settingsOf(service, connection);
            const usable = requireUsable(service.name, connection, settings);
            const [server, ...formerServers] = await Promise.all(
                [usable.address, ...(settings.formerAddresses ?? [])].map(identify),
            );
            return {
                client: clientFor(service, { ...settings, ...usable }, (text) => tell("warning", text)),
                vocabulary: settings.vocabulary ?? "documented",
                namespace: settings.namespace,
                region: settings.region,
                server: server ?? usable.address,
                formerServers,
                adoptIdentical: environment["STATECRAFT_ADOPT"] === "identical",
                warn: (message) => tell("warning", message),
                progress: (message) => tell("progress", message),
                now: pace.now,
                sleep: pace.sleep,
            };
        },
    };
}

/** One client per service and settings: it holds the connections and the limit of requests in flight. */
function clientCache({ retryBaseDelay }: Pace) {
    const clients = new Map<string, Client>();
    return (service: Service, settings: ClientSettings, notify: (text: string) => void): Client => {
        const key = JSON.stringify([service.name, settings]);
        const client = clients.get(key) ?? createClient(service, { ...settings, retryBaseDelay, notify });
        clients.set(key, client);
        return client;
    };
}
