/** The two modes of a volume. The document shows no words for them: these are those that schedulers act on. */

import { choice } from "../../core/kind";

/** How many nodes may use a volume at once, and how. */
export const accessMode = choice([
    "single-node-reader-only",
    "single-node-writer",
    "multi-node-reader-only",
    "multi-node-single-writer",
    "multi-node-multi-writer",
    "",
]);

/** What a volume looks like to a task. */
export const attachmentMode = choice(["file-system", "block-device", ""]);
