/**
 * Compares a state with its record before a new version is based on it: a store may answer with an older file, and the new version would lose
 * everything newer.
 */

import type { Context } from "../../core/context";
import { StatecraftError } from "../../errors";
import { resourcesOf } from "./new-version";
import type { StateVersion } from "./records";
import type { Entry, Instance } from "./state-parts";
import { shortList } from "./terraform-address";

/**
 * Warns of a state that has more than its record.
 * @param entries the resources of the state, if its format is 4
 * @throws StatecraftError for a state that has less
 */
export function verifyBase(context: Context, version: StateVersion, serial: number, entries?: readonly Entry[]): void {
    // After a rollback, the serial in the record of some servers is not that in the file.
    const recorded = version.rollbackStateVersionId === undefined ? (version.serial ?? serial) : serial;
    const { absent, added } = countsOf(version, entries);
    const file = `the state of ${version.id} that the service returned`;
    if (serial < recorded || absent.length > 0) {
        const lack =
            absent.length > 0 ? `lacks ${shortList(absent)}` : `has the serial ${serial} instead of ${recorded}`;
        const message = `${file} is not the one in its record: it ${lack}`;
        const hint = "Run again: the store, or a cache in front of it, may have answered with an older state";
        throw new StatecraftError("content", message, { hint });
    }
    if (serial > recorded) context.warn("content", `${file} has the serial ${serial}, and its record ${recorded}.`);
    if (added.length > 0) context.warn("content", `${file} has more than its record: ${shortList(added)}.`);
}

/** The resources of which a state has fewer instances than its record, and those of which it has more. */
function countsOf(version: StateVersion, entries: readonly Entry[] | undefined) {
    const recorded = version.resourcesProcessed ? resourcesOf(version) : undefined;
    if (recorded === undefined || entries === undefined) return { absent: [], added: [] };
    // Servers name modules in different ways.
    const records = sums(recorded.map(({ type, name, count }) => [`${type}.${name}`, count]));
    const all = sums(entries.map(({ recordName, instances }) => [recordName, instances.length]));
    const isCurrent = ({ deposed }: Instance) => deposed === undefined;
    const objects = sums(entries.map(({ recordName, instances }) => [recordName, instances.filter(isCurrent).length]));
    const hasData = recorded.some(({ type }) => type.startsWith("data."));
    const isCounted = (name: string) => hasData || !name.startsWith("data.");
    return {
        absent: [...records].flatMap(([name, count]) => ((all.get(name) ?? 0) < count ? [name] : [])),
        added: [...objects].flatMap(([name, count]) =>
            isCounted(name) && count > (records.get(name) ?? 0) ? [name] : [],
        ),
    };
}

function sums(counts: readonly (readonly [name: string, count: number])[]): Map<string, number> {
    const all = new Map<string, number>();
    for (const [name, count] of counts) all.set(name, (all.get(name) ?? 0) + count);
    return all;
}
