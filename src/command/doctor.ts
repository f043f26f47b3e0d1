/**
 * `npx pulumi-statecraft doctor`: shows where each setting of the environment comes from, and sends one read to each service. It changes nothing.
 *
 * | service       | request for                      | the answer shows                               |
 * | ------------- | -------------------------------- | ---------------------------------------------- |
 * | Vault         | the roles of the azure method    | whether the token may list them                |
 * | Nomad         | the CSI volumes of the namespace | whether the token may list them                |
 * | HCP Terraform | the account of the token         | whether the token is valid, a user's or team's |
 */

import type { Command } from "commander";
import type { ServerDefaults } from "../core/context";
import { type Endpoint, endpoint } from "../core/endpoint";
import { oneLine } from "../core/redaction";
import type { Call, Client, LoginToken, Service } from "../core/service";
import type { Voice } from "../core/voice";
import { AnswerError, DeniedError, NotFoundError, ServiceError, textOf } from "../errors";
import { proxyFor } from "../http/connect";
import { isRecord, type Values } from "../schema/values";
import { atMount, mountId, mountOf } from "../services/manager/mount";
import { manager, type VaultDefaults } from "../services/manager/service";
import { stateVersions } from "../services/state-versions/service";
import { listVolumes } from "../services/volumes/csi-volume";
import { volumes } from "../services/volumes/service";
import { homeNamespace, isVolume } from "../services/volumes/volume";
import { serviceKeys, settingsKeys } from "../settings/config-keys";
import { unusedVariables } from "../settings/product-settings";
import { type ResolvedSettings, readSettings } from "../settings/settings";
import { environmentName } from "../settings/settings-schema";
import { nonEmpty, secondsOf, withForms, workspaceOf } from "./arguments";
import { type Checks, runChecks } from "./doctor-checks";
import type { CommandProcess } from "./names";
import { withServers } from "./servers";

/** A request to one service, and what its possible answers show. */
interface Question {
    readonly operation: Endpoint<string>;
    readonly call: Call;
    /** The message about a successful answer. `undefined` if another server sent it: a gateway may answer anything with 200. */
    meaning(body: unknown): string | undefined;
    /** Whether the server is the product. `undefined`: the answer does not show it. @param header reads a header of the answer */
    isProduct(header: (name: string) => unknown, client: Client, failure?: ServiceError): IsProduct;
    /** Advice if the token was refused. Default: the advice of the client, which names the policy that Vault needs. */
    readonly denied?: string;
    /** The message if the service answers 404 in its own form, because the list is empty. */
    readonly none?: string;
    /** Advice for any other 404. */
    readonly absent?: string;
}

type IsProduct = boolean | undefined | Promise<boolean | undefined>;

/** A service, and the question to its server. */
interface Examination<Defaults = unknown> {
    readonly service: Service<Defaults>;
    questionFor(defaults: ServerDefaults<Defaults>, mount: string | undefined): Question;
}

const examinations: readonly Examination[] = [
    { service: manager, questionFor: aboutRoles },
    { service: volumes, questionFor: aboutVolumes },
    { service: stateVersions, questionFor: () => aboutAccount },
];

interface Flags extends Checks {
    readonly snapshots?: true;
}

export function defineDoctor(command: Command, around: CommandProcess): void {
    withForms(
        command,
        "[vault] [nomad] [terraform] [--mount PATH ...]",
        "--snapshots [--max-age DURATION] [--json]",
        "--volumes [--json]",
        "--role NAME [--jwt-file FILE] [--mount PATH] [--json]",
        "--rollback ORGANIZATION/NAME [--json]",
    )
        .summary("checks settings, tokens, snapshots, volumes, roles and rollbacks")
        .description(
            "Shows where each setting of the environment comes from, and asks each service one thing. " +
                "With checks, lists what is wrong. It changes nothing.",
        )
        .argument("[services...]", "vault, nomad, terraform: the services to ask. Default: all")
        .option("--mount <path>", "the mount of the azure method", nonEmpty)
        .option("--snapshots", "checks Vault's snapshots: their age, and their failures")
        .option("--max-age <duration>", "the age of a snapshot that is well. Default: 26h", secondsOf)
        .option("--volumes", "checks Nomad's volumes: their plugins and claims")
        .option("--role <name>", "checks whether machines can log in with a role of the azure method", nonEmpty)
        .option("--jwt-file <file>", "compares the JWT of a machine with the role. It is sent nowhere", nonEmpty)
        .option("--rollback <workspace>", "checks whether a rollback of organization/name would work", workspaceOf)
        .option("--json", "prints the findings of the checks as JSON")
        .action(async (names: string[], { snapshots, maxAge, ...flags }: Flags) => {
            const isCheck = [snapshots, flags.volumes, flags.role, flags.rollback].some((flag) => flag !== undefined);
            const needs = {
                "max-age": [maxAge, snapshots],
                "jwt-file": [flags.jwtFile, flags.role],
                json: [flags.json, isCheck],
            };
            const unknown = names.find((name) => !settingsKeys.some((key) => key === name));
            const [misplaced] = Object.entries(needs).find(([, [flag, check]]) => flag !== undefined && !check) ?? [];
            if (unknown !== undefined) command.error(`error: there is no service ${JSON.stringify(unknown)}`);
            if (misplaced !== undefined) command.error(`error: --${misplaced} is given without its check`);
            if (isCheck && names.length > 0) command.error("error: a check takes no service");
            const checks = { ...flags, maxAge: snapshots ? (maxAge ?? 26 * 3600) : undefined };
            around.exitCode = isCheck
                ? await withServers(around.env, {}, (servers) => runChecks(checks, servers))
                : await examineAll(names, flags.mount, around.env);
        });
}

/** Resolves with the exit code: 0 if every configured service, and at least one, answered successfully. */
async function examineAll(names: readonly string[], mount: string | undefined, environment: NodeJS.ProcessEnv) {
    const results: (boolean | undefined)[] = [];
    for (const examination of examinations) {
        const { product, documented } = serviceKeys[examination.service.name];
        const isWanted = names.length === 0 || names.includes(product.key) || names.includes(documented.key);
        if (isWanted) results.push(await examine(examination, environment, mount));
    }
    for (const [instead, names] of Object.entries(unusedVariables)) {
        for (const name of names.filter((each) => environment[each]))
            console.log(`${name} is set, and not used: set ${instead} instead.`);
    }
    console.log("The stack's configuration was not read: `pulumi preview` uses it, and says what is missing.");
    const isWell = results.includes(true) && !results.includes(false);
    console.log(isWell ? "All well." : "Not all is well.");
    return isWell ? 0 : 1;
}

/**
 * Prints the settings of a service and the result of its request.
 * Resolves with whether the request succeeded, or `undefined` if the service has no settings.
 */
async function examine(
    { service, questionFor }: Examination,
    environment: NodeJS.ProcessEnv,
    mount: string | undefined,
) {
    let settings: ResolvedSettings;
    try {
        settings = readSettings(service.name, undefined, undefined, environment);
    } catch (error) {
        console.log(`${serviceKeys[service.name].product.title}:\n  failed: ${oneLine(textOf(error))}`);
        return false;
    }
    // An answer may contain secrets and control characters.
    const print = (text: string, voice: Voice) => console.log(`  ${voice.clean(text)}`);
    const onLogin = ({ lifetime, policies }: LoginToken, voice: Voice) => {
        const life = lifetime > 0 ? `${Math.round(lifetime)} s` : "ever";
        const parts = [`logged in: the token is valid for ${life}`, ...policies.map((policy) => `policy ${policy}`)];
        print(parts.join(", "), voice);
    };
    const overrides = { maxRetries: 0, timeout: settings.timeout ?? 10 };
    // Messages are not shown: the settings and the answer are.
    const options = { onLogin, overrides, say: () => undefined };
    return withServers(environment, options, async ({ context: open, voice }) => {
        console.log(`${settings.title}:`);
        for (const line of settingLines(settings, environment)) print(line, voice);
        try {
            const context = open(service);
            const { isWell, text } = await ask(context.client, settings, questionFor(context.settings, mount));
            print(text, voice);
            return isWell;
        } catch (error) {
            const isUnset = Object.keys(settings.sources).length === 0;
            print(`${isUnset ? "not set up" : "failed"}: ${textOf(error)}`, voice);
            return isUnset ? undefined : false;
        }
    });
}

/** Sends the request of a question. Resolves with the message about the answer. @throws StatecraftError for a failure, with advice */
async function ask(client: Client, settings: ResolvedSettings, question: Question) {
    const place =
        settings.sources["address"] ?? environmentName(serviceKeys[settings.service][settings.names].key, "address");
    try {
        const { exchange, headers, body } = await client.call(question.operation, question.call);
        const wrongKey = adviceOnKey(settings, await question.isProduct((name) => headers[name], client));
        const text = question.meaning(body);
        if (text === undefined) {
            const advice = `Set ${place} to the address of ${settings.title}: another server probably answers at ${settings.address}`;
            throw new AnswerError(exchange, "it does not contain what was requested", wrongKey ?? advice);
        }
        return wrongKey === undefined ? { isWell: true, text } : { isWell: false, text: `failed: ${wrongKey}.` };
    } catch (error) {
        if (error instanceof NotFoundError && question.none) return { isWell: true, text: question.none };
        if (!(error instanceof ServiceError)) throw error;
        const isProduct = await question.isProduct((name) => error.header(name), client, error);
        const denied = error instanceof DeniedError ? question.denied : undefined;
        const absent = error.status === 404 ? question.absent : undefined;
        throw error.reword({ hint: adviceOnKey(settings, isProduct) ?? denied ?? absent ?? error.hint });
    }
}

/** Whether the server is Vault, which shows its health without a token. `undefined` if the request fails in a way that Vault may too. */
function isVault(client: Client): IsProduct {
    const query = { standbyok: true, perfstandbyok: true };
    return client.call(endpoint("GET /v1/sys/health"), { parameters: {}, query, anonymous: true }).then(
        ({ body }) => isRecord(body) && "version" in body && "initialized" in body,
        ({ status }) => (status === 404 || status === 501 ? false : undefined),
    );
}

/** Advice if the key of the settings is for another kind of server than the one that answered. */
function adviceOnKey({ service, names, sources }: ResolvedSettings, isProduct?: boolean): string | undefined {
    if (isProduct === undefined || isProduct === (names === "product")) return undefined;
    const { product, documented } = serviceKeys[service];
    const variables = environmentName((isProduct ? product : documented).key, "address").replace(/ADDRESS$/, "…");
    const use = `${variables} instead of ${sources["address"] ?? "the default address"}`;
    if (isProduct) return `The server is ${product.title}: use ${use}`;
    return `The server does not answer as ${product.title}. Correct its address; for the simulator of statecraft, use ${use}`;
}

/** One line for each setting with the place of its value, and one for the proxy. Secret values and certificates are not shown. */
function settingLines(settings: ResolvedSettings, environment: NodeJS.ProcessEnv): string[] {
    const { address, token } = settings;
    const headers = Object.keys(settings.headers ?? {}).join(", ");
    const login = JSON.stringify(settings.login);
    const shown: Values = { ...settings, token: token === "" ? "(none)" : "(set)", headers, login };
    const isDefault = address !== undefined && settings.sources["address"] === undefined;
    const sources = { ...(isDefault && { address: "the default" }), ...settings.sources };
    const proxy =
        address === undefined || address.startsWith("unix:") ? undefined : proxyFor(new URL(address), environment);
    const lines = Object.entries(sources).map(([field, source]) => {
        return `${field}: ${String(shown[field]).replace(/.*-----BEGIN .*/s, "(set)")} (${source})`;
    });
    const used = settings.login?.["roleId"] === undefined ? "" : ", which uses up a secret ID that is good for one use";
    const logsIn = settings.login ? [`doctor logs in${used}`] : [];
    return [...lines, ...(proxy ? [`proxy: ${proxy.origin}`] : []), ...logsIn];
}

function aboutRoles(defaults: ServerDefaults<VaultDefaults>, mount: string | undefined): Question {
    const address = mountOf({ mount }, defaults);
    const title = mountId(address);
    return {
        operation: endpoint("LIST /v1/auth/{+mount}/role"),
        call: atMount(address),
        meaning(body) {
            const keys = isRecord(body) && isRecord(body["data"]) ? body["data"]["keys"] : undefined;
            return Array.isArray(keys) ? `the token may list the roles of ${title}: ${keys.length}` : undefined;
        },
        isProduct: (_, client, failure) => failure && isVault(client),
        // Vault answers 404 to a list of roles if there are none.
        none: `the token may list the roles of ${title}: 0`,
        absent: `No azure method is mounted at ${title}: enable it, or name its mount with \`--mount\``,
    };
}

function aboutVolumes(defaults: ServerDefaults): Question {
    const namespace = homeNamespace(defaults);
    return {
        operation: listVolumes,
        call: { parameters: {}, query: { type: "csi", namespace } },
        meaning(body) {
            if (!Array.isArray(body) || !body.every(isVolume)) return undefined;
            return `the token may list the volumes of the namespace ${namespace}: ${body.length}`;
        },
        isProduct: (header) => header("x-nomad-index") !== undefined || (header("x-volumes-index") ? false : undefined),
        denied: `Set a token that is valid and has the permission \`namespace:csi-list-volume\` on the namespace ${namespace}`,
    };
}

const aboutAccount: Question = {
    operation: endpoint("GET /account/details"),
    call: { parameters: {} },
    meaning(body) {
        const id = isRecord(body) && isRecord(body["data"]) ? body["data"]["id"] : undefined;
        return typeof id === "string" ? `the token is ${id}'s; its rights differ by workspace` : undefined;
    },
    isProduct: (header, _, failure) =>
        header("tfp-api-version") !== undefined || (failure instanceof NotFoundError ? false : undefined),
    denied: "Set a valid token of a user or a team",
    absent: "It is probably an organization's token, which can neither lock nor change state: use one of a user or a team",
};
