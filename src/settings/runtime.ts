/** Joins settings and clients into what the dynamic host, the native plugin, programs and scripts run on. */

import { setTimeout } from "node:timers/promises";
import { configKeys } from "../core/config-keys";
import type { Runtime, Session } from "../core/context";
import { createKeyedMutex } from "../core/keyed-mutex";
import { oneLine, redacted } from "../core/redaction";
import type { Service } from "../core/service";
import { createClient, secretsOf } from "../http/client";
import type { Clock } from "../http/retry";
import { serverDefaults } from "../product-names";
import {
    type ConfigReader,
    readSettings,
    readStrict,
    requireUsable,
    type Settings,
    says,
    type UsableSettings,
} from "./settings";

/** What a runtime gets from its process, beside the configuration. */
export interface RuntimeOptions {
    readonly environment: NodeJS.ProcessEnv;
    readonly say: Runtime["say"];
    /** The time of waits. Default: the real one. */
    readonly pace?: Pace;
}

interface Pace extends Pick<Session, "now" | "sleep"> {
    /** Milliseconds before the first retry of a request. */
    readonly retryBaseDelay?: number;
    /** The time of requests. Default: the real one. */
    readonly clock?: Clock;
}

const wallTime: Pace = {
    now: () => performance.now(),
    sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }).catch(() => undefined),
};

/** The runtimes of a process, one for each configuration: operations with the same settings share clients and their limits. */
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
 * A runtime over settings from a configuration and the environment.
 * @param isExplicit the configuration is an explicit provider's or a script's: its services take nothing from the environment
 */
export function createRuntime(config: ConfigReader, options: RuntimeOptions, isExplicit = false): Runtime {
    const { environment, say, pace = wallTime } = options;
    const secrets = new Set<string>();
    const mutex = createKeyedMutex();

    // A run uses the settings with which it began.
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
            runtime.say("info", `No address is set for ${title}, so its default ${address} is used. [config]`);
        }
        const servers = serversOf(settings);
        const trace = (text: string) => runtime.say("info", text);
        const clientSettings = {
            ...settings,
            notify: (text: string) => runtime.say("warning", text),
            trace: says(environment, "STATECRAFT_LOG", "requests") ? trace : undefined,
            retryBaseDelay: pace.retryBaseDelay,
        };
        return {
            client: createClient(service, clientSettings, pace.clock),
            settings: resourceSettings(settings),
            servers,
            product: title,
            settingsKey: key,
            adoptIdentical: says(environment, "STATECRAFT_ADOPT", "identical"),
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
        // The engine passes the configuration after the runtime was made.
        get strict() {
            return readStrict(config, environment);
        },
        say: (severity, message, urn) => say(severity, runtime.redacted(message), urn),
        redacted: (text) => oneLine(redacted(text, [...secrets])),
    };
    return runtime;
}

/** The server, and its other addresses with and without the region: they may be written in the form of the output `server`. */
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

/** The settings that have a meaning for resources. */
export const resourceSettings = ({ names, namespace }: Settings) => ({ ...serverDefaults[names], namespace });
