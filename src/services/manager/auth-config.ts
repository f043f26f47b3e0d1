/** AuthConfig: the credentials by which the login method asks the cloud provider about machines (document "Secrets Manager", Login-method configuration). */

import * as z from "zod";
import { explained } from "../../catalogue";
import { lookupOf } from "../../core/defined-function";
import { namedObject } from "../../core/named-object";
import type { Body, NamedObject } from "../../core/named-object-spec";
import { operation } from "../../core/operation";
import type { Inputs } from "../../core/resource";
import { productWord } from "../../product-names";
import { parseDuration } from "../../schema/duration";
import { property, type Rule, withRules } from "../../schema/facts";
import { duration, durationText, nonEmptyString, wholeNumber, wordOf } from "../../schema/property-types";
import { adoptProperty, connectionProperty } from "../shared-options";
import { closedCloud, environments, openClouds, usualEnvironment } from "./cloud-environment";
import { closedEnvironment, noConfig, noData, noResource, noTenant, secretLeftOut } from "./failures";
import { atMount, type Mount, mountId, mountOf, mountParser, mountProperties, mountSubject } from "./mount";
import { dataOf, manager, showWarnings } from "./service";

// The service writes what it is told each time, so repeating a write changes nothing.
const write = operation("POST /v1/auth/{+mount}/config", "always");
const show = operation("GET /v1/auth/{+mount}/config");
const remove = operation("DELETE /v1/auth/{+mount}/config");

const ofEnvironment = "Left out, the service takes it from its own environment.";

/** From here on a number cannot be seconds any more: it counts nanoseconds. */
const leastNanoseconds = 1e9;

/** Servers answer in seconds, in nanoseconds or in text. What is no length of time stands for itself. */
function readDelay(value: unknown): unknown {
    const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
    if (typeof number === "number" && number >= leastNanoseconds) return `${Math.floor(number / leastNanoseconds)}s`;
    const seconds = typeof number === "number" || typeof number === "string" ? parseDuration(number) : undefined;
    return seconds === undefined ? value : `${seconds}s`;
}

/** A delay travels as a string with a unit: servers differ in what they take a bare number for. */
const delay = (wire: string, fallback: string, description: string) =>
    property(durationText().optional(), {
        wire,
        wireForm: { decode: readDelay },
        equality: (delay) => (typeof delay === "string" ? (parseDuration(delay) ?? delay) : delay),
        optionalInAnswers: true,
        default: fallback,
        description: `${description} A string such as \`${fallback}\`, or whole seconds.`,
    });

const rules: readonly Rule[] = [
    {
        uses: ["environment"],
        severity: "warning",
        test: ({ environment }) => (environment === closedCloud ? closedEnvironment({ names: openClouds }) : undefined),
    },
    {
        uses: ["clientSecret"],
        severity: "warning",
        test: ({ clientSecret }, olds) =>
            clientSecret === undefined && olds?.["clientSecret"] ? secretLeftOut() : undefined,
    },
];

const inputs = withRules(
    z.strictObject({
        ...mountProperties,
        tenantId: property(nonEmptyString.optional(), {
            wire: "tenant_id",
            leaveAlone: true,
            description: `Tenant of the directory organization. ${ofEnvironment}`,
        }),
        resource: property(nonEmptyString.optional(), {
            wire: "resource",
            leaveAlone: true,
            description: `Resource URL of the registered application; the \`aud\` claim of the tokens that log in must equal it. ${ofEnvironment}`,
        }),
        environment: property(wordOf(environments, productWord).optional(), {
            wire: "environment",
            // One that was never set reads as an empty string, and is the usual one.
            wireForm: { decode: (answer) => answer || usualEnvironment },
            optionalInAnswers: true,
            default: usualEnvironment,
            description: "Cloud environment of the provider.",
        }),
        clientId: property(z.string().optional(), {
            wire: "client_id",
            default: "",
            description: "Client ID for queries to the provider; it needs to read compute resources.",
        }),
        clientSecret: property(z.string().optional(), {
            wire: "client_secret",
            leaveAlone: true,
            secret: true,
            // After a rotation only the service knows the secret, so what is shown of it is neither drift nor proof.
            writeOnly: true,
            description:
                "Client secret. Sent when the object is made and when the program's own value changes, never otherwise: sent again it would undo a `RootRotation`. " +
                "Left out, it is left alone on the server; an empty string empties it there.",
        }),
        maxRetries: property(wholeNumber().optional(), {
            wire: "max_retries",
            optionalInAnswers: true,
            default: 3,
            description: "How often the server tries a failed query to the provider at most.",
        }),
        maxRetryDelay: delay("max_retry_delay", "60s", "The longest that the server waits before it tries again."),
        retryDelay: delay(
            "retry_delay",
            "4s",
            "How long the server waits before it tries again for the first time; grows exponentially.",
        ),
        rootPasswordTtl: property(duration().optional(), {
            wire: "root_password_ttl",
            large: true,
            leaveAlone: true,
            description:
                "How long a secret that a `RootRotation` makes lasts: whole seconds, or a string such as `720h`. For real servers: Vault resets it to its default with each write that leaves it out.",
        }),
        adopt: adoptProperty,
        connection: connectionProperty,
    }),
    rules,
);
const outputs = z.strictObject({});

const parseConfigId = mountParser(/config/);

/**
 * The whole configuration, but for a secret that the program has sent before. What the program leaves to the service's environment from
 * now on is emptied.
 */
function bodyOf(body: Body, wanted: Inputs<typeof inputs>, olds: Partial<Inputs<typeof inputs>> = {}): Body {
    const { client_secret: secret, ...rest } = body;
    return {
        ...(olds.tenantId !== undefined && { tenant_id: "" }),
        ...(olds.resource !== undefined && { resource: "" }),
        ...rest,
        ...(secret !== undefined && wanted.clientSecret !== olds.clientSecret && { client_secret: secret }),
    };
}

const config: NamedObject<typeof inputs, typeof outputs, Mount> = {
    type: "AuthConfig",
    service: manager,
    description:
        "The configuration of the secrets manager's cloud-identity login method: whose tokens log in, and the credentials by which the service asks the cloud provider about machines.",
    inputs,
    outputs,
    errors: [noData, closedEnvironment, secretLeftOut, noTenant, noResource],
    subject: mountSubject,
    idForm: "[<namespace>@]auth/<mount>/config",
    title: (mount) => `configuration of ${mountId(mount)}`,
    address: mountOf,
    id: (mount) => `${mountId(mount)}/config`,
    parse(id) {
        const found = parseConfigId(id);
        return found && { namespace: found.namespace, mount: found.mount };
    },
    named: (mount) => ({ ...mount }),

    async read({ client }, mount) {
        return { body: dataOf(await client.call(show, atMount(mount))) };
    },

    async write(context, mount, { body, inputs: wanted, olds }) {
        const call = { ...atMount(mount), body: bodyOf(body, wanted, olds) };
        const answer = await context.client.call(write, call).catch((error: unknown) => {
            throw explained(error, [noTenant, noResource]);
        });
        showWarnings(answer, context);
    },

    async remove({ client }, mount) {
        await client.call(remove, atMount(mount));
    },
};

/** The configuration of a login method. */
export const authConfig = namedObject(config);

/** Looks up the configuration of a login method. */
export const getAuthConfig = lookupOf(config, {
    name: "getAuthConfig",
    description:
        "Looks up the configuration of the secrets manager's login method. What the service does not tell is absent.",
    by: ["mount", "namespace"],
    absent: noConfig,
    errors: [noData],
});
