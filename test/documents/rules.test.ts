/** Tests that `rules.md` has a rule for everything that its tables copy from the documents, and names only tests that exist. */

import assert from "node:assert/strict";
import { endpoints, rowsOf } from "../support/endpoints";
import { filesIn, textOf } from "../support/repository";

const rules = rowsOf("Rules").map(([document = "", section = "", rule = "", ...titles]) => ({
    document,
    section,
    rule,
    titles,
}));

describe("the rules of the documents", () => {
    it("name tests that exist", () => {
        const sources = filesIn("test")
            .filter((file) => /\.test\.ts$|^test\/(support|contract)\/\w+\.ts$/.test(file))
            .map(textOf);
        // A title has `…` for what a template computes.
        const text = sources
            .join("\n")
            .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…")
            .replace(/\\(?=[`"\\])/g, "");
        const isKnown = (title: string) => text.includes(`"${title}"`) || text.includes(`\`${title}\``);
        const missing = rules.flatMap(({ rule, titles }) =>
            titles.filter((title) => title !== "—" && !isKnown(title)).map((title) => `${rule}: ${title}`),
        );
        assert.deepEqual(missing, [], "titles in test/documents/rules.md that no test has");
        assert.deepEqual(
            rules.filter(({ titles }) => titles.length !== 2 || titles[0] === "—").map(({ rule }) => rule),
            [],
            "a row of test/documents/rules.md has a client's and a simulator's test",
        );
    });

    for (const document of new Set(endpoints.map((endpoint) => endpoint.document))) {
        const own = rules.filter((each) => each.document === document || each.section === "Workspaces");
        it(`of ${document} cover every endpoint, field and status`, () => {
            const ofDocument = endpoints.filter((endpoint) => endpoint.document === document);
            const words = new Set(
                own.flatMap(({ rule }) => rule.match(/`[^`]+`/g) ?? []).flatMap((code) => code.match(/[\w-]+/g) ?? []),
            );
            const missing = ofDocument.flatMap(({ method, path, query, request, answer, statuses }) => {
                const line = `${method} ${path}`;
                const about = own.filter(({ rule }) => rule.includes(`\`${line}\``)).map(({ rule }) => rule);
                const leaves = [...query, ...request, ...answer].map(
                    (field) => /[\w-]+(?=[\]*.[]*$)/.exec(field)?.[0] ?? field,
                );
                return [
                    ...(about.length === 0 ? [line] : []),
                    ...leaves.filter((leaf) => !words.has(leaf)),
                    ...statuses
                        .filter((status) => !about.some((rule) => rule.includes(status)))
                        .map((status) => `${line}: ${status}`),
                ];
            });
            assert.deepEqual([...new Set(missing)], [], "without a rule in test/documents/rules.md");
        });
    }
});
