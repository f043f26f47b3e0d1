/** The differences between two state versions, without any value: `statecraft history <workspace> --diff`. */

import { createHash } from "node:crypto";
import type { Context } from "../core/context";
import { StatecraftError, sentencesOf } from "../errors";
import { asJson } from "../schema/property-types";
import { isRecord, mapValues, sortedJson, type Values } from "../schema/values";
import { isEncrypted } from "../services/state-versions/content";
import type { Workspace } from "../services/state-versions/get-workspace";
import { readContent, readCurrent, readVersion, type StateVersion } from "../services/state-versions/records";
import { changeBetween, changeText, createdAtOf } from "./history-rows";

/** The lines about two versions of a workspace. @param second default: the current version */
export async function diffLines(context: Context, workspace: Workspace, first: string, second: string | undefined) {
    const other = second === undefined ? readCurrent(context, workspace.id) : readVersion(context, second);
    const versions = await Promise.all([readVersion(context, first), other]);
    const [older, newer] = versions.sort((one, two) => createdAtOf(one) - createdAtOf(two));
    const { organization, name, id } = mapValues({ ...workspace }, (value) => JSON.stringify(value));
    const byName = `statecraft.getWorkspaceOutput({ organization: ${organization}, name: ${name} }).id`;
    return [
        `From ${described(older)} to ${described(newer)}: - gone, + new, ~ changed`,
        ...(await differences(context, older, newer)),
        "",
        `This program rolls back to ${older.id}:`,
        "",
        'import * as statecraft from "pulumi-statecraft";',
        "",
        'new statecraft.StateVersionRollback("undo", {',
        `    workspaceId: ${organization && name ? byName : id},`,
        `    stateVersionId: ${JSON.stringify(older.id)},`,
        "});",
    ];
}

/** A version with its serial and its time. */
export const described = ({ id, serial, createdAt }: StateVersion) =>
    `${id} (serial ${serial ?? "?"}, ${createdAt ?? "?"})`;

/** The differences of the states. If one of them cannot be downloaded: of the counts in the records. */
async function differences(context: Context, older: StateVersion, newer: StateVersion): Promise<string[]> {
    try {
        // One after the other, because a state may be large.
        const before = await outlineOf(context, older);
        const now = await outlineOf(context, newer);
        const added = [...now.keys()].filter((address) => !before.has(address));
        return [
            ...[...before.keys()].filter((address) => !now.has(address)).map((address) => `- ${address}`),
            ...added.map((address) => `+ ${address}`),
            ...[...now].flatMap(([address, values]) => changesOf(address, before.get(address) ?? values, values)),
            "",
            `A rollback to ${older.id} would lose from the state: ${added.join(", ") || "nothing"}`,
        ];
    } catch (error) {
        const isNested = error instanceof RangeError;
        const failure = isNested ? new StatecraftError("content", "a state is nested too deeply or too large") : error;
        if (!(failure instanceof StatecraftError)) throw error;
        context.warn(failure.code, `only the counts of resources are compared, because ${sentencesOf(failure)}`);
        return [changeText(changeBetween(older, newer), Number.POSITIVE_INFINITY)];
    }
}

/** The names of attributes, and for each a line with its value as JSON or, if that is long, with a digest, which takes less memory. */
type Outline = readonly [names: string, lines: string];

/** A line with the names of the attributes that differ. */
function changesOf(address: string, old: Outline, now: Outline): string[] {
    if (old[0] === now[0] && old[1] === now[1]) return [];
    const [before, after] = [old, now].map(([names, lines]) => {
        const values = lines.split("\n");
        return new Map((JSON.parse(names) as string[]).map((name, index) => [name, values[index]]));
    });
    const all = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
    const changed = [...all].filter((name) => before?.get(name) !== after?.get(name));
    return changed.length === 0 ? [] : [`~ ${address}: ${changed.join(", ")}`];
}

/** The managed instances and the outputs of a state by their addresses. Numbers are compared with every digit. */
async function outlineOf(context: Context, version: StateVersion): Promise<ReadonlyMap<string, Outline>> {
    const { bytes } = await readContent(context, version);
    if (isEncrypted(bytes)) throw new StatecraftError("content", `the state of ${version.id} is encrypted`);
    const state = asJson(bytes.toString());
    if (!isRecord(state) || state["version"] !== 4)
        throw new StatecraftError("content", `${version.id} has no state of format 4`);
    const outputs = isRecord(state["outputs"]) ? Object.entries(state["outputs"]) : [];
    const resources: unknown[] = Array.isArray(state["resources"]) ? state["resources"] : [];
    const outline = new Map<string, Outline>();
    const known = new Map<string, string>();
    for (const [index, resource] of resources.entries()) {
        // The state is removed from memory while its outline grows.
        resources[index] = undefined;
        if (!isRecord(resource) || resource["mode"] === "data") continue;
        for (const each of recordsIn(resource["instances"])) {
            outline.set(addressOf(resource, each), outlined(each["attributes"], known));
        }
    }
    for (const [name, output] of outputs) outline.set(`output ${name}`, outlined(output, known));
    return outline;
}

const recordsIn = (list: unknown) => (Array.isArray(list) ? list.filter(isRecord) : []);

function addressOf({ module, type, name }: Values, { index_key: index, deposed }: Values): string {
    const block = [module, type, name].filter((part) => typeof part === "string" && part !== "").join(".");
    const address = index === undefined ? block : `${block}[${JSON.stringify(index)}]`;
    return deposed ? `${address} (deposed ${deposed})` : address;
}

/** @param known the lists of names so far, which many instances share */
function outlined(attributes: unknown, known: Map<string, string>): Outline {
    const entries = isRecord(attributes) ? Object.entries(attributes) : [];
    const lines = entries.map(([, value]) => {
        const json = sortedJson(value);
        return json.length <= 12 ? json : createHash("sha256").update(json).digest("base64url").slice(0, 12);
    });
    const names = JSON.stringify(entries.map(([name]) => name));
    if (!known.has(names)) known.set(names, names);
    return [known.get(names) ?? names, lines.join("\n")];
}
