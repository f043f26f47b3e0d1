/**
 * `statecraft doctor`: shows where each setting of the environment comes from, and asks each service one question. It changes nothing.
 *
 * | service       | question                         | what the answer says                        |
 * | ------------- | -------------------------------- | ------------------------------------------- |
 * | Vault         | the roles of the azure method    | whether the token may list them             |
 * | Nomad         | the CSI volumes of the namespace | whether the token may list them             |
 * | HCP Terraform | the account of the token         | whether it is valid, and a user's or team's |
 */

import { parseArgs } from "node:util";
import { inWordsOf, pulumiCommands } from "../commands";
import { serviceKeys } from "../core/config-keys";
import { formatError } from "../core/format-error";
import { operation } from "../core/operation";
import { oneLine, redacted } from "../core/redaction";
import type { Client, Service } from "../core/service";
import { DeniedError, NotFoundError, StatecraftError } from "../errors";
import { createClient, secretsOf } from "../http/client";
import { defaultsOf } from "../runtime/runtime";
import { readSettings, requireUsable, type Settings } from "../runtime/settings";
import { isRecord } from "../schema/unknown";
import { mountId, mountOf, namespaceHeaders } from "../services/manager/mount";
import { manager } from "../services/manager/service";
import { stateVersions } from "../services/state-versions/service";
import { volumes } from "../services/volumes/service";
import { homeNamespace } from "../services/volumes/volume";

/** How the command is called. */
export const doctorUsage = "statecraft doctor [vault] [nomad] [terraform] [--mount PATH]";

/** Flags that cannot be understood. */
export class UsageError extends Error {}

/** One request to a service. */
interface Question {
    /** What the token may do, or `undefined` where the answer is not one of this service: a gateway may answer anything with 200. */
    ask(client: Client): Promise<string | undefined>;
    /** What to do about a failure, where the question knows more than the failure. */
    advice(error: unknown): string | undefined;
}

const services: readonly (readonly [Service, (settings: Settings, mount: string | undefined) => Question])[] = [
    [manager, aboutRoles],
    [volumes, aboutVolumes],
    [stateVersions, aboutAccount],
];

/**
 * Checks and prints. Resolves with the exit code: 0 when every service that is set up answered well, else 1.
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

/** Prints the settings and the answer of one service. Resolves with whether all is well, or `undefined` where nothing is set. */
async function examine(
    service: Service,
    environment: NodeJS.ProcessEnv,
    questionFor: (settings: Settings) => Question,
): Promise<boolean | undefined> {
    let [secrets, isUnset]: [string[], boolean] = [[], false];
    let [title, question]: [string?, Question?] = [];
    // A server may repeat anything that it was sent, and send control characters.
    const print = (text: string) => console.log(`  ${oneLine(redacted(text, secrets))}`);
    try {
        const settings = readSettings(service.name, undefined, () => undefined, environment);
        title = settings.title;
        console.log(`${title}:`);
        secrets = secretsOf(settings);
        isUnset = Object.keys(settings.sources).length === 0;
        for (const line of settingLines(settings)) print(line);
        const usable = requireUsable(settings);
        const client = createClient(service, { timeout: 10, ...usable, maxRetries: 0 });
        question = questionFor(settings);
        const may = await question.ask(client);
        print(may ?? "failed: its answer is not one of this service. Does the address lead to another one?");
        return may !== undefined;
    } catch (error) {
        if (title === undefined) console.log(`${serviceKeys[service.name].product.title}:`);
        const hint = question?.advice(error) ?? (error instanceof StatecraftError ? error.hint : undefined);
        const advice = hint ? `. ${inWordsOf(pulumiCommands, hint)}` : "";
        const problem = error instanceof StatecraftError ? error.message : formatError(error);
        print(`${isUnset ? "not set up" : "failed"}: ${problem}${advice}`);
        return isUnset ? undefined : false;
    }
}

/** The settings that are set, each with the place where it was found, without what may be secret. */
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
    const place = mountOf(mount === undefined ? {} : { mount }, defaultsOf(settings));
    const title = mountId(place);
    const may = (count: number) => `the token may list the roles of ${title}: ${count}`;
    return {
        async ask(client) {
            try {
                const call = { parameters: { mount: place.mount }, headers: namespaceHeaders(place) };
                const { body } = await client.call(listRoles, call);
                const keys = isRecord(body) && isRecord(body["data"]) ? body["data"]["keys"] : undefined;
                const isList = Array.isArray(keys) && keys.every((key) => typeof key === "string");
                return isList ? may(keys.length) : undefined;
            } catch (error) {
                // Without any role the service answers that the list does not exist.
                if (error instanceof NotFoundError) return may(0);
                throw error;
            }
        },
        advice(error) {
            if (error instanceof DeniedError)
                return `Set a token that is valid and has a policy with the capability \`list\` on \`auth/${place.mount}/role\``;
            const isUnmounted = /no handler for route|unsupported path/.test(formatError(error));
            return isUnmounted
                ? `No method is mounted at ${title}: enable it, or name its mount with --mount`
                : undefined;
        },
    };
}

function aboutVolumes(settings: Settings): Question {
    const namespace = homeNamespace(settings);
    return {
        async ask(client) {
            const { body } = await client.call(listVolumes, { parameters: {}, query: { type: "csi", namespace } });
            const isList =
                Array.isArray(body) && body.every((each) => isRecord(each) && typeof each["ID"] === "string");
            return isList ? `the token may list the volumes of the namespace ${namespace}: ${body.length}` : undefined;
        },
        advice: (error) =>
            error instanceof DeniedError
                ? `Set a token that is valid and has the permission \`namespace:csi-list-volume\` on the namespace ${namespace}`
                : undefined,
    };
}

function aboutAccount(): Question {
    return {
        async ask(client) {
            const { body } = await client.call(showAccount, { parameters: {} });
            const id = isRecord(body) && isRecord(body["data"]) ? body["data"]["id"] : undefined;
            return typeof id === "string" ? `the token is ${id}'s; its rights differ by workspace` : undefined;
        },
        advice(error) {
            if (error instanceof DeniedError) return "Set a valid token of a user or a team";
            return error instanceof NotFoundError
                ? "It is probably an organization's token, which can neither lock nor change state: use one of a user or a team"
                : undefined;
        },
    };
}

const listRoles = operation("LIST /v1/auth/{+mount}/role");
const listVolumes = operation("GET /v1/volumes");
const showAccount = operation("GET /account/details");

function readFlags(args: readonly string[]) {
    const known = Object.values(serviceKeys).flatMap(({ product, documented }) => [product.key, documented.key]);
    try {
        const options = { mount: { type: "string" } } as const;
        const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
        const unknown = positionals.find((name) => !known.some((key) => key === name));
        if (unknown !== undefined) throw new UsageError(`there is no service ${JSON.stringify(unknown)}`);
        if (values.mount === "") throw new UsageError("--mount must not be empty");
        return { names: positionals, mount: values.mount };
    } catch (error) {
        // The parser's later sentences are advice for quoting.
        throw new UsageError(error instanceof Error ? error.message.replace(/\.? To .*$/s, "") : String(error));
    }
}
