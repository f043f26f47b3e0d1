/**
 * The product's names for what the documents name otherwise. The client applies them, and nothing else does: a request to a server of the
 * product gets the product's names; an answer, which may contain either, gets the documents'.
 */

/** Headers. */
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

/** What a server uses for what a program leaves out. These are defaults, not translations: what a program writes is never renamed. */
export const serverDefaults = {
    documented: { mount: "clouda", filePrefix: "secrets-snapshot" },
    product: { mount: "azure", filePrefix: "vault-snapshot" },
} as const;

/** The product's word for one of the documents'. */
export const productWord = <Name extends Word>(word: Name): (typeof words)[Name] => words[word];

/** The documents' word for a word of the documents or of the product, in any case of letters. */
export function documentedWord(written: string): Word | undefined {
    const pairs = Object.entries(words) as [Word, string][];
    return pairs.find((pair) => pair.some((word) => word.toLowerCase() === written.toLowerCase()))?.[0];
}

type Change = (value: unknown) => unknown;
type Names = Readonly<Record<string, string>>;

const inverse = (names: Names): Names => Object.fromEntries(Object.entries(names).map(([one, other]) => [other, one]));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === "object" && value !== null && !Array.isArray(value);

/** Changes a value, or each item of a list. */
const each = (value: unknown, change: Change) => (Array.isArray(value) ? value.map(change) : change(value));

/** Changes the entries of an object, or of each object of a list. Anything else stays. */
const entries = (change: (name: string, inner: unknown) => readonly [string, unknown]): Change => {
    const changed: Change = (value) =>
        isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => change(name, inner))) : value;
    return (value) => each(value, changed);
};

const rename = (names: Names) => entries((name, inner) => [names[name] ?? name, inner]);

/** Changes what is at a path, which needs no steps for lists. `*` is every entry of an object. */
function at(path: string, change: Change): Change {
    const [step, ...rest] = path.split(".");
    const inside = rest.length === 0 ? change : at(rest.join("."), change);
    return entries((name, inner) => [name, step === "*" || step === name ? each(inner, inside) : inner]);
}

const inOrder =
    (...changes: readonly Change[]): Change =>
    (value) =>
        changes.reduce((changed, change) => change(changed), value);

/** Environments of storage accounts are in capitals. */
function renamedWord(value: unknown, names: Names): unknown {
    for (const [name, other] of Object.entries(names)) {
        if (value === name) return other;
        if (value === name.toUpperCase()) return other.toUpperCase();
    }
    return value;
}

/** Renames the fields of an object of the secrets manager, and the words in them. */
const fields = (prefixNames: Names, wordNames: Names) =>
    entries((name, value) => {
        const prefix = Object.keys(prefixNames).find((known) => name.startsWith(known)) ?? "";
        const isWord = name === "storage_type" || name.endsWith("environment");
        const renamed = (prefixNames[prefix] ?? "") + name.slice(prefix.length);
        return [renamed, isWord ? renamedWord(value, wordNames) : value];
    });

const wrap: Change = (topology) => (isObject(topology) ? { Segments: topology } : topology);
const unwrap: Change = (topology) =>
    isObject(topology) && "Segments" in topology ? (topology["Segments"] ?? {}) : topology;

type Service = "stateVersions" | "manager" | "volumes";

const requests: Readonly<Record<Service, Change>> = {
    manager: fields(prefixes, words),
    volumes: inOrder(at("Volumes.Topologies", wrap), at("Volumes.RequestedTopologies.*", wrap)),
    stateVersions: (body) => body,
};

const answers: Readonly<Record<Service, Change>> = {
    manager: at("data", fields(inverse(prefixes), inverse(words))),
    volumes: inOrder(
        rename({ ProviderVersion: "Version" }),
        at("Topologies", unwrap),
        at("RequestedTopologies.*", unwrap),
        at("Allocations.TaskStates.*.Events", rename({ VaultError: "SecretsError" })),
    ),
    stateVersions: at("data.attributes", rename({ "terraform-version": "tool-version" })),
};

/** What of a request or an answer contains names. */
export interface Named {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
}

const renamedHeaders = (sent: Named["headers"], names: Names): Named["headers"] =>
    Object.fromEntries(Object.entries(sent).map(([name, value]) => [names[name] ?? name, value]));

/** A request of the documents in the product's names. */
export function inProductNames<Request extends Named>(service: Service, request: Request): Request {
    const { headers: sent, body } = request;
    return { ...request, headers: renamedHeaders(sent, headers), body: requests[service](body) };
}

/** An answer, whose headers are in lower case, in the documents' names. */
export function inDocumentedNames<Answer extends Named>(service: Service, answer: Answer): Answer {
    const { headers: received, body } = answer;
    return { ...answer, headers: renamedHeaders(received, inverse(headers)), body: answers[service](body) };
}
