/**
 * The settings of a service, put together field by field:
 *
 * | order | `token`                | the other fields       |
 * | ----- | ---------------------- | ---------------------- |
 * | 1     | our variable           | configuration          |
 * | 2     | configuration          | our variable           |
 * | 3     | the product's variable | the product's variable |
 * | 4     | the product's file     |                        |
 *
 * A connection, an explicit provider and what a script hands over take nothing from the environment: a token for one server must never go
 * to another. A key of the documents takes nothing from the product's own settings.
 */

import * as z from "zod";
import type { Names, SettingsKey } from "../core/config-keys";
import { serviceKeys } from "../core/config-keys";
import { settingsKey } from "../core/connection";
import { bothKeys, unset } from "../core/failures";
import type { ServiceName } from "../core/service";
import { ConfigError } from "../errors";
import type { ServiceSettings } from "../generated/args";
import type { Values } from "../schema/facts";
import { findProductSetting, productPlaces } from "./product-settings";
import {
    connectionSettings,
    environmentName,
    fromJson,
    serviceFields,
    serviceSettings,
    settingsSchema,
} from "./settings-schema";

export type { ServiceSettings } from "../generated/args";

/** Reads a key of the configuration as text. */
export type ConfigReader = (key: string) => string | undefined;

/** What is set for a service. */
export interface Settings extends ServiceSettings {
    readonly service: ServiceName;
    readonly namespace: string | undefined;
    /** Whose names the server speaks: the key decides. */
    readonly names: Names;
    /** The key in use, as `pulumi config set --path` takes it: `statecraft:vault`, or `statecraft:connections.dr.vault`. */
    readonly key: string;
    /** What messages call the server. */
    readonly title: string;
    /** Where each field was found. */
    readonly sources: Readonly<Record<string, string>>;
    /** The variables of the environment whose fields count, or none where the environment has no part in these settings. */
    readonly variable: ((field: string) => string) | undefined;
}

/** Settings that a request can be sent with. */
export type UsableSettings = Settings & { readonly address: string; readonly token: string | undefined };

/** The fields under one key, in configuration or in the environment. */
interface Given {
    readonly names: Names;
    readonly values: Values;
    /** The key, or a variable of the environment. */
    readonly place: string;
    sourceOf(field: string): string;
}

/** The address of the state versions where only a token for it, or its key, is set. */
export const defaultAddress = "https://app.terraform.io/api/v2";
const connectionsKey = "statecraft:connections";
const bothNames = ["product", "documented"] as const;

/**
 * The settings of a service, for the default server or a named connection.
 * @param isExplicit the configuration is an explicit provider's or a script's: a service that it names takes nothing from the environment
 * @throws ConfigError when a setting is malformed, both keys of the service are set, or the connection is not configured
 */
export function readSettings(
    service: ServiceName,
    connection: string | undefined,
    config: ConfigReader,
    environment: NodeJS.ProcessEnv,
    isExplicit = false,
): Settings {
    const configured = bothNames.flatMap((each) => inConfiguration(service, each, connection, config));
    const isClosed = connection !== undefined || (isExplicit && configured.length > 0);
    const given = [...configured, ...(isClosed ? [] : inEnvironment(service, environment))];
    const [first] = given;
    const names = first?.names ?? "product";
    const { key, title } = serviceKeys[service][names];
    const place = settingsKey(key, connection);
    const second = given.find((each) => each.names !== names);
    if (first && second) throw new ConfigError(place, bothKeys({ one: first.place, other: second.place }));
    if (connection !== undefined && given.length === 0) {
        const problem = `the connection ${JSON.stringify(connection)} has no settings for ${title}`;
        throw new ConfigError(place, problem, `{set ${bare(place)}.address}`);
    }
    const { values, sources } = merged(given);
    if (names === "product" && !isClosed) addProductSettings(service, environment, values, sources);
    const isKnown = given.length > 0 || values["token"] !== undefined;
    if (key === "terraform" && isKnown) values["address"] ??= defaultAddress;
    const { address, otherAddresses, ...settings } = checked(place, serviceSettings, values);
    return {
        ...settings,
        ...(address !== undefined && { address: completed(service, address) }),
        ...(otherAddresses && { otherAddresses: otherAddresses.map((each) => completed(service, each)) }),
        service,
        namespace: settings.namespace,
        names,
        key: place,
        title,
        sources,
        variable: isClosed ? undefined : (field) => environmentName(key, field),
    };
}

/** Fields by name, and where each was found. */
interface Merged {
    readonly values: Record<string, unknown>;
    readonly sources: Record<string, string>;
}

function merged(given: readonly Given[]): Merged {
    const [values, sources]: [Merged["values"], Merged["sources"]] = [{}, {}];
    for (const field of Object.keys(serviceFields)) {
        // The environment follows the configuration, and its token wins.
        const inOrder = field === "token" ? given.toReversed() : given;
        const first = inOrder.find((each) => each.values[field] !== undefined);
        if (first === undefined) continue;
        values[field] = first.values[field];
        sources[field] = first.sourceOf(field);
    }
    return { values, sources };
}

/** The token comes after the address, by whose host it may be kept. */
const productFields = [
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

function addProductSettings(
    service: ServiceName,
    environment: NodeJS.ProcessEnv,
    values: Merged["values"],
    sources: Merged["sources"],
): void {
    for (const field of productFields) {
        if (values[field] !== undefined) continue;
        const found = findProductSetting(service, field, environment, String(values["address"] ?? defaultAddress));
        if (found === undefined) continue;
        const value = field === "skipTlsVerify" ? /^(1|t|true)$/i.test(found.value) : found.value;
        Object.assign(values, checked(found.source, serviceSettings, { [field]: value }));
        sources[field] = found.source;
    }
}

/** An address with the path that the service has by its document. A region may follow. */
function completed(service: ServiceName, address: string): string {
    const [, base = "", region = ""] = /^([^?]*?)\/*(\?.*)?$/.exec(address) ?? [];
    if (service !== "stateVersions") return base.replace(/\/+v1$/, "") + region;
    return (base.endsWith("/api/v2") ? base : `${base}/api/v2`) + region;
}

function inConfiguration(
    service: ServiceName,
    names: Names,
    connection: string | undefined,
    config: ConfigReader,
): Given[] {
    const { key } = serviceKeys[service][names];
    const place = settingsKey(key, connection);
    const values =
        connection === undefined
            ? parse(place, serviceSettings.optional(), config(place))
            : parse(connectionsKey, connectionSettings.optional(), config(connectionsKey))?.[connection]?.[key];
    return values ? [{ names, values: { ...values }, place, sourceOf: (field) => `${place}.${field}` }] : [];
}

function inEnvironment(service: ServiceName, environment: NodeJS.ProcessEnv): Given[] {
    return bothNames.flatMap((names) => {
        const { key } = serviceKeys[service][names];
        const given = Object.keys(serviceFields).filter((field) => environment[environmentName(key, field)]);
        const [first] = given;
        if (first === undefined) return [];
        const source = `the environment (${environmentName(key, "")}…)`;
        const written = Object.fromEntries(given.map((field) => [field, environment[environmentName(key, field)]]));
        const values = { ...checked(source, serviceSettings, written) };
        const sourceOf = (field: string) => environmentName(key, field);
        return { names, values, place: sourceOf(first), sourceOf };
    });
}

function parse<Output>(key: string, form: z.ZodType<Output>, json: string | undefined): Output {
    if (json === undefined) return checked(key, form, undefined);
    const value = fromJson(json);
    if (typeof value === "string") {
        const hint = `{set ${bare(key)}.address}, and its other fields in the same way`;
        throw new ConfigError(key, `${key} must be an object`, hint);
    }
    return checked(key, form, value);
}

/** A key without its namespace. */
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

/**
 * Refuses settings that cannot work, before any request. A login needs no token.
 * @throws ConfigError that names where an address or token was looked for
 */
export function requireUsable(settings: Settings, isAnonymous = false): UsableSettings {
    const { service, address, token, key, title, names, variable } = settings;
    if (address !== undefined && (token !== undefined || isAnonymous)) return { ...settings, address, token };
    const field = address === undefined ? "address" : "token";
    const setting = `${bare(key)}.${field}`;
    const ways = [`{${field === "token" ? "setSecret" : "set"} ${setting}}`];
    if (variable) {
        const ours = field === "token" ? [variable(field), setting] : [setting, variable(field)];
        const theirs = names === "product" ? productPlaces(service, field, address) : [];
        ways[0] += `, or set ${variable(field)} in the environment`;
        ways.push(`It was looked for, in this order, in ${[...ours, ...theirs].join(", ")}`);
        if (field === "address" && names === "product") {
            const documents: SettingsKey = serviceKeys[service].documented.key;
            ways.push(
                `To try it out, run the simulator, \`npx statecraft simulator\`, and set \`${documents}.address\``,
            );
        }
    }
    throw new ConfigError(`${key}.${field}`, unset({ field, title }), ways.join(". "));
}
