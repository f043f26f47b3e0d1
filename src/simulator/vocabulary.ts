/**
 * The vocabulary `product` of the simulator: what real servers call the things that the documents name otherwise. Written from what was measured
 * on real servers, and from nothing else of this package. Routes know the documents' names only: requests are translated before them and
 * answers after them.
 */

import { isObject, type JsonObject, parsed, repeatedKey } from "./json";
import type { Reply, Request } from "./route";
import { isForVolumes } from "./simulator-error";

/** Whose names and rules a simulator follows. */
export type Vocabulary = "documented" | "product";

type Names = readonly (readonly [product: string, documented: string])[];

/** Headers that carry the secrets manager's token and namespace. */
const headerNames: Names = [
    ["x-vault-token", "x-secrets-token"],
    ["x-vault-namespace", "x-secrets-namespace"],
];
/** The header that carries the scheduler's token, beside the bearer that the documents leave open. */
const schedulerToken = "x-nomad-token";
/** What names of fields begin with. */
const prefixes: Names = [
    ["azure_", "clouda_"],
    ["aws_", "cloudb_"],
    ["google_", "cloudc_"],
];
const storageTypes: Names = [
    ["azure-blob", "clouda-blob"],
    ["aws-s3", "cloudb-s3"],
    ["google-gcs", "cloudc-gcs"],
];
const environments: Names = [
    ["AzurePublicCloud", "CloudAPublicCloud"],
    ["AzureUSGovernmentCloud", "CloudAUSGovernmentCloud"],
    ["AzureChinaCloud", "CloudAChinaCloud"],
    ["AzureGermanCloud", "CloudAGermanCloud"],
];
/** Words in messages. */
const words: Names = [...prefixes, ...storageTypes, ["azure", "clouda"]];
/** Keys of state versions and of volumes' allocations, by the documents' names. */
const stateKeys = new Map([["tool-version", "terraform-version"]]);
const allocationKeys = new Map([["SecretsError", "VaultError"]]);

/** Where the login method is mounted unless a seed says otherwise. */
export const usualMount: Readonly<Record<Vocabulary, string>> = { documented: "clouda", product: "azure" };
/** What the names of snapshots begin with unless a configuration says otherwise. */
export const usualFilePrefix: Readonly<Record<Vocabulary, string>> = {
    documented: "secrets-snapshot",
    product: "vault-snapshot",
};
/** The cloud environment of a storage account that names none. */
export const usualStorageEnvironment: Readonly<Record<Vocabulary, string>> = {
    documented: "",
    product: "AZUREPUBLICCLOUD",
};
/** Headers whose values the journal hides. */
export const tokenHeaders: readonly string[] = [...headerNames.slice(0, 1).flat(), schedulerToken];

/** A request in the product's names, in the documents' names. */
export function documentedRequest(request: Request): Request {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers)) {
        // The documents' own headers mean nothing to a real server.
        if (headerNames.some(([, documented]) => documented === name)) continue;
        headers[headerNames.find(([product]) => product === name)?.[1] ?? name] = value;
    }
    const token = headers[schedulerToken]?.trim();
    if (token && isForVolumes(request.path)) headers["authorization"] = `Bearer ${token}`;
    return { ...request, headers, body: documentedBody(request) };
}

/** An answer in the product's names. */
export function productReply({ path }: Request, reply: Reply): Reply {
    const { body, headers } = reply;
    const renamed = {
        ...reply,
        ...(headers !== undefined && {
            headers: Object.fromEntries(
                Object.entries(headers).map(([name, value]) => [name.replace(/^X-Volumes-/i, "X-Nomad-"), value]),
            ),
        }),
    };
    if (body === undefined || Buffer.isBuffer(body)) return renamed;
    const json = typeof body === "string" ? parsed(body) : body;
    if (!isObject(json) && !Array.isArray(json)) return renamed;
    const contentType = reply.contentType ?? "application/json";
    return { ...renamed, contentType, body: `${JSON.stringify(productBody(path, json))}\n` };
}

function productBody(path: string, body: unknown): unknown {
    if (path.startsWith("/api/v2/")) return withKeys(body, stateKeys);
    if (!isObject(body)) return body;
    return isForVolumes(path) ? volumeBody(body) : managerAnswer(body);
}

/** Strings that users made stay as they are. */
function volumeBody({ Version, Allocations, ...rest }: JsonObject): object {
    return {
        ...rest,
        ...(Version !== undefined && { ProviderVersion: Version }),
        ...(Allocations !== undefined && { Allocations: withKeys(Allocations, allocationKeys) }),
    };
}

function withKeys(value: unknown, names: ReadonlyMap<string, string>): unknown {
    if (Array.isArray(value)) return value.map((item) => withKeys(item, names));
    if (!isObject(value)) return value;
    return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [names.get(key) ?? key, withKeys(inner, names)]),
    );
}

function managerAnswer(body: JsonObject): object {
    const { data, errors, mount_type } = body;
    return {
        ...body,
        ...(isObject(data) && { data: managerFields(data, 1) }),
        ...(Array.isArray(errors) && { errors: errors.map((error) => inProductWords(String(error))) }),
        ...(typeof mount_type === "string" && { mount_type: inProductWords(mount_type) }),
    };
}

function inProductWords(text: string): string {
    return words.reduce((renamed, [product, documented]) => renamed.replaceAll(documented, product), text);
}

/** The fields of the manager, from one side of the tables (`0` is the product's) to the other. */
function managerFields(body: JsonObject, from: 0 | 1): object {
    const to = from === 0 ? 1 : 0;
    return Object.fromEntries(
        Object.entries(body).map(([key, value]) => {
            const prefix = prefixes.find((pair) => key.startsWith(pair[from]));
            const name = prefix ? prefix[to] + key.slice(prefix[from].length) : key;
            const values = key === "storage_type" ? storageTypes : key === "environment" ? environments : [];
            return [name, values.find((pair) => pair[from] === value)?.[to] ?? value];
        }),
    );
}

function documentedBody({ path, body }: Request): Buffer {
    if (!/^\/v1\/(auth|sys)\//.test(path)) return body;
    const json = parsed(body);
    // A repeated key would be lost, and with it the error.
    const isSound = isObject(json) && repeatedKey(body.toString()) === undefined;
    return isSound ? Buffer.from(JSON.stringify(managerFields(json, 0))) : body;
}
