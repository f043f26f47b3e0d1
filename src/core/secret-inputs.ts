/** Secrets from variables and files: `check`, `create` and `update` read them, and state contains their digests alone. */

import { InputError, StatecraftError, sentencesOf } from "../errors";
import { asSentence, type Finding } from "../schema/check";
import { Declared } from "../schema/declared";
import { isSource, type SecretSource, type SourcedSecret, sourcedSecrets } from "../schema/secret-sources";
import { holdsUnknown, unknown, type Values } from "../schema/values";
import type { DeploymentContext } from "./context";
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
 * Reads the sources of inputs in `check`. Returns the inputs with digests, notes about them, and failures. A secret is unknown if its source
 * is, or could not be read.
 *
 * | the value                                              | the digest                                 |
 * | ------------------------------------------------------ | ------------------------------------------ |
 * | fits the digest of the last deployment                 | stays the same                             |
 * | is another one, or the first                           | gets a salt that follows from URN and path |
 * | is not read: `ignoreChanges` returned the last inputs  | stays the same                             |
 * | cannot be read, and this may be the check of a preview | stays the same; unknown for the first one  |
 */
export async function withNewDigests(
    reader: SecretReader,
    declared: Declared,
    before: Declared | undefined,
    { urn, isPreview }: DeploymentContext,
) {
    const [failures, notes]: [Finding[], Finding[]] = [[], []];
    if (declared.sourced.length === 0) return { inputs: declared, notes, failures };
    let [stored, given] = [declared.written, declared.written];
    for (const place of declared.sourced) {
        // The check of the inputs reports a source that is none.
        if (place.value != null || !place.sources.every(([, each]) => isSource(each))) continue;
        const last = place.in(before?.sourced)?.digest;
        const isRead = !holdsUnknown(place.from) && (last === undefined || place.digest !== last);
        const { value, problem } = isRead ? await read(reader, place) : notRead;
        given = place.replacedIn(given, value);
        if (problem && isPreview === false) failures.push(problem);
        else if (problem) {
            const reason = `${problem.reason} Without it the secret counts as unchanged, and a write would fail.`;
            notes.push({ ...problem, reason, code: "preview" });
            if (last || isPreview) stored = place.digestedIn(stored, last ?? unknown);
        }
        if (value === unknown) continue;
        const text = place.textOf(value);
        let digest = last && (await reader.digest(text, last));
        if (last && digest !== last) {
            notes.push({ path: place.path.replace(/From$/, ""), reason: changeOf(place), code: "preview" });
        }
        if (digest === undefined || digest !== last) digest = await reader.digest(text, saltOf(place, urn));
        stored = place.digestedIn(stored, digest);
    }
    return { inputs: new Declared(declared.node, stored, given), notes, failures };
}

/** The inputs as a preview shows them, with unknown digests for sources that `check` could not read. */
export const withUnknownDigests = ({ written, sourced }: Declared): Values =>
    sourced
        .filter(({ from, digest }) => digest === undefined && !holdsUnknown(from))
        .reduce((values, place) => place.digestedIn(values, unknown), written);

/** The inputs with the secrets that a write sends. @throws InputError if a source cannot be read, or its value changed since `check` */
export async function withSecrets(reader: SecretReader, declared: Declared, type: string, urn?: string) {
    if (declared.sourced.length === 0) return declared;
    const failures: Finding[] = [];
    let [stored, given] = [declared.written, declared.written];
    for (const place of declared.sourced) {
        const { value, problem } = await read(reader, place);
        if (problem) failures.push(problem);
        else {
            const digest = await reader.digest(place.textOf(value), place.digest ?? saltOf(place, urn));
            const reason = `${changeOf(place)} since the preview: run ${step.again()} again`;
            if (place.digest === undefined) stored = place.digestedIn(stored, digest);
            else if (digest !== place.digest) failures.push({ path: place.path, reason });
        }
        given = place.replacedIn(given, value);
    }
    if (failures.length > 0) throw new InputError(type, failures.map(asSentence));
    return new Declared(declared.node, stored, given);
}

/**
 * Reads the sources of inputs or of a state, so that no message contains what they have. Whether each has the value of its digest: otherwise
 * a server may quote a secret that is not known.
 */
export async function knowsSecrets(reader: SecretReader, { sourced }: Declared): Promise<boolean> {
    for (const place of sourced.filter(({ from }) => !holdsUnknown(from))) {
        const { value, problem } = await read(reader, place);
        if (problem) return false;
        if (place.digest && (await reader.digest(place.textOf(value), place.digest)) !== place.digest) return false;
    }
    return true;
}

/**
 * State, or what the server shows, with its secrets as `declared` spells them: a digest for a secret that has a source, and the same
 * value for the same secret. So a move between `x` and `xFrom` is no change.
 */
export async function spelledLike(reader: SecretReader, values: Values, { node, written }: Declared): Promise<Values> {
    const places = sourcedSecrets(node, written);
    let spelled = values;
    for (const old of sourcedSecrets(node, values)) {
        const now = old.in(places);
        if (now?.from != null && old.value != null) {
            const digest = now.digest && (await reader.digest(now.textOf(old.value), now.digest));
            spelled = digest ? now.digestedIn(spelled, digest) : now.replacedIn(spelled, undefined);
        } else if (now?.value != null && old.digest) {
            const digest = await reader.digest(now.textOf(now.value), old.digest);
            if (digest === old.digest) spelled = now.replacedIn(spelled, now.value);
        }
    }
    return spelled;
}

/** The value behind a source, or why it cannot be read. */
async function read(reader: SecretReader, place: SourcedSecret): Promise<{ value: unknown; problem?: Finding }> {
    try {
        const texts = place.sources.map(async ([key, each]) => [key, await reader.read(each)] as const);
        return { value: place.joined(await Promise.all(texts)) };
    } catch (error) {
        if (!(error instanceof StatecraftError)) throw error;
        return { ...notRead, problem: { path: place.path, reason: sentencesOf(error) } };
    }
}

const notRead = { value: unknown, problem: undefined };

const saltOf = ({ path }: SourcedSecret, urn: string | undefined) => `${urn} ${path}`;

function changeOf({ sources }: SourcedSecret): string {
    const names = sources.map(([, { file, variable }]) => (file ? `the file ${file}` : `the variable ${variable}`));
    return `the value of ${names.join(" or ")} changed`;
}
