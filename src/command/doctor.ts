/**
 * `statecraft doctor`: shows where each setting of the environment comes from, and sends one read to each service. It changes nothing.
 *
 * | service       | request for                      | the answer shows                               |
 * | ------------- | -------------------------------- | ---------------------------------------------- |
 * | Vault         | the roles of the azure method    | whether the token may list them                |
 * | Nomad         | the CSI volumes of the namespace | whether the token may list them                |
 * | HCP Terraform | the account of the token         | whether the token is valid, a user's or team's |
 */

import { parseArgs } from "node:util";
import { type Endpoint, endpoint } from "../core/endpoint";
import { oneLine, redacted } from "../core/redaction";
import type { Answer, Call, Client, Service, ServiceName } from "../core/service";
import { AnswerError, asStatecraftError, DeniedError, NotFoundError, ServiceError, sentencesOf } from "../errors";
import { createClient, secretsOf } from "../http/client";
import { resourceSettings } from "../runtime/runtime";
import { isRecord } from "../schema/values";
import { atMount, mountId, mountOf } from "../services/manager/mount";
import { manager } from "../services/manager/service";
import { stateVersions } from "../services/state-versions/service";
import { volumes } from "../services/volumes/service";
import { homeNamespace } from "../services/volumes/volume";
import { serviceKeys, settingsKeys } from "../settings/config-keys";
import { readSettings, requireUsable, type Settings } from "../settings/settings";
import { environmentName } from "../settings/settings-schema";

/** Usage of the command. */
export const doctorUsage = "statecraft doctor [vault] [nomad] [terraform] [--mount PATH]";

/** The arguments of the command are wrong. */
export class UsageError extends Error {}

/** A request to one service, and messages for its possible answers. */
interface Question {
    readonly operation: Endpoint<string>;
    readonly call: Call;
    /**
     * The message about a successful answer. `undefined` if it is not an answer of this service: a gateway may answer anything with 200.
     */
    meaning(body: unknown): string | undefined;
    /** Advice if the token was refused. Default: the advice of the client, which names the policy that Vault needs. */
    readonly denied?: string;
    /** The message if the service answers 404 in its own form, because the list is empty. */
    readonly none?: string;
    /** Advice for any other 404. */
    readonly absent?: string;
}

const services: readonly (readonly [Service, (settings: Settings, mount: string | undefined) => Question])[] = [
    [manager, aboutRoles],
    [volumes, aboutVolumes],
    [stateVersions, aboutAccount],
];

/**
 * Runs the command and prints the result. Resolves with the exit code: 0 if every configured service, and at least one, answered
 * successfully, else 1.
 * @throws UsageError
 */
export async function doctor(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<0 | 1> {
    const { names, mount } = readFlags(args);
    const results: (boolean | undefined)[] = [];
    for (const [service, questionFor] of services) {
        const { product, documented } = serviceKeys[service.name];
        const isWanted = names.length === 0 || names.includes(product.key) || names.includes(documented.key);
        if (isWanted) results.push(await examine(service, environment, (settings) => questionFor(settings, mount)));
    }
    console.log("The stack's configuration was not read: `pulumi preview` uses it, and says what is missing.");
    const isWell = results.includes(true) && !results.includes(false);
    console.log(isWell ? "All well." : "Not all is well.");
    return isWell ? 0 : 1;
}

/**
 * Prints the settings of a service and the result of its request. Resolves with whether it succeeded, or `undefined` if the service has no
 * settings.
 */
async function examine(
    service: Service,
    environment: NodeJS.ProcessEnv,
    questionFor: (settings: Settings) => Question,
): Promise<boolean | undefined> {
    let settings: Settings | undefined;
    let question: Question | undefined;
    let client: Client | undefined;
    let headers: Answer["headers"] = {};
    // Records the headers of a failed answer: the client calls `hint` for each failure.
    const hintAndHeaders = (answer: Answer) => {
        headers = answer.headers;
        return service.hint?.(answer);
    };
    // An answer may contain secrets and control characters.
    const print = (text: string) => console.log(`  ${oneLine(redacted(text, settings ? secretsOf(settings) : []))}`);
    try {
        settings = readSettings(service.name, undefined, () => undefined, environment);
        console.log(`${settings.title}:`);
        for (const line of settingLines(settings)) print(line);
        const usable = requireUsable(settings);
        client = createClient({ ...service, hint: hintAndHeaders }, { timeout: 10, ...usable, maxRetries: 0 });
        question = questionFor(settings);
        const answer = await client.call(question.operation, question.call);
        headers = answer.headers;
        const may = question.meaning(answer.body);
        if (may === undefined) {
            const advice = `Set \`address\` to that of ${usable.title}: another server probably answers at ${usable.address}`;
            throw new AnswerError(answer.exchange, "it does not contain what was requested", advice);
        }
        const wrongKey = adviceOnKey(settings, await isProduct(service.name, client, headers));
        print(wrongKey === undefined ? may : `failed: ${wrongKey}.`);
        return wrongKey === undefined;
    } catch (error) {
        if (error instanceof NotFoundError && question?.none) {
            print(question.none);
            return true;
        }
        if (settings === undefined) console.log(`${serviceKeys[service.name].product.title}:`);
        const isUnset = settings !== undefined && Object.keys(settings.sources).length === 0;
        const known = asStatecraftError(error);
        const found = client && (await isProduct(service.name, client, headers, error));
        const hint =
            (settings && adviceOnKey(settings, found)) ||
            (error instanceof DeniedError && question?.denied) ||
            (error instanceof ServiceError && error.status === 404 && question?.absent) ||
            known.hint;
        print(`${isUnset ? "not set up" : "failed"}: ${sentencesOf({ message: known.message, hint })} [${known.code}]`);
        return isUnset ? undefined : false;
    }
}

const showHealth = endpoint("GET /v1/sys/health");

/** Whether the server is the product: Vault by its health after a failure, the others by a header. `undefined`: it does not show. */
async function isProduct(name: ServiceName, client: Client, headers: Answer["headers"], error?: unknown) {
    if (name === "volumes") return "x-nomad-index" in headers || ("x-volumes-index" in headers ? false : undefined);
    const isAbsent = error instanceof NotFoundError;
    if (name === "stateVersions") return "tfp-api-version" in headers || (isAbsent ? false : undefined);
    if (!(error instanceof ServiceError)) return undefined;
    const query = { standbyok: true, perfstandbyok: true };
    const health = client.call(showHealth, { parameters: {}, query, anonymous: true });
    return health.then(
        ({ body }) => isRecord(body) && "version" in body && "initialized" in body,
        ({ status }) => (status === 404 || status === 501 ? false : undefined),
    );
}

/** Advice if the key of the settings is for another kind of server. `isProduct`: what the answer shows. */
function adviceOnKey({ service, names, sources }: Settings, isProduct: boolean | undefined): string | undefined {
    if (isProduct === undefined || isProduct === (names === "product")) return undefined;
    const { product, documented } = serviceKeys[service];
    const { key } = isProduct ? product : documented;
    const variables = environmentName(key, "address").replace(/ADDRESS$/, "…");
    const what = isProduct
        ? `The server is ${product.title}:`
        : `The server does not answer as ${product.title}: if it speaks the API documents,`;
    return `${what} use statecraft:${key} / ${variables} instead of ${sources["address"] ?? "the default address"}`;
}

/** One line for each setting with the place of its value. Secret values are not shown. */
function settingLines(settings: Settings): string[] {
    const shown: Readonly<Record<string, unknown>> = {
        ...settings,
        token: "(set)",
        headers: Object.keys(settings.headers ?? {}).join(", "),
    };
    const isDefault = settings.address !== undefined && settings.sources["address"] === undefined;
    const sources = { ...(isDefault && { address: "the default" }), ...settings.sources };
    return Object.entries(sources).map(([field, source]) => `${field}: ${shown[field]} (${source})`);
}

function aboutRoles(settings: Settings, mount: string | undefined): Question {
    const place = mountOf(mount === undefined ? {} : { mount }, resourceSettings(settings));
    const title = mountId(place);
    return {
        operation: endpoint("LIST /v1/auth/{+mount}/role"),
        call: atMount(place),
        meaning(body) {
            const keys = isRecord(body) && isRecord(body["data"]) ? body["data"]["keys"] : undefined;
            return Array.isArray(keys) ? `the token may list the roles of ${title}: ${keys.length}` : undefined;
        },
        // Vault answers 404 to a list of roles if there are none.
        none: `the token may list the roles of ${title}: 0`,
        absent: `No azure method is mounted at ${title}: enable it, or name its mount with \`--mount\``,
    };
}

function aboutVolumes(settings: Settings): Question {
    const namespace = homeNamespace(settings);
    return {
        operation: endpoint("GET /v1/volumes"),
        call: { parameters: {}, query: { type: "csi", namespace } },
        meaning(body) {
            const isList =
                Array.isArray(body) && body.every((each) => isRecord(each) && typeof each["ID"] === "string");
            return isList ? `the token may list the volumes of the namespace ${namespace}: ${body.length}` : undefined;
        },
        denied: `Set a token that is valid and has the permission \`namespace:csi-list-volume\` on the namespace ${namespace}`,
    };
}

function aboutAccount(): Question {
    return {
        operation: endpoint("GET /account/details"),
        call: { parameters: {} },
        meaning(body) {
            const id = isRecord(body) && isRecord(body["data"]) ? body["data"]["id"] : undefined;
            return typeof id === "string" ? `the token is ${id}'s; its rights differ by workspace` : undefined;
        },
        denied: "Set a valid token of a user or a team",
        absent: "It is probably an organization's token, which can neither lock nor change state: use one of a user or a team",
    };
}

function readFlags(args: readonly string[]) {
    try {
        const options = { mount: { type: "string" } } as const;
        const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
        const unknown = positionals.find((name) => !settingsKeys.some((key) => key === name));
        if (unknown !== undefined) throw new UsageError(`there is no service ${JSON.stringify(unknown)}`);
        if (values.mount === "") throw new UsageError("--mount must not be empty");
        return { names: positionals, mount: values.mount };
    } catch (error) {
        // Removes the parser's advice about quoting.
        throw new UsageError(error instanceof Error ? error.message.replace(/\.? To .*$/s, "") : String(error));
    }
}
