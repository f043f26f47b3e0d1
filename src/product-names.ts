/**
 * The product's names for what the documents name otherwise, and the one door at which they are applied: the client. A request to a server
 * of the product gets the product's names. An answer, which may hold either, gets the documents'.
 */

/** Headers. */
export const headers = {
    "X-Secrets-Token": "X-Vault-Token",
    "X-Secrets-Namespace": "X-Vault-Namespace",
    "x-volumes-index": "x-nomad-index",
};

/** How the names of fields begin: `clouda_account_name`. */
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

/** The names that a server uses for what a program leaves out. They are defaults, not translations: what a program writes is never renamed. */
export const serverDefaults = {
    documented: { mount: "clouda", filePrefix: "secrets-snapshot" },
    product: { mount: "azure", filePrefix: "vault-snapshot" },
} as const;

/** The product's word for one of the documents'. */
export const productWord = <Name extends Word>(word: Name): (typeof words)[Name] => words[word];

/** The document's word for a word of either, in any case of letters. */
export function documentedWord(written: string): Word | undefined {
    const pairs = Object.entries(words) as [Word, string][];
    const isMeant = (word: string) => word.toLowerCase() === written.toLowerCase();
    return pairs.find((pair) => pair.some(isMeant))?.[0];
}

type Change = (value: unknown) => unknown;
type Names = Readonly<Record<string, string>>;

const inverse = (names: Names): Names => Object.fromEntries(Object.entries(names).map(([one, other]) => [other, one]));

function entriesOf(value: unknown): [string, unknown][] | undefined {
    return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
}

/** Changes the entries of an object; what is not an object stays. */
const mapEntries =
    (change: (name: string, value: unknown) => readonly [string, unknown]): Change =>
    (value) => {
        const entries = entriesOf(value);
        return entries ? Object.fromEntries(entries.map(([name, inner]) => change(name, inner))) : value;
    };

const rename = (names: Names) => mapEntries((name, inner) => [names[name] ?? name, inner]);

const renamePrefixes = (names: Names) =>
    mapEntries((name, inner) => {
        const prefix = Object.keys(names).find((known) => name.startsWith(known));
        return [prefix === undefined ? name : names[prefix] + name.slice(prefix.length), inner];
    });

const within = (changes: Readonly<Record<string, Change>>) =>
    mapEntries((name, inner) => [name, Object.hasOwn(changes, name) ? changes[name]?.(inner) : inner]);

/** Changes one object, or each of a list. */
const each =
    (change: Change): Change =>
    (value) =>
        Array.isArray(value) ? value.map(change) : change(value);

const inOrder =
    (...changes: readonly Change[]): Change =>
    (value) =>
        changes.reduce((changed, change) => change(changed), value);

/** Environments of storage accounts are written in capitals. */
const renameWord =
    (names: Names): Change =>
    (value) => {
        const word = Object.keys(names).find((name) => name === value || name.toUpperCase() === value);
        const other = word === undefined ? undefined : names[word];
        return other === undefined || word === value ? (other ?? value) : other.toUpperCase();
    };

const storage = (names: Names) => {
    const change = renameWord(names);
    return within({ storage_type: change, environment: change, clouda_blob_environment: change });
};

const topologies = (change: Change) =>
    within({
        Topologies: change,
        RequestedTopologies: within({ Required: change, Preferred: change }),
    });
const wrap: Change = (list) => (Array.isArray(list) ? list.map((Segments: unknown) => ({ Segments })) : list);
const unwrap = each((topology) => {
    const segments = entriesOf(topology)?.find(([name]) => name === "Segments");
    return segments ? (segments[1] ?? {}) : topology;
});
const taskStates = mapEntries((task, state) => [
    task,
    within({ Events: each(rename({ VaultError: "SecretsError" })) })(state),
]);

type Service = "stateVersions" | "manager" | "volumes";

const requests: Readonly<Record<Service, Change>> = {
    manager: inOrder(storage(words), renamePrefixes(prefixes)),
    volumes: within({ Volumes: each(topologies(wrap)) }),
    stateVersions: (body) => body,
};

const answers: Readonly<Record<Service, Change>> = {
    manager: within({ data: inOrder(renamePrefixes(inverse(prefixes)), storage(inverse(words))) }),
    volumes: each(
        inOrder(
            rename({ ProviderVersion: "Version" }),
            topologies(unwrap),
            within({ Allocations: each(within({ TaskStates: taskStates })) }),
        ),
    ),
    stateVersions: within({ data: each(within({ attributes: rename({ "terraform-version": "tool-version" }) })) }),
};

/** What of a request or an answer holds names. */
export interface Named {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
}

const renameHeaders = (sent: Named["headers"], names: Names): Named["headers"] =>
    Object.fromEntries(Object.entries(sent).map(([name, value]) => [names[name] ?? name, value]));

/** A request of the documents in the product's names. */
export function inProductNames<Request extends Named>(service: Service, request: Request): Request {
    return {
        ...request,
        headers: renameHeaders(request.headers, headers),
        body: requests[service](request.body),
    };
}

/** An answer, whose headers are in lower case, in the documents' names. */
export function inDocumentedNames<Answer extends Named>(service: Service, answer: Answer): Answer {
    return {
        ...answer,
        headers: renameHeaders(answer.headers, inverse(headers)),
        body: answers[service](answer.body),
    };
}
