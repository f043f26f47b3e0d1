/**
 * The names of Vault, Nomad and HCP Terraform, as found on real servers. These tables are independent of those in `src/product-names.ts`.
 * The routes use only the documents' names: `renamed` translates requests before the routes and answers after them.
 */

import { isObject, parsed } from "./json";
import { isForVolumes } from "./refusal";
import type { Fetch } from "./store";

type Pair = readonly [product: string, documents: string];

/** Headers of Vault's token and namespace. */
const headerNames: readonly Pair[] = [
    ["x-vault-token", "x-secrets-token"],
    ["x-vault-namespace", "x-secrets-namespace"],
];
/** Beginnings of Vault's field names. */
const prefixes: readonly Pair[] = [
    ["azure_", "clouda_"],
    ["aws_", "cloudb_"],
    ["google_", "cloudc_"],
];
/** Other fields of answers. */
const fieldNames: readonly Pair[] = [
    ["terraform-version", "tool-version"],
    ["ProviderVersion", "Version"],
    ["VaultError", "SecretsError"],
];
/** Values of Vault's fields. */
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

/** A simulator with the product's names in requests and answers. */
export function renamed(fetch: Fetch): Fetch {
    return async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/v1/sys/health")
            return Response.json({ initialized: true, sealed: false, version: "1.21.0" });
        const response = await toProduct(await fetch(await toDocuments(request)));
        if (pathname.startsWith("/api/v2/")) response.headers.set("TFP-API-Version", "2.6");
        return response;
    };
}

async function toDocuments(request: Request): Promise<Request> {
    const headers = new Headers(request.headers);
    for (const [product, documents] of headerNames) {
        const value = headers.get(product);
        headers.delete(documents);
        if (value !== null) headers.set(documents, value);
    }
    const { pathname, searchParams } = new URL(request.url);
    const token = headers.get("x-nomad-token")?.trim();
    if (token && isForVolumes(pathname)) headers.set("authorization", `Bearer ${token}`);
    // Vault answers `GET …?list=true` as `LIST`, which some gateways refuse.
    const isList = request.method === "GET" && pathname.startsWith("/v1/") && searchParams.get("list") === "true";
    const method = isList ? "LIST" : request.method;
    const bytes = await request.arrayBuffer();
    // Contents of state versions are stored byte for byte.
    const json = pathname.startsWith("/v1/object/") ? undefined : parsed(Buffer.from(bytes).toString());
    const body = isObject(json) ? JSON.stringify(translated(json, 0)) : bytes;
    return new Request(request.url, { method, headers, body: bytes.byteLength === 0 ? null : body });
}

async function toProduct(response: Response): Promise<Response> {
    const headers = new Headers(response.headers);
    const index = headers.get("x-volumes-index");
    if (index !== null) headers.set("x-nomad-index", index);
    headers.delete("x-volumes-index");
    const { status, body } = response;
    if (body === null || !/json/.test(headers.get("content-type") ?? ""))
        return new Response(body, { status, headers });
    return new Response(JSON.stringify(translated(await response.json(), 1)), { status, headers });
}

/** Translates JSON from one side of the tables (0: the product's, 1: the documents') to the other. */
function translated(json: unknown, from: 0 | 1): unknown {
    if (Array.isArray(json)) return json.map((item) => translated(item, from));
    if (!isObject(json)) return json;
    const to = from === 0 ? 1 : 0;
    const entries = Object.entries(json).map(([key, value]) => {
        const prefix = prefixes.find((pair) => key.startsWith(pair[from]));
        const name = prefix ? prefix[to] + key.slice(prefix[from].length) : key;
        const field = fieldNames.find((pair) => from === 1 && pair[from] === key)?.[to] ?? name;
        const word = values[key]?.find((pair) => pair[from] === value)?.[to];
        return [field, word ?? (key === "Topologies" ? topologies(value, from) : translated(value, from))];
    });
    return Object.fromEntries(entries);
}

/** Translates topologies. Nomad wraps each one in `Segments`, and ignores the content of one that is not wrapped. */
function topologies(value: unknown, from: 0 | 1): unknown {
    if (!Array.isArray(value)) return value;
    return value.map((one) => (from === 1 ? { Segments: one } : (isObject(one) && one["Segments"]) || {}));
}
