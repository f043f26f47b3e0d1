/**
 * The vocabulary `product`: the names that real servers use for what the documents name otherwise.
 * One table, and the one door at which it is applied. Beside it, only `third-party-settings.ts` holds such a name.
 */

/** The documents' names, and what real servers call the same. */
const table = {
    "X-Secrets-Token": "X-Vault-Token",
    "X-Secrets-Namespace": "X-Vault-Namespace",
    "x-volumes-index": "x-nomad-index",
    "secrets-snapshot": "vault-snapshot",
    clouda: "azure",
    cloudb: "aws",
    cloudc: "google",
    "clouda-blob": "azure-blob",
    "cloudb-s3": "aws-s3",
    "cloudc-gcs": "google-gcs",
    CloudAPublicCloud: "AzurePublicCloud",
    CloudAUSGovernmentCloud: "AzureUSGovernmentCloud",
    CloudAChinaCloud: "AzureChinaCloud",
    CloudAGermanCloud: "AzureGermanCloud",
    "tool-version": "terraform-version",
    SecretsError: "VaultError",
    Version: "ProviderVersion",
} as const;

type Documented = keyof typeof table;

/** What real servers call something that the documents name so. */
export type ProductName<Name extends Documented> = (typeof table)[Name];

/** What real servers call something that the documents name so. */
export function productName<Name extends Documented>(name: Name): ProductName<Name> {
    return table[name];
}

/** Names of the documents among these that a name, of either vocabulary and in any case of letters, stands for. */
export function documentedName<Name extends Documented>(names: readonly Name[], written: string): Name | undefined {
    const wanted = written.toLowerCase();
    return names.find((name) => name.toLowerCase() === wanted || table[name].toLowerCase() === wanted);
}

/** What passes the door on the way out. */
interface Outgoing {
    readonly query: Readonly<Record<string, string | number | boolean | undefined>>;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
}

/** What comes in at the door. */
interface Incoming {
    /** Names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
}

/** Puts the product's names in requests, and the documents' names in answers. */
export interface Door {
    request<Request extends Outgoing>(request: Request): Request;
    answer<Answer extends Incoming>(answer: Answer): Answer;
}

/** The door of a service: none where its servers go by the documents' names. `region` goes along where the service knows regions. */
export function doorOf(
    service: "stateVersions" | "manager" | "volumes",
    { vocabulary, region }: { readonly vocabulary?: string | undefined; readonly region?: string | undefined },
): Door | undefined {
    if (vocabulary !== "product") return undefined;
    const { request, answer } = bodies[service];
    return {
        request: (sent) => ({
            ...sent,
            query: service === "volumes" && region ? { region, ...sent.query } : sent.query,
            headers: renamed(sent.headers, table),
            body: request(sent.body),
        }),
        answer: (received) => ({
            ...received,
            headers: renamed(received.headers, inverse(table)),
            body: answer(received.body),
        }),
    };
}

type Change = (value: unknown) => unknown;
type Named = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Named =>
    typeof value === "object" && value !== null && !Array.isArray(value);

const inverse = (names: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(names).map(([documented, product]) => [product, documented]));

function renamed<Value>(record: Readonly<Record<string, Value>>, names: Readonly<Record<string, string>>) {
    return Object.fromEntries(
        Object.entries(record).map(([name, value]) => [
            Object.hasOwn(names, name) ? (names[name] ?? name) : name,
            value,
        ]),
    );
}

/** Changes some entries of an object; what is no object, and what is not there, stays. */
function within(changes: Readonly<Record<string, Change>>): Change {
    return (value) =>
        isRecord(value)
            ? Object.fromEntries(
                  Object.entries(value).map(([name, inner]) => [
                      name,
                      Object.hasOwn(changes, name) ? changes[name]?.(inner) : inner,
                  ]),
              )
            : value;
}

const each =
    (change: Change): Change =>
    (value) =>
        Array.isArray(value) ? value.map(change) : value;

const entries =
    (change: Change): Change =>
    (value) =>
        isRecord(value)
            ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner)]))
            : value;

const both =
    (first: Change, second: Change): Change =>
    (value) =>
        second(first(value));

const name =
    (names: Readonly<Record<string, string>>): Change =>
    (value) =>
        isRecord(value) ? renamed(value, names) : value;

/** A word of an enumeration. Environments of storage accounts are written in capitals. */
const word =
    (words: Readonly<Record<string, string>>): Change =>
    (value) => {
        if (typeof value !== "string") return value;
        const found = Object.keys(words).find((known) => known === value || known.toUpperCase() === value);
        if (found === undefined) return value;
        const other = words[found] ?? value;
        return found === value ? other : other.toUpperCase();
    };

/** Field names of the cloud providers: `clouda_account_name`. */
const providers = (["clouda", "cloudb", "cloudc"] as const).map((provider) => [`${provider}_`, `${table[provider]}_`]);

function otherField(field: string, from: 0 | 1): string {
    const pair = providers.find((prefixes) => field.startsWith(prefixes[from] ?? field));
    return pair ? `${pair[1 - from]}${field.slice(pair[from]?.length)}` : field;
}

/** What real servers call a field that the documents name so. */
export const productField = (field: string): string => otherField(field, 0);

function prefixed(from: 0 | 1): Change {
    return (value) =>
        isRecord(value)
            ? Object.fromEntries(Object.entries(value).map(([field, inner]) => [otherField(field, from), inner]))
            : value;
}

const managerWords = (words: Readonly<Record<string, string>>) =>
    within({ storage_type: word(words), environment: word(words), clouda_blob_environment: word(words) });

const segments: Change = each((topology) => ({ Segments: topology }));
const unwrapped: Change = each((topology) =>
    isRecord(topology) && "Segments" in topology ? (topology["Segments"] ?? {}) : topology,
);
const volume = (topologies: Change) =>
    within({ Topologies: topologies, RequestedTopologies: within({ Required: topologies, Preferred: topologies }) });
const taskEvents: Change = entries(within({ Events: each(name(inverse({ SecretsError: table.SecretsError }))) }));
const readVolume: Change = both(
    name(inverse({ Version: table.Version })),
    both(volume(unwrapped), within({ Allocations: each(within({ TaskStates: taskEvents })) })),
);

const stateVersion: Change = within({ attributes: name(inverse({ "tool-version": table["tool-version"] })) });

/** Servers disagree on the name of this relationship, and take no harm from a second one. */
const rollback: Change = (relationships) =>
    isRecord(relationships) && "rollback-state-version" in relationships
        ? { ...relationships, "state-version": relationships["rollback-state-version"] }
        : relationships;

/** What the bodies of each service need beside other headers. */
const bodies: Readonly<Record<"stateVersions" | "manager" | "volumes", { request: Change; answer: Change }>> = {
    manager: {
        request: both(managerWords(table), prefixed(0)),
        answer: within({ data: both(prefixed(1), managerWords(inverse(table))) }),
    },
    volumes: {
        request: within({ Volumes: each(volume(segments)) }),
        answer: (body) => (Array.isArray(body) ? body.map(readVolume) : readVolume(body)),
    },
    stateVersions: {
        request: within({ data: within({ relationships: rollback }) }),
        answer: within({ data: (data) => (Array.isArray(data) ? data.map(stateVersion) : stateVersion(data)) }),
    },
};
