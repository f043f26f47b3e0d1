/** Manners: how servers differ where the documents leave it open. Settings of the simulator, for each service apart. */

const objects = [
    // What a write leaves out stays as it was, or goes back to nothing.
    ["merges", "replaces"],
    // What a read tells of an object.
    ["tells-all", "tells-documented", "tells-nothing-empty"],
    // What a read tells of a secret that is set.
    ["shows-secrets", "masks-secrets"],
] as const;
const locks = [
    // What a workspace tells of the reason of its lock: real servers cut it, or keep none.
    ["keeps-reasons", "shortens-reasons", "drops-reasons"],
    // Whether it tells who holds its lock.
    ["tells-holders", "hides-holders"],
] as const;

/** One of each row, by the words of the control door and of the command line. */
const rows: Readonly<Partial<Record<string, readonly (readonly Manner[])[]>>> = {
    manager: objects,
    volumes: objects,
    stateVersions: locks,
};

/** A manner. */
export type Manner = (typeof objects)[number][number] | (typeof locks)[number][number];

/** The manners of a service. Of a row that is not named, it has the manner that its document or real servers suggest. */
export type Manners = readonly Manner[];

/** Manners by the names of services. */
export type MannersByService = Readonly<Partial<Record<string, Manners>>>;

/** The manners that an order at the control door names, such as `{"manager": ["replaces", "masks-secrets"]}`. Throws what is wrong with it. */
export function mannersIn(order: unknown): MannersByService {
    if (typeof order !== "object" || order === null) throw new Error(`manners are ${usage}`);
    return Object.fromEntries(
        Object.entries(order).map(([name, words]) => {
            const known = rows[name];
            if (known === undefined) throw new Error(`${name} has no manners, which are ${usage}`);
            return [name, mannersOf(known, words)];
        }),
    );
}

/** The same from texts of the command line, such as `manager=replaces,masks-secrets`. */
export function mannersInTexts(texts: readonly string[]): MannersByService {
    const order: Record<string, string[]> = {};
    for (const text of texts) {
        const [name = "", words = ""] = text.split("=");
        order[name] = [...(order[name] ?? []), ...words.split(",")];
    }
    return mannersIn(order);
}

const choices = (known: readonly Manners[] = []) => known.map((row) => row.join(" or ")).join("; ");
const usage = Object.entries(rows)
    .map(([name, known]) => `for ${name} a list of ${choices(known)}`)
    .join(", ");

function mannersOf(known: readonly Manners[], words: unknown): Manners {
    if (!Array.isArray(words)) throw new Error(`manners are ${usage}`);
    const found = known.flatMap((row) => {
        const own = row.filter((manner) => words.includes(manner));
        if (own.length > 1) throw new Error(`a service either ${own.join(" or ")}`);
        return own;
    });
    const other = words.find((word) => !found.some((manner) => manner === word));
    if (other !== undefined) throw new Error(`${JSON.stringify(other)} is no manner; they are ${choices(known)}`);
    return found;
}

/** What the documents say of an object's fields in an answer to a read. */
export interface Telling {
    /** The fields that are told. */
    readonly documented: ReadonlySet<string>;
    /** Those of all fields that are secret. */
    readonly secret: ReadonlySet<string>;
}

const mask = "****";

const isEmpty = (value: unknown): boolean => !value || (typeof value === "object" && Object.keys(value).length === 0);

/** What a server of these manners tells of an object. */
export function asTold(manners: Manners, data: object, { documented, secret }: Telling): Record<string, unknown> {
    const isTold = (name: string, value: unknown) =>
        manners.includes("tells-documented")
            ? documented.has(name)
            : !(manners.includes("tells-nothing-empty") && isEmpty(value));
    const isMasked = (name: string, value: unknown) =>
        manners.includes("masks-secrets") && secret.has(name) && !isEmpty(value);
    const told = Object.entries(data).filter(([name, value]) => isTold(name, value));
    return Object.fromEntries(told.map(([name, value]) => [name, isMasked(name, value) ? mask : value]));
}
