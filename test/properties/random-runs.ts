/** Random runs: how many of them there are, where their chance comes from, and the test that leads them. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { seed } from "../support/random";

/** How many times as many runs as usual. */
const times = Number(process.env["STATECRAFT_RUNS"] ?? 1);

/** How many steps a resource has at most: so many in `npm test`, and four times as many where more runs than usual are asked for. */
export const mostSteps = (usual: number): number => (times > 1 ? 4 * usual : usual);

/** Tests so far: each has runs of its own. */
let tests = 0;

/** Derives a test with this many runs, each of a plan of its own. What fails is told by the shortest plan that still fails. */
export function itHoldsAtRandom<Plan>(
    what: string,
    count: number,
    plans: fc.Arbitrary<Plan>,
    act: (plan: Plan, run: number) => Promise<void>,
): void {
    const wanted = count * times;
    const own = seed + tests++;
    it(`${what}: ${wanted} runs (STATECRAFT_SEED=${seed})`, async function () {
        // Looking for the shortest plan takes many more runs.
        this.timeout(300_000 * times);
        let done = 0;
        const property = fc.asyncProperty(plans, (plan) => act(plan, done++));
        await fc.assert(property, {
            seed: own,
            numRuns: wanted,
            interruptAfterTimeLimit: 280_000 * times,
            markInterruptAsFailure: true,
        });
        assert.equal(done, wanted);
    });
}
