/** Settings: stack configuration and environment, read into one set per service and connection. */

import * as z from "zod";
import { addressProblem } from "./core/address";
import type { ServiceName } from "./core/service";
import type { Vocabulary } from "./core/session";
import { findInEcosystem, type HomeReader, placesInEcosystem } from "./ecosystem";
import { ConfigError } from "./errors";
import { suggestion } from "./schema/suggestion";
import { isRecord } from "./schema/unknown";

/** How to reach one service. Every field may stand in stack configuration or in the environment. */
export interface ServiceSettings {
    /** Base address. That of `stateVersions` ends in `/api/v2`; the other two do not carry `/v1`. */
    readonly address?: string | undefined;
    /** Token. Here the environment wins over configuration; for everything else configuration wins. */
    readonly token?: string | undefined;
    /** Namespace of objects that name none. */
    readonly namespace?: string | undefined;
    readonly region?: string | undefined;
    /** Files of certificates in PEM form. */
    readonly caFile?: string | undefined;
    readonly clientCertFile?: string | undefined;
    readonly clientKeyFile?: string | undefined;
    readonly skipTlsVerify?: boolean | undefined;
    /** Sent with every request. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
    /** Seconds for one request; 60 unless given. */
    readonly timeout?: number | undefined;
    /** Tries after the first one, where repeating is safe; 5 unless given. */
    readonly maxRetries?: number | undefined;
    /** Requests in flight; 10 unless given. */
    readonly maxConcurrency?: number | undefined;
    readonly vocabulary?: Vocabulary | undefined;
    /** Addresses that led to the same server before. */
    readonly formerAddresses?: readonly string[] | undefined;
}

/** Text from the environment stands for numbers, booleans and lists too, and so it may in configuration. */
const numeric = (must: string, fits: (value: number) => boolean) =>
    z.preprocess(
        (value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value),
        z.number({ error: must }).refine(fits, { error: must }),
    );

/** Node's timers know no longer time; they would take it for none. */
const longestTimeout = Math.floor((2 ** 31 - 1) / 1000);

/** `pulumi config set --path` makes numbers of digits, also where they are a name. */
const word = z.preprocess(
    (value) => (typeof value === "number" ? String(value) : value),
    z.string({ error: "must be text" }),
);

/** The same makes booleans of some words. */
const headerValue = z.preprocess((value) => (typeof value === "boolean" ? String(value) : value), word);
const logical = z.preprocess(
    (value) => (value === "true" || value === "1" ? true : value === "false" || value === "0" ? false : value),
    z.boolean({ error: "must be true or false" }),
);
const address = z.string({ error: "must be an http or https address" }).superRefine((value, context) => {
    const problem = addressProblem(value);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

const fields = {
    address,
    token: word,
    namespace: word.refine((value) => value !== "*", { error: "must name one namespace, not all" }),
    region: word,
    caFile: word,
    clientCertFile: word,
    clientKeyFile: word,
    skipTlsVerify: logical,
    headers: z.preprocess(
        fromJson,
        z.record(z.string(), headerValue, { error: "must be an object whose values are texts" }),
    ),
    timeout: numeric(
        `must be a number of seconds, from 0 to ${longestTimeout}`,
        (value) => value >= 0 && value <= longestTimeout,
    ),
    maxRetries: numeric("must be a number, 0 or more", (value) => value >= 0),
    maxConcurrency: numeric("must be a whole number, 1 or more", (value) => Number.isSafeInteger(value) && value >= 1),
    vocabulary: z.enum(["documented", "product"], { error: 'must be "documented" or "product"' }),
    formerAddresses: z.preprocess(
        (value) => (typeof value === "string" ? value.split(",").map((item) => item.trim()) : value),
        z.array(address, { error: "must be a list of addresses" }),
    ),
};

/** An object of these and no other properties. */
const objectOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
    z.strictObject(shape, {
        error: (issue) =>
            issue.code === "unrecognized_keys"
                ? issue.keys.map((key) => `${key}: is not a setting${suggestion(key, Object.keys(shape))}`).join("; ")
                : "must be an object",
    });

/** What is empty is not set, here as in the environment. */
const schema = z.preprocess(
    (value) =>
        isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([, given]) => given !== "")) : value,
    objectOf(fields).partial(),
);
const connectionsSchema = z.record(
    z.string(),
    objectOf({ stateVersions: schema.optional(), manager: schema.optional(), volumes: schema.optional() }),
    { error: "must be an object" },
);

/** Where a setting comes from: reads a key of stack configuration as text. */
export type ConfigReader = (key: string) => string | undefined;

/** Keys of stack configuration that settings come from. */
export const configKeys = [
    "statecraft:stateVersions",
    "statecraft:manager",
    "statecraft:volumes",
    "statecraft:connections",
    "statecraft:strict",
] as const;

/**
 * The settings of a service, for the default server or a named connection.
 * @throws ConfigError when a setting is malformed or the connection is not configured
 */
export function readSettings(
    service: ServiceName,
    connection: string | undefined,
    config: ConfigReader,
    environment: NodeJS.ProcessEnv,
    readHome: HomeReader = () => undefined,
): ServiceSettings {
    const configured =
        connection === undefined ? readService(service, config) : readConnection(service, connection, config);
    if (connection !== undefined) return configured;
    const fromEnvironment = readEnvironment(service, environment);
    const ours = { ...fromEnvironment, ...configured, token: fromEnvironment.token ?? configured.token };
    return ours.vocabulary === "product" ? withEcosystem(service, ours, environment, readHome) : ours;
}

/** What is not set in our way is taken from where the product's own tools keep it. */
function withEcosystem(
    service: ServiceName,
    ours: ServiceSettings,
    environment: NodeJS.ProcessEnv,
    readHome: HomeReader,
): ServiceSettings {
    let settings = ours;
    for (const field of ecosystemFields) {
        if (settings[field] !== undefined) continue;
        const found = findInEcosystem(service, field, environment, readHome, settings.address);
        if (found === undefined) continue;
        const value = field === "skipTlsVerify" ? /^(1|t|true)$/i.test(found.value) : found.value;
        settings = { ...settings, ...checked(found.source, schema, { [field]: value }) };
    }
    return settings;
}

/** Settings that other tools keep too. The token comes after the address, whose host it may be kept by. */
const ecosystemFields = [
    "address",
    "token",
    "namespace",
    "region",
    "caFile",
    "clientCertFile",
    "clientKeyFile",
    "skipTlsVerify",
] as const;

function readService(service: ServiceName, config: ConfigReader): ServiceSettings {
    return parse(`statecraft:${service}`, schema, config(`statecraft:${service}`));
}

function readConnection(service: ServiceName, connection: string, config: ConfigReader): ServiceSettings {
    const key = "statecraft:connections";
    const settings = parse(key, connectionsSchema, config(key))[connection]?.[service];
    if (settings !== undefined) return settings;
    throw new ConfigError(
        `${key}.${connection}.${service}`,
        `the connection ${JSON.stringify(connection)} has no settings for ${service}`,
        `Set \`${key}.${connection}.${service}.address\` in the stack's configuration`,
    );
}

/** The name of a setting in the environment: `STATECRAFT_STATE_VERSIONS_CA_FILE`. */
export function environmentName(service: ServiceName, field: string): string {
    const words = (text: string) => text.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    return `STATECRAFT_${words(service)}_${words(field)}`;
}

function readEnvironment(service: ServiceName, environment: NodeJS.ProcessEnv): ServiceSettings {
    const given: Record<string, unknown> = {};
    if (environment["STATECRAFT_VOCABULARY"]) given["vocabulary"] = environment["STATECRAFT_VOCABULARY"];
    for (const field of Object.keys(fields)) {
        const value = environment[environmentName(service, field)];
        if (value) given[field] = value;
    }
    return checked(`the environment (${environmentName(service, "")}…)`, schema, given);
}

function parse<Output>(key: string, form: z.ZodType<Output>, json: string | undefined): Output {
    if (json === undefined) return checked(key, form, {});
    const value = fromJson(json);
    if (typeof value === "string") {
        throw new ConfigError(
            key,
            `${key} must be an object`,
            `Set its fields one by one: \`pulumi config set --path '${key}.address' …\``,
        );
    }
    return checked(key, form, value);
}

function checked<Output>(source: string, form: z.ZodType<Output>, value: unknown): Output {
    const result = form.safeParse(value);
    if (result.success) return result.data;
    const problems = result.error.issues.map((issue) => [...issue.path.map(String), issue.message].join(": "));
    throw new ConfigError(source, `${source}: ${problems.join("; ")}`);
}

function fromJson(value: unknown): unknown {
    if (typeof value !== "string") return value;
    try {
        return JSON.parse(value);
    } catch {
        return value;
    }
}

/**
 * Whether warnings are failures: `statecraft:strict`, or `STATECRAFT_STRICT` in the environment.
 * @throws ConfigError when it is neither true nor false
 */
export function readStrict(config: ConfigReader, environment: NodeJS.ProcessEnv): boolean {
    const [key, variable] = ["statecraft:strict", "STATECRAFT_STRICT"];
    const configured = config(key);
    const form = logical.default(false);
    return configured === undefined
        ? checked(variable, form, environment[variable] || undefined)
        : checked(key, form, configured);
}

/**
 * Whether every request is told, one line each: `STATECRAFT_LOG=requests` in the environment.
 * @throws ConfigError for any other value
 */
export function logsRequests(environment: NodeJS.ProcessEnv): boolean {
    const name = "STATECRAFT_LOG";
    return (
        checked(
            name,
            z.literal("requests", { error: 'must be "requests"' }).optional(),
            environment[name] || undefined,
        ) !== undefined
    );
}

/**
 * Refuses settings that cannot work, before any request. Who logs in needs no token.
 * @throws ConfigError that names where an address or token was looked for
 */
export function requireUsable(
    service: ServiceName,
    connection: string | undefined,
    settings: ServiceSettings,
    anonymous = false,
): { address: string; token: string | undefined } {
    const { address: where, token } = settings;
    if (where !== undefined && (token !== undefined || anonymous)) return { address: where, token };
    const field = where === undefined ? "address" : "token";
    const key =
        connection === undefined
            ? `statecraft:${service}.${field}`
            : `statecraft:connections.${connection}.${service}.${field}`;
    const secret = field === "token" ? " --secret" : "";
    const variable = connection === undefined ? `, or set ${environmentName(service, field)} in the environment` : "";
    const simulator =
        field === "address" ? ". To try it out without a server, run the simulator: `npx statecraft simulator`" : "";
    const ours = field === "token" ? [environmentName(service, field), key] : [key, environmentName(service, field)];
    const places = [...ours, ...placesInEcosystem(service, field, where)];
    const looked =
        settings.vocabulary === "product" && connection === undefined
            ? `. It was looked for, in this order, in ${places.join(", ")}`
            : "";
    throw new ConfigError(
        key,
        `no ${field} is set for ${service}`,
        `Run \`pulumi config set --path '${key}' …${secret}\`${variable}${looked}${simulator}`,
    );
}
