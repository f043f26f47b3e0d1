/** AuthConfig: the credentials by which the login method asks the cloud provider about machines (document "Secrets Manager", Login-method configuration). */

import { declared, type Seen, unlessAbsent } from "../../core/declared";
import type { Definition } from "../../core/definition";
import { parseDuration, secondsOf } from "../../core/duration";
import { type Field, type Fields, field, type Props, type Rule } from "../../core/field";
import { type FunctionDefinition, resultOf } from "../../core/function";
import { count, duration, type Kind, someText, text } from "../../core/kind";
import { fromWire, isSameField, presented, toWire } from "../../core/meaning";
import { operation } from "../../core/operation";
import type { Session } from "../../core/session";
import { adoptField, connectionField } from "../options";
import { environments, environmentsOfToday, usualEnvironment } from "./cloud-environment";
import { configFailures, configLookupFailures } from "./failures";
import {
    dataOf,
    type Mount,
    manager,
    mountFields,
    mountId,
    mountOf,
    mountSubject,
    namespaceHeaders,
    saidAbsent,
    showWarnings,
} from "./service";

// The service writes what it is told each time, so repeating a write changes nothing.
const write = operation("POST /v1/auth/{+mount}/config", "always");
const show = operation("GET /v1/auth/{+mount}/config");
const remove = operation("DELETE /v1/auth/{+mount}/config");

/** The document shows four fields of a read, and these are not among them; real servers show all. */
const untold = { untold: true, product: { untold: false } } as const;

const ofEnvironment = "Left out, the service takes it from its own environment.";

/** A delay travels as text with a unit: servers differ in what they take a bare number for. */
const delay: Kind<number | string> = {
    ...duration(),
    readType: "string",
    wire: (value) => `${secondsOf(value)}s`,
};

const inputs = {
    ...mountFields,
    tenantId: field(someText, {
        wire: "tenant_id",
        sparse: true,
        doc: `Tenant of the directory organization. ${ofEnvironment}`,
    }),
    resource: field(someText, {
        wire: "resource",
        sparse: true,
        doc: `Resource URL of the registered application; the \`aud\` claim of the tokens that log in must equal it. ${ofEnvironment}`,
    }),
    environment: field(environments, {
        wire: "environment",
        ...untold,
        product: { ...untold.product, kind: environmentsOfToday },
        default: usualEnvironment,
        doc: "Cloud environment of the provider.",
    }),
    clientId: field(text(), {
        wire: "client_id",
        default: "",
        doc: "Client ID for queries to the provider; it needs to read compute resources.",
    }),
    clientSecret: field(text(), {
        wire: "client_secret",
        sparse: true,
        secret: true,
        doc:
            "Client secret. Sent when the object is made and when the program's own value changes, never otherwise: sent again it would undo a `RootRotation`. " +
            "Left out, it is left alone on the server; empty text empties it there.",
    }),
    maxRetries: field(count(), {
        wire: "max_retries",
        ...untold,
        default: 3,
        doc: "How often the server tries a failed query to the provider at most.",
    }),
    maxRetryDelay: field(delay, {
        wire: "max_retry_delay",
        ...untold,
        default: "60s",
        doc: "The longest that the server waits before it tries again: text such as `60s`, or whole seconds.",
    }),
    retryDelay: field(delay, {
        wire: "retry_delay",
        ...untold,
        default: "4s",
        doc: "How long the server waits before it tries again for the first time; grows exponentially. Text such as `4s`, or whole seconds.",
    }),
    adopt: adoptField,
    connection: connectionField,
} as const;

/** From here on a number cannot be seconds any more: it counts nanoseconds. */
const leastNanoseconds = 1e9;

/** Servers answer in seconds, in nanoseconds or in text. What is no length of time stands for itself. */
function readDelay(value: unknown): unknown {
    const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
    if (typeof number === "number" && number >= leastNanoseconds) return `${Math.floor(number / leastNanoseconds)}s`;
    const seconds = typeof number === "number" || typeof number === "string" ? parseDuration(number) : undefined;
    return seconds === undefined ? value : `${seconds}s`;
}

/** What the service shows, the secret included where it does so. */
async function readConfig({ client }: Session, { mount, namespace }: Mount, fields: Fields = inputs): Promise<Props> {
    const call = { parameters: { mount }, headers: namespaceHeaders(namespace) };
    const seen = fromWire(fields, dataOf(await client.call(show, call), `GET ${show.path({ mount })}`));
    // An environment that was never set reads as empty text, and is the usual one.
    if (seen["environment"] === "") seen["environment"] = usualEnvironment;
    for (const name of ["maxRetryDelay", "retryDelay"]) {
        if (name in seen) seen[name] = readDelay(seen[name]);
    }
    return seen;
}

/** After a rotation only the service knows the secret, so what is shown of it is neither drift nor proof; but it tells whose a found object is. */
async function observe(session: Session, mount: Mount): Promise<Seen | undefined> {
    const seen = await readConfig(session, mount).catch(unlessAbsent);
    if (seen === undefined) return undefined;
    const { clientSecret, ...fields } = seen;
    return { fields, unseen: ["clientSecret"], ...(clientSecret !== undefined && { atFirst: { clientSecret } }) };
}

/**
 * The whole configuration, but for a secret that the program has sent before. What the program leaves to the service's environment from
 * now on is emptied.
 */
function bodyOf(values: Props, prior: Props = {}): Record<string, unknown> {
    const body = toWire(inputs, values);
    if (isSameField(inputs, "clientSecret", prior, values)) delete body[inputs.clientSecret.wire];
    for (const name of ["tenantId", "resource"] as const) {
        if (values[name] === undefined && prior[name] !== undefined) body[inputs[name].wire] = "";
    }
    return body;
}

const rules: readonly Rule[] = [
    {
        uses: ["clientSecret"],
        severity: "warning",
        test: ({ clientSecret }, olds) =>
            clientSecret === undefined && olds?.["clientSecret"]
                ? "clientSecret: is left out from now on, so the server keeps the secret that it has; empty text empties it there"
                : undefined,
    },
];

/** The configuration of a login method. */
export const authConfig = {
    type: "AuthConfig",
    service: manager,
    doc: "The configuration of the secrets manager's cloud-identity login method: whose tokens log in, and the credentials by which the service asks the cloud provider about machines.",
    inputs,
    outputs: {},
    rules,
    subject: mountSubject,
    errors: configFailures,
    verbs: declared<Mount>({
        inputs,
        title: (mount) => `configuration of ${mountId(mount)}`,
        address: mountOf,
        id: (mount) => `${mountId(mount)}/config`,
        idForm: "auth/<mount>/config, in a namespace <namespace>@auth/<mount>/config",
        parse(id) {
            const [, namespace = "", mount] = /^(?:([^@]+)@)?auth\/(.+)\/config$/.exec(id) ?? [];
            return mount && inputs.mount.kind.schema.safeParse(mount).success ? { namespace, mount } : undefined;
        },
        named: (mount) => ({ ...mount }),
        observe,

        async write(session, { mount, namespace }, values, prior) {
            // What was deleted behind our back is made anew, and needs its secret again.
            const isThere = prior && (await readConfig(session, { mount, namespace }).catch(unlessAbsent));
            const call = {
                parameters: { mount },
                headers: namespaceHeaders(namespace),
                body: bodyOf(values, isThere ? prior : undefined),
            };
            showWarnings(await session.client.call(write, call), session);
        },

        async remove({ client }, { mount, namespace }) {
            await client.call(remove, { parameters: { mount }, headers: namespaceHeaders(namespace) });
        },
    }),
} as const satisfies Definition;

/** A lookup tells no more than the service does: what that leaves out, its own environment may say otherwise than the document. */
const told: Fields = Object.fromEntries(
    Object.entries<Field>(inputs).map(([name, { default: _, ...rest }]) => [name, rest]),
);

/** Looks up the configuration of a login method. */
export const getAuthConfig = {
    name: "getAuthConfig",
    service: manager,
    doc: "Looks up the configuration of the secrets manager's login method. What the service does not tell is absent.",
    inputs: { mount: inputs.mount, namespace: inputs.namespace, connection: inputs.connection },
    outputs: resultOf(told),
    errors: configLookupFailures,
    async invoke(session, args) {
        const mount = mountOf(args, session);
        const seen = await readConfig(session, mount, told).catch(saidAbsent(`the configuration of ${mountId(mount)}`));
        return { ...mount, ...presented(told, seen) };
    },
} as const satisfies FunctionDefinition;
