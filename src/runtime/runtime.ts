/** The composition of settings, clients and sessions: what the dynamic host, programs and scripts all run on. */

import { type Commands, inWordsOf, pulumiCommands } from "../commands";
import { configKeys } from "../core/config-keys";
import { usesDefault } from "../core/failures";
import { createKeyedMutex } from "../core/keyed-mutex";
import { oneLine, redacted } from "../core/redaction";
import type { Runtime, Severity } from "../core/runtime";
import type { Client, Service } from "../core/service";
import type { Session } from "../core/session";
import { StandIns } from "../core/stand-ins";
import { type ClientSettings, createClient, secretsOf } from "../http/client";
import type { Clock } from "../http/retry";
import { serverDefaults } from "../product-names";
import type { Defaults } from "../schema/facts";
import {
    type ConfigReader,
    readSettings,
    readStrict,
    requireUsable,
    type Settings,
    says,
    type UsableSettings,
} from "./settings";

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
}

/** Where the configuration comes from. */
export interface Host {
    /** What messages call what the user does next. */
    readonly commands: Commands;
    /** The configuration is an explicit provider's or a script's: a service that it names takes nothing from the environment. */
    readonly isExplicit: boolean;
}

/** The configuration is the stack's. */
const stackHost: Host = { commands: pulumiCommands, isExplicit: false };

const wallTime: Pace = {
    now: () => performance.now(),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** The runtimes of one process, one for each configuration: whatever runs on the same settings shares clients, their limits, and a mutex. */
export function createRuntimes(options: RuntimeOptions): (config: ConfigReader, host?: Host) => Runtime {
    const runtimes = new Map<string, Runtime>();
    return (config, host = stackHost) => {
        const values = new Map<string, string | undefined>(configKeys.map((key) => [key, config(key)]));
        const configuration = JSON.stringify([host.isExplicit, ...values]);
        const runtime = runtimes.get(configuration) ?? createRuntime((key) => values.get(key), options, host);
        runtimes.set(configuration, runtime);
        return runtime;
    };
}

/** A runtime over settings from a configuration and the environment. */
export function createRuntime(
    config: ConfigReader,
    options: RuntimeOptions,
    { commands, isExplicit }: Host = stackHost,
): Runtime {
    const { environment, say } = options;
    const standIns = new StandIns();
    const secrets = new Set<string>();
    const settingsOf = remembered(({ name }, connection) => {
        const settings = readSettings(name, connection, config, environment, isExplicit);
        for (const secret of secretsOf(settings)) secrets.add(secret);
        return settings;
    });
    const sessions = createSessions(options, standIns, (text, severity) => shown.say(severity, text));
    const sessionsOf = remembered((service, connection, anonymous) => {
        return sessions(service, requireUsable(settingsOf(service, connection), anonymous));
    });
    const shown: Pick<Runtime, "redacted" | "say"> = {
        redacted: (message, others = []) => oneLine(redacted(inWordsOf(commands, message), [...secrets, ...others])),
        say: (severity, message, urn) => say(severity, shown.redacted(message), urn),
    };
    return {
        ...shown,
        async open(service, connection, sayAt, { anonymous, secrets: others = [] } = {}) {
            const session = sessionsOf(service, connection, anonymous);
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
    { environment, pace = wallTime }: RuntimeOptions,
    standIns: StandIns,
    say: (text: string, severity: "info" | "warning") => void,
) {
    const clientFor = clientCache(pace);
    const mutex = createKeyedMutex();
    return (service: Service, settings: UsableSettings): Omit<Session, "warn" | "inform" | "progress"> => {
        const { address, key, title, sources } = settings;
        if (sources["address"] === undefined) say(usesDefault({ title, address }), "info");
        // A client serves many resources: what it has to say belongs to none of them.
        const isTraced = says(environment, "STATECRAFT_LOG", "requests");
        const trace = isTraced ? (text: string) => say(text, "info") : undefined;
        const ears = { trace, notify: (text: string) => say(text, "warning"), key };
        const servers = serversOf(settings);
        return {
            client: clientFor(settings.names === "product" ? { ...service, title } : service, settings, ears),
            ...defaultsOf(settings),
            standIns,
            adoptIdentical: says(environment, "STATECRAFT_ADOPT", "identical"),
            now: pace.now,
            sleep: pace.sleep,
            servers,
            settingsKey: key,
            product: title,
            exclusive: (id, work) => mutex(JSON.stringify([servers[0], id]), work),
        };
    };
}

/** The server that settings lead to, and its other addresses with and without the region: they may be written as the output `server` has them. */
function serversOf({ service, address, region, otherAddresses = [] }: UsableSettings) {
    const hasRegion = service === "volumes" && region !== undefined;
    const inRegion = (of: string) =>
        hasRegion && !of.includes("?") ? `${of}?region=${encodeURIComponent(region)}` : of;
    const identity = (of: string) => {
        const { origin, pathname, search } = new URL(of);
        return origin + pathname.replace(/\/+$/, "") + search;
    };
    const others = otherAddresses.map(identity);
    return [inRegion(identity(address)), ...new Set([...others, ...others.map(inRegion)])] as const;
}

/** What a program leaves out, as the settings and the server have it. */
export const defaultsOf = ({ names, namespace }: Settings): Defaults => ({
    ...serverDefaults[names],
    namespace,
});

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
