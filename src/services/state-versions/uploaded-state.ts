/**
 * The states that rollbacks upload: an older state as a whole, or the current one with a part of the older one.
 *
 * The current state is compared with its record first: a store may answer with an older file, and the new version would lose everything newer.
 */

import type { Context } from "../../core/context";
import { step } from "../../core/steps";
import { StatecraftError } from "../../errors";
import { digestsOf, isEncrypted, md5Of, type RawState, rawStateIn } from "./content";
import { resourcesOf } from "./new-version";
import { bringBack, differencesOf, type Exceptions } from "./part-of-state";
import { spellingIn } from "./provider-spelling";
import { download, type ManagedResource, type StateVersion } from "./records";
import { type Entry, type Parts, partsOf, refusal, serialAbove, withSerial } from "./state-parts";
import { shortList } from "./terraform-address";

/** The state that an upload makes current, and its differences to the current one. */
export type Upload = NonNullable<Awaited<ReturnType<typeof uploadOver>>>;

interface Wanted extends Exceptions {
    readonly only?: readonly string[] | undefined;
    readonly upload?: boolean | undefined;
}

/** Downloads and compares both states. */
export async function uploadOver(context: Context, current: StateVersion, target: StateVersion, wanted: Wanted) {
    // One after the other, because each may have 100 MB.
    if (wanted.only) {
        const now = partsOf(await bytesOf(context, current), current.id);
        verifyBase(context, current, now.serial.value, now.entries);
        const then = partsOf(await bytesOf(context, target), target.id, refusal, spellingIn(now));
        return bringBack(now, then, wanted.only, wanted);
    }
    const now = wholeIn(await bytesOf(context, current), current.id);
    verifyBase(context, current, now.serial, now.parts?.entries);
    return bringWholeBack(now, wholeIn(await bytesOf(context, target), target.id));
}

const bytesOf = async (context: Context, version: StateVersion) =>
    (await download(context, version, true)) ?? Buffer.alloc(0);

const wholeRefusal = (message: string) =>
    new StatecraftError("content", step.about("upload") + message, {
        hint: "Choose another version, or upload a state with `StateVersion`",
    });

/** A raw state of any format with a serial. @throws StatecraftError for anything else */
function wholeIn(bytes: Buffer, version: string) {
    const state = rawStateIn(bytes);
    if (state === undefined) throw wholeRefusal(`the state of ${version} has no serial`);
    return { ...state, version, digests: digestsOf(bytes), parts: partsIn(bytes, version) };
}
type Whole = ReturnType<typeof wholeIn>;

/** `undefined` for a state of which no part could come back, such as one of another format. */
function partsIn(bytes: Buffer, version: string): Parts | undefined {
    try {
        return partsOf(bytes, version);
    } catch (error) {
        if (error instanceof StatecraftError) return undefined;
        throw error;
    }
}

/**
 * Compares the current state with an older one that becomes current. Returns what changes, and the state that results.
 * @throws StatecraftError if Terraform or the service could not take the result
 */
function bringWholeBack(current: Whole, old: Whole) {
    // OpenTofu reads no encrypted state whose serial is not the encrypted one.
    if (isEncrypted(old.bytes))
        throw wholeRefusal(`the state of ${old.version} is encrypted, and its serial cannot change`);
    if (current.lineage !== undefined && old.lineage !== undefined && current.lineage !== old.lineage)
        throw wholeRefusal(`${old.version} has another lineage than ${current.version}`);
    return {
        isSame: old.digests.some((digest) => current.digests.includes(digest)),
        // A getter, because only a preview compares each instance.
        get changes() {
            const [now, then] = [current.parts, old.parts];
            return now && then && changesOf(now, then);
        },
        notes: [],
        /** The state that results, with a serial above that of `current` and above `least`. */
        stateAfter(least: number): RawState {
            const serial = serialAbove(Math.max(least, current.serial), current.version, wholeRefusal);
            const bytes = withSerial(old.bytes, serial, wholeRefusal);
            return { bytes, serial, lineage: old.lineage, md5: md5Of(bytes) };
        },
    };
}

/** The addresses that a state gains, changes and loses. */
export interface Changes {
    readonly comesBack: readonly string[];
    readonly replaced: readonly string[];
    readonly lost: readonly string[];
}

function changesOf(current: Parts, old: Parts): Changes {
    return {
        comesBack: [...old.byAddress.keys()].filter((address) => !current.byAddress.has(address)),
        replaced: old.objects.flatMap((instance) => {
            const before = current.byAddress.get(instance.address);
            const names = before ? differencesOf(current, before, old, instance) : [];
            return names.length === 0 ? [] : [`${instance.address} (${names.join(", ")})`];
        }),
        lost: [...current.byAddress.keys()].filter((address) => !old.byAddress.has(address)),
    };
}

/**
 * Warns of a state that has more than its record.
 * @param entries the resources of the state, if its format is 4
 * @throws StatecraftError for a state that has less
 */
function verifyBase(context: Context, version: StateVersion, serial: number, entries?: readonly Entry[]): void {
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
    const records = sums(recorded);
    const all = sums(entries.map(({ record, instances }) => ({ ...record, count: instances.length })));
    const objects = sums(entries.map(({ record }) => record));
    const hasData = recorded.some(({ type }) => type.startsWith("data."));
    const isCounted = (name: string) => hasData || !name.startsWith("data.");
    return {
        absent: [...records].flatMap(([name, count]) => ((all.get(name) ?? 0) < count ? [name] : [])),
        added: [...objects].flatMap(([name, count]) =>
            isCounted(name) && count > (records.get(name) ?? 0) ? [name] : [],
        ),
    };
}

/** How many instances the resources of each type and name have together. */
function sums(resources: readonly ManagedResource[]): Map<string, number> {
    const all = new Map<string, number>();
    for (const { type, name, count } of resources)
        all.set(`${type}.${name}`, (all.get(`${type}.${name}`) ?? 0) + count);
    return all;
}
