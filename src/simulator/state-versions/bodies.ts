/** Reads the bodies of requests that make state versions. */
import type { Request } from "../route";
import { isCount, isObject, readState } from "./content";
import { md5Of } from "./records";
import { bodyOf, malformed } from "./rules";

/** What a request to create a version says. */
export interface NewVersion {
    readonly serial: number;
    readonly md5: string;
    readonly lineage: string | null;
    readonly raw: Buffer | null;
    readonly json: Buffer | null;
    readonly outputNames: string[] | null;
    readonly run: string | null;
}

/** Reads the body of a create; refuses what is missing, mistyped or at odds with the raw state that it carries. */
export function readNewVersion(request: Request): NewVersion {
    const data = dataOf(request);
    const attributes = isObject(data["attributes"]) ? data["attributes"] : {};
    const { serial, md5, lineage = null } = attributes;
    if (serial === undefined || serial === null) {
        throw malformed("required parameter missing: serial");
    }
    if (md5 === undefined || md5 === null) {
        throw malformed("required parameter missing: md5");
    }
    if (!isCount(serial)) {
        throw malformed("serial is not an integer");
    }
    if (typeof md5 !== "string") {
        throw malformed("md5 is not a string");
    }
    if (lineage !== null && typeof lineage !== "string") {
        throw malformed("lineage is not a string");
    }
    const outputs = decoded(attributes, "json-state-outputs");
    const announced: NewVersion = {
        serial,
        md5: md5.toLowerCase(),
        lineage: lineage || null,
        raw: decoded(attributes, "state"),
        json: decoded(attributes, "json-state"),
        outputNames: outputs && outputNamesOf(outputs),
        run: runOf(data),
    };
    if (announced.raw) {
        demandContent(announced, announced.raw);
    }
    return announced;
}

/** Reads the body of a rollback: the id of the version to restore. */
export function readRollback(request: Request): string {
    const source = relatedId(dataOf(request), "rollback-state-version", "state-versions");
    if (source === null) {
        throw malformed("required parameter missing: rollback-state-version");
    }
    return source;
}

/** The document demands that serial and hash are those of the raw state itself, and wants the same of the lineage. */
export function demandContent(announced: Pick<NewVersion, "serial" | "md5" | "lineage">, raw: Buffer): void {
    const content = readState(raw);
    if (typeof content === "string") {
        throw malformed(content);
    }
    if (md5Of(raw) !== announced.md5) {
        throw malformed("md5 does not match the state");
    }
    if (content.serial !== announced.serial) {
        throw malformed(`serial ${announced.serial} does not match the state's serial ${content.serial}`);
    }
    if (announced.lineage !== null && content.lineage !== null && announced.lineage !== content.lineage) {
        throw malformed("lineage does not match the state's lineage");
    }
}

function dataOf(request: Request): Record<string, unknown> {
    const { data } = bodyOf(request);
    if (!isObject(data)) {
        throw malformed("required parameter missing: data");
    }
    if (data["type"] !== "state-versions") {
        throw malformed("data.type must be state-versions");
    }
    return data;
}

function runOf(data: Record<string, unknown>): string | null {
    return relatedId(data, "run", "runs");
}

/** The id in a relationship; `null` when it is left out. */
function relatedId(data: Record<string, unknown>, name: string, type: string): string | null {
    const relationships = data["relationships"] ?? {};
    const relationship = isObject(relationships) ? (relationships[name] ?? null) : undefined;
    const target = isObject(relationship) ? (relationship["data"] ?? null) : relationship;
    if (target === null) {
        return null;
    }
    if (!isObject(target) || target["type"] !== type || typeof target["id"] !== "string" || target["id"] === "") {
        throw malformed(`${name} must name one of ${type} by type and id`);
    }
    return target["id"];
}

/** An attribute that holds base64; `null` when it is left out. */
function decoded(attributes: Record<string, unknown>, name: string): Buffer | null {
    const written = attributes[name] ?? null;
    if (written === null) {
        return null;
    }
    const compact = typeof written === "string" ? written.replace(/[\r\n]/g, "") : undefined;
    // The decoder of Node takes anything; a server does not.
    if (compact === undefined || compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) {
        throw malformed(`${name} is not base64`);
    }
    return Buffer.from(compact, "base64");
}

function outputNamesOf(outputs: Buffer): string[] {
    let parsed: unknown;
    try {
        parsed = JSON.parse(outputs.toString("utf8"));
    } catch {
        parsed = undefined;
    }
    if (!isObject(parsed)) {
        throw malformed("json-state-outputs is not a JSON object");
    }
    return Object.keys(parsed);
}
