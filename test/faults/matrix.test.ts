/** A part of the fault matrix: every write, before and after its effect; every fault; every resource with every verb. `npm run test:faults` runs it all. */

import assert from "node:assert/strict";
import { definitions } from "../../src/services/definitions";
import { prefixes } from "../support/endpoints";
import { endpoints } from "../support/resource-facts";
import { plan, run, titleOf, type Verdict } from "./matrix";
import { sampleOf, unharmed } from "./sample";
import { nameOf, subjects } from "./subjects";
import { type Cell, isRead } from "./verbs";

describe("the fault matrix, in part", () => {
    let cells: Cell[];
    let sample: Cell[];
    let verdicts: Verdict[];
    let mebibytes: number;
    before(async function () {
        // Each cell has a limit of its own.
        this.timeout(0);
        cells = await plan();
        sample = sampleOf(cells);
        const peak = () => process.resourceUsage().maxRSS / 1024;
        const before = peak();
        verdicts = await run(sample, 2);
        mebibytes = peak() - before;
    });

    for (const name of subjects.map(nameOf)) {
        it(`ends as promised for ${name}`, () => {
            const done = verdicts.filter(({ cell }) => nameOf(cell.subject) === name);
            assert(done.length > 0, "no cell was run");
            const problems = done.filter(({ problem }) => problem !== undefined);
            assert.deepEqual(
                problems.map(({ cell, problem }) => `${titleOf(cell)}: ${problem}`),
                [],
            );
        });
    }

    it("harms every write of every verb, before and after its effect", () => {
        assert.deepEqual(unharmed(cells, sample), []);
    });

    it("is about every resource, and every request of the documents that changes something", () => {
        const types = new Set(subjects.map(({ type }) => type));
        assert.deepEqual([...types].sort(), definitions.map(({ type }) => type).sort());
        const harmed = cells.map(({ target }) => `${target.method} ${target.path}`);
        const missing = endpoints
            .filter((endpoint) => !isRead(endpoint) && !endpoint.path.endsWith("/login"))
            .filter(({ document, method, path }) => {
                const place = path.startsWith("{") ? "/v1/object/:id" : prefixes[document] + path;
                const pattern = new RegExp(`^${method} ${place.replace(/:[a-z_]+|(?<=auth\/)\w+/g, "[^/]+")}$`);
                return !harmed.some((line) => pattern.test(line));
            });
        assert.deepEqual(
            missing.map(({ method, path }) => `${method} ${path}`),
            [],
        );
    });

    it("holds no more in memory than one answer may be large, a few times over", () => {
        assert(mebibytes < 512, `${Math.round(mebibytes)} MiB`);
    });
});
