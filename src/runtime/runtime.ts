/** The composition of settings, clients and sessions: what the dynamic host, programs and scripts all run on. */

import { type Commands, inWordsOf, pulumiCommands } from "../commands";
import { configKeys } from "../core/config-keys";
import { settingsKey } from "../core/connection";
import { createKeyedMutex } from "../core/keyed-mutex";
import { oneLine, redacted } from "../core/redaction";
import type { Runtime, Severity } from "../core/runtime";
import type { Client, Service } from "../core/service";
import type { Session } from "../core/session";
import { StandIns } from "../core/stand-ins";
import { type ClientSettings, createClient, secretsOf } from "../http/client";
import { createIdentify, type Identify } from "../http/identify";
import type { Clock } from "../http/retry";
import { serverDefaults } from "../product-names";
import type { Defaults } from "../schema/facts";
import {
    type ConfigReader,
    readSettings,
    readStrict,
    requireUsable,
    type ServiceSettings,
    says,
    type UsableSettings,
} from "./config";

/** The time that waits are measured in. */
interface Pace extends Pick<Session, "now" | "sleep"> {
    /** Milliseconds before the first repetition of a request. */
    readonly retryBaseDelay?: number;
    /** Time and chance of the requests themselves. Default: the real ones. */
    readonly clock?: Clock;
}

/** What a runtime gets from its process, beside the configuration. */
export interface RuntimeOptions {
    readonly environment: NodeJS.ProcessEnv;
    readonly say: Runtime["say"];
    /** Default: the real time. */
    readonly pace?: Pace;
    /** Who tells the identities of servers. The runtimes of a process share one. */
    readonly identify?: Identify;
}

const wallTime: Pace = {
    now: () => performance.now(),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** The runtimes of one process, one for each configuration: whatever runs on the same settings shares clients, their limits, and a mutex. */
export function createRuntimes(options: RuntimeOptions): (config: ConfigReader, commands?: Commands) => Runtime {
    const shared = { identify: createIdentify(), ...options };
    const runtimes = new Map<string, Runtime>();
    return (config, commands) => {
        const values = new Map<string, string | undefined>(configKeys.map((key) => [key, config(key)]));
        const configuration = JSON.stringify([...values]);
        const runtime = runtimes.get(configuration) ?? createRuntime((key) => values.get(key), shared, commands);
        runtimes.set(configuration, runtime);
        return runtime;
    };
}

/**
 * A runtime over settings from a stack's configuration and the environment.
 * @param commands what messages call what the user does next
 */
export function createRuntime(
    config: ConfigReader,
    options: RuntimeOptions,
    commands: Commands = pulumiCommands,
): Runtime {
    const { environment, say } = options;
    const standIns = new StandIns();
    const secrets = new Set<string>();
    const settingsOf = remembered(({ name }, connection) => {
        const settings = readSettings(name, connection, config, environment);
        for (const secret of secretsOf(settings)) secrets.add(secret);
        return settings;
    });
    const sessions = createSessions(options, standIns, (text, severity) => shown.say(severity, text));
    const sessionsOf = remembered((service, connection, anonymous) => {
        const settings = settingsOf(service, connection);
        const usable = requireUsable(service.name, connection, settings, anonymous);
        return sessions(service, settingsKey(service.name, connection), usable);
    });
    const shown: Pick<Runtime, "redacted" | "say"> = {
        redacted: (message, others = []) => oneLine(redacted(inWordsOf(commands, message), [...secrets, ...others])),
        say: (severity, message, urn) => say(severity, shown.redacted(message), urn),
    };
    return {
        ...shown,
        async open(service, connection, sayAt, { anonymous, server, secrets: others = [] } = {}) {
            const session = sessionsOf(service, connection, anonymous)(server);
            const { client } = session;
            const tell = (severity: Severity, message: string) => sayAt(severity, shown.redacted(message, others));
            return {
                ...session,
                client: {
                    ...client,
                    call: (operation, call) =>
                        client.call(operation, { ...call, secrets: [...others, ...(call.secrets ?? [])] }),
                },
                warn: (message) => tell("warning", message),
                inform: (message) => tell("info", message),
                progress: (message) => tell("progress", message),
            };
        },
        // Configuration is known only once the engine has told it.
        get strict() {
            return readStrict(config, environment);
        },
        standIns,
        defaults: (service, connection) => defaultsOf(settingsOf(service, connection)),
    };
}

type Read<Result> = (service: Service, connection: string | undefined, anonymous?: boolean) => Result;

/** Settings are read once, with what is made of them: a run that takes hours ends with those that it began with. */
function remembered<Result>(read: Read<Result>): Read<Result> {
    const known = new Map<string, Result>();
    return (service, connection, anonymous) => {
        const key = JSON.stringify([service.name, connection, anonymous]);
        const result = known.get(key) ?? read(service, connection, anonymous);
        known.set(key, result);
        return result;
    };
}

/** Opens sessions that share clients, their limits, and what must not happen twice at once. */
function createSessions(
    { environment, pace = wallTime, identify = createIdentify() }: RuntimeOptions,
    standIns: StandIns,
    say: (text: string, severity: "info" | "warning") => void,
) {
    const clientFor = clientCache(pace);
    const mutex = createKeyedMutex();
    return (service: Service, key: string, settings: UsableSettings) => {
        const { address, formerAddresses = [] } = settings;
        // A client serves many resources: what it has to say belongs to none of them.
        const isTraced = says(environment, "STATECRAFT_LOG", "requests");
        const trace = isTraced ? (text: string) => say(text, "info") : undefined;
        const ears = { trace, notify: (text: string) => say(text, "warning") };
        const shared = {
            client: clientFor(service, settings, { ...ears, key }),
            ...defaultsOf(settings),
            standIns,
            adoptIdentical: says(environment, "STATECRAFT_ADOPT", "identical"),
            now: pace.now,
            sleep: pace.sleep,
        };
        /** `known`: what state says of the server. */
        return (known: unknown): Omit<Session, "warn" | "inform" | "progress"> => {
            const identity = (of: string) => identify(of, { known });
            return {
                ...shared,
                servers: async () => [await identity(address), ...(await Promise.all(formerAddresses.map(identity)))],
                exclusive: async (id, work) => mutex(JSON.stringify([await identity(address), id]), work),
            };
        };
    };
}

/** What a program leaves out, as the settings and the server have it. */
export const defaultsOf = ({
    vocabulary = "documented",
    namespace,
}: Pick<ServiceSettings, "vocabulary" | "namespace">): Defaults => ({ ...serverDefaults[vocabulary], namespace });

/** One client per service and settings: it holds the connections and the limit of requests in flight. */
function clientCache({ retryBaseDelay, clock }: Pace) {
    const clients = new Map<string, Client>();
    return (
        service: Service,
        settings: ClientSettings,
        told: Pick<ClientSettings, "notify" | "trace" | "key">,
    ): Client => {
        const same = JSON.stringify([service.name, settings]);
        const client = clients.get(same) ?? createClient(service, { ...settings, ...told, retryBaseDelay }, clock);
        clients.set(same, client);
        return client;
    };
}
