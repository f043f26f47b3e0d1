/**
 * AuthConfig: the configuration of Vault's azure auth method, with which Vault queries Azure about machines
 * (document "Secrets Manager", Login-method configuration).
 */

import * as z from "zod";
import { endpoint } from "../../core/endpoint";
import { lookupOf } from "../../core/functions";
import { defineListing, defineNamed, type NamedResource } from "../../core/resource";
import { unlessAbsent } from "../../errors";
import { documentedWord, productWord } from "../../product-names";
import { noteAbout, property, warnAbout, withRules } from "../../schema/property";
import { duration, durationText, nonEmptyString, wholeNumber } from "../../schema/property-types";
import { filterValues } from "../../schema/values";
import { field } from "../record-fields";
import { atMount, type Mount, mountId, mountOf, mountProperties, oncePerMount } from "./mount";
import { dataOf, manager, showWarnings, type VaultDefaults } from "./service";

// A write of the same values changes nothing, so it may be repeated.
const write = endpoint("POST /v1/auth/{+mount}/config", "always");
const show = endpoint("GET /v1/auth/{+mount}/config");
const remove = endpoint("DELETE /v1/auth/{+mount}/config");

const environments = ["CloudAPublicCloud", "CloudAUSGovernmentCloud", "CloudAChinaCloud", "CloudAGermanCloud"] as const;
const [usualEnvironment] = environments;

const ofEnvironment = "Default: the environment of the Vault server, which precedes it before plugin 0.24.";

/** Decodes a delay, which Vault returns in nanoseconds. */
const readDelay = (answer: unknown) => {
    const seconds = typeof answer === "number" && answer >= 1e9 ? Math.floor(answer / 1e9) : answer;
    return durationText().safeParse(seconds).data ?? seconds;
};

/** A property for a delay. Requests contain a string with a unit, because servers read numbers in different units. */
const delay = (wire: string, fallback: string, description: string) =>
    property(durationText().optional(), {
        wire,
        wireForm: { decode: readDelay },
        optionalInAnswers: true,
        default: fallback,
        description: `${description} A string such as \`${fallback}\`, or whole seconds.`,
    });

const properties = {
    ...mountProperties,
    tenantId: field("tenant_id", nonEmptyString.optional(), `Microsoft Entra tenant. ${ofEnvironment}`, {
        leaveAlone: true,
    }),
    resource: property(nonEmptyString.optional(), {
        wire: "resource",
        leaveAlone: true,
        description:
            "URL of the registered application, which must equal the claim `aud` of the JWT of a login. Only a JWT for a service of Microsoft's own, " +
            `such as \`https://management.azure.com/\`, names its machine, which roles with bound machines require (see AuthRole). ${ofEnvironment}`,
    }),
    environment: property(z.enum(environments.flatMap((word) => [word, productWord(word)])).optional(), {
        wire: "environment",
        // Only Vault shows no environment.
        wireForm: { decode: (answer) => answer || productWord(usualEnvironment), encode: documentedWord },
        equality: documentedWord,
        optionalInAnswers: true,
        default: usualEnvironment,
        description: "Azure environment.",
    }),
    clientId: property(z.string().optional(), {
        wire: "client_id",
        default: "",
        description: "Client ID for queries to Azure. It must be allowed to read compute resources.",
    }),
    clientSecret: property(z.string().optional(), {
        wire: "client_secret",
        leaveAlone: true,
        secret: true,
        description:
            "Client secret. Sent only at creation and when the program's value changes, because each write undoes a " +
            "`RootRotation`. If omitted, Vault keeps its secret. An empty string empties it.",
    }),
    maxRetries: field("max_retries", wholeNumber(0, 32).optional(), "Maximum number of retries of a query to Azure.", {
        optionalInAnswers: true,
        default: 3,
    }),
    maxRetryDelay: delay("max_retry_delay", "60s", "Maximum delay between two retries."),
    retryDelay: delay("retry_delay", "4s", "Delay before the first retry, which grows exponentially."),
    rootPasswordTtl: property(duration().optional(), {
        wire: "root_password_ttl",
        large: true,
        leaveAlone: true,
        description:
            "Lifetime of a secret that `RootRotation` creates: whole seconds, or a string such as `720h`. " +
            "Vault resets it to its default with each write that omits it.",
    }),
};

const inputs = withRules(z.strictObject(properties), [
    warnAbout("environment", [], ({ environment }) =>
        documentedWord(environment) === "CloudAGermanCloud"
            ? "is refused by Vault, because the German cloud is closed: choose another"
            : undefined,
    ),
    noteAbout("clientSecret", [], ({ clientSecret }, olds) =>
        clientSecret === undefined && olds?.["clientSecret"]
            ? "is no longer given, so the server keeps its secret; an empty string empties it there"
            : undefined,
    ),
]);
const outputs = z.strictObject({});

const config: NamedResource<typeof inputs, typeof outputs, Mount, VaultDefaults> = {
    type: "AuthConfig",
    service: manager,
    description:
        "The configuration of Vault's azure auth method: the audience of login tokens, and the credentials with which Vault queries Azure.",
    inputs,
    outputs,
    ...oncePerMount("config"),
    title: (mount) => `configuration of ${mountId(mount)}`,

    list: defineListing({
        inputs: z.strictObject(mountProperties),
        async find({ client, settings }, query) {
            const mount = mountOf(query, settings);
            const found = await client.call(show, atMount(mount)).catch(unlessAbsent);
            return found === undefined ? [] : [[mount, ""]];
        },
    }),

    toWire({ client_secret, ...others }, { inputs: { clientSecret }, olds }) {
        // Vault does not change a field that a write omits, so an omitted one is sent empty.
        const body = { tenant_id: "", resource: "", ...others };
        return clientSecret === olds.clientSecret ? body : { ...body, client_secret };
    },

    async read({ client, options: { isImport } }, mount, state) {
        const answer = dataOf(await client.call(show, atMount(mount)));
        // An input must not be empty. Vault shows an empty text if its environment has the value.
        const body = isImport ? filterValues(answer, (value) => value !== "") : answer;
        const { client_secret: _, ...others } = body;
        // The secret of the answer is ignored: after a rotation it differs from state, which is not drift.
        return { body: state === undefined ? body : others };
    },

    async write(context, mount, { body }) {
        showWarnings(await context.client.call(write, { ...atMount(mount), body }), context);
    },

    async remove({ client }, mount) {
        await client.call(remove, atMount(mount));
    },
};

export const authConfig = defineNamed(config);

export const getAuthConfig = lookupOf(config, {
    name: "getAuthConfig",
    description: "Looks up the configuration of Vault's azure auth method, as far as the server shows it.",
    by: ["mount", "namespace"],
});
