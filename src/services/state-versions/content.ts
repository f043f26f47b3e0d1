/**
 * Contents as programs give them: a Pulumi asset, a path, or the text itself. Pulumi's state never holds them: check puts a
 * digest in their place, and keeps where the content behind a digest is, until the verb that follows it is done.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { isRecord } from "../../core/engine-values";
import type { Kind } from "../../core/kind";
import { type Memory, place } from "../../core/memory";
import { StatecraftError } from "../../errors";

/** An asset as the engine hands it over. */
type AssetEnvelope = Readonly<Record<string, unknown>>;

const digestForm = /^sha256:[0-9a-f]{64}$/;

/**
 * Where the content behind a digest is, and how many checks await their verb. The engine asks check and then, in the same process,
 * create or update; what create is given stands in state, so the content itself cannot travel that way.
 */
const rememberedIn = place(
    () => new Map<string, { readonly read: (() => Buffer) | undefined; readonly awaited: number }>(),
);

const must = "must be a Pulumi asset, a path, or the text itself, which begins with {";

/** A content of a form that `problemOf` judges: it says what is wrong with the bytes, in words that follow `must`. */
export function contentKind(problemOf: (bytes: Buffer) => string | undefined): Kind<string | AssetEnvelope> {
    const isGiven = (value: unknown) => typeof value === "string" || isRecord(value);
    return {
        type: "string | pulumi.asset.Asset",
        keptType: "string",
        schema: z
            .custom<string | AssetEnvelope>(isGiven, { error: must, abort: true })
            .superRefine((value, context) => {
                if (isDigest(value)) return;
                const source = sourceOf(value);
                const problem = typeof source === "string" ? source : problemIn(source, value, problemOf);
                if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
            }),
        canonical: digestOfGiven,
        keep(value, memory) {
            const remembered = rememberedIn(memory);
            const digest = digestOfGiven(value);
            const source = isDigest(value) ? undefined : sourceOf(value);
            const { read, awaited = 0 } = remembered.get(digest) ?? {};
            remembered.set(digest, { read: typeof source === "function" ? source : read, awaited: awaited + 1 });
            return digest;
        },
        letGo(digest, memory) {
            if (!isDigest(digest)) return;
            const remembered = rememberedIn(memory);
            const { read, awaited = 0 } = remembered.get(digest) ?? {};
            if (awaited > 1) remembered.set(digest, { read, awaited: awaited - 1 });
            else remembered.delete(digest);
        },
    };
}

/** The content behind a digest that check has put in state. */
export function contentBehind(memory: Memory, name: string, digest: string): Buffer {
    const bytes = rememberedIn(memory).get(digest)?.read?.();
    if (bytes !== undefined && digestOf(bytes) === digest) return bytes;
    throw new StatecraftError(
        "content",
        bytes === undefined
            ? `${name}: the content with the digest ${digest} is not at hand, because a digest is all that is kept of it`
            : `${name}: the file has changed since it was checked`,
        { hint: `Run again${bytes === undefined ? `, with ${name} given as an asset, a path or text` : ""}` },
    );
}

/** What is kept of a content. */
export function digestOf(bytes: Buffer): string {
    return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** MD5 as the service wants it. */
export function md5Of(bytes: Buffer): string {
    return createHash("md5").update(bytes).digest("hex");
}

function isDigest(value: unknown): value is string {
    return typeof value === "string" && digestForm.test(value);
}

function digestOfGiven(value: string | AssetEnvelope): string {
    if (isDigest(value)) return value;
    const source = sourceOf(value);
    if (typeof source === "string") return source;
    return digestOf(source());
}

/** How to read a content, or why it cannot be read. */
function sourceOf(value: string | AssetEnvelope): (() => Buffer) | string {
    if (typeof value === "string") return value.trimStart().startsWith("{") ? fromText(value) : fromPath(value);
    const { text, path, uri } = value;
    if (typeof path === "string" && path !== "") return fromPath(path);
    if (typeof uri === "string" && uri.startsWith("file:")) return fromFileAddress(uri);
    if (typeof uri === "string" && uri !== "") return "must be in a file or a text: remote assets are not fetched";
    return typeof text === "string" ? fromText(text) : must;
}

function fromText(text: string): () => Buffer {
    const bytes = Buffer.from(text);
    return () => bytes;
}

function fromFileAddress(uri: string): (() => Buffer) | string {
    try {
        return fromPath(fileURLToPath(uri));
    } catch {
        return "must be in a file of this machine: what is given is the address of another one, or of none";
    }
}

function fromPath(path: string): () => Buffer {
    return () => readFileSync(path);
}

/** Neither a parser's message nor the content ever becomes part of ours; nor does a text that is no path, because it may be a content in another form. */
function problemIn(
    read: () => Buffer,
    value: string | AssetEnvelope,
    problemOf: (bytes: Buffer) => string | undefined,
): string | undefined {
    let bytes: Buffer;
    try {
        bytes = read();
    } catch (error) {
        const { code = "unknown" } = error as NodeJS.ErrnoException;
        if (typeof value === "string") return `${must}; taken for a path, it cannot be read (${code})`;
        return `must be a file that can be read: ${value["path"] || value["uri"]} cannot (${code})`;
    }
    return problemOf(bytes);
}

/** What a raw state says of itself. */
export interface RawState {
    readonly bytes: Buffer;
    readonly serial: number;
    /** Early client tools wrote none. */
    readonly lineage: string | undefined;
    readonly md5: string;
}

const rawState = z.looseObject({ serial: z.int().min(0), lineage: z.string().nullish() });

/** Reads a raw state, or says what it is instead. */
export function readRawState(bytes: Buffer): RawState | string {
    const parsed = parsedObject(bytes);
    if (parsed === undefined) return "must be a state: what is given is not a JSON object";
    const state = rawState.safeParse(parsed);
    if (!state.success) {
        const serial = "serial" in parsed ? "its serial is not a whole number" : "it holds no serial";
        const isLineage = state.error.issues.every(({ path }) => path[0] === "lineage");
        return `must be a state: ${isLineage ? "its lineage is not text" : serial}`;
    }
    return { bytes, serial: state.data.serial, lineage: state.data.lineage || undefined, md5: md5Of(bytes) };
}

/** A raw state. */
export const rawStateContent = contentKind((bytes) => {
    const state = readRawState(bytes);
    return typeof state === "string" ? state : undefined;
});

/** A JSON object of any shape. */
export const jsonContent = contentKind((bytes) =>
    parsedObject(bytes) === undefined ? "must be a JSON object" : undefined,
);

/** The JSON object that bytes hold, if they hold one. */
export function parsedObject(bytes: Buffer): Record<string, unknown> | undefined {
    try {
        return z.record(z.string(), z.unknown()).safeParse(JSON.parse(bytes.toString("utf8"))).data;
    } catch {
        return undefined;
    }
}
