/** The fields of the login method's configuration: what a write keeps, what it resets, what is refused, and how they read. */

import type { Telling } from "../manners";
import type { Vocabulary } from "../vocabulary";
import { readDelay } from "./durations";
import type { LoginSurroundings, StoredLoginConfig } from "./records";
import { RefusedValue, readField } from "./values";

const texts = ["tenant_id", "resource", "environment", "client_id", "client_secret"] as const;
const required = ["tenant_id", "resource"] as const;
const environments: ReadonlySet<string> = new Set([
    "",
    "CloudAPublicCloud",
    "CloudAUSGovernmentCloud",
    "CloudAChinaCloud",
    "CloudAGermanCloud",
]);

/** Seconds, but for the count of tries. A write that leaves one out leads back to these. */
const retrying = { max_retries: 3, max_retry_delay: 60, retry_delay: 4 } as const;

const unset: StoredLoginConfig = {
    ...{ tenant_id: "", resource: "", environment: "", client_id: "", client_secret: "" },
    ...retrying,
    isRotated: false,
};

/** The names of all fields. */
export const configFieldNames: ReadonlySet<string> = new Set([...texts, ...Object.keys(retrying)]);

/** What the document shows of a read. */
export const configTelling: Telling = {
    documented: new Set(["tenant_id", "resource", "client_id", "client_secret"]),
    secret: new Set(["client_secret"]),
};

/** A configuration that cannot be: the manager answers as if it had failed itself. */
export class UnusableConfig extends Error {}

/** What a write makes of a configuration. Throws {@link RefusedValue} and {@link UnusableConfig}. */
export function mergeConfig(
    before: StoredLoginConfig | undefined,
    body: Readonly<Record<string, unknown>>,
    vocabulary: Vocabulary,
    surroundings: LoginSurroundings = {},
): StoredLoginConfig {
    const config: StoredLoginConfig = { ...unset, ...before, ...retrying };
    for (const field of texts) config[field] = readField(body, field, "text") ?? config[field];
    if (body["client_secret"] !== undefined) config.isRotated = false;
    config.max_retries = readField(body, "max_retries", "integer") ?? config.max_retries;
    for (const field of ["max_retry_delay", "retry_delay"] as const) {
        config[field] = delayIn(body, field) ?? config[field];
    }
    for (const field of required) {
        if (!config[field] && !surroundings[field]) throw new UnusableConfig(`${field} is required`);
    }
    const isClosed = vocabulary === "product" && config.environment === "CloudAGermanCloud";
    if (isClosed || !environments.has(config.environment)) {
        throw new UnusableConfig(
            `err: no cloud configuration matching the name ${JSON.stringify(config.environment.toUpperCase())}`,
        );
    }
    return config;
}

function delayIn(body: Readonly<Record<string, unknown>>, field: string): number | undefined {
    const value = body[field] ?? undefined;
    if (value === undefined) return undefined;
    try {
        return readDelay(value);
    } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new RefusedValue(`error converting input for field "${field}": ${reason}`);
    }
}

/** What a read shows. Delays are nanoseconds; a secret of the manager's own making stays with it. */
export function readableConfig(config: StoredLoginConfig, vocabulary: Vocabulary): object {
    const { isRotated, client_secret, ...shown } = config;
    return {
        ...shown,
        // Real servers never show it.
        ...(isRotated || vocabulary === "product" ? {} : { client_secret }),
        max_retry_delay: config.max_retry_delay * 1e9,
        retry_delay: config.retry_delay * 1e9,
    };
}
