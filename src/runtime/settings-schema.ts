/** The settings, each written once: how it is read from configuration and environment, and what the package schema and editors say of it. */

import * as z from "zod";
import { addressProblem } from "../core/address";
import type { SettingsKey } from "../core/config-keys";
import { notASetting } from "../core/failures";
import { property } from "../schema/facts";
import { suggestion } from "../schema/suggestion";
import { isRecord } from "../schema/unknown";

/** A string from the environment stands for numbers, booleans and lists too, and so it may in configuration. */
const numeric = (must: string, fits: (value: number) => boolean, type: typeof z.number | typeof z.int = z.number) =>
    z.preprocess(
        (value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value),
        type({ error: must }).refine(fits, { error: must }),
    );

/** Node's timers know no longer time; they would take it for none. */
const longestTimeout = Math.floor((2 ** 31 - 1) / 1000);

/** `pulumi config set --path` makes numbers of digits, also where they are a name. One with more digits than a number holds is another by now. */
const word = z.preprocess(
    (value) => (Number.isSafeInteger(value) ? String(value) : value),
    z.string({ error: "must be text" }),
);

/** The same makes booleans of some words. */
const headerValue = z.preprocess((value) => (typeof value === "boolean" ? String(value) : value), word);
const logical = z.preprocess(
    (value) => (value === "true" || value === "1" ? true : value === "false" || value === "0" ? false : value),
    z.boolean({ error: "must be true or false" }),
);
const addressWithout = (allowed: RegExp) =>
    z.string({ error: "must be an http or https address" }).superRefine((value, context) => {
        const problem = addressProblem(value.replace(allowed, ""));
        if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    });
const address = addressWithout(/$/);
/** As the output `server` has it: with the region of a Nomad server. */
const server = addressWithout(/\?region=[^&#]*$/);

/** The name of a file. Who gives its content instead may give a key, which no message and no table of settings may show. */
const file = word.refine((value) => !/-----BEGIN |^LS0tLS1CRUdJTi/.test(value), {
    error: "must name a file, and not hold what stands in it",
});

/** What JSON in a string says; anything else as it is. */
export function fromJson(value: unknown): unknown {
    if (typeof value !== "string") return value;
    try {
        return JSON.parse(value);
    } catch {
        return value;
    }
}

/** The fields of the settings of one service. */
export const serviceFields = {
    address: property(address.optional(), {
        description:
            "Base address. `/api/v2` is added to that of state versions where it is missing; a trailing `/v1` of the others is dropped.",
    }),
    token: property(word.optional(), {
        description: "Token. The environment wins over configuration; for all other fields configuration wins.",
        secret: true,
    }),
    namespace: property(
        word.refine((value) => value !== "*", { error: "must name one namespace, not all" }).optional(),
        {
            description: "Namespace of objects that name none.",
        },
    ),
    region: property(word.optional(), { description: "Region that requests to Nomad name." }),
    caFile: property(file.optional(), { description: "File of the certificate authority, in PEM form." }),
    clientCertFile: property(file.optional(), { description: "File of the client certificate, in PEM form." }),
    clientKeyFile: property(file.optional(), { description: "File of the client certificate's key, in PEM form." }),
    tlsServerName: property(
        word.refine((value) => /^(?!.*\.\d+$)[a-z\d_.-]+$/i.test(value), { error: "must be a host name" }).optional(),
        { description: "Host name that the server's certificate is for, where that of the address differs." },
    ),
    skipTlsVerify: property(logical.optional(), {
        description: "Whether the server's certificate goes unverified.",
    }),
    headers: property(
        z
            .preprocess(
                fromJson,
                z.record(z.string(), headerValue, { error: "must be an object whose values are texts" }),
            )
            .optional(),
        // What stands in front of a service may want its password there.
        { description: "Headers sent with every request.", secret: true },
    ),
    timeout: property(
        numeric(
            `must be a number of seconds above 0, and at most ${longestTimeout}`,
            (value) => value > 0 && value <= longestTimeout,
        ).optional(),
        { description: "Seconds for one request; 60 unless given." },
    ),
    maxRetries: property(numeric("must be a whole number, 0 or more", (value) => value >= 0, z.int).optional(), {
        description: "Tries after the first one, where repeating is safe; 5 unless given.",
    }),
    maxConcurrency: property(numeric("must be a whole number, 1 or more", (value) => value >= 1, z.int).optional(), {
        description: "Requests in flight; 10 unless given.",
    }),
    otherAddresses: property(
        z
            .preprocess(
                (value) => (typeof value === "string" ? value.split(",").map((item) => item.trim()) : value),
                z.array(server, { error: "must be a list of addresses" }).readonly(),
            )
            .optional(),
        { description: "Other addresses of the same server, earlier and present ones." },
    ),
};

/** An object of these and no other properties. */
const objectOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
    z.strictObject(shape, {
        error: (issue) =>
            issue.code === "unrecognized_keys"
                ? issue.keys
                      .map((key) => notASetting({ name: key, suggestion: suggestion(key, Object.keys(shape)) }))
                      .join("; ")
                : "must be an object",
    });

/** The settings of one service. */
export const serviceObject = property(objectOf(serviceFields), {
    description: "How to reach one service.",
    typeName: "ServiceSettings",
});

/** What is empty is not set, here as in the environment. */
export const serviceSettings = z.preprocess(
    (value) =>
        isRecord(value)
            ? Object.fromEntries(
                  Object.entries(value)
                      .filter(([, given]) => given !== "")
                      .map(([name, given]) => [name, trimmed(given)]),
              )
            : value,
    serviceObject,
);

/** A text without blanks around it: what comes from a file often ends in a line break. One of blanks alone stays, and is judged. */
const trimmed = (given: unknown) => (typeof given === "string" && given.trim()) || given;

const documents = "a server that speaks the API documents to the letter, such as the simulator";

const titles: Readonly<Record<SettingsKey, string>> = {
    vault: "a Vault server",
    nomad: "a Nomad cluster",
    terraform: "HCP Terraform or Terraform Enterprise",
    manager: `the secrets manager: ${documents}`,
    volumes: `the volumes service: ${documents}`,
    stateVersions: `the state versions service: ${documents}`,
};

const settingsOf = (key: SettingsKey, more = "") =>
    property(serviceSettings.optional(), { description: `Settings of ${titles[key]}.${more}` });

const servicesOf = (more: (key: SettingsKey) => string = () => "") => ({
    vault: settingsOf("vault", more("vault")),
    nomad: settingsOf("nomad", more("nomad")),
    terraform: settingsOf("terraform", more("terraform")),
    manager: settingsOf("manager", more("manager")),
    volumes: settingsOf("volumes", more("volumes")),
    stateVersions: settingsOf("stateVersions", more("stateVersions")),
});

/** The name of a setting in the environment: `STATECRAFT_STATE_VERSIONS_CA_FILE`. */
export function environmentName(key: SettingsKey, field: string): string {
    const words = (text: string) => text.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    return `STATECRAFT_${words(key)}_${words(field)}`;
}

const connection = property(objectOf(servicesOf()), {
    description: "Settings of further servers.",
    typeName: "Connection",
});

/** Further servers, by name. */
export const connectionSettings = z.record(z.string(), connection, { error: "must be an object" });

/** Every key of the configuration. */
export const settingsSchema = z.strictObject({
    ...servicesOf(
        (key) => ` In the environment: ${environmentName(key, "address")}, ${environmentName(key, "token")} and so on.`,
    ),
    connections: property(connectionSettings.optional(), {
        description: "Further servers, by the names that `connection` uses.",
    }),
    strict: property(logical.optional(), {
        description: "Whether warnings of check are failures. In the environment: STATECRAFT_STRICT.",
    }),
});
