/** The composition of settings, clients and sessions: what the dynamic host, programs and scripts all run on. */

import { createKeyedMutex } from "../core/keyed-mutex";
import { createMemory } from "../core/memory";
import type { Runtime } from "../core/runtime";
import type { Client, Service } from "../core/service";
import type { Session } from "../core/session";
import { type Reporter, withRedaction } from "../core/with-redaction";
import { type ClientSettings, createClient, type Translation } from "../http/client";
import { identify } from "../http/identify";
import { secretsOf } from "../http/origin";
import type { Clock } from "../http/request";
import { productDoor } from "../vocabulary";
import {
    type ConfigReader,
    configKeys,
    logsRequests,
    readSettings,
    readStrict,
    requireUsable,
    type ServiceSettings,
} from "./config";
import { type HomeReader, homeOf } from "./third-party-settings";

/** How fast a runtime goes: the time that waits are measured in. */
export interface Pace extends Pick<Session, "now" | "sleep"> {
    /** Milliseconds before the first repetition of a request. */
    readonly retryBaseDelay?: number;
    /** Time and chance of the requests themselves. Default: the real ones. */
    readonly clock?: Clock;
}

/** What all hosts of a process have in common. */
type Shared = [environment: NodeJS.ProcessEnv, say: Runtime["say"], pace?: Pace, readHome?: HomeReader];

const wallTime: Pace = {
    now: () => performance.now(),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** The hosts of one process, one for each configuration: whatever runs on the same settings shares clients, their limits, and a mutex. */
export function createRuntimes(...shared: Shared): (config: ConfigReader) => Runtime {
    const runtimes = new Map<string, Runtime>();
    return (config) => {
        const values = new Map<string, string | undefined>(configKeys.map((key) => [key, config(key)]));
        const configuration = JSON.stringify([...values]);
        const runtime = runtimes.get(configuration) ?? createRuntime((key) => values.get(key), ...shared);
        runtimes.set(configuration, runtime);
        return runtime;
    };
}

/** A runtime over settings from a stack's configuration and the environment. */
export function createRuntime(
    config: ConfigReader,
    ...[environment, say, pace = wallTime, readHome = homeOf(environment)]: Shared
): Runtime {
    const clientFor = clientCache(pace);
    const mutex = createKeyedMutex();
    const memory = createMemory();
    const secrets = new Set<string>();
    const trace = () => (logsRequests(environment) ? (text: string) => reporter.say("info", text) : undefined);
    const known = new Map<string, ServiceSettings>();
    const settingsOf = ({ name }: Service, connection = ""): ServiceSettings => {
        const key = `${name} ${connection}`;
        const settings = known.get(key) ?? readSettings(name, connection || undefined, config, environment, readHome);
        known.set(key, settings);
        return settings;
    };
    const told = new Set<string>();
    const plain: Reporter = {
        say,
        warnOnce(message) {
            if (!told.has(message)) say("warning", message);
            told.add(message);
        },
        redacted: (message) => message,
        async open(service, connection, sayAt, { anonymous } = {}) {
            const settings = settingsOf(service, connection);
            for (const secret of secretsOf(settings)) secrets.add(secret);
            const usable = requireUsable(service.name, connection, settings, anonymous);
            const [server, ...formerServers] = await Promise.all(
                [usable.address, ...(settings.formerAddresses ?? [])].map((address) => identify(address)),
            );
            const serverId = server ?? usable.address;
            return {
                // A client serves many resources: what it has to say belongs to none of them.
                client: clientFor(
                    service,
                    { ...settings, ...usable, translate: doorOf(service, settings) },
                    { trace: trace(), notify: (text) => reporter.say("warning", text) },
                ),
                vocabulary: settings.vocabulary ?? "documented",
                namespace: settings.namespace,
                region: settings.region,
                server: serverId,
                formerServers,
                exclusive: (id, work) => mutex(`${serverId} ${id}`, work),
                memory,
                adoptIdentical: environment["STATECRAFT_ADOPT"] === "identical",
                warn: (message) => sayAt("warning", message),
                inform: (message) => sayAt("info", message),
                progress: (message) => sayAt("progress", message),
                now: pace.now,
                sleep: pace.sleep,
            };
        },
    };
    const reporter = withRedaction(plain, () => [...secrets]);
    return {
        ...reporter,
        // Configuration is known only once the engine has told it.
        get strict() {
            return readStrict(config, environment);
        },
        memory,
        vocabulary: (service, connection) => settingsOf(service, connection).vocabulary ?? "documented",
        defaults(service, connection) {
            const { vocabulary = "documented", namespace } = settingsOf(service, connection);
            return { vocabulary, namespace };
        },
    };
}

/** What puts the names of the vocabulary in the place of the documents'. */
function doorOf({ name }: Service, { vocabulary, region }: ServiceSettings): Translation | undefined {
    return vocabulary === "product" ? productDoor(name, region) : undefined;
}

/** One client per service and settings: it holds the connections and the limit of requests in flight. */
function clientCache({ retryBaseDelay, clock }: Pace) {
    const clients = new Map<string, Client>();
    return (service: Service, settings: ClientSettings, ears: Pick<ClientSettings, "notify" | "trace">): Client => {
        const key = JSON.stringify([service.name, settings]);
        const client = clients.get(key) ?? createClient(service, { ...settings, ...ears, retryBaseDelay }, clock);
        clients.set(key, client);
        return client;
    };
}
