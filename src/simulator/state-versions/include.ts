/** Related resources that come along with versions: what `include` asks for. */
import type { Request } from "../route";
import { outputId, type recordOf } from "./answers";
import { isObject, readState } from "./content";
import type { StateVersion } from "./records";
import { badRequest } from "./rules";

const ALLOWED = ["created_by", "run", "run.created_by", "run.configuration_version", "outputs"];

/** The `included` part of an answer that shows these records; none where nothing was asked for. */
export function relatedOf(
    versions: readonly StateVersion[],
    records: readonly ReturnType<typeof recordOf>[],
    request: Request,
): { included?: object[] } {
    const asked = request.query.get("include");
    if (asked === null) {
        return {};
    }
    const names = asked.split(",").filter((name) => name !== "");
    for (const name of names) {
        if (!ALLOWED.includes(name)) {
            throw badRequest(`include knows no ${name}`);
        }
    }
    // Outputs come when the record names them, which may be later than the version itself.
    const named = new Set(records.flatMap(({ relationships }) => relationships.outputs.data.map(({ id }) => id)));
    const found = new Map<string, object>();
    for (const version of versions) {
        for (const record of names.flatMap((name) => recordsOf(version, name))) {
            if (record.type !== "state-version-outputs" || named.has(record.id)) {
                found.set(`${record.type} ${record.id}`, record);
            }
        }
    }
    return { included: [...found.values()] };
}

/** The records of a version's outputs, values in clear. */
export function outputRecords(version: StateVersion) {
    const raw = version.raw === null ? "not yet" : readState(Buffer.from(version.raw, "base64"));
    if (typeof raw === "string") {
        return [];
    }
    const parsed: unknown = JSON.parse(Buffer.from(version.raw ?? "", "base64").toString("utf8"));
    const outputs = isObject(parsed) && isObject(parsed["outputs"]) ? parsed["outputs"] : {};
    return Object.entries(outputs).map(([name, output]) => {
        const { value = null, type = "string", sensitive = false } = isObject(output) ? output : { value: output };
        return {
            id: outputId(version, name),
            type: "state-version-outputs",
            attributes: { name, sensitive, type, value },
            links: { self: `/api/v2/state-version-outputs/${outputId(version, name)}` },
        };
    });
}

/** Beyond their identifiers, the document does not show these records. A nested name brings what it goes through. */
function recordsOf(version: StateVersion, name: string): { id: string; type: string }[] {
    const user =
        version.createdBy === null ? [] : [record(version.createdBy, "users", { username: version.createdBy })];
    const run = version.run === null ? [] : [record(version.run, "runs", { status: "applied" })];
    const configuration =
        version.run === null ? [] : [record(`cv-${version.run}`, "configuration-versions", { status: "uploaded" })];
    switch (name) {
        case "created_by":
            return user;
        case "run":
            return run;
        case "run.created_by":
            return version.run === null ? [] : [...run, ...user];
        case "run.configuration_version":
            return [...run, ...configuration];
        default:
            return outputRecords(version);
    }
}

function record(id: string, type: string, attributes: object) {
    return { id, type, attributes };
}
