/** Diff: compares what is meant, not what is written. */

import { holdsUnknown } from "./engine-values";
import type { Fields, Props } from "./field";
import { isSameField, meaningful, meantValue, written } from "./meaning";
import type { Vocabulary } from "./session";

/** How the inputs of a program differ from the outputs of the last deployment. */
export interface Difference {
    /** Names of the fields that differ. */
    readonly changed: readonly string[];
    /** Those of them that need another object. */
    readonly replaces: readonly string[];
    /** Whether anything differs that the service holds, not only options. */
    readonly sends: boolean;
}

/** Compares outputs with new inputs, field by field. An unknown counts as changed. */
export function diffInputs(fields: Fields, olds: Props, news: Props, vocabulary: Vocabulary): Difference {
    const changed = meaningful(fields).filter((name) => isChanged(fields, name, olds, news));
    return {
        changed,
        replaces: changed.filter((name) => {
            const { replaces, replacesFrom } = fields[name] ?? {};
            if (replaces === true || replaces === vocabulary) return true;
            const [old, now] = [meantValue(fields, olds, name), meantValue(fields, news, name)];
            return replacesFrom !== undefined && (holdsUnknown(now) || replacesFrom(old, now));
        }),
        sends: changed.some((name) => !fields[name]?.option),
    };
}

function isChanged(fields: Fields, name: string, olds: Props, news: Props): boolean {
    const value = written(fields, news, name);
    if (value === undefined && fields[name]?.settled) return false;
    return holdsUnknown(value) || !isSameField(fields, name, olds, news);
}
