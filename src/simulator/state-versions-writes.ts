/** What makes state versions: creating, uploading, rolling back. Everything is checked before anything changes. */
import type { Request } from "./route";
import { isCount, isObject, readState, type StateContent } from "./state-versions-content";
import {
    bodyOf,
    conflict,
    malformed,
    notFound,
    type Principal,
    type StateVersionsContext,
} from "./state-versions-rules";
import {
    currentOf,
    finalize,
    md5Of,
    type StateVersion,
    type StateVersionsWorld,
    type Workspace,
} from "./state-versions-world";

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
        contentFor(announced, announced.raw);
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

/** Creates a version; with a raw state it is current at once, without it waits for its upload. */
export function create(
    context: StateVersionsContext,
    workspace: Workspace,
    caller: Principal,
    announced: NewVersion,
): StateVersion {
    demandSuccession(context.world, workspace, announced);
    const version = add(context, workspace, caller, {
        ...announced,
        raw: announced.raw && announced.raw.toString("base64"),
        json: announced.json && announced.json.toString("base64"),
        rollbackOf: null,
    });
    if (version.raw === null) {
        version.objects.rawUpload = context.id("object-");
        version.objects.jsonUpload = version.json === null ? context.id("object-") : null;
    } else {
        finalize(context.world, version, context.now());
    }
    return version;
}

/** Copies a version byte for byte, serial and all, and makes the copy current. */
export function rollBack(
    context: StateVersionsContext,
    workspace: Workspace,
    caller: Principal,
    source: StateVersion,
): StateVersion {
    if (source.status !== "finalized") {
        throw conflict(`State version ${source.id} is ${source.status}; only a finalized one can be rolled back to`);
    }
    const { serial, md5, lineage, raw, json } = source;
    const copy = { serial, md5, lineage, raw, json, outputNames: null, run: null, rollbackOf: source.id };
    const version = add(context, workspace, caller, copy);
    finalize(context.world, version, context.now());
    return version;
}

/** Takes content at an upload address, which serves once. Content that is refused leaves the address usable. */
export function upload(context: StateVersionsContext, objectId: string | undefined, content: Buffer): void {
    for (const version of context.world.versions) {
        if (objectId !== undefined && version.objects.rawUpload === objectId) {
            contentFor(version, content);
            version.raw = content.toString("base64");
            finalize(context.world, version, context.now());
            return;
        }
        if (objectId !== undefined && version.objects.jsonUpload === objectId) {
            version.json = content.toString("base64");
            version.objects.jsonUpload = null;
            return;
        }
    }
    throw notFound();
}

type Parts = Pick<StateVersion, "serial" | "md5" | "lineage" | "raw" | "json" | "outputNames" | "run" | "rollbackOf">;

function add(context: StateVersionsContext, workspace: Workspace, caller: Principal, parts: Parts): StateVersion {
    const version: StateVersion = {
        id: context.id("sv-"),
        workspace: workspace.id,
        createdAt: context.now().toISOString(),
        createdBy: caller.id,
        status: "pending",
        ...parts,
        processing: null,
        objects: {
            rawUpload: null,
            jsonUpload: null,
            rawDownload: context.id("object-"),
            jsonDownload: context.id("object-"),
        },
    };
    context.world.versions.push(version);
    return version;
}

/** The document demands that serial and hash are those of the raw state itself, and wants the same of the lineage. */
function contentFor(announced: Pick<NewVersion, "serial" | "md5" | "lineage">, raw: Buffer): StateContent {
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
    return content;
}

/** A new version must follow the current one: same lineage, a serial that is not lower, equal only with equal content. */
function demandSuccession(world: StateVersionsWorld, workspace: Workspace, announced: NewVersion): void {
    const current = currentOf(world, workspace);
    if (!current) {
        return;
    }
    const lineage = (announced.raw && lineageIn(announced.raw)) ?? announced.lineage;
    const known = current.raw === null ? current.lineage : (lineageIn(Buffer.from(current.raw, "base64")) ?? null);
    if (lineage !== null && known !== null && lineage !== known) {
        throw conflict("The lineage provided in the state file does not match the lineage currently known remotely");
    }
    if (announced.serial < current.serial) {
        throw conflict("The serial provided in the state file is not greater than the serial currently known remotely");
    }
    if (announced.serial === current.serial && announced.md5 !== current.md5) {
        throw conflict("The MD5 hash provided does not match what is currently known for the same serial number");
    }
}

function lineageIn(raw: Buffer): string | null {
    const content = readState(raw);
    return typeof content === "string" ? null : content.lineage;
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
