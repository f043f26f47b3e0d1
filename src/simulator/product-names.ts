/**
 * What real servers call the things that the documents name otherwise. Written from what was measured on real servers, and from nothing else of
 * this package. The routes know the documents' names only: `renamed` translates requests before them and answers after them.
 */

import type { Fetch } from "./app";
import { isObject, type JsonObject, parsed } from "./json";
import { isForVolumes } from "./refusal";

type Pair = readonly [product: string, documents: string];

/** Headers that carry the secrets manager's token and namespace. */
const headerNames: readonly Pair[] = [
    ["x-vault-token", "x-secrets-token"],
    ["x-vault-namespace", "x-secrets-namespace"],
];
/** The header that carries Nomad's token, beside the bearer. */
const schedulerToken = "x-nomad-token";
/** Beginnings of the secrets manager's field names. */
const prefixes: readonly Pair[] = [
    ["azure_", "clouda_"],
    ["aws_", "cloudb_"],
    ["google_", "cloudc_"],
];
/** Values of the secrets manager's fields. */
const values: Readonly<Record<string, readonly Pair[]>> = {
    storage_type: [
        ["azure-blob", "clouda-blob"],
        ["aws-s3", "cloudb-s3"],
        ["google-gcs", "cloudc-gcs"],
    ],
    environment: [
        ["AzurePublicCloud", "CloudAPublicCloud"],
        ["AzureUSGovernmentCloud", "CloudAUSGovernmentCloud"],
        ["AzureChinaCloud", "CloudAChinaCloud"],
        ["AzureGermanCloud", "CloudAGermanCloud"],
    ],
};
/** A simulator that takes and gives the product's names. */
export function renamed(fetch: Fetch): Fetch {
    return async (request) => toProduct(request, await fetch(await toDocuments(request)));
}

async function toDocuments(request: Request): Promise<Request> {
    const { pathname } = new URL(request.url);
    const headers = new Headers(request.headers);
    for (const [product, documents] of headerNames) {
        const value = headers.get(product);
        headers.delete(documents);
        if (value !== null) headers.set(documents, value);
    }
    const token = headers.get(schedulerToken)?.trim();
    if (token && isForVolumes(pathname)) headers.set("authorization", `Bearer ${token}`);
    const bytes = await request.arrayBuffer();
    const body = bytes.byteLength === 0 ? null : bodyToDocuments(pathname, bytes);
    return new Request(request.url, { method: request.method, headers, body });
}

function bodyToDocuments(path: string, bytes: ArrayBuffer): string | ArrayBuffer {
    const isManager = /^\/v1\/(auth|sys)\//.test(path);
    if (!isManager && !isForVolumes(path)) return bytes;
    const json = parsed(Buffer.from(bytes).toString());
    if (!isObject(json)) return bytes;
    if (isManager) return JSON.stringify(managerFields(json, 0));
    const { Volumes } = json;
    return Array.isArray(Volumes) ? JSON.stringify({ ...json, Volumes: Volumes.map(flatTopologies) }) : bytes;
}

/** The segments of each topology; a flat map loses its content. */
function flatTopologies(volume: unknown): unknown {
    if (!isObject(volume) || !Array.isArray(volume["Topologies"])) return volume;
    const Topologies = volume["Topologies"].map((topology) => (isObject(topology) ? (topology["Segments"] ?? {}) : {}));
    return { ...volume, Topologies };
}

async function toProduct(request: Request, response: Response): Promise<Response> {
    const headers = new Headers(response.headers);
    const index = headers.get("x-volumes-index");
    if (index !== null) headers.set("x-nomad-index", index);
    headers.delete("x-volumes-index");
    const { status } = response;
    if (response.body === null) return new Response(null, { status, headers });
    const bytes = await response.arrayBuffer();
    const { pathname } = new URL(request.url);
    const json = /json/.test(headers.get("content-type") ?? "") ? parsed(Buffer.from(bytes).toString()) : undefined;
    const body = json === undefined ? bytes : JSON.stringify(bodyToProduct(pathname, json));
    return new Response(body, { status, headers });
}

function bodyToProduct(path: string, body: unknown): unknown {
    if (path.startsWith("/api/v2/")) return withKey(body, "tool-version", "terraform-version");
    if (isForVolumes(path)) return Array.isArray(body) ? body.map(volumeToProduct) : volumeToProduct(body);
    if (path.startsWith("/v1/") && isObject(body)) return managerToProduct(body);
    return body;
}

function volumeToProduct(volume: unknown): unknown {
    if (!isObject(volume)) return volume;
    const { Version, Allocations, Topologies, ...rest } = volume;
    return {
        ...rest,
        ...(Version !== undefined && { ProviderVersion: Version }),
        ...(Allocations !== undefined && { Allocations: withKey(Allocations, "SecretsError", "VaultError") }),
        ...(Array.isArray(Topologies) && { Topologies: Topologies.map((Segments: unknown) => ({ Segments })) }),
    };
}

function withKey(value: unknown, documents: string, product: string): unknown {
    if (Array.isArray(value)) return value.map((item) => withKey(item, documents, product));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, inner]) => [
        key === documents ? product : key,
        withKey(inner, documents, product),
    ]);
    return Object.fromEntries(entries);
}

function managerToProduct(body: JsonObject): object {
    return isObject(body["data"]) ? { ...body, data: managerFields(body["data"], 1) } : body;
}

/** The secrets manager's fields, from one side of the tables to the other: 0 is the product's, 1 the documents'. */
function managerFields(body: JsonObject, from: 0 | 1): object {
    const to = from === 0 ? 1 : 0;
    const entries = Object.entries(body).map(([key, value]) => {
        const prefix = prefixes.find((pair) => key.startsWith(pair[from]));
        const name = prefix ? prefix[to] + key.slice(prefix[from].length) : key;
        return [name, values[key]?.find((pair) => pair[from] === value)?.[to] ?? value];
    });
    return Object.fromEntries(entries);
}
