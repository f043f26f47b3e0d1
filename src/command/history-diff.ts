/** The differences between two state versions, without any value: `statecraft history <workspace> --diff`. */

import { isDeepStrictEqual } from "node:util";
import type { Context } from "../core/context";
import { StatecraftError, sentencesOf } from "../errors";
import { isRecord, mapValues, parsedObject, type Values } from "../schema/values";
import type { Workspace } from "../services/state-versions/get-workspace";
import { readCurrent, readVersion, type StateVersion } from "../services/state-versions/records";
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

const described = ({ id, serial, createdAt }: StateVersion) => `${id} (serial ${serial ?? "?"}, ${createdAt ?? "?"})`;

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
            ...[...now].flatMap(([address, json]) => changesOf(address, before.get(address) ?? json, json)),
            "",
            `A rollback to ${older.id} would lose from the state: ${added.join(", ") || "nothing"}`,
        ];
    } catch (error) {
        if (!(error instanceof StatecraftError)) throw error;
        context.warn(error.code, `only the counts of resources are compared, because ${sentencesOf(error)}`);
        return [changeText(changeBetween(older, newer), Number.POSITIVE_INFINITY)];
    }
}

/** A line with the names of the attributes that differ between two objects, given as JSON. */
function changesOf(address: string, old: string, now: string): string[] {
    if (old === now) return [];
    const [before = {}, after = {}] = [parsedObject(old), parsedObject(now)];
    const names = Object.keys({ ...before, ...after }).filter((name) => !isDeepStrictEqual(before[name], after[name]));
    return names.length === 0 ? [] : [`~ ${address}: ${names.join(", ")}`];
}

/** The managed instances and the outputs of a state by their addresses, each as JSON, which takes less memory than an object. */
async function outlineOf({ client }: Context, version: StateVersion): Promise<ReadonlyMap<string, string>> {
    const url = version.signedUrl("hosted-state-download-url");
    const state = url === undefined ? undefined : parsedObject(await client.download(url));
    if (state?.["version"] !== 4) throw new StatecraftError("content", `${version.id} has no state of format 4`);
    const outputs = isRecord(state["outputs"]) ? Object.entries(state["outputs"]) : [];
    const resources = recordsIn(state["resources"]).filter(({ mode }) => mode !== "data");
    return new Map([
        ...resources.flatMap((resource) => recordsIn(resource["instances"]).map((each) => entryOf(resource, each))),
        ...outputs.map(([name, output]) => [`output ${name}`, JSON.stringify(output)] as const),
    ]);
}

const recordsIn = (list: unknown) => (Array.isArray(list) ? list.filter(isRecord) : []);

function entryOf({ module, type, name }: Values, { index_key: index, deposed, attributes = {} }: Values) {
    const block = [module, type, name].filter(Boolean).join(".");
    const address = index === undefined ? block : `${block}[${JSON.stringify(index)}]`;
    return [deposed ? `${address} (deposed ${deposed})` : address, JSON.stringify(attributes)] as const;
}
