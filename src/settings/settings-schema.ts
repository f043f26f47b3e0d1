/** The schema of the settings: how texts of configuration and environment become values, and what documentation and editors show. */

import * as z from "zod";
import type { Login, ServiceName } from "../core/service";
import { type Facts, property } from "../schema/property";
import { suggestion } from "../schema/suggestion";
import { parsedJson } from "../schema/values";
import { type SettingsKey, serviceKeys } from "./config-keys";

/** Parses JSON in a string. Returns anything else as it is. */
export function fromJson(value: unknown): unknown {
    const parsed = typeof value === "string" ? parsedJson(value) : undefined;
    return parsed === undefined ? value : parsed;
}

const inQuotes = /^\s*(["']).*\1\s*$/s;
const quotesProblem = "must not be in quotes, which `docker run --env-file` does not remove";

/**
 * A text without blanks around it, because files often end in a line break. A number or a boolean becomes text again: from such a text
 * `pulumi config set --path` makes a number or a boolean. A number above 2^53 is refused, because it has lost digits.
 */
const text = z.preprocess(
    (value) => (typeof value === "boolean" || Number.isSafeInteger(value) ? String(value) : value),
    z.string({ error: "must be text" }).trim(),
);

/** A text that is not in quotes. */
const unquoted = text.refine((value) => !inQuotes.test(value), { error: quotesProblem });

const booleans: Readonly<Record<string, boolean>> = { 1: true, t: true, true: true, 0: false, f: false, false: false };

/** A boolean, or one of the words for it that Vault and Nomad accept. */
const logical = z.preprocess(
    // JavaScript cannot convert every object to a text.
    (value) => (typeof value === "object" ? value : (booleans[String(value).toLowerCase()] ?? value)),
    z.boolean({ error: "must be true or false" }),
);

function wholeNumber(least: number) {
    const error = `must be a whole number, ${least} or more`;
    return z.preprocess(fromJson, z.int({ error }).min(least, { error }));
}

/** Seconds. A timer of Node with a longer time ends immediately. */
const longestTimeout = Math.floor((2 ** 31 - 1) / 1000);
const timeoutError = { error: `must be a number of seconds above 0, and at most ${longestTimeout}` };

/** The problem of an address, if it has one. The text does not quote the address, which may contain a password. */
function addressProblem(text: string): string | undefined {
    if (inQuotes.test(text)) return quotesProblem;
    if (/^unix:\/\/\/[^?#]+$/.test(text)) return undefined;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const [, port = url?.port] = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(text) ?? [];
    if (port && (Number(port) < 1 || Number(port) > 65_535)) return "must have a port from 1 to 65535";
    if (url?.protocol !== "http:" && url?.protocol !== "https:")
        return "must be an http or https address, or unix:///<path>";
    if (url.username !== "" || url.password !== "") {
        return "must not hold a user or a password; a proxy before the service can get them as `Authorization` in `headers`";
    }
    if (url.search !== "" || url.hash !== "") return "must not hold a query or a fragment";
    return undefined;
}

/** The schema of an address. @param ignored a part that only this address may have, such as a query */
const address = (ignored: RegExp) => {
    const problem = (value: unknown) => addressProblem(String(value).replace(ignored, ""));
    const text = z.string({ error: "must be an http or https address" }).trim();
    return text.refine((value) => problem(value) === undefined, { error: ({ input }) => problem(input) });
};

/** Whether a text has the form of a credential: a JWT, a UUID, or a token of a product. */
export const isCredential = (text: string): boolean =>
    /^(eyJ|hv[sbr]\.|[sb]\.\w{20}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$)|\.atlasv1\./i.test(text);

/** The name of a file, or certificates. The content of a key is refused, because messages quote file names. */
const file = unquoted.refine(
    (value) => !isCredential(value) && !/-----BEGIN (?!CERTIFICATE)|^LS0tLS1CRUdJTi/.test(value),
    {
        error: "must name a file, and not hold its content",
    },
);

const texts = z.record(z.string(), text, { error: "must be an object whose values are texts" });

/** Refuses credentials in a `login`, because messages quote its fields. */
function refuseCredentials(login: Login, context: z.RefinementCtx<Login>): void {
    for (const [name, value] of Object.entries(login)) {
        const isName = !name.endsWith("Variable") || /^[A-Za-z_]\w*$/.test(value);
        const isCredentialText = name.endsWith("File") ? isCredential(value) : value.startsWith("eyJ");
        if (isName && !isCredentialText) continue;
        const message = "must not hold a credential: name its file or its variable";
        context.addIssue({ code: "custom", path: [name], message });
    }
}

const setting = <Type extends z.ZodType>(type: Type, description: string, facts: Partial<Facts> = {}) =>
    property(type.optional(), { description, ...facts });

/** The fields of the settings of one service. */
export const serviceFields = {
    address: setting(
        address(/$/),
        "Base address. `/api/v2` is added for HCP Terraform if it is missing. A trailing `/v1` is dropped for Vault and Nomad.",
    ),
    token: setting(unquoted, "Token. `STATECRAFT_…_TOKEN` is used before configuration.", { secret: true }),
    tokenFile: setting(file, "File of the token, read for each request."),
    login: setting(
        z.preprocess(fromJson, texts.superRefine(refuseCredentials)),
        "Login that gets a token before the first request, from a credential in a file or a variable.",
    ),
    namespace: setting(unquoted, "Default namespace of objects."),
    region: setting(unquoted, "Region of Nomad."),
    caFile: setting(file, "File of the certificate authority: PEM."),
    clientCertFile: setting(file, "File of the client certificate: PEM."),
    clientKeyFile: setting(file, "File of the client certificate's key: PEM."),
    tlsServerName: setting(text, "Host name in the server's certificate. Default: the host of the address."),
    skipTlsVerify: setting(logical, "Whether to accept any certificate of the server. For tests only."),
    // Secret, because a header may contain the password of a proxy.
    headers: setting(z.preprocess(fromJson, texts), "Headers of every request.", { secret: true }),
    timeout: setting(
        z.preprocess(fromJson, z.number(timeoutError).gt(0, timeoutError).max(longestTimeout, timeoutError)),
        "Maximum time of a request in seconds. Default: 60.",
    ),
    maxRetries: setting(wholeNumber(0), "Maximum retries of a request that is safe to repeat. Default: 5."),
    maxConcurrency: setting(
        wholeNumber(1),
        "Maximum number of requests at the same time. Default: 64; 10 for HCP Terraform and Terraform Enterprise.",
    ),
    // An address may end in `?region=`, as the output `server` of a volume does.
    otherAddresses: setting(
        z.preprocess(
            (value) => (typeof value === "string" ? value.split(",") : value),
            z.array(address(/\?region=[^&#]*$/), { error: "must be a list of addresses" }).readonly(),
        ),
        "Other addresses of the same server, present or former.",
    ),
};

/** The forms of `login`, for each service that has a login. A function, because few settings have one. */
export const loginForms = (): Partial<Record<ServiceName, readonly z.ZodObject[]>> => {
    const optional = text.optional();
    const vm = { subscriptionId: optional, resourceGroupName: optional, vmName: optional, vmssName: optional };
    const machine = { mount: text, namespace: optional, role: optional, ...vm, resourceId: optional };
    const appRole = { mount: text, namespace: optional, roleId: text };
    /** One form for each source of the credential. */
    const forms = (shape: z.ZodRawShape, ...sources: string[]) =>
        sources.map((source) => z.strictObject({ ...shape, [source]: text }));
    return {
        manager: [
            ...forms(machine, "jwtFile", "jwtVariable", "githubAudience"),
            ...forms(appRole, "secretIdFile", "secretIdVariable"),
        ],
        volumes: forms({ authMethod: text }, "jwtFile", "jwtVariable", "githubAudience"),
    };
};

/** An object of exactly these properties. */
const objectOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
    z.strictObject(shape, {
        error: (issue) =>
            issue.code === "unrecognized_keys"
                ? issue.keys.map((key) => `${key}: is not a setting${suggestion(key, Object.keys(shape))}`).join("; ")
                : "must be an object",
    });

/** The settings of one service. */
export const serviceSettings = property(objectOf(serviceFields), {
    description: "Settings of one service.",
    typeName: "ServiceSettings",
});

/** The name of a setting in the environment: `STATECRAFT_STATE_VERSIONS_CA_FILE`. */
export function environmentName(key: SettingsKey, field: string): string {
    const words = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    return `STATECRAFT_${words(key)}_${words(field)}`;
}

/** A property for each key of each service. */
function servicesOf(more: (key: SettingsKey) => string) {
    const letter = ": a server that speaks the API documents to the letter, such as the simulator";
    const shape = Object.values(serviceKeys).flatMap(({ product, documented }) => [
        [product.key, setting(serviceSettings, `Settings of ${product.title}.${more(product.key)}`)],
        [documented.key, setting(serviceSettings, `Settings of ${documented.title}${letter}.${more(documented.key)}`)],
    ]);
    return Object.fromEntries(shape) as Record<SettingsKey, z.ZodOptional<typeof serviceSettings>>;
}

/** Further servers, by name. */
const connectionSettings = () =>
    z.record(
        z.string(),
        property(objectOf(servicesOf(() => "")), { description: "Settings of more servers.", typeName: "Connection" }),
        { error: "must be an object" },
    );

/** Whether warnings of a preview are errors. */
export const strictSetting = setting(
    logical,
    "Whether warnings of a preview are errors. In the environment: STATECRAFT_STRICT.",
);

/** Every key of the configuration. A function, because deployments read the settings of one service. */
export const settingsSchema = () =>
    z.strictObject({
        ...servicesOf((key) => {
            const [one, other] = [environmentName(key, "address"), environmentName(key, "token")];
            return ` In the environment: ${one}, ${other} and so on.`;
        }),
        connections: setting(connectionSettings(), "More servers, by the names that `connection` uses."),
        strict: strictSetting,
    });
