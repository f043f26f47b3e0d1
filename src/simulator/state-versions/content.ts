/** Reads what a raw state tells about itself: the part of the service that looks into uploaded content. */

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
    version: z.int("state holds no integer version").nonnegative(),
    serial: z.int("state holds no integer serial").nonnegative(),
    // Early client tools wrote no lineage.
    lineage: text,
    outputs: z.custom<JsonObject>(isObject).catch({}),
    resources: z.array(resource).catch([]),
});

/** What a raw state says. */
export type StateContent = Exclude<ReturnType<typeof readState>, string>;

/** Reads a raw state; a string says why it is none. */
export function readState(raw: string) {
    const { data: state, error } = rawState.safeParse(parsed(raw));
    if (!state)
        return error.issues[0]?.path.length === 0 ? "state is not a JSON object" : `${error.issues[0]?.message}`;
    // Each tool writes its version under its own name: `tool_version` for a tool called `tool`.
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

/** Counts by resource type under the module or the provider of each line. */
export function countBy(lines: StateContent["resources"], key: "module" | "provider"): object {
    const groups: Record<string, Record<string, number>> = {};
    for (const line of lines) {
        const group = groups[line[key]];
        groups[line[key]] = { ...group, [line.type]: (group?.[line.type] ?? 0) + line.count };
    }
    return groups;
}

/** Whether a tool of this version writes the stable JSON format, which came with 1.3. */
export function writesJson(toolVersion: string): boolean {
    const [major = 0, minor = 0] = toolVersion.split(".").map(Number);
    return major > 1 || (major === 1 && minor >= 3);
}
