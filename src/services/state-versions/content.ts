/**
 * Contents of state versions. A program gives each one as a Pulumi asset, a path or the text itself, and state contains only its digest:
 * `toDigests` replaces a content by its digest, and stores the content in memory until `forgetContent`.
 */

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import * as z from "zod";
import { type Context, perProcess, type Runtime } from "../../core/context";
import { step } from "../../core/steps";
import { asStatecraftError, StatecraftError } from "../../errors";
import { asJson, asset, codec } from "../../schema/property-types";
import {
    filterValues,
    holdsUnknown,
    isRecord,
    mapValues,
    parsedObject,
    sortedJson,
    type Values,
} from "../../schema/values";

type Asset = z.output<typeof asset>;
type Content = string | Asset;

const digestForm = /^sha256:[0-9a-f]{64}$/;
const contentMust = "must be a file or string asset, a path, or the text itself, which begins with {";
const contentForm = z.union([z.string(), asset], { error: contentMust });

const contentError = (message: string) => new StatecraftError("content", message);

/** The type of a content, which decodes to its digest. `verify` throws for invalid bytes. */
function contentType(verify: (bytes: Buffer) => unknown) {
    return codec(contentForm, z.string(), (given, context) => {
        try {
            if (typeof given === "string" && digestForm.test(given)) return given;
            const bytes = bytesOf(given);
            verify(bytes);
            return digestOf(bytes);
        } catch (error) {
            context.issues.push({ code: "custom", input: given, message: asStatecraftError(error).message });
            return z.NEVER;
        }
    });
}

const anyContent = contentType(() => undefined);

export const rawStateContent = contentType(readRawState);

/** The type of a content that is a JSON object of any form. */
export const jsonContent = contentType((bytes) => {
    if (parsedObject(bytes) === undefined) throw contentError("must be a JSON object");
});

/** The contents of the process by their digests. `uses`: how many checked resources still need the content. */
const rememberedIn = perProcess(
    () => new Map<string, { readonly given: Content | undefined; readonly uses: number }>(),
);

/** Replaces the contents among inputs by their digests, and stores the contents in memory. Unknown contents stay unchanged. */
export function toDigests(runtime: Runtime, inputs: Values, names: readonly string[]): Values {
    const given = filterValues(inputs, (value, name) => names.includes(name) && !holdsUnknown(value));
    return { ...inputs, ...mapValues(given, (value) => remember(runtime, contentForm.parse(value))) };
}

function remember(runtime: Runtime, given: Content): string {
    const remembered = rememberedIn(runtime);
    const digest = anyContent.parse(given);
    const before = remembered.get(digest);
    if (given === digest && before === undefined) return digest;
    remembered.set(digest, { given: given === digest ? before?.given : given, uses: (before?.uses ?? 0) + 1 });
    return digest;
}

/** The content of a digest. @throws StatecraftError if it is not in memory, or if its file has changed */
export function contentBehind({ session }: Context, name: string, digest: string): Buffer {
    const { given } = rememberedIn(session.runtime).get(digest) ?? {};
    const bytes = given === undefined ? undefined : bytesOf(given);
    if (bytes !== undefined && digestOf(bytes) === digest) return bytes;
    const reason = "state stores the digest only, or the file has changed";
    const message = `${name}: the content with the digest ${digest} cannot be read, because ${reason}`;
    const hint = `Declare \`${name}\` as an asset, a path or a text, and run ${step.again()} again`;
    throw new StatecraftError("content", message, { hint });
}

/** Removes the content of a digest from memory after the action that needed it, unless another resource has the same content. */
export function forgetContent({ session }: Context, digest: string | undefined): void {
    if (digest === undefined) return;
    const remembered = rememberedIn(session.runtime);
    const { given, uses } = remembered.get(digest) ?? { uses: 0 };
    if (uses > 1) remembered.set(digest, { given, uses: uses - 1 });
    else remembered.delete(digest);
}

/** The digest of a content, as state contains it: `sha256:` and the SHA-256. */
export const digestOf = (data: Buffer | string): string => `sha256:${createHash("sha256").update(data).digest("hex")}`;

/** The MD5 of a content, which the API requires. */
export function md5Of(bytes: Buffer): string {
    try {
        return createHash("md5").update(bytes).digest("hex");
    } catch {
        throw contentError(
            "needs an MD5 in its request, which this Node forbids (FIPS): run Pulumi with a Node that allows it",
        );
    }
}

/** The bytes of a content in UTF-8, without a byte-order mark. */
function bytesOf(given: Content): Buffer {
    const bytes = bytesIn(given);
    const start = bytes.toString("latin1", 0, 3);
    if (/^(\xff\xfe|\xfe\xff|{\0)/.test(start))
        throw contentError("must be in UTF-8, and not in UTF-16: convert the file");
    return start === "\xef\xbb\xbf" ? bytes.subarray(3) : bytes;
}

/** The bytes of an asset or of a text. Error messages do not quote a text, which may be a state with a syntax error and secrets. */
function bytesIn(given: Content): Buffer {
    const { text, path }: Asset = typeof given === "string" ? assetOf(given) : given;
    if (typeof path !== "string" || path === "") {
        if (typeof text !== "string") throw contentError(contentMust);
        return Buffer.from(text);
    }
    try {
        // A FIFO or a device would block the process.
        const info = statSync(path);
        if (!info.isFile() || info.size > largest) throw new TypeError("no regular file, or too large");
        return readFileSync(path);
    } catch {
        throw contentError(`${contentMust}; taken for a path, it leads to no file that can be read`);
    }
}

/** The most bytes of the file of a state. */
const largest = 256 * 1024 ** 2;

const assetOf = (given: string): Asset => (given.trimStart().startsWith("{") ? { text: given } : { path: given });

/** Whether a state is encrypted, as OpenTofu writes it (`internal/encryption/base.go`). */
export const isEncrypted = (bytes: Buffer): boolean =>
    bytes.includes('"encryption_version"') && Boolean(parsedObject(bytes)?.["encryption_version"]);

const rawState = z.looseObject({
    serial: z.int().min(0),
    lineage: z.string().nullish(),
    terraform_version: z.string().optional().catch(undefined),
});

/** Parses a raw state. Returns `undefined` for anything else. */
export function rawStateIn(bytes: Buffer) {
    const { data } = rawState.safeParse(parsedObject(bytes));
    // States of early Terraform versions have no lineage.
    if (data === undefined) return undefined;
    const { serial, lineage, terraform_version: toolVersion } = data;
    const known = toolVersion === undefined ? {} : { toolVersion };
    return { bytes, serial, lineage: lineage || undefined, ...known, md5: md5Of(bytes) };
}

/**
 * Digests of a raw state: of its bytes, and of its JSON with every digit of its numbers and without its serial. States with a digest in
 * common are the same. In memory, the digests replace the state.
 */
export function digestsOf(bytes: Buffer): readonly string[] {
    const digests = [digestOf(bytes)];
    try {
        const state = asJson(bytes.toString());
        if (!isRecord(state)) return digests;
        const resources = createHash("sha256");
        // One by one, because the canonical text of all is as large as the state.
        for (const resource of [state["resources"] ?? []].flat()) resources.update(`${sortedJson(resource)},`);
        digests.push(digestOf(sortedJson({ ...state, resources: resources.digest("hex"), serial: 0 })));
    } catch (error) {
        // The JSON is nested too deeply, or too long with all digits.
        if (!(error instanceof RangeError)) throw error;
    }
    return digests;
}

/** A raw Terraform state, with the attributes that a new version needs. */
export type RawState = NonNullable<ReturnType<typeof rawStateIn>>;

/** Parses a raw state. @throws StatecraftError for anything else */
export function readRawState(bytes: Buffer): RawState {
    const state = rawStateIn(bytes);
    if (state === undefined) throw contentError("must be a state: a JSON object with a whole number as its `serial`");
    return state;
}
