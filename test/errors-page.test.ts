/** docs/errors.md lists exactly the codes that messages end in. */

import assert from "node:assert/strict";
import { filesIn, textOf } from "./support/repository";

/** The places of codes in the sources: an error, a warning or note, a finding of `doctor`, a reworded error, a class of errors, the end of a text. */
const patterns = [
    /\b(?:failed|warning)\(\s*"([a-z-]+)"/g,
    /\bStatecraftError\(\s*"([a-z-]+)"/g,
    /\.(?:warn|inform)\(\s*"([a-z-]+)"/g,
    /\bcode(?::|(?:: string)? =)\s*"([a-z-]+)"/g,
    /\bsuper\(\s*"([a-z-]+)"/g,
    / \[([a-z][a-z-]*)\][`"]/g,
];

/** Codes of zod, which messages do not contain. */
const foreign = ["custom"];

describe("docs/errors.md", () => {
    const listed = [...textOf("docs/errors.md").matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code = ""]) => code);

    it("explains each code of the sources, and no other", () => {
        const files = filesIn("src").filter((file) => !/^src\/(simulator|generated)\b/.test(file));
        const texts = files.map(textOf);
        const found = texts.flatMap((text) =>
            patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, code = ""]) => code)),
        );
        const used = new Set(found.filter((code) => !foreign.includes(code)));
        assert.deepEqual([...listed].sort(), [...used].sort(), "the codes of docs/errors.md, and those of src");
    });

    it("is in alphabetical order", () => {
        assert.deepEqual(listed, [...listed].sort());
    });
});
