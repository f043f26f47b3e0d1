/** Settings: stack configuration and environment, read into one set per service and connection. */

import * as z from "zod";
import { settingsKey } from "../core/connection";
import { unset } from "../core/failures";
import type { ServiceName } from "../core/service";
import { ConfigError } from "../errors";
import type { ServiceSettings } from "../generated/args";
import { connectionSettings, fromJson, serviceFields, serviceSettings, settingsSchema } from "./settings-schema";
import { findThirdPartySetting, thirdPartyPlaces } from "./third-party-settings";

export type { ServiceSettings } from "../generated/args";

/** Where a setting comes from: reads a key of stack configuration as text. */
export type ConfigReader = (key: string) => string | undefined;

/**
 * The settings of a service, for the default server or a named connection.
 * @throws ConfigError when a setting is malformed or the connection is not configured
 */
export function readSettings(
    service: ServiceName,
    connection: string | undefined,
    config: ConfigReader,
    environment: NodeJS.ProcessEnv,
): ServiceSettings {
    const configured =
        connection === undefined ? readService(service, config) : readConnection(service, connection, config);
    if (connection !== undefined) return configured;
    const fromEnvironment = readEnvironment(service, environment);
    const ours = { ...fromEnvironment, ...configured, token: fromEnvironment.token ?? configured.token };
    return ours.vocabulary === "product" ? withThirdPartySettings(service, ours, environment) : ours;
}

/** What is not set in our way is taken from where the product's own tools keep it. */
function withThirdPartySettings(
    service: ServiceName,
    ours: ServiceSettings,
    environment: NodeJS.ProcessEnv,
): ServiceSettings {
    let settings = ours;
    for (const field of thirdPartyFields) {
        if (settings[field] !== undefined) continue;
        const found = findThirdPartySetting(service, field, environment, settings.address);
        if (found === undefined) continue;
        const value = field === "skipTlsVerify" ? /^(1|t|true)$/i.test(found.value) : found.value;
        settings = { ...settings, ...checked(found.source, serviceSettings, { [field]: value }) };
    }
    return settings;
}

/** Settings that other tools keep too. The token comes after the address, whose host it may be kept by. */
const thirdPartyFields = [
    "address",
    "token",
    "namespace",
    "region",
    "caFile",
    "clientCertFile",
    "clientKeyFile",
    "tlsServerName",
    "skipTlsVerify",
] as const;

function readService(service: ServiceName, config: ConfigReader): ServiceSettings {
    const key = settingsKey(service, undefined);
    return parse(key, serviceSettings, config(key));
}

function readConnection(service: ServiceName, connection: string, config: ConfigReader): ServiceSettings {
    const key = "statecraft:connections";
    const settings = parse(key, connectionSettings, config(key))[connection]?.[service];
    if (settings !== undefined) return settings;
    const place = settingsKey(service, connection);
    throw new ConfigError(
        place,
        `the connection ${JSON.stringify(connection)} has no settings for ${service}`,
        `{set ${bare(place)}.address}`,
    );
}

/** The name of a setting in the environment: `STATECRAFT_STATE_VERSIONS_CA_FILE`. */
export function environmentName(service: ServiceName, field: string): string {
    const words = (text: string) => text.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    return `STATECRAFT_${words(service)}_${words(field)}`;
}

function readEnvironment(service: ServiceName, environment: NodeJS.ProcessEnv): ServiceSettings {
    const given: Record<string, unknown> = {};
    const ofAll = "STATECRAFT_VOCABULARY";
    const shared = checked(ofAll, serviceSettings, { vocabulary: environment[ofAll] ?? "" });
    for (const field of Object.keys(serviceFields)) {
        const value = environment[environmentName(service, field)];
        if (value) given[field] = value;
    }
    return { ...shared, ...checked(`the environment (${environmentName(service, "")}…)`, serviceSettings, given) };
}

function parse<Output>(key: string, form: z.ZodType<Output>, json: string | undefined): Output {
    if (json === undefined) return checked(key, form, {});
    const value = fromJson(json);
    if (typeof value === "string") {
        throw new ConfigError(
            key,
            `${key} must be an object`,
            `{set ${bare(key)}.address}, and its other fields in the same way`,
        );
    }
    return checked(key, form, value);
}

/** A key as scripts have it. */
const bare = (key: string): string => key.replace(/^statecraft:/, "");

function checked<Output>(source: string, form: z.ZodType<Output>, value: unknown): Output {
    // Settings are read once in a process: to compile code for their form takes longer than to go through it.
    const result = form.safeParse(value, { jitless: true });
    if (result.success) return result.data;
    const problems = result.error.issues.map((issue) => [...issue.path.map(String), issue.message].join(": "));
    throw new ConfigError(source, `${source}: ${problems.join("; ")}`);
}

/**
 * Whether warnings are failures: `statecraft:strict`, or `STATECRAFT_STRICT` in the environment.
 * @throws ConfigError when it is neither true nor false
 */
export function readStrict(config: ConfigReader, environment: NodeJS.ProcessEnv): boolean {
    const [key, variable] = ["statecraft:strict", "STATECRAFT_STRICT"];
    const configured = config(key);
    const form = settingsSchema.shape.strict;
    const strict =
        configured === undefined
            ? checked(variable, form, environment[variable] || undefined)
            : checked(key, form, configured);
    return strict ?? false;
}

/**
 * Whether a variable of the environment holds the one word that it may hold: `STATECRAFT_LOG=requests`.
 * @throws ConfigError for any other value
 */
export function says(environment: NodeJS.ProcessEnv, name: string, word: string): boolean {
    const form = z.literal(word, { error: `must be "${word}"` }).optional();
    return checked(name, form, environment[name] || undefined) !== undefined;
}

/** Settings that a request can be sent with. */
export type UsableSettings = ServiceSettings & { readonly address: string; readonly token: string | undefined };

/**
 * Refuses settings that cannot work, before any request. Who logs in needs no token.
 * @throws ConfigError that names where an address or token was looked for
 */
export function requireUsable(
    service: ServiceName,
    connection: string | undefined,
    settings: ServiceSettings,
    anonymous = false,
): UsableSettings {
    const { address: where, token } = settings;
    if (where !== undefined && (token !== undefined || anonymous)) return { ...settings, address: where, token };
    const field = where === undefined ? "address" : "token";
    const key = `${settingsKey(service, connection)}.${field}`;
    const set = field === "token" ? "setSecret" : "set";
    const variable = connection === undefined ? `, or set ${environmentName(service, field)} in the environment` : "";
    const simulator =
        field === "address" ? ". To try it out without a server, run the simulator: `npx statecraft simulator`" : "";
    const [ours, named] = [bare(key), environmentName(service, field)];
    const first = field === "token" ? [named, ours] : [ours, named];
    const places = [...first, ...thirdPartyPlaces(service, field, where)];
    const looked =
        settings.vocabulary === "product" && connection === undefined
            ? `. It was looked for, in this order, in ${places.join(", ")}`
            : "";
    throw new ConfigError(key, unset({ field, service }), `{${set} ${bare(key)}}${variable}${looked}${simulator}`);
}
