/** The rows of `npx pulumi-statecraft history`: each state version, with what it gained and lost against the version before, and their table. */

import type { Context } from "../core/context";
import { asStatecraftError, sentencesOf } from "../errors";
import { runText } from "../services/state-versions/get-workspace";
import { resourcesOf } from "../services/state-versions/new-version";
import {
    holdsContent,
    type ManagedResource,
    type Related,
    readContent,
    type StateVersion,
    versionRecord,
} from "../services/state-versions/records";
import { contentProblem, partsOf } from "../services/state-versions/state-parts";
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

/** How many states are downloaded at most. */
export const mostCounted = 30;

/** The versions, with the resources of the first ones whose records do not count them. */
export async function countedVersions(context: Context, versions: readonly StateVersion[]): Promise<StateVersion[]> {
    const isUncounted = (version: StateVersion) => holdsContent(version.status ?? "finalized") && !countedIn(version);
    const wanted = versions.filter(isUncounted).slice(0, mostCounted);
    const counted = new Map<string, StateVersion>();
    // One after the other, because a state may be large.
    for (const [index, version] of wanted.entries()) {
        context.progress(`counting the resources of ${version.id}, ${index + 1} of ${wanted.length}`);
        try {
            const { entries } = partsOf((await readContent(context, version)).bytes, version.id, contentProblem);
            const resources = entries.map(({ record }) => record);
            counted.set(version.id, { ...version, resources, modules: {}, resourcesProcessed: true });
        } catch (error) {
            const failure = asStatecraftError(error);
            context.warn(failure.code, `${version.id} is not counted, because ${sentencesOf(failure)}`);
        }
    }
    return versions.map((version) => counted.get(version.id) ?? version);
}

const columns = ["CREATED", "AGE", "SERIAL", "VERSION", "WHO"];
type Shown = Row & { readonly workspace?: string; readonly below?: readonly string[] };

/** The lines of a table. Rows of many workspaces name theirs. */
export function tableOf(rows: readonly Shown[]): string[] {
    const heads = rows.some(({ workspace }) => workspace) ? [...columns, "WORKSPACE"] : columns;
    const cells = [heads, ...rows.map((row) => [...cellsOf(row), row.workspace ?? ""])];
    const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
    const padded = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0);
    const below = [[], ...rows.map(detailsOf)];
    return cells.flatMap((row, index) => [row.map(padded).join("  ").trimEnd(), ...(below[index] ?? [])]);
}

function cellsOf({ version, who = "?", marks }: Row): string[] {
    const { id, serial = "?" } = version;
    const created = createdAtOf(version);
    const minutes = Math.floor((Date.now() - created) / 60_000);
    const hours = Math.floor(minutes / 60);
    const age = hours < 2 ? `${minutes}m` : hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
    // The Swedish form of a time is that of ISO 8601.
    const times = created === 0 ? ["?", "?"] : [new Date(created).toLocaleString("sv").slice(0, 16), age];
    return [...times, String(serial), marks.includes("current") ? `${id} (current)` : id, who];
}

/** The lines below that of a version: its other marks, its run and commit, and what it gained and lost. */
function detailsOf({ version: { vcsCommitSha, runId }, run, marks, below = [], ...change }: Shown): string[] {
    const others = marks.filter((mark) => mark !== "current").join(", ");
    const commit = vcsCommitSha && `commit ${vcsCommitSha.slice(0, 8)}`;
    const source = [...[commit, run ? runText(run) : runId].filter(Boolean).join(", ")].slice(0, 76);
    return [others, source.join("").trimEnd(), ...changeTexts(change), ...below]
        .filter(Boolean)
        .map((text) => `    ${text}`);
}
