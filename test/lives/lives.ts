/** Random lives: how many of them there are, where their chance comes from, and the test that leads them. */

import assert from "node:assert/strict";
import fc from "fast-check";

/** Chooses the lives: the same number gives the same ones. It stands in the title of each test. */
export const seed = Number(process.env["STATECRAFT_SEED"] ?? 20_261_121);

/** How many times as many lives as usual. */
const times = Number(process.env["STATECRAFT_LIVES"] ?? 1);

/** How many steps a life has at most: so many in `npm test`, and four times as many where more lives than usual are asked for. */
export const mostSteps = (usual: number): number => (times > 1 ? 4 * usual : usual);

/** Lives of each resource in one run of the tests: half of them in each vocabulary where both know it. */
export const counts = {
    AuthRole: 170,
    SnapshotConfig: 150,
    AuthConfig: 150,
    RootRotation: 60,
    CsiVolume: 120,
    CsiVolumeDetachment: 60,
    StateVersionRollback: 100,
    StateVersion: 50,
    StateVersionBackingData: 60,
} as const;

/** Tests so far: each chooses lives of its own. */
let tests = 0;

/** Derives a test that leads this many lives, each from a plan of its own. What fails is told by the shortest plan that still fails. */
export function itLives<Plan>(
    what: string,
    count: number,
    plans: fc.Arbitrary<Plan>,
    live: (plan: Plan, life: number) => Promise<void>,
): void {
    const wanted = count * times;
    const own = seed + tests++;
    it(`${what}: ${wanted} lives (STATECRAFT_SEED=${seed})`, async function () {
        // Looking for the shortest plan leads many more lives.
        this.timeout(300_000 * times);
        let lived = 0;
        const property = fc.asyncProperty(plans, (plan) => live(plan, lived++));
        await fc.assert(property, {
            seed: own,
            numRuns: wanted,
            interruptAfterTimeLimit: 280_000 * times,
            markInterruptAsFailure: true,
        });
        assert.equal(lived, wanted);
    });
}
