/**
 * What is asked of an object beside what the service holds: the live state.
 *
 * | the service                                        | the property is       |
 * | -------------------------------------------------- | --------------------- |
 * | shows what was asked for                           | as asked              |
 * | shows something else                               | a mismatch            |
 * | does not show it: a secret, or it was dropped      | not told              |
 */

import { changedNames, diffValues, replacing, topLevel } from "../schema/diff";
import type { Values } from "../schema/facts";
import { compareLive, mergeOutputs, type Unreported } from "../schema/merge";
import type { ObjectNode } from "../schema/node";
import { readAnswer } from "../schema/wire";

/** What is asked for: as the program wrote it, with what settings settled, and what that means. */
export interface Desired {
    readonly inputs: Values;
    readonly written: Values;
    readonly values: Values;
}

/** What a read told, decoded. */
export interface LiveState {
    readonly values: Values;
    /** The same with write-only properties that the service shows all the same: believed only of an object that is not known to be ours. */
    found(): Values;
}

/** Decodes a record, and puts what was told in another way beside it. */
export function liveState(
    node: ObjectNode,
    { body, inputs }: { readonly body: Values; readonly inputs?: Values },
): LiveState {
    return {
        values: { ...readAnswer(node, body), ...inputs },
        found: () => ({ ...readAnswer(node, body, { writeOnly: true }), ...inputs }),
    };
}

/** Compares what is asked for with the live state of one resource. */
export class Comparison {
    constructor(private readonly node: ObjectNode) {}

    /** Whether the service shows all that is asked for, as far as it shows anything. */
    isAsAsked({ written, values }: Desired, { values: live }: LiveState): boolean {
        return compareLive(this.node, written, values, live).mismatches.length === 0;
    }

    /** The same of an object that may be somebody else's: write-only properties count where they are shown. */
    isFoundAsAsked(desired: Desired, state: LiveState): boolean {
        return this.foundDifferences(desired, state).length === 0;
    }

    /** The paths of the properties of such an object that are not as asked. */
    foundDifferences({ written, values }: Desired, { found }: LiveState): readonly string[] {
        return compareLive(this.node, written, values, found()).mismatches;
    }

    /** Whether something was asked for that no look can confirm, and that is not what the last deployment asked for. */
    isInDoubt(desired: Desired, { values: live }: LiveState, olds: Values = {}): boolean {
        const { mismatches, unreported } = compareLive(this.node, desired.written, desired.values, live);
        const open = new Set([...mismatches, ...unreported.map(({ path }) => path)].map(topLevel));
        return changedNames(diffValues(this.node, olds, desired.inputs)).some((name) => open.has(name));
    }

    /** The paths of the properties that the service dropped or changed beyond the known normalizations. */
    droppedFields({ written, values }: Desired, { values: live }: LiveState): string[] {
        const { mismatches, unreported } = compareLive(this.node, written, values, live);
        const isTold = ({ facts, isEmpty }: Unreported) =>
            !isEmpty && !facts.secret && !facts.writeOnly && !facts.optionalInAnswers;
        return [...mismatches, ...unreported.filter(isTold).map(({ path }) => path)];
    }

    /** The properties that no write can bring to what is asked for: only another object could be it. */
    immovable({ inputs, written, values }: Desired, { values: live }: LiveState): string[] {
        const outputs = mergeOutputs(this.node, written, values, live);
        return replacing(diffValues(this.node, outputs, inputs));
    }

    /** Whether the object lacks something that another write can bring it. */
    isToWriteAgain(desired: Desired, state: LiveState): boolean {
        return this.droppedFields(desired, state).some(
            (path) => this.node.properties.get(topLevel(path))?.facts.immutable === undefined,
        );
    }
}
