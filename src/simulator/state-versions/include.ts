/** Related resources that come along with versions: what `include` asks for. */

import { isObject } from "../json";
import type { Request } from "../route";
import { badRequest } from "../simulator-error";
import { contentOf, outputId, type recordOf } from "./answers";
import type { StateVersion } from "./records";

interface RelatedRecord {
    readonly id: string;
    readonly type: string;
    readonly attributes: object;
}

/** What each name brings. A nested name brings what it goes through. Beyond their identifiers, the document does not show these records. */
const related: ReadonlyMap<string, (version: StateVersion) => readonly RelatedRecord[]> = new Map([
    ["created_by", userOf],
    ["run", runOf],
    ["run.created_by", (version) => (version.run === null ? [] : [...runOf(version), ...userOf(version)])],
    ["run.configuration_version", (version) => [...runOf(version), ...configurationOf(version)]],
    ["outputs", outputRecords],
]);

/** The `included` part of an answer that shows these records; none where nothing was asked for. */
export function includedIn(
    versions: readonly StateVersion[],
    records: readonly ReturnType<typeof recordOf>[],
    { query }: Request,
): { included?: object[] } {
    const asked = query.get("include");
    if (asked === null) return {};
    const readers = asked
        .split(",")
        .filter((name) => name !== "")
        .map((name) => {
            const reader = related.get(name);
            if (reader === undefined) throw badRequest(`include knows no ${name}`);
            return reader;
        });
    // Outputs come when the record names them, which may be later than the version itself.
    const named = new Set(records.flatMap(({ relationships }) => relationships.outputs.data.map(({ id }) => id)));
    const found = versions
        .flatMap((version) => readers.flatMap((reader) => reader(version)))
        .filter(({ id, type }) => type !== "state-version-outputs" || named.has(id));
    return { included: [...new Map(found.map((record) => [`${record.type} ${record.id}`, record])).values()] };
}

/** The records of a version's outputs, values in clear. */
export function outputRecords(version: StateVersion): RelatedRecord[] {
    return Object.entries(contentOf(version)?.outputs ?? {}).map(([name, output]) => {
        const { value = null, type = "string", sensitive = false } = isObject(output) ? output : { value: output };
        const id = outputId(version, name);
        return {
            id,
            type: "state-version-outputs",
            attributes: { name, sensitive, type, value },
            links: { self: `/api/v2/state-version-outputs/${id}` },
        };
    });
}

function userOf({ createdBy: id }: StateVersion): RelatedRecord[] {
    return id === null ? [] : [{ id, type: "users", attributes: { username: id } }];
}

function runOf({ run: id }: StateVersion): RelatedRecord[] {
    return id === null ? [] : [{ id, type: "runs", attributes: { status: "applied" } }];
}

function configurationOf({ run }: StateVersion): RelatedRecord[] {
    const type = "configuration-versions";
    return run === null ? [] : [{ id: `cv-${run}`, type, attributes: { status: "uploaded" } }];
}
