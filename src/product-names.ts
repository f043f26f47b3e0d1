/**
 * Translates between the names of the API documents and those of Vault, Nomad and HCP Terraform where they differ.
 * Only the HTTP client translates: a request to a server of the product gets the product's names, and every answer the documents' names of
 * headers and fields. Words in answers stay as the server says them.
 */

import type { Method } from "./core/endpoint";
import type { ServiceName } from "./core/service";
import { isRecord } from "./schema/values";

/** Names of headers in the API documents, with those of the products. */
export const headers = {
    "X-Secrets-Token": "X-Vault-Token",
    "X-Secrets-Namespace": "X-Vault-Namespace",
    "x-volumes-index": "x-nomad-index",
};

/** Prefixes of fields, as in `clouda_account_name`. */
export const prefixes = { clouda_: "azure_", cloudb_: "aws_", cloudc_: "google_" };

/** Storage types and cloud environments. */
export const words = {
    "clouda-blob": "azure-blob",
    "cloudb-s3": "aws-s3",
    "cloudc-gcs": "google-gcs",
    CloudAPublicCloud: "AzurePublicCloud",
    CloudAUSGovernmentCloud: "AzureUSGovernmentCloud",
    CloudAChinaCloud: "AzureChinaCloud",
    CloudAGermanCloud: "AzureGermanCloud",
} as const;

type Word = keyof typeof words;

/** The product's word for a word of the API documents. */
export const productWord = <Name extends Word>(word: Name): (typeof words)[Name] => words[word];

/** The documents' word for a word of the documents or of the product, in any case of letters. Returns any other value as it is. */
export function documentedWord<Written>(written: Written): Written | Word {
    const lower = String(written).toLowerCase();
    const pairs = Object.entries(words) as [Word, string][];
    return pairs.find((pair) => pair.some((word) => word.toLowerCase() === lower))?.[0] ?? written;
}

type Change = (value: unknown) => unknown;
type Names = Readonly<Record<string, string>>;

const inverse = (names: Names): Names => Object.fromEntries(Object.entries(names).map(([one, other]) => [other, one]));

/** Applies `change` to a value, or to each item of a list. */
const each = (value: unknown, change: Change) => (Array.isArray(value) ? value.map(change) : change(value));

/** Returns a function that changes each entry of an object, or of each object in a list, and returns any other value as it is. */
const entries = (change: (name: string, value: unknown) => readonly [string, unknown]): Change => {
    const changed: Change = (body) =>
        isRecord(body) ? Object.fromEntries(Object.entries(body).map(([name, value]) => change(name, value))) : body;
    return (value) => each(value, changed);
};

const rename = (names: Names) => entries((name, value) => [names[name] ?? name, value]);

/**
 * Returns a function that changes the values at a path such as `Volumes.Topologies`. `*` matches every name.
 * In a list on the way, or at the end, it changes every item.
 */
function at(path: string, change: Change): Change {
    const [step, ...rest] = path.split(".");
    const inside = rest.length === 0 ? change : at(rest.join("."), change);
    return entries((name, value) => [name, step === "*" || step === name ? each(value, inside) : value]);
}

const inOrder =
    (...changes: readonly Change[]): Change =>
    (value) =>
        changes.reduce((changed, change) => change(changed), value);

/** Translates a word in its usual spelling, or in capitals, in which storage accounts write environments. */
function renamedWord(value: unknown, names: Names): unknown {
    for (const [name, other] of Object.entries(names)) {
        if (value === name) return other;
        if (value === name.toUpperCase()) return other.toUpperCase();
    }
    return value;
}

/** Renames fields of a Vault object by their prefix, and translates the storage types and cloud environments in them. */
const fields = (prefixNames: Names, wordNames: Names = {}) =>
    entries((name, value) => {
        const prefix = Object.keys(prefixNames).find((one) => name.startsWith(one)) ?? "";
        const isWord = name === "storage_type" || name.endsWith("environment");
        const renamed = (prefixNames[prefix] ?? "") + name.slice(prefix.length);
        return [renamed, isWord ? renamedWord(value, wordNames) : value];
    });

const wrap: Change = (topology) => (isRecord(topology) ? { Segments: topology } : topology);
const unwrap: Change = (topology) =>
    isRecord(topology) && "Segments" in topology ? (topology["Segments"] ?? {}) : topology;

const requests: Readonly<Record<ServiceName, Change>> = {
    manager: fields(prefixes, words),
    volumes: inOrder(at("Volumes.Topologies", wrap), at("Volumes.RequestedTopologies.*", wrap)),
    stateVersions: (body) => body,
};

const answers: Readonly<Record<ServiceName, Change>> = {
    manager: at("data", fields(inverse(prefixes))),
    volumes: inOrder(
        rename({ ProviderVersion: "Version" }),
        at("Topologies", unwrap),
        at("RequestedTopologies.*", unwrap),
        at("Allocations.TaskStates.*.Events", rename({ VaultError: "SecretsError" })),
    ),
    stateVersions: at("data.attributes", rename({ "terraform-version": "tool-version" })),
};

/** The parts of a request or an answer that contain names. */
export interface Named {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
}

/** A request in which names are translated. */
export interface Sent extends Named {
    readonly method: Method;
    readonly query: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** Headers of every request to the product. An agent of Vault may require this one. */
const always: Readonly<Partial<Record<ServiceName, Named["headers"]>>> = { manager: { "X-Vault-Request": "true" } };

const renamedHeaders = (sent: Named["headers"], names: Names): Named["headers"] =>
    Object.fromEntries(Object.entries(sent).map(([name, value]) => [names[name] ?? name, value]));

/** Returns the headers of a request with the product's names, and those that every request to the product has. */
export const headersInProductNames = (service: ServiceName, sent: Named["headers"]): Named["headers"] => ({
    ...always[service],
    ...renamedHeaders(sent, headers),
});

/** Returns a request with the product's names instead of the documents'. `LIST` becomes `GET`, because gateways may block other methods. */
export function inProductNames(service: ServiceName, { method, query, headers: sent, body }: Sent): Sent {
    return {
        ...(method === "LIST" ? { method: "GET", query: { ...query, list: true } } : { method, query }),
        headers: headersInProductNames(service, sent),
        body: requests[service](body),
    };
}

const documentedHeaders = inverse(headers);

/** Returns an answer, whose header names are in lower case, with the documents' names. Headers keep those of the product too. */
export function inDocumentedNames<Answer extends Named>(service: ServiceName, answer: Answer): Answer {
    const { headers: received, body } = answer;
    const both = { ...received, ...renamedHeaders(received, documentedHeaders) };
    return { ...answer, headers: both, body: answers[service](body) };
}
