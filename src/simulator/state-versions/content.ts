/** Reads what a raw state tells about itself: the part of the service that looks into uploaded content. */

/** One line of the record's `resources`. */
export interface ResourceLine {
    name: string;
    type: string;
    count: number;
    module: string;
    provider: string;
}

/** What a raw state says. */
export interface StateContent {
    formatVersion: number;
    serial: number;
    lineage: string | null;
    toolVersion: string;
    outputNames: string[];
    resources: ResourceLine[];
}

/** Reads a raw state; a text says why it is none. */
export function readState(raw: Buffer): StateContent | string {
    let parsed: unknown;
    try {
        parsed = JSON.parse(raw.toString("utf8"));
    } catch {
        return "state is not JSON";
    }
    if (!isObject(parsed)) {
        return "state is not a JSON object";
    }
    const { version, serial, lineage, outputs, resources } = parsed;
    if (!isCount(version)) {
        return "state holds no integer version";
    }
    if (!isCount(serial)) {
        return "state holds no integer serial";
    }
    return {
        formatVersion: version,
        serial,
        // Early client tools wrote no lineage.
        lineage: typeof lineage === "string" && lineage !== "" ? lineage : null,
        toolVersion: toolVersionOf(parsed),
        outputNames: isObject(outputs) ? Object.keys(outputs) : [],
        resources: Array.isArray(resources) ? resources.flatMap(resourceLine) : [],
    };
}

/** The tool writes its version under its own name (`tool_version` for a tool called `tool`), so the name's end decides. */
function toolVersionOf(state: Record<string, unknown>): string {
    for (const [key, value] of Object.entries(state)) {
        if (/^[a-z]+[-_]version$/.test(key) && typeof value === "string") {
            return value;
        }
    }
    return "";
}

function resourceLine(resource: unknown): ResourceLine[] {
    if (!isObject(resource) || !Array.isArray(resource["instances"]) || resource["instances"].length === 0) {
        return [];
    }
    const type = text(resource["type"]);
    return [
        {
            name: text(resource["name"]),
            type: resource["mode"] === "data" ? `data.${type}` : type,
            count: resource["instances"].length,
            module: text(resource["module"]) || "root",
            provider: text(resource["provider"]),
        },
    ];
}

/** Counts by resource type under the module or the provider of each line. */
export function countBy(lines: readonly ResourceLine[], key: "module" | "provider"): object {
    const groups = new Map<string, Map<string, number>>();
    for (const line of lines) {
        const group = groups.get(line[key]) ?? new Map<string, number>();
        group.set(line.type, (group.get(line.type) ?? 0) + line.count);
        groups.set(line[key], group);
    }
    return Object.fromEntries([...groups].map(([name, counts]) => [name, Object.fromEntries(counts)]));
}

/** Whether a tool of this version writes the stable JSON format, which came with 1.3. */
export function writesJson(toolVersion: string): boolean {
    const [, major, minor] = /^(\d+)\.(\d+)/.exec(toolVersion) ?? [];
    return major !== undefined && (Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 3));
}

/** A JSON object, and neither an array nor `null`. */
export function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An integer that is not negative. */
export function isCount(value: unknown): value is number {
    return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function text(value: unknown): string {
    return typeof value === "string" ? value : "";
}
