/** Parses raw states. */

import { z } from "zod";
import { isObject, type JsonObject, parsed } from "../json";

const text = z.string().catch("");
const resource = z.object({
    mode: text,
    name: text,
    type: text,
    module: text,
    provider: text,
    instances: z.array(z.unknown()),
});
const rawState = z.looseObject({
    version: z.int().nonnegative(),
    serial: z.int().nonnegative(),
    // Absent in states of early Terraform versions.
    lineage: text,
    outputs: z.custom<JsonObject>(isObject).catch({}),
    resources: z.array(resource).catch([]),
});

/** The properties of a raw state that the service shows. */
export type StateContent = NonNullable<ReturnType<typeof readState>>;

/** Parses a raw state. Returns `undefined` for any other text. */
export function readState(raw: string | null) {
    const { data: state } = rawState.safeParse(parsed(raw ?? ""));
    if (state === undefined) return undefined;
    // A tool called `tool` writes its version as `tool_version`.
    const toolVersion = Object.entries(state).find(([key]) => /^[a-z]+[-_]version$/.test(key))?.[1];
    return {
        formatVersion: state.version,
        serial: state.serial,
        lineage: state.lineage || null,
        toolVersion: typeof toolVersion === "string" ? toolVersion : "",
        outputs: state.outputs,
        resources: state.resources
            .filter(({ instances }) => instances.length > 0)
            .map(({ mode, name, type, module, provider, instances }) => ({
                name,
                type: mode === "data" ? `data.${type}` : type,
                count: instances.length,
                module: module || "root",
                provider,
            })),
    };
}

/** The counts of each resource type, by module or by provider. */
export function countBy(lines: StateContent["resources"], key: "module" | "provider"): object {
    const groups: Record<string, Record<string, number>> = {};
    for (const line of lines) {
        const group = groups[line[key]];
        groups[line[key]] = { ...group, [line.type]: (group?.[line.type] ?? 0) + line.count };
    }
    return groups;
}

/** Whether a tool of this version writes the stable JSON format. */
export function writesJson(toolVersion: string): boolean {
    const [major = 0, minor = 0] = toolVersion.split(".").map(Number);
    return major > 1 || (major === 1 && minor >= 3);
}
