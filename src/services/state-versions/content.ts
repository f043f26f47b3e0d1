/**
 * Contents as programs give them: a Pulumi asset, a path, or the text itself. Pulumi's state never holds them: check puts a
 * digest in their place, and remembers where the content behind a digest is, until the operation that follows it is done.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import * as z from "zod";
import type { RequestContext } from "../../core/request-context";
import type { Values } from "../../schema/facts";
import { asset, codec } from "../../schema/property-types";
import { isRecord } from "../../schema/unknown";
import { changedFile, contentNotAtHand, noState } from "./failures";

type Asset = z.output<typeof asset>;

const digestForm = /^sha256:[0-9a-f]{64}$/;
const must = "must be a Pulumi asset, a path, or the text itself, which begins with {";
const contentForm = z.union([z.string(), asset], { error: must });
const systemError = z.looseObject({ code: z.string().catch("unknown") });

/** A content, decoded to its digest. `problemOf` says what is wrong with the bytes. */
function contentType(problemOf: (bytes: Buffer) => string | undefined) {
    return codec(contentForm, z.string(), (given, context) => {
        if (isDigest(given)) return given;
        const read = bytesOf(given);
        const problem = typeof read === "string" ? read : problemOf(read);
        if (typeof read !== "string" && problem === undefined) return digestOf(read);
        context.issues.push({ code: "custom", input: given, message: problem ?? must });
        return z.NEVER;
    });
}

/** What state holds of a content that was checked: its digest. */
export function contentDigest(written: unknown): string {
    const given = contentForm.parse(written);
    if (isDigest(given)) return given;
    const bytes = bytesOf(given);
    return typeof bytes === "string" ? bytes : digestOf(bytes);
}

/** The content behind a digest that check has put in state. @throws StatecraftError if it is not at hand, or a file has changed since */
export function contentBehind({ standIns }: RequestContext, name: string, digest: string): Buffer {
    const given = contentForm.safeParse(standIns.writtenFor(digest)).data;
    const bytes = given === undefined ? undefined : bytesOf(given);
    if (bytes === undefined) throw contentNotAtHand({ name, digest });
    if (typeof bytes === "string" || digestOf(bytes) !== digest) throw changedFile({ name });
    return bytes;
}

/** What state keeps of a content. */
export const digestOf = (bytes: Buffer): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** MD5 as the service wants it. */
export const md5Of = (bytes: Buffer): string => createHash("md5").update(bytes).digest("hex");

const isDigest = (value: unknown): value is string => typeof value === "string" && digestForm.test(value);

/** The bytes of a content, or what is wrong with it. A text that is no path is not quoted: it may be a content in another form. */
function bytesOf(given: string | Asset): Buffer | string {
    const { text, path, uri }: Asset = typeof given === "string" ? assetOf(given) : given;
    if (typeof path === "string" && path !== "") {
        try {
            return readFileSync(path);
        } catch (error) {
            const { code } = systemError.parse(error);
            if (typeof given === "string") return `${must}; taken for a path, it cannot be read (${code})`;
            return `must be a file that can be read: ${path} cannot (${code})`;
        }
    }
    if (typeof uri === "string" && uri !== "") return "must be a path or a text: assets with a URI are not fetched";
    return typeof text === "string" ? Buffer.from(text) : must;
}

const assetOf = (given: string): Asset => (given.trimStart().startsWith("{") ? { text: given } : { path: given });

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
    if (parsed === undefined) return noState({ problem: "what is given is not a JSON object" });
    const state = rawState.safeParse(parsed);
    if (!state.success) {
        const serial = "serial" in parsed ? "its serial is not a whole number" : "it holds no serial";
        const isLineage = state.error.issues.every(({ path }) => path[0] === "lineage");
        return noState({ problem: isLineage ? "its lineage is not a string" : serial });
    }
    return { bytes, serial: state.data.serial, lineage: state.data.lineage || undefined, md5: md5Of(bytes) };
}

/** A raw state. */
export const rawStateContent = contentType((bytes) => {
    const state = readRawState(bytes);
    return typeof state === "string" ? state : undefined;
});

/** A JSON object of any shape. */
export const jsonContent = contentType((bytes) =>
    parsedObject(bytes) === undefined ? "must be a JSON object" : undefined,
);

/** The JSON object that bytes hold, if they hold one. */
export function parsedObject(bytes: Buffer): Values | undefined {
    try {
        const value: unknown = JSON.parse(bytes.toString("utf8"));
        return isRecord(value) ? value : undefined;
    } catch {
        return undefined;
    }
}
