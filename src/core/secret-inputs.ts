/** Secrets from variables and files: `check`, `create` and `update` read them, and state contains their digests alone. */

import { StatecraftError, sentencesOf } from "../errors";
import type { Finding } from "../schema/check";
import { Declared } from "../schema/declared";
import { comparable, decoded } from "../schema/meaning";
import type { Property } from "../schema/property";
import { changeSourced, isSource, type SecretSource } from "../schema/secret-sources";
import { holdsUnknown, isRecord, sortedJson, unknown, type Values } from "../schema/values";

/** Reads secrets, and makes their digests. No later message contains what was read or digested. */
export interface SecretReader {
    /** Reads a variable or a file. @throws StatecraftError one sentence about the source, which quotes nothing of the secret */
    read(source: SecretSource): Promise<string>;
    /**
     * `scrypt$<salt>$<hash>` of the JSON of a value. Takes about 40 ms, once for each text and salt.
     * @param like a digest with the same salt, or a place of the program, from which the salt follows
     */
    digest(json: string, like: string): Promise<string>;
}

/**
 * Reads the sources of inputs. Returns the inputs with digests as `written` and the secrets as `given`, failures, and what changed behind the
 * same source. A secret is unknown if its source is, or could not be read.
 *
 * | in `check`, the value                                 | the digest                                 |
 * | ----------------------------------------------------- | ------------------------------------------ |
 * | fits the digest of the last deployment                | stays the same                             |
 * | is another one, or the first                          | gets a salt that follows from URN and path |
 * | is not read: `ignoreChanges` returned the last inputs | stays the same                             |
 *
 * @param check the inputs of the last deployment, and the URN. Default: `check` wrote the digests, and another value is a failure
 */
export async function readSecrets(
    reader: SecretReader,
    { node, written }: Declared,
    check?: { readonly olds: Values; readonly urn: string | undefined },
) {
    const values = new Map<string, unknown>();
    const [failures, changes]: [Finding[], string[]] = [[], []];
    const stored = await changeSourced(
        node,
        written,
        check?.olds ?? {},
        async ({ secret, source, path }, inputs, olds) => {
            const from = inputs[source.name];
            const sources = sourcesIn(source, from);
            // The check of the inputs reports a source that is none.
            if (from == null || inputs[secret.name] != null || !sources.every(([, each]) => isSource(each))) return {};
            values.set(path, unknown);
            const last = digestIn(source, check ? olds[source.name] : from);
            if (holdsUnknown(from) || (check && last && digestIn(source, from) === last)) return {};
            try {
                const texts = sources.map(async ([key, each]) => [key, await reader.read(each)] as const);
                const read = Object.fromEntries(await Promise.all(texts));
                const value: unknown = source.node.kind === "map" ? read : read[""];
                values.set(path, value);
                const digest = last && (await digestOf(reader, secret, value, last));
                if (digest && digest === last) return { [source.name]: withDigest(source, from, digest) };
                const places = sources.map(([, { file, variable }]) =>
                    file ? `the file ${file}` : `the variable ${variable}`,
                );
                const change = `the value of ${places.join(" or ")} changed`;
                if (last && !check)
                    throw new StatecraftError("input", `${change} since the preview: run \`pulumi up\` again`);
                if (last) changes.push(`${path.replace(/From$/, "")}: ${change}`);
                return {
                    [source.name]: withDigest(
                        source,
                        from,
                        await digestOf(reader, secret, value, `${check?.urn} ${path}`),
                    ),
                };
            } catch (error) {
                if (!(error instanceof StatecraftError)) throw error;
                failures.push({ path, reason: sentencesOf(error) });
                return {};
            }
        },
    );
    const given = await changeSourced(node, stored, {}, ({ secret, source, path }) =>
        values.has(path) ? { [secret.name]: values.get(path), [source.name]: undefined } : {},
    );
    const declared = values.size > 0 ? new Declared(node, stored, given) : new Declared(node, written);
    return { declared, failures, changes };
}

/**
 * State, or what the server shows, with its secrets as `declared` spells them: a digest for a secret that has a source, and the same source
 * or value for the same secret. So a move between `x` and `xFrom` is no change.
 */
export function spelledLike(reader: SecretReader, values: Values, { node, written }: Declared): Promise<Values> {
    return changeSourced(node, values, written, async ({ secret, source }, old, now) => {
        const [shown, given, from] = [old[secret.name], now[secret.name], now[source.name]];
        const [last, digest] = [old[source.name], from].map((each) => digestIn(source, each));
        if (from != null && shown != null) {
            const digested = digest && withDigest(source, from, await digestOf(reader, secret, shown, digest));
            return { [secret.name]: undefined, [source.name]: digested || undefined };
        }
        const current = given == null || !last ? digest : await digestOf(reader, secret, given, last);
        return last && current === last ? { [secret.name]: given, [source.name]: from } : {};
    });
}

/** The values with digests in place of the secrets that have a source. */
export const withDigests = ({ node, written }: Declared): Promise<Values> =>
    changeSourced(node, written, {}, ({ secret, source }, { [source.name]: from }) =>
        from == null ? {} : { [secret.name]: digestIn(source, from), [source.name]: undefined },
    );

/** Values of one meaning have one digest. */
const digestOf = (reader: SecretReader, { node, facts }: Property, value: unknown, like: string) =>
    reader.digest(sortedJson(comparable(node, facts, decoded(node, value))), like);

/** The sources of a map by key, or the only one. */
const sourcesIn = ({ node }: Property, from: unknown): [string, SecretSource][] =>
    Object.entries(node.kind === "map" && isRecord(from) ? from : { "": Object(from) });

/** The digest in sources: a map has one digest. */
function digestIn(source: Property, from: unknown): string | undefined {
    const digests = new Set(sourcesIn(source, from).map(([, { digest }]) => digest));
    const [digest] = digests;
    return digests.size === 1 && typeof digest === "string" ? digest : undefined;
}

function withDigest(source: Property, from: unknown, digest: string): unknown {
    const entries = sourcesIn(source, from).map(([key, each]) => [key, { ...each, digest }] as const);
    return source.node.kind === "map" ? Object.fromEntries(entries) : entries[0]?.[1];
}
