/** Makes a `Runtime` from settings and HTTP clients, for dynamic providers, the native plugin, programs and scripts. */

import { setTimeout } from "node:timers/promises";
import type { Runtime, Session } from "../core/context";
import { createKeyedMutex } from "../core/keyed-mutex";
import type { Service } from "../core/service";
import { Voice } from "../core/voice";
import { createClient, secretsOf } from "../http/client";
import type { Clock } from "../http/retry";
import { serverDefaults } from "../product-names";
import { configKeys } from "../settings/config-keys";
import {
    type ConfigReader,
    isSetTo,
    readSettings,
    readStrict,
    requireUsable,
    type Settings,
    type UsableSettings,
} from "../settings/settings";

/** The parts of its process that a runtime uses, in addition to the configuration. */
export interface RuntimeOptions {
    readonly environment: NodeJS.ProcessEnv;
    readonly say: Runtime["say"];
    /** Clock and delays, which tests replace. Default: real time. */
    readonly pace?: Pace;
}

interface Pace extends Pick<Session, "now" | "sleep"> {
    /** Milliseconds before the first retry of a request. */
    readonly retryBaseDelay?: number;
    /** The clock of HTTP requests. Default: real time. */
    readonly clock?: Clock;
}

const wallTime: Pace = {
    now: () => performance.now(),
    sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }).catch(() => undefined),
};

/** Makes the runtimes of a process, one for each configuration: operations with the same settings share clients and their rate limits. */
export function createRuntimes(options: RuntimeOptions): (config: ConfigReader, isExplicit?: boolean) => Runtime {
    const runtimes = new Map<string, Runtime>();
    return (config, isExplicit = false) => {
        const values = new Map<string, string | undefined>(configKeys.map((key) => [key, config(key)]));
        const configuration = JSON.stringify([isExplicit, ...values]);
        const runtime = runtimes.get(configuration) ?? createRuntime((key) => values.get(key), options, isExplicit);
        runtimes.set(configuration, runtime);
        return runtime;
    };
}

/**
 * Makes a runtime whose settings come from a configuration and the environment.
 * @param isExplicit whether the configuration is an explicit provider's or a script's: environment variables do not apply to its services
 */
export function createRuntime(config: ConfigReader, options: RuntimeOptions, isExplicit = false): Runtime {
    const { environment, say, pace = wallTime } = options;
    const secrets = new Set<string>();
    const voice = new Voice({ say, secrets });
    const mutex = createKeyedMutex();

    // Settings are read once: a change of the environment does not apply during a run.
    const known = new Map<string, { readonly settings: Settings; session?: Session }>();
    const lookUp = ({ name }: Service, connection: string | undefined) => {
        const key = JSON.stringify([name, connection]);
        const found = known.get(key) ?? {
            settings: readSettings(name, connection, config, environment, isExplicit),
        };
        if (!known.has(key)) for (const secret of secretsOf(found.settings)) secrets.add(secret);
        known.set(key, found);
        return found;
    };
    const sessionOf = (service: Service, settings: UsableSettings): Session => {
        const { address, key, title, sources } = settings;
        if (sources["address"] === undefined) {
            voice.say("info", `No address is set for ${title}, so its default ${address} is used. [config]`);
        }
        const servers = serversOf(settings);
        const trace = (text: string) => voice.say("info", text);
        const clientSettings = {
            ...settings,
            notify: (text: string) => voice.say("warning", text),
            trace: isSetTo(environment, "STATECRAFT_LOG", "requests") ? trace : undefined,
            retryBaseDelay: pace.retryBaseDelay,
        };
        return {
            client: createClient(service, clientSettings, pace.clock),
            settings: resourceSettings(settings),
            servers,
            product: title,
            settingsKey: key,
            adoptIdentical: isSetTo(environment, "STATECRAFT_ADOPT", "identical"),
            exclusive: (id, work) => mutex(JSON.stringify([servers[0], id]), work),
            now: pace.now,
            sleep: pace.sleep,
        };
    };

    const runtime: Runtime = {
        open(service, connection, { anonymous } = {}) {
            const found = lookUp(service, connection);
            const usable = requireUsable(found.settings, anonymous);
            found.session ??= sessionOf(service, usable);
            return found.session;
        },
        settings: (service, connection) => resourceSettings(lookUp(service, connection).settings),
        // A getter, because the engine passes the configuration after the runtime was made.
        get strict() {
            return readStrict(config, environment);
        },
        say,
        secrets,
    };
    return runtime;
}

/** The identity of the server, which the output `server` stores; then those of its other addresses, with and without the region. */
function serversOf({ service, address, region, otherAddresses = [] }: UsableSettings): readonly [string, ...string[]] {
    const hasRegion = service === "volumes" && region !== undefined;
    const inRegion = (of: string) =>
        hasRegion && !of.includes("?") ? `${of}?region=${encodeURIComponent(region)}` : of;
    const identity = (of: string) => {
        const { origin, pathname, search } = new URL(of);
        return origin + pathname.replace(/\/+$/, "") + search;
    };
    const others = otherAddresses.map(identity);
    return [inRegion(identity(address)), ...new Set([...others, ...others.map(inRegion)])];
}

/** The settings that resource files use. */
export const resourceSettings = ({ names, namespace }: Settings) => ({ ...serverDefaults[names], namespace });
