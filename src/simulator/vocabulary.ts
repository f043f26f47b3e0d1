/**
 * The vocabulary `product` of the simulator: what real servers call the things that the documents name otherwise. Written from what was measured
 * on real servers, and from nothing else of this package.
 */

import { repeatedKey } from "./json";
import type { Reply, Request } from "./route";

/** Whose names and rules a simulator follows. */
export type Vocabulary = "documented" | "product";

/** Headers that carry the secrets manager's token and namespace. */
const headers: readonly (readonly [real: string, documented: string])[] = [
    ["x-vault-token", "x-secrets-token"],
    ["x-vault-namespace", "x-secrets-namespace"],
];
/** The header that carries the scheduler's token, beside the bearer that the documents leave open. */
const schedulerToken = "x-nomad-token";
/** What names of fields begin with. */
const prefixes: readonly (readonly [real: string, documented: string])[] = [
    ["azure_", "clouda_"],
    ["aws_", "cloudb_"],
    ["google_", "cloudc_"],
];
const storageTypes: readonly (readonly [real: string, documented: string])[] = [
    ["azure-blob", "clouda-blob"],
    ["aws-s3", "cloudb-s3"],
    ["google-gcs", "cloudc-gcs"],
];
const environments: readonly (readonly [real: string, documented: string])[] = [
    ["AzurePublicCloud", "CloudAPublicCloud"],
    ["AzureUSGovernmentCloud", "CloudAUSGovernmentCloud"],
    ["AzureChinaCloud", "CloudAChinaCloud"],
    ["AzureGermanCloud", "CloudAGermanCloud"],
];

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
/** Headers whose values are not told. */
export const tokenHeaders: readonly string[] = [...headers.slice(0, 1).flat(), schedulerToken];

/** What the words of texts become in answers, where they stand by themselves. */
const words: readonly (readonly [real: string, documented: string])[] = [...storageTypes, ["azure", "clouda"]];

/** A request of a client that speaks the product's names, in the documents' names. */
export function documentedRequest(request: Request): Request {
    const sent: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers)) {
        // The documents' own headers mean nothing to a real server.
        if (headers.some(([, documented]) => documented === name)) continue;
        sent[headers.find(([real]) => real === name)?.[1] ?? name] = value;
    }
    const token = sent[schedulerToken]?.trim();
    if (token && isForVolumes(request.path)) sent["authorization"] = `Bearer ${token}`;
    return { ...request, headers: sent, body: changedBody(request, managerBody(0)) };
}

/** An answer in the product's names. */
export function productReply(request: Request, reply: Reply): Reply {
    const { body } = reply;
    const told = headersOf(reply);
    if (body === undefined || Buffer.isBuffer(body)) return { ...reply, ...told };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const parsed = parse(text);
    if (!isObject(parsed) && !Array.isArray(parsed)) return { ...reply, ...told };
    const answer = answerFor(request.path)(parsed);
    const contentType = reply.contentType ?? "application/json";
    return { ...reply, ...told, contentType, body: `${JSON.stringify(answer)}\n` };
}

function headersOf({ headers: sent }: Reply): Pick<Reply, "headers"> {
    if (sent === undefined) return {};
    return {
        headers: Object.fromEntries(
            Object.entries(sent).map(([name, value]) => [name.replace(/^X-Volumes-/i, "X-Nomad-"), value]),
        ),
    };
}

function isForVolumes(path: string): boolean {
    return /^\/v1\/volumes?(\/|$)/.test(path);
}

function answerFor(path: string): (body: unknown) => unknown {
    if (isForVolumes(path)) return volumeAnswer;
    if (path.startsWith("/api/v2/")) return (body) => deep(body, (key) => stateKeys[key] ?? key);
    return managerAnswer;
}

/** Texts of the user's own making stay as they are. */
function volumeAnswer(body: unknown): unknown {
    if (!isObject(body)) return body;
    const { Version, Allocations, ...rest } = body;
    return {
        ...rest,
        ...(Version !== undefined && { ProviderVersion: Version }),
        ...(Allocations !== undefined && {
            Allocations: deep(Allocations, (key) => (key === "SecretsError" ? "VaultError" : key)),
        }),
    };
}

const stateKeys: Readonly<Record<string, string>> = { "tool-version": "terraform-version" };

function deep(value: unknown, rename: (key: string) => string): unknown {
    if (Array.isArray(value)) return value.map((item) => deep(item, rename));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [rename(key), deep(inner, rename)]));
}

function managerAnswer(body: unknown): unknown {
    if (!isObject(body)) return body;
    const { data, errors, mount_type } = body;
    return {
        ...body,
        ...(isObject(data) && { data: managerBody(1)(data) }),
        ...(Array.isArray(errors) && { errors: errors.map(inWords) }),
        ...(typeof mount_type === "string" && { mount_type: inWords(mount_type) }),
    };
}

/** Texts that the manager says: names of fields and words stand in them. */
function inWords(text: unknown): unknown {
    if (typeof text !== "string") return text;
    const named = prefixes.reduce((told, [real, documented]) => told.replaceAll(documented, real), text);
    return words.reduce((told, [real, documented]) => told.replaceAll(documented, real), named);
}

/** The fields of the manager, from one side (`0` is the product's) to the other. */
function managerBody(from: 0 | 1): (body: Readonly<Record<string, unknown>>) => Record<string, unknown> {
    const to = from === 0 ? 1 : 0;
    return (body) =>
        Object.fromEntries(
            Object.entries(body).map(([key, value]) => {
                const prefix = prefixes.find((pair) => key.startsWith(pair[from]));
                const name = prefix ? prefix[to] + key.slice(prefix[from].length) : key;
                const known = key === "storage_type" ? storageTypes : key === "environment" ? environments : [];
                return [name, known.find((pair) => pair[from] === value)?.[to] ?? value];
            }),
        );
}

function changedBody(request: Request, change: (body: Readonly<Record<string, unknown>>) => object): Buffer {
    if (!/^\/v1\/(auth|sys)\//.test(request.path)) return request.body;
    const text = request.body.toString("utf8");
    const parsed = parse(text);
    // Written anew it would hide the mistake.
    return isObject(parsed) && repeatedKey(text) === undefined
        ? Buffer.from(JSON.stringify(change(parsed)))
        : request.body;
}

function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
