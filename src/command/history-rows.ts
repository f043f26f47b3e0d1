/** The rows of `npx pulumi-statecraft history`: each state version, with what it gained and lost against the version before. */

import { resourcesOf } from "../services/state-versions/new-version";
import {
    holdsContent,
    type ManagedResource,
    type Related,
    type StateVersion,
    versionRecord,
} from "../services/state-versions/records";
import { additions, terraformAddress } from "../services/state-versions/state-version-rollback";

/** A state version in the table. A property is absent if the server does not tell. */
export type Row = ReturnType<typeof rowsOf>[number];

/** When a version was created, in milliseconds since the epoch. */
export const createdAtOf = ({ createdAt = "" }: StateVersion) => Date.parse(createdAt) || 0;

/**
 * Makes a row of each version, which is compared with the newest older one that is counted, `previous`. `isCompared` is false if both have content
 * but one of them is not counted. The newest is the first: serials repeat after rollbacks, so they order nothing.
 */
export function rowsOf(versions: readonly StateVersion[], { runs, accounts }: Related, current?: string) {
    const sorted = [...versions].sort((one, other) => createdAtOf(other) - createdAtOf(one));
    return sorted.map((version, index) => {
        const { runId, createdById } = version;
        const run = runs.get(runId ?? "");
        const user = runId === undefined ? createdById : run?.createdById;
        const who = user === undefined ? runId : (accounts.get(user) ?? user);
        const older = sorted.slice(index + 1).find((other) => countedIn(other) !== undefined);
        const change = changeBetween(older, version);
        const isFirst = !sorted.slice(index + 1).some(hasContent);
        const isCompared = change.lost !== undefined || isFirst || !hasContent(version);
        return { version, who, run, ...change, marks: marksOf(version, current), previous: older?.id, isCompared };
    });
}

export const hasContent = ({ status = "finalized" }: StateVersion) => holdsContent(status);

/** The managed resources of a version that is finalized and processed. `undefined` for another version, or if the server lists none. */
export function countedIn(version: StateVersion) {
    if (!hasContent(version) || !version.resourcesProcessed) return undefined;
    return resourcesOf(version)?.filter(({ type }) => !type.startsWith("data."));
}

/** The blocks that the newer version gained and lost, with the difference as `count`. */
export function changeBetween(older: StateVersion | undefined, newer: StateVersion) {
    const [before, now] = [older && countedIn(older), countedIn(newer)];
    return before && now ? { gained: additions(now, before), lost: additions(before, now) } : {};
}

function marksOf(version: StateVersion, current: string | undefined): string[] {
    const { id, status = "finalized", intermediate, resourcesProcessed, rollbackStateVersionId } = version;
    const absent = status.replace("backing_data_", "").replace("_", "-");
    return [
        id === current && "current",
        rollbackStateVersionId && `rollback of ${rollbackStateVersionId}`,
        intermediate && "snapshot",
        holdsContent(status) ? !resourcesProcessed && "not processed yet" : absent,
    ].filter((mark) => typeof mark === "string");
}

/**
 * A change as texts: `-41 in module.db (12 types)`, `+3 aws_instance.web`. At most `most` items, the largest first, then the sums of all. Empty if
 * the change is unknown.
 */
export function changeTexts({ gained, lost }: ReturnType<typeof changeBetween>, most = 3): string[] {
    if (gained === undefined || lost === undefined) return [];
    const items = [...itemsOf("-", lost), ...itemsOf("+", gained)].sort((one, other) => other.count - one.count);
    if (items.length === 0) return ["same resources"];
    const texts = items.slice(0, most).map(({ sign, count, what }) => `${sign}${count} ${what}`);
    const sums = [`+${sumOf(gained)}`, `-${sumOf(lost)}`].filter((sum) => !/^.0$/.test(sum));
    return items.length > most ? [...texts, `in all ${sums.join(" ")}`] : texts;
}

export const sumOf = (items: readonly { readonly count: number }[]) => items.reduce((sum, { count }) => sum + count, 0);

/** The blocks of one module as one item, and each block of the outermost module as an item of its own. */
function itemsOf(sign: string, blocks: readonly ManagedResource[]) {
    const groups = new Map<string, ManagedResource[]>();
    for (const block of blocks) {
        const key = block.module === "root" ? terraformAddress(block) : block.module;
        groups.set(key, [...(groups.get(key) ?? []), block]);
    }
    return [...groups].map(([key, group]) => {
        const types = new Set(group.map(({ type }) => type)).size;
        const whole = `in ${key} (${types} ${types === 1 ? "type" : "types"})`;
        return { sign, what: group.length > 1 ? whole : group.map(terraformAddress).join(""), count: sumOf(group) };
    });
}

/** The fields of a row, without the signed URLs of its version. */
export function recordOf({ version, previous: _, isCompared: __, ...row }: Row) {
    return { ...versionRecord.parse(version), ...row };
}
