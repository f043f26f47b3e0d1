/** The two modes of a volume. The document shows no words for them: these are those that schedulers act on, and others are taken as they are. */

import type { Rule } from "../../schema/facts";
import { unknownMode } from "./failures";

const known = {
    accessMode: [
        "single-node-reader-only",
        "single-node-writer",
        "multi-node-reader-only",
        "multi-node-single-writer",
        "multi-node-multi-writer",
    ],
    attachmentMode: ["file-system", "block-device"],
} as const;

type Mode = keyof typeof known;

/** The words of a mode that schedulers act on, for its description. */
export const wordsOf = (name: Mode) => known[name].map((word) => `\`${word}\``).join(", ");

/** Tells of modes that no scheduler is known to act on, which may be a slip. */
export const modeRules: readonly Rule[] = [unknownWord("accessMode"), unknownWord("attachmentMode")];

function unknownWord(name: Mode): Rule {
    const words: readonly unknown[] = known[name];
    return {
        uses: [name],
        severity: "warning",
        test: ({ [name]: written }) =>
            written && !words.includes(written)
                ? { path: name, reason: unknownMode({ mode: JSON.stringify(written), known: wordsOf(name) }) }
                : undefined,
    };
}
