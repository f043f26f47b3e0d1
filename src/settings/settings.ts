/**
 * The settings of a service. Each field is taken from the first of these places that has a value:
 *
 * | order | `token`                | the other fields       |
 * | ----- | ---------------------- | ---------------------- |
 * | 1     | statecraft's variable  | configuration          |
 * | 2     | configuration          | statecraft's variable  |
 * | 3     | the product's variable | the product's variable |
 * | 4     | the product's file     |                        |
 *
 * A connection, an explicit provider and the settings of a script use no environment variables and no files of the product, so that a token
 * never goes to another server. Nor does a key for servers that use the names of the API documents use those of the product.
 */

import * as z from "zod";
import type { Names, ServiceName } from "../core/service";
import { ConfigError } from "../errors";
import { isRecord, type Values } from "../schema/values";
import { serviceKeys, settingsKey } from "./config-keys";
import { productPlaces, readPlace } from "./product-settings";
import { environmentName, fromJson, serviceFields, serviceSettings, settingsSchema } from "./settings-schema";

/** Returns the text of a key of the configuration. */
export type ConfigReader = (key: string) => string | undefined;

/** The fields of one service. */
type ServiceSettings = Readonly<z.output<typeof serviceSettings>>;

/** The settings of one service. */
export interface Settings extends ServiceSettings {
    readonly service: ServiceName;
    readonly namespace: string | undefined;
    /** The names that the server uses. The key in the configuration determines them. */
    readonly names: Names;
    /**
     * The key of the settings, in the form that `pulumi config set --path` takes: `statecraft:vault`, or `statecraft:connections.dr.vault`.
     */
    readonly key: string;
    /** The name of the server in messages. */
    readonly title: string;
    /** The place of each field that has a value, such as `VAULT_ADDR`. */
    readonly sources: Readonly<Record<string, string>>;
    /** Whether the configuration is an explicit provider's or a script's. */
    readonly isExplicit: boolean;
    /** Whether environment variables do not apply to these settings. */
    readonly isClosed: boolean;
}

/** Settings that are complete enough to send a request. */
export type UsableSettings = Settings & { readonly address: string; readonly token: string | undefined };

/** The fields of one service in one place: in the configuration or in the environment. */
interface Given {
    readonly names: Names;
    readonly values: Values;
    sourceOf(field: string): string;
}

/** The address of HCP Terraform, if its token or another of its settings is given without an address. */
export const defaultAddress = "https://app.terraform.io/api/v2";
const connectionsKey = "statecraft:connections";
const bothNames = ["product", "documented"] as const;
const fields = Object.keys(serviceFields);

/**
 * Reads the settings of a service, for the default server or a named connection.
 * @param isExplicit whether the configuration is an explicit provider's or a script's: environment variables do not apply to services that
 * it names
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
    // The address is read first, because the token may depend on its host.
    for (const field of new Set([...fields, ...given.flatMap((each) => Object.keys(each.values))])) {
        // For the token, the environment takes precedence over the configuration; for other fields, the configuration does.
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

/** Reads an object, or its JSON text, in the configuration. `key` is its place, for messages. */
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

/**
 * Adds or removes the path of the API in an address: `/api/v2` is added for HCP Terraform, `/v1` is removed for the others. A region may
 * follow.
 */
function completed(service: ServiceName, address: string): string {
    const [, base = "", region = ""] = /^([^?]*?)\/*(\?.*)?$/.exec(address) ?? [];
    if (service !== "stateVersions") return base.replace(/\/+v1$/, "") + region;
    return (base.endsWith("/api/v2") ? base : `${base}/api/v2`) + region;
}

/** Removes `statecraft:`, which keys in the arguments of explicit providers and scripts do not have. */
const bare = (key: string): string => key.replace(/^statecraft:/, "");

/** Advice on how to set a field. */
function howToSet(key: string, field: string, isExplicit: boolean): string {
    if (isExplicit) return `Set \`${bare(key)}.${field}\` in the arguments`;
    // Pulumi asks for a secret if the command has no value for it.
    const value = field === "token" ? "--secret" : "<address>";
    return `Run \`pulumi config set --path '${key}.${field}' ${value}\``;
}

/** Parses settings. @param sourceOf returns the place of a field, for messages */
function checked<Output>(sourceOf: (field: string) => string, form: z.ZodType<Output>, value: unknown): Output {
    // Without compiled code, which zod would need more time to generate than it saves for a single use.
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
 * Whether an environment variable has the only value that it may have, such as `requests` in `STATECRAFT_LOG=requests`.
 * @throws ConfigError for any other value
 */
export function isSetTo(environment: NodeJS.ProcessEnv, name: string, word: string): boolean {
    const form = z.literal(word, { error: `must be "${word}"` }).optional();
    return checked(() => name, form, environment[name] || undefined) !== undefined;
}

/**
 * Refuses settings that cannot work, before any request. A login needs no token.
 * @throws ConfigError that names the places of the address or the token
 */
export function requireUsable(settings: Settings, isAnonymous = false): UsableSettings {
    const { service, address, token, key, title, names, isExplicit, isClosed } = settings;
    // A Nomad cluster without ACLs needs no token.
    const needsToken = !isAnonymous && !(service === "volumes" && names === "product");
    if (address !== undefined && (token !== undefined || !needsToken)) return { ...settings, address, token };
    const field = address === undefined ? "address" : "token";
    const { [names]: used, documented } = serviceKeys[service];
    const places = [`${isExplicit ? bare(key) : key}.${field}`];
    if (!isClosed) places.push(environmentName(used.key, field));
    if (!isClosed && names === "product") places.push(...productPlaces(service, field, address ?? ""));
    const tryOut = `; to try it out, run \`npx statecraft simulator\` and set \`${documented.key}.address\``;
    const isFirst = field === "address" && names === "product" && !isClosed;
    throw new ConfigError(
        `${key}.${field}`,
        `no ${field} is set for ${title}: none is in ${places.join(", ")}`,
        howToSet(key, field, isExplicit) + (isFirst ? tryOut : ""),
    );
}
