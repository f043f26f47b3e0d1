/** Takes the whole state of an older version for an upload. Only the serial changes, because everything else must come back to the letter. */

import { step } from "../../core/steps";
import { StatecraftError } from "../../errors";
import { digestsOf, isEncrypted, md5Of, type RawState, rawStateIn } from "./content";
import { differencesOf } from "./part-of-state";
import { type Parts, partsOf, withSerial } from "./state-parts";

const refusal = (message: string) =>
    new StatecraftError("content", step.about("upload") + message, {
        hint: "Choose another version, or upload a state with `StateVersion`",
    });

/** A raw state of any format with a serial. */
interface Whole extends Pick<RawState, "serial" | "lineage"> {
    readonly json: Buffer;
    readonly version: string;
    readonly digests: readonly string[];
    /** Undefined for a format other than 4. */
    readonly parts: Parts | undefined;
}

/** Parses a raw state. @throws StatecraftError for anything else */
export function wholeIn(json: Buffer, version: string): Whole {
    const state = rawStateIn(json);
    if (state === undefined) throw refusal(`the state of ${version} has no serial`);
    const { serial, lineage } = state;
    return {
        json,
        version,
        serial,
        lineage,
        digests: digestsOf(json),
        parts: ifReadable(() => partsOf(json, version)),
    };
}

/** The result of a function that reads states. `undefined` if a state has another format, or is nested too deeply. */
function ifReadable<Result>(read: () => Result): Result | undefined {
    try {
        return read();
    } catch (error) {
        if (error instanceof RangeError || error instanceof StatecraftError) return undefined;
        throw error;
    }
}

/**
 * Compares the current state with an older one that becomes current. Returns what changes, and the state that results.
 * @throws StatecraftError if Terraform or the service could not take the result
 */
export function bringWholeBack(current: Whole, old: Whole) {
    // OpenTofu reads no encrypted state whose serial is not the encrypted one.
    if (isEncrypted(old.json)) throw refusal(`the state of ${old.version} is encrypted, and its serial cannot change`);
    if (current.lineage !== undefined && old.lineage !== undefined && current.lineage !== old.lineage)
        throw refusal(`${old.version} has another lineage than ${current.version}`);
    return {
        isSame: old.digests.some((digest) => current.digests.includes(digest)),
        // A getter, because only a preview compares each instance.
        get changes() {
            const [now, then] = [current.parts, old.parts];
            return now && then && ifReadable(() => changesOf(now, then));
        },
        notes: [],
        /** The state that results, with a serial above that of `current` and above `least`. */
        stateAfter(least: number): RawState {
            const serial = Math.max(least, current.serial) + 1;
            if (!Number.isSafeInteger(serial)) throw refusal(`no serial follows that of ${current.version}`);
            const bytes = withSerial(old.json, serial, refusal);
            return { bytes, serial, lineage: old.lineage, md5: md5Of(bytes) };
        },
    };
}

/** The addresses that a state gains, changes and loses. */
function changesOf(current: Parts, old: Parts) {
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
