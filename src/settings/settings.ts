/**
 * Reads the settings of a service. The value of a field is that of the first place that has one:
 *
 * | order | token                  | the other fields       |
 * | ----- | ---------------------- | ---------------------- |
 * | 1     | statecraft's variable  | configuration          |
 * | 2     | configuration          | statecraft's variable  |
 * | 3     | the product's variable | the product's variable |
 * | 4     | the product's file     |                        |
 *
 * `token`, `tokenFile` and `login` are one choice: the first place that has one of them decides, and no place has two.
 *
 * An empty value counts as none, but an empty `token` of the configuration ends the search: requests are sent without a token.
 *
 * Some origins (`origins`) use neither variables nor files, so that a token never goes to another server. A key for servers that use the
 * names of the API documents uses no variables and files of the product.
 */

import * as z from "zod";
import type { Login, Names, ServiceName } from "../core/service";
import { ConfigError } from "../errors";
import { isRecord, type Values } from "../schema/values";
import { bothNames, serviceKeys, settingsKey, unprefixed } from "./config-keys";
import { agentAddress, findInProduct, httpAuthVariable, namedPlaces, productVariable } from "./product-settings";
import {
    environmentName,
    fromJson,
    loginForms,
    serviceFields,
    serviceSettings,
    strictSetting,
} from "./settings-schema";

/** Returns the text of a configuration key such as `statecraft:vault`. */
export type ConfigReader = (key: string) => string | undefined;

/** The settings of one service from all places, with the path of the API in each address. */
export interface ResolvedSettings extends Readonly<z.output<typeof serviceSettings>> {
    readonly service: ServiceName;
    /** The names that the server uses. The key in the configuration determines them. */
    readonly names: Names;
    /** The key of the settings, as `pulumi config set --path` takes it: `statecraft:vault`, or `statecraft:connections.dr.vault`. */
    readonly key: string;
    /** The name of the server in messages. */
    readonly title: string;
    /** Parameters that every request has in its query: the region, if the service has regions. */
    readonly query: Readonly<Record<string, string>>;
    /** The place of each field that has a value, such as `VAULT_ADDR`. */
    readonly sources: Readonly<Record<string, string>>;
    readonly origin: Origin;
    /** User and password before the service, as `NOMAD_HTTP_AUTH` gives them. */
    readonly httpAuth: string | undefined;
    /** The places in which a field may be set, for messages. */
    placesOf(field: "address" | "token"): string[];
}

/** Settings that are complete enough to send a request. */
export interface UsableSettings extends ResolvedSettings {
    readonly address: string;
    readonly token: string | undefined;
    /** Where the token comes from, or that none is set: a sentence for messages about its refusal. */
    readonly tokenSource: string;
}

/** The fields of one service in one place: in the configuration or in the environment. */
interface Given {
    readonly names: Names;
    readonly values: Values;
    sourceOf(field: string): string;
}

/**
 * Where the settings of a server come from, in addition to variables and the product's files if `hasVariables`. Messages advise to set a
 * variable, a key of the stack or either, but those of arguments only an argument.
 */
const origins = {
    /** A command. */
    environment: { hasVariables: true, place: undefined },
    stack: { hasVariables: true, place: "stack" },
    /** A connection of the stack. */
    connection: { hasVariables: false, place: "stack" },
    /** An explicit provider or a script, for the services and connections in its arguments. */
    arguments: { hasVariables: false, place: "arguments" },
    /** An explicit provider or a script, for the services that its arguments leave out. */
    leftOut: { hasVariables: true, place: "arguments" },
} as const;
type Origin = keyof typeof origins;

const connectionsKey = "statecraft:connections";
const fields = Object.keys(serviceFields);
/** The fields that are ways to a token. */
const tokenFields = ["token", "tokenFile", "login"] as const;

/**
 * Reads the settings of a service, for the default server or a named connection.
 * @param config default: only the environment is read, as by the commands
 * @param isExplicit whether the configuration is an explicit provider's or a script's: the environment does not apply to its services
 * @throws ConfigError when a setting is malformed, both keys of the service are set, or the connection is not configured
 */
export function readSettings(
    service: ServiceName,
    connection: string | undefined,
    config: ConfigReader | undefined,
    environment: NodeJS.ProcessEnv,
    isExplicit = false,
): ResolvedSettings {
    const configured = config === undefined ? [] : givenInConfiguration(service, connection, config);
    const ofArguments = connection !== undefined || configured.length > 0 ? "arguments" : "leftOut";
    const ofStack = connection !== undefined ? "connection" : config === undefined ? "environment" : "stack";
    const origin = isExplicit ? ofArguments : ofStack;
    const { hasVariables, place } = origins[origin];
    const given = hasVariables ? [...configured, ...givenInEnvironment(service, environment)] : configured;
    const names = given[0]?.names ?? "product";
    const { [names]: server, hasRegions } = serviceKeys[service];
    const { title, defaultAddress } = server;
    const key = settingsKey(server.key, connection);
    requireOneKey(key, given);
    if (connection !== undefined && given.length === 0) {
        const problem = `the connection ${JSON.stringify(connection)} has no settings for ${title}`;
        throw new ConfigError(key, problem, adviceOf(origin, key, "address"));
    }
    const product = names === "product" && hasVariables ? environment : undefined;
    const { values, sources } = firstOf(given, service, product);
    if (given.length > 0 || values["token"] !== undefined) values["address"] ??= defaultAddress;
    const settings = checked((field) => sources[field] ?? key, serviceSettings, values);
    const { address, otherAddresses, region, login } = settings;
    const problem = login && loginProblem(service, login);
    if (problem) throw new ConfigError(`${key}.login`, `${sources["login"]}: ${title} ${problem}`);
    // Nomad's own tool lists all namespaces so. An object without a namespace is refused later.
    if (settings.namespace === "*" && service !== "volumes")
        throw new ConfigError(`${key}.namespace`, `${sources["namespace"]}: must name one namespace, not all`);
    const socket = [address, ...(otherAddresses ?? [])].find((each) => each?.startsWith("unix:"));
    if (socket && serviceKeys[service].apiPath) throw new ConfigError(key, `${title} has no Unix socket: ${socket}`);
    return {
        ...settings,
        login: login && { ...(settings.namespace && { namespace: settings.namespace }), ...login },
        address: address && completed(service, address),
        otherAddresses: otherAddresses?.map((each) => completed(service, each)),
        query: hasRegions && region ? { region } : {},
        ...{ service, names, key, title, sources, origin },
        httpAuth: (service === "volumes" && product?.[httpAuthVariable]) || undefined,
        placesOf: (field) => [
            ...(place ? [`${place === "arguments" ? unprefixed(key) : key}.${field}`] : []),
            ...(hasVariables ? [environmentName(server.key, field)] : []),
            ...(product ? namedPlaces(service, field, address ?? defaultAddress ?? "", product) : []),
        ],
    };
}

/** The value of each field in the first place that has one, and that place. @param environment where to look for the product's places */
function firstOf(given: readonly Given[], service: ServiceName, environment: NodeJS.ProcessEnv | undefined) {
    // Without a prototype, so that a field `__proto__` is unknown like any other.
    const values: Record<string, unknown> = Object.create(null);
    const sources: Record<string, string> = Object.create(null);
    const isSet = (field: string, { [field]: value }: Values) =>
        value !== undefined && value !== null && (value !== "" || field === "token");
    // For the token, the environment takes precedence over the configuration; for other fields, the configuration does.
    const withToken = given.findLast(({ values }) => tokenFields.some((field) => isSet(field, values)));
    const [way, second] = tokenFields.filter((field) => withToken && isSet(field, withToken.values));
    if (withToken && way && second) {
        const both = `${withToken.sourceOf(way)} and ${withToken.sourceOf(second)}`;
        throw new ConfigError(withToken.sourceOf(way), `${both} are both set`, "Remove one of them");
    }
    // The address is read first, because the token may depend on its host.
    for (const field of new Set([...fields, ...given.flatMap((each) => Object.keys(each.values))])) {
        const { address: found = serviceKeys[service].product.defaultAddress } = values;
        const address = typeof found === "string" ? found : "";
        const isWay = withToken !== undefined && tokenFields.some((name) => name === field);
        const places = isWay ? [withToken] : given;
        const ours = places.find(({ values: inPlace }) => isSet(field, inPlace));
        const others = isWay ? undefined : environment;
        const place = ours ?? (others && findInProduct(service, field, address, others));
        if (place) [values[field], sources[field]] = [place.values[field], place.sourceOf(field)];
    }
    return { values, sources };
}

function givenInConfiguration(service: ServiceName, connection: string | undefined, config: ConfigReader): Given[] {
    return bothNames.flatMap((names) => {
        const { key } = serviceKeys[service][names];
        const place = settingsKey(key, connection);
        const servers = connection !== undefined && objectIn(connectionsKey, config(connectionsKey))?.[connection];
        const values = objectIn(place, connection === undefined ? config(place) : objectIn(place, servers)?.[key]);
        return values === undefined ? [] : [{ names, values, sourceOf: (field) => `${place}.${field}` }];
    });
}

function givenInEnvironment(service: ServiceName, environment: NodeJS.ProcessEnv): Given[] {
    return bothNames.flatMap((names) => {
        const sourceOf = (field: string) => environmentName(serviceKeys[service][names].key, field);
        const set = fields.filter((field) => environment[sourceOf(field)]);
        const values = Object.fromEntries(set.map((field) => [field, environment[sourceOf(field)]]));
        return set.length === 0 ? [] : [{ names, values, sourceOf }];
    });
}

/** Reads an object or its JSON text in the configuration. @param key the object's key, for messages */
function objectIn(key: string, value: unknown): Values | undefined {
    const parsed = fromJson(value);
    if (parsed === undefined || isRecord(parsed)) return parsed;
    const hint = `${adviceOf("connection", key, "address")}, and its other fields in the same way`;
    throw new ConfigError(key, `${key} must be an object`, hint);
}

function requireOneKey(key: string, [first, ...others]: readonly Given[]): void {
    const second = others.find(({ names }) => names !== first?.names);
    if (!first || !second) return;
    const places = [first, second].map(({ values, sourceOf }) => sourceOf(Object.keys(values)[0] ?? "address"));
    const hint =
        "Remove one of them: `vault`, `nomad` and `terraform` are for the products, " +
        "the other keys for servers that speak the API documents";
    throw new ConfigError(key, `${places.join(" and ")} are both set for one service`, hint);
}

/** The problem of a `login`. Fields that a form may leave out are in brackets. */
function loginProblem(service: ServiceName, login: Login): string | undefined {
    const { [service]: forms } = loginForms();
    if (forms === undefined) return "has no login: set `tokenFile` to a file that another tool writes";
    if (forms.some((form) => form.safeParse(login).success)) return undefined;
    const shown = forms.map(({ shape }) => {
        const names = Object.entries(shape).map(([name, type]) =>
            type.safeParse(undefined).success ? `[${name}]` : name,
        );
        return `\`${names.join(" ")}\``;
    });
    return `needs the fields ${shown.join(", or ")}`;
}

/** Adds the path of the API to an address, or removes `/v1` from it. A region may follow. */
function completed(service: ServiceName, address: string): string {
    const { apiPath } = serviceKeys[service];
    const [, base = "", region = ""] = /^([^?]*?)\/*(\?.*)?$/.exec(address) ?? [];
    if (base.startsWith("unix:")) return address;
    if (apiPath === undefined) return base.replace(/\/+v1$/, "") + region;
    // An API below another path, such as a gateway's, has the same end.
    return (base.endsWith("/v2") ? base : base + apiPath) + region;
}

/** Advice on how to set a field. @param exported how to set its variable */
function adviceOf(origin: Origin, key: string, field: string, exported = ""): string {
    const { hasVariables, place } = origins[origin];
    if (place === "arguments") return `Set \`${unprefixed(key)}.${field}\` in the arguments`;
    // Pulumi asks for a secret if the command has no value for it.
    const value = field === "token" ? "--secret" : "<address>";
    const inStack = `\`pulumi config set --path '${key}.${field}' ${value}\``;
    if (!hasVariables) return `Run ${inStack}`;
    return place === undefined ? `Run ${exported}` : `Run ${exported}, or run ${inStack}`;
}

/** Parses settings. @param sourceOf returns the place of a field, for messages @throws ConfigError that names every wrong field */
function checked<Output>(sourceOf: (field: string) => string, form: z.ZodType<Output>, value: unknown): Output {
    // Code that zod compiles would take longer to compile than it saves in a single use.
    const result = form.safeParse(value, { jitless: true });
    if (result.success) return result.data;
    const problems = result.error.issues.map(({ path: [field = "", ...inside], message }) =>
        [sourceOf(String(field)), ...inside.map(String), message].join(": "),
    );
    const source = sourceOf(String(result.error.issues[0]?.path[0] ?? ""));
    throw new ConfigError(source, problems.join("; "));
}

/**
 * Whether warnings are failures: `STATECRAFT_STRICT` in the environment, so that one run may differ, or `statecraft:strict`.
 * @throws ConfigError when it is neither true nor false
 */
export function readStrict(config: ConfigReader | undefined, environment: NodeJS.ProcessEnv): boolean {
    const [key, variable] = ["statecraft:strict", "STATECRAFT_STRICT"];
    const ofRun = environment[variable] || undefined;
    const source = ofRun === undefined ? key : variable;
    return checked(() => source, strictSetting, ofRun ?? config?.(key)) ?? false;
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
export function requireUsable(settings: ResolvedSettings, isAnonymous = false): UsableSettings {
    const { service, address, token, key, title, names, origin, sources, placesOf } = settings;
    const { [names]: server } = serviceKeys[service];
    // An agent may add the token.
    const needsToken = !isAnonymous && !server.tokenOptional && sources["address"] !== agentAddress;
    const none = (field: "address" | "token") =>
        `no ${field} is set for ${title}: none is in ${placesOf(field).join(", ")}`;
    const way = tokenFields.find((name) => settings[name] !== undefined);
    if (address !== undefined && (way !== undefined || !needsToken)) {
        const tokenSource = way === undefined ? none("token") : `the token comes from ${sources[way]}`;
        return { ...settings, address, token, tokenSource };
    }
    // Where an address has a default, the token is what is missing.
    const field = address === undefined && (isAnonymous || !server.defaultAddress) ? "address" : "token";
    const isFirst = address === undefined && names === "product" && origins[origin].hasVariables;
    const tryOut = isFirst ? "; to try it out, run `npx pulumi-statecraft simulator -- <command>`" : "";
    const variable = (names === "product" && productVariable(service, field)) || environmentName(server.key, field);
    // Terraform's command stores a token for each host.
    const host = address && server.defaultAddress ? ` ${new URL(address).host}` : "";
    const login = field === "token" && names === "product" ? ` or \`${server.key} login${host}\`` : "";
    const exported = `\`export ${variable}=<${field}>\`${login}`;
    throw new ConfigError(`${key}.${field}`, none(field), adviceOf(origin, key, field, exported) + tryOut);
}
