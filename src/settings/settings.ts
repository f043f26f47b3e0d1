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
 * A connection, an explicit provider and the settings of a script take nothing from the environment: a token for one server must never go
 * to another. A key of the documents takes nothing from the product's own settings.
 */

import * as z from "zod";
import type { Names } from "../core/config-keys";
import { serviceKeys, settingsKey } from "../core/config-keys";
import type { ServiceName } from "../core/service";
import { ConfigError } from "../errors";
import type { ServiceSettings } from "../generated/args";
import { isRecord, type Values } from "../schema/values";
import { productPlaces, readPlace } from "./product-settings";
import { environmentName, fromJson, serviceFields, serviceSettings, settingsSchema } from "./settings-schema";

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
    /** The configuration is an explicit provider's or a script's. */
    readonly isExplicit: boolean;
    /** These settings take nothing from the environment. */
    readonly isClosed: boolean;
}

/** Settings that a request can be sent with. */
export type UsableSettings = Settings & { readonly address: string; readonly token: string | undefined };

/** The fields under one key, in configuration or in the environment. */
interface Given {
    readonly names: Names;
    readonly values: Values;
    sourceOf(field: string): string;
}

/** The address of the state versions where only a token for it, or its key, is set. */
export const defaultAddress = "https://app.terraform.io/api/v2";
const connectionsKey = "statecraft:connections";
const bothNames = ["product", "documented"] as const;
const fields = Object.keys(serviceFields);

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
    const configured = bothNames.flatMap((names) => inConfiguration(service, names, connection, config));
    const isClosed = connection !== undefined || (isExplicit && configured.length > 0);
    const ours = isClosed ? [] : bothNames.flatMap((names) => inEnvironment(service, names, environment));
    const given = [...configured, ...ours];
    const names = given[0]?.names ?? "product";
    const { title } = serviceKeys[service][names];
    const key = settingsKey(serviceKeys[service][names].key, connection);
    requireOneKey(key, given);
    if (connection !== undefined && given.length === 0) {
        const problem = `the connection ${JSON.stringify(connection)} has no settings for ${title}`;
        throw new ConfigError(key, problem, howToSet(key, "address", isExplicit));
    }
    const values: Record<string, unknown> = {};
    const sources: Record<string, string> = {};
    // The address comes first, because it decides which token counts.
    for (const field of new Set([...fields, ...given.flatMap((each) => Object.keys(each.values))])) {
        // The environment comes after the configuration, except for the token.
        const inOrder = field === "token" ? given.toReversed() : given;
        const found = inOrder.find((each) => (each.values[field] ?? "") !== "");
        if (found) [values[field], sources[field]] = [found.values[field], found.sourceOf(field)];
        else if (names === "product" && !isClosed) {
            const address = String(values["address"] ?? defaultAddress);
            for (const place of productPlaces(service, field, address).toReversed()) {
                const value = readPlace(place, environment, address);
                if (value !== undefined) [values[field], sources[field]] = [value, place];
            }
        }
    }
    const isTerraform = service === "stateVersions" && names === "product";
    if (isTerraform && (given.length > 0 || values["token"] !== undefined)) values["address"] ??= defaultAddress;
    const settings = checked((field) => sources[field] ?? key, serviceSettings, values);
    const { address, otherAddresses, namespace } = settings;
    return {
        ...settings,
        ...(address !== undefined && { address: completed(service, address) }),
        ...(otherAddresses && { otherAddresses: otherAddresses.map((each) => completed(service, each)) }),
        ...{ service, namespace, names, key, title, sources, isExplicit, isClosed },
    };
}

function inConfiguration(
    service: ServiceName,
    names: Names,
    connection: string | undefined,
    config: ConfigReader,
): Given[] {
    const { key } = serviceKeys[service][names];
    const place = settingsKey(key, connection);
    const inConnection = (name: string) =>
        objectIn(place, objectIn(connectionsKey, config(connectionsKey))?.[name])?.[key];
    const values = objectIn(place, connection === undefined ? config(place) : inConnection(connection));
    return values === undefined ? [] : [{ names, values, sourceOf: (field) => `${place}.${field}` }];
}

/** The object in a value, which may be JSON text. `key` is the place of the value. */
function objectIn(key: string, value: unknown): Values | undefined {
    const parsed = fromJson(value);
    if (parsed === undefined || isRecord(parsed)) return parsed;
    const hint = `${howToSet(key, "address", false)}, and its other fields in the same way`;
    throw new ConfigError(key, `${key} must be an object`, hint);
}

function inEnvironment(service: ServiceName, names: Names, environment: NodeJS.ProcessEnv): Given[] {
    const sourceOf = (field: string) => environmentName(serviceKeys[service][names].key, field);
    const set = fields.filter((field) => environment[sourceOf(field)]);
    const values = Object.fromEntries(set.map((field) => [field, environment[sourceOf(field)]]));
    return set.length === 0 ? [] : [{ names, values, sourceOf }];
}

function requireOneKey(key: string, [first, ...others]: readonly Given[]): void {
    const second = others.find(({ names }) => names !== first?.names);
    if (!first || !second) return;
    const places = [first, second].map(({ values, sourceOf }) => sourceOf(Object.keys(values)[0] ?? "address"));
    const hint =
        "Remove one of them: `vault`, `nomad` and `terraform` are for the products, the other keys for servers that speak the API documents";
    throw new ConfigError(key, `${places.join(" and ")} are both set for one service`, hint);
}

/** An address with the path that the service has by its document. A region may follow. */
function completed(service: ServiceName, address: string): string {
    const [, base = "", region = ""] = /^([^?]*?)\/*(\?.*)?$/.exec(address) ?? [];
    if (service !== "stateVersions") return base.replace(/\/+v1$/, "") + region;
    return (base.endsWith("/api/v2") ? base : `${base}/api/v2`) + region;
}

/** A key in the arguments of explicit providers and scripts. */
const bare = (key: string): string => key.replace(/^statecraft:/, "");

/** What to type to set a field. */
function howToSet(key: string, field: string, isExplicit: boolean): string {
    if (isExplicit) return `Set \`${bare(key)}.${field}\` in the arguments`;
    // A secret must not be typed on the command line.
    const value = field === "token" ? "--secret" : "<address>";
    return `Run \`pulumi config set --path '${key}.${field}' ${value}\``;
}

/** @param sourceOf where a field was found, for messages */
function checked<Output>(sourceOf: (field: string) => string, form: z.ZodType<Output>, value: unknown): Output {
    // Settings are read once in a process: compiling code for their form would take longer.
    const result = form.safeParse(value, { jitless: true });
    if (result.success) return result.data;
    const problems = result.error.issues.map(({ path: [field = "", ...inside], message }) =>
        [sourceOf(String(field)), ...inside.map(String), message].join(": "),
    );
    const source = sourceOf(String(result.error.issues[0]?.path[0] ?? ""));
    throw new ConfigError(source, problems.join("; "));
}

/**
 * Whether warnings are failures: `statecraft:strict`, or `STATECRAFT_STRICT` in the environment.
 * @throws ConfigError when it is neither true nor false
 */
export function readStrict(config: ConfigReader, environment: NodeJS.ProcessEnv): boolean {
    const [key, variable] = ["statecraft:strict", "STATECRAFT_STRICT"];
    const configured = config(key);
    const source = configured === undefined ? variable : key;
    const value = configured ?? (environment[variable] || undefined);
    return checked(() => source, settingsSchema.shape.strict, value) ?? false;
}

/**
 * Whether a variable of the environment holds the one word that it may hold: `STATECRAFT_LOG=requests`.
 * @throws ConfigError for any other value
 */
export function says(environment: NodeJS.ProcessEnv, name: string, word: string): boolean {
    const form = z.literal(word, { error: `must be "${word}"` }).optional();
    return checked(() => name, form, environment[name] || undefined) !== undefined;
}

/**
 * Refuses settings that cannot work, before any request. A login needs no token.
 * @throws ConfigError that names the places of the address or the token
 */
export function requireUsable(settings: Settings, isAnonymous = false): UsableSettings {
    const { service, address, token, key, title, names, isExplicit, isClosed } = settings;
    if (address !== undefined && (token !== undefined || isAnonymous)) return { ...settings, address, token };
    const field = address === undefined ? "address" : "token";
    const { [names]: used, documented } = serviceKeys[service];
    const places = [`${isExplicit ? bare(key) : key}.${field}`];
    if (!isClosed) places.push(environmentName(used.key, field));
    if (!isClosed && names === "product") places.push(...productPlaces(service, field, address ?? ""));
    const tryOut = `. To try it out, run \`npx statecraft simulator\` and set \`${documented.key}.address\``;
    const isFirst = field === "address" && names === "product" && !isClosed;
    throw new ConfigError(
        `${key}.${field}`,
        `no ${field} is set for ${title}: none is in ${places.join(", ")}`,
        howToSet(key, field, isExplicit) + (isFirst ? tryOut : ""),
    );
}
