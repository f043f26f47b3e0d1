/** Reads the bodies of requests that make state versions. */

import { isCount, isObject, type JsonObject, parsed } from "../json";
import type { Request } from "../route";
import { readState } from "./content";
import { md5Of, type StateVersion } from "./records";
import { bodyOf, malformed, objectAt } from "./rules";

/** What a request to create a version says. Contents are base64. */
export type Announced = Pick<StateVersion, "serial" | "md5" | "lineage" | "raw" | "json" | "outputNames" | "run">;

/** Reads the body of a create; refuses what is missing, mistyped or at odds with the raw state that it carries. */
export function readNewVersion(request: Request): Announced {
    const data = dataOf(request);
    const attributes = objectAt(data, "attributes");
    const { serial, md5, lineage = null } = attributes;
    for (const name of ["serial", "md5"]) {
        if ((attributes[name] ?? null) === null) throw malformed(`required parameter missing: ${name}`);
    }
    if (!isCount(serial)) throw malformed("serial is not an integer");
    if (typeof md5 !== "string") throw malformed("md5 is not a string");
    if (lineage !== null && typeof lineage !== "string") throw malformed("lineage is not a string");
    const outputs = decoded(attributes, "json-state-outputs");
    const raw = decoded(attributes, "state");
    const announced = {
        serial,
        md5: md5.toLowerCase(),
        lineage: lineage || null,
        raw: raw?.toString("base64") ?? null,
        json: decoded(attributes, "json-state")?.toString("base64") ?? null,
        outputNames: outputs && outputNamesOf(outputs),
        run: relatedId(data, "run", "runs"),
    };
    if (raw) checkContent(announced, raw);
    return announced;
}

/** Reads the body of a rollback: the id of the version to restore. */
export function readRollback(request: Request): string {
    const source = relatedId(dataOf(request), "rollback-state-version", "state-versions");
    if (source === null) throw malformed("required parameter missing: rollback-state-version");
    return source;
}

/** The document demands that serial and hash are those of the raw state itself, and wants the same of the lineage. */
export function checkContent(
    { md5, serial, lineage }: Pick<StateVersion, "serial" | "md5" | "lineage">,
    raw: Buffer,
): void {
    const content = readState(raw);
    if (typeof content === "string") throw malformed(content);
    if (md5Of(raw) !== md5) throw malformed("md5 does not match the state");
    if (content.serial !== serial) {
        throw malformed(`serial ${serial} does not match the state's serial ${content.serial}`);
    }
    if (lineage !== null && content.lineage !== null && lineage !== content.lineage) {
        throw malformed("lineage does not match the state's lineage");
    }
}

function dataOf(request: Request): JsonObject {
    const { data } = bodyOf(request);
    if (!isObject(data)) throw malformed("required parameter missing: data");
    if (data["type"] !== "state-versions") throw malformed("data.type must be state-versions");
    return data;
}

/** The id in a relationship; `null` when it is left out. */
function relatedId(data: JsonObject, name: string, type: string): string | null {
    const relationships = data["relationships"] ?? {};
    const relationship = isObject(relationships) ? (relationships[name] ?? null) : undefined;
    const target = isObject(relationship) ? (relationship["data"] ?? null) : relationship;
    if (target === null) return null;
    const { id } = isObject(target) && target["type"] === type ? target : {};
    if (typeof id !== "string" || id === "") throw malformed(`${name} must name one of ${type} by type and id`);
    return id;
}

/** An attribute that holds base64; `null` when it is left out. */
function decoded(attributes: JsonObject, name: string): Buffer | null {
    const value = attributes[name] ?? null;
    if (value === null) return null;
    const compact = typeof value === "string" ? value.replace(/[\r\n]/g, "") : undefined;
    // The decoder of Node takes anything; a server does not.
    if (compact === undefined || compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) {
        throw malformed(`${name} is not base64`);
    }
    return Buffer.from(compact, "base64");
}

function outputNamesOf(outputs: Buffer): string[] {
    const names = parsed(outputs);
    if (!isObject(names)) throw malformed("json-state-outputs is not a JSON object");
    return Object.keys(names);
}
