/** Secrets from variables and files: `check`, `create` and `update` read them, and state contains their digests alone. */

import { InputError, StatecraftError, sentencesOf } from "../errors";
import { asSentence, type Finding } from "../schema/check";
import { Declared } from "../schema/declared";
import { isSource, type SecretSource, type SourcedSecret, sourcedSecrets } from "../schema/secret-sources";
import { holdsUnknown, unknown, type Values } from "../schema/values";
import { step } from "./steps";

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
 * Reads the sources of inputs in `check`. Returns the inputs with digests, what changed behind the same source, and failures. A secret is
 * unknown if its source is, or could not be read.
 *
 * | the value                                             | the digest                                 |
 * | ----------------------------------------------------- | ------------------------------------------ |
 * | fits the digest of the last deployment                | stays the same                             |
 * | is another one, or the first                          | gets a salt that follows from URN and path |
 * | is not read: `ignoreChanges` returned the last inputs | stays the same                             |
 */
export async function withNewDigests(
    reader: SecretReader,
    declared: Declared,
    before: Declared | undefined,
    urn: string | undefined,
) {
    const [failures, changes]: [Finding[], string[]] = [[], []];
    if (declared.sourced.length === 0) return { inputs: declared, changes, failures };
    let [stored, given] = [declared.written, declared.written];
    for (const place of declared.sourced) {
        // The check of the inputs reports a source that is none.
        if (place.value != null || !place.sources.every(([, each]) => isSource(each))) continue;
        const last = place.in(before?.sourced)?.digest;
        const isRead = !holdsUnknown(place.from) && (last === undefined || place.digest !== last);
        const value = isRead ? await read(reader, place, failures) : unknown;
        given = place.replacedIn(given, value);
        if (value === unknown) continue;
        const text = place.textOf(value);
        let digest = last && (await reader.digest(text, last));
        if (last && digest !== last) changes.push(`${place.path.replace(/From$/, "")}: ${changeOf(place)}`);
        if (digest === undefined || digest !== last) digest = await reader.digest(text, `${urn} ${place.path}`);
        stored = place.digestedIn(stored, digest);
    }
    return { inputs: new Declared(declared.node, stored, given), changes, failures };
}

/** The inputs with the secrets that a write sends. @throws InputError if a source cannot be read, or its value changed since `check` */
export async function withSecrets(reader: SecretReader, declared: Declared, type: string): Promise<Declared> {
    if (declared.sourced.length === 0) return declared;
    const failures: Finding[] = [];
    let given = declared.written;
    for (const place of declared.sourced) {
        const { digest, path } = place;
        const value = await read(reader, place, failures);
        if (value !== unknown && digest && (await reader.digest(place.textOf(value), digest)) !== digest) {
            failures.push({ path, reason: `${changeOf(place)} since the preview: run ${step.again()} again` });
        }
        given = place.replacedIn(given, value);
    }
    if (failures.length > 0) throw new InputError(type, failures.map(asSentence));
    return new Declared(declared.node, declared.written, given);
}

/**
 * State, or what the server shows, with its secrets as `declared` spells them: a digest for a secret that has a source, and the same source
 * or value for the same secret. So a move between `x` and `xFrom` is no change.
 */
export async function spelledLike(reader: SecretReader, values: Values, { node, written }: Declared): Promise<Values> {
    const places = sourcedSecrets(node, written);
    let spelled = values;
    for (const old of sourcedSecrets(node, values)) {
        const now = old.in(places);
        const last = old.digest;
        if (now?.from != null && old.value != null) {
            const digest = now.digest && (await reader.digest(now.textOf(old.value), now.digest));
            spelled = digest ? now.digestedIn(spelled, digest) : now.replacedIn(spelled, undefined);
        } else if (
            now &&
            last &&
            last === (now.value == null ? now.digest : await reader.digest(now.textOf(now.value), last))
        ) {
            spelled = now.replacedIn(spelled, now.value, now.from);
        }
    }
    return spelled;
}

/** The value behind a source; unknown if it could not be read. */
async function read(reader: SecretReader, place: SourcedSecret, failures: Finding[]): Promise<unknown> {
    try {
        const texts = place.sources.map(async ([key, each]) => [key, await reader.read(each)] as const);
        return place.joined(await Promise.all(texts));
    } catch (error) {
        if (!(error instanceof StatecraftError)) throw error;
        failures.push({ path: place.path, reason: sentencesOf(error) });
        return unknown;
    }
}

function changeOf({ sources }: SourcedSecret): string {
    const names = sources.map(([, { file, variable }]) => (file ? `the file ${file}` : `the variable ${variable}`));
    return `the value of ${names.join(" or ")} changed`;
}
