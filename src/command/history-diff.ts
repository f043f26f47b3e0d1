/** The differences between two state versions, without any value: `npx pulumi-statecraft history <workspace> --diff`. */

import type { Context } from "../core/context";
import { StatecraftError, sentencesOf } from "../errors";
import { mapValues, type Values } from "../schema/values";
import type { Workspace } from "../services/state-versions/get-workspace";
import { readContent, readCurrent, type StateVersion } from "../services/state-versions/records";
import { contentProblem, differing, partsOf } from "../services/state-versions/state-parts";
import { changeBetween, changeTexts, createdAtOf } from "./history-rows";
import { readTarget } from "./version";

/** The lines about two versions of a workspace. @param second default: the current version */
export async function diffLines(context: Context, workspace: Workspace, first: string, second: string | undefined) {
    const current = second === undefined ? await readCurrent(context, workspace.id) : undefined;
    const other = current ?? readTarget(context, workspace, second ?? "");
    const versions = await Promise.all([readTarget(context, workspace, first), other]);
    const [older, newer] = versions.sort((one, two) => createdAtOf(one) - createdAtOf(two));
    const isCurrent = older.id === (current?.id ?? workspace.currentStateVersionId);
    if (older.id === newer.id)
        return [`${described(older)} against itself: nothing differs.`, ...(isCurrent ? ["It is current."] : [])];
    return [
        `From ${described(older)} to ${described(newer)}: - gone, + new, ~ changed`,
        ...(await differences(context, older, newer)),
        "",
        ...(isCurrent ? [`${older.id} is current.`] : programLines(older, workspace)),
    ];
}

/** A program that rolls back. */
function programLines({ id: stateVersionId }: StateVersion, workspace: Workspace): string[] {
    const { organization, name, id } = mapValues({ ...workspace }, (value) => JSON.stringify(value));
    const byName = `statecraft.getWorkspaceOutput({ organization: ${organization}, name: ${name} }).id`;
    return [
        `This program rolls back to ${stateVersionId}:`,
        "",
        'import * as statecraft from "pulumi-statecraft";',
        "",
        'new statecraft.StateVersionRollback("undo", {',
        `    workspaceId: ${organization && name ? byName : id},`,
        `    stateVersionId: ${JSON.stringify(stateVersionId)},`,
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
        const before = await objectsIn(context, older);
        const now = await objectsIn(context, newer);
        const added = [...now.keys()].filter((address) => !before.has(address));
        return [
            ...[...before.keys()].filter((address) => !now.has(address)).map((address) => `- ${address}`),
            ...added.map((address) => `+ ${address}`),
            ...[...now].flatMap(([address, valuesOf]) => {
                const old = before.get(address);
                const names = old ? differing(old(), valuesOf()) : [];
                return names.length === 0 ? [] : [`~ ${address}: ${names.join(", ")}`];
            }),
            "",
            `A rollback to ${older.id} would lose from the state: ${added.join(", ") || "nothing"}`,
        ];
    } catch (error) {
        if (!(error instanceof StatecraftError)) throw error;
        context.warn(error.code, `only the counts of resources are compared, because ${sentencesOf(error)}`);
        return [changeTexts(changeBetween(older, newer), Number.POSITIVE_INFINITY).join(", ") || "?"];
    }
}

/** The attributes of the managed instances of a state, and its outputs, by their addresses. Each is parsed when it is compared. */
async function objectsIn(context: Context, version: StateVersion): Promise<ReadonlyMap<string, () => Values>> {
    const { bytes } = await readContent(context, version);
    const { attributesOf, managed, outputs } = partsOf(bytes, version.id, contentProblem);
    const instances = managed.map((instance): [string, () => Values] => {
        const { address, deposed } = instance;
        return [deposed ? `${address} (deposed ${deposed})` : address, () => attributesOf(instance)];
    });
    const named = Object.entries(outputs).map(([name, output]): [string, () => Values] => {
        return [`output ${name}`, () => Object(output)];
    });
    return new Map([...instances, ...named]);
}
