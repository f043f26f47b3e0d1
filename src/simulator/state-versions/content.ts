/** Reads what a raw state tells about itself: the part of the service that looks into uploaded content. */

import { isCount, isObject, type JsonObject, parsed } from "../json";

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
    outputs: JsonObject;
    resources: ResourceLine[];
}

/** Reads a raw state; a string says why it is none. */
export function readState(raw: Buffer): StateContent | string {
    const state = parsed(raw);
    if (state === undefined) return "state is not JSON";
    if (!isObject(state)) return "state is not a JSON object";
    const { version, serial, lineage, outputs, resources } = state;
    if (!isCount(version)) return "state holds no integer version";
    if (!isCount(serial)) return "state holds no integer serial";
    return {
        formatVersion: version,
        serial,
        // Early client tools wrote no lineage.
        lineage: text(lineage) || null,
        toolVersion: toolVersionIn(state),
        outputs: isObject(outputs) ? outputs : {},
        resources: Array.isArray(resources) ? resources.flatMap(resourceLine) : [],
    };
}

/** The tool writes its version under its own name (`tool_version` for a tool called `tool`), so the name's end decides. */
function toolVersionIn(state: JsonObject): string {
    const isVersion = ([key, value]: [string, unknown]) => /^[a-z]+[-_]version$/.test(key) && typeof value === "string";
    return text(Object.entries(state).find(isVersion)?.[1]);
}

function resourceLine(resource: unknown): ResourceLine[] {
    if (!isObject(resource)) return [];
    const { instances, mode, name, type, module, provider } = resource;
    if (!Array.isArray(instances) || instances.length === 0) return [];
    return [
        {
            name: text(name),
            type: mode === "data" ? `data.${text(type)}` : text(type),
            count: instances.length,
            module: text(module) || "root",
            provider: text(provider),
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
    return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 3);
}

function text(value: unknown): string {
    return typeof value === "string" ? value : "";
}
