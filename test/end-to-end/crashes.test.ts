/** The typical crash; all of them are in test/crashes, for `npm run test:faults`. */

import assert from "node:assert/strict";
import { type Boundary, type Counts, castFor, measure } from "../crashes/cast";
import { Scene } from "../crashes/scene";

describe("after a crash of the real engine", () => {
    // Several runs of the engine each, on machines that may have other work.
    let counts: ReadonlyMap<string, Counts>;
    before(async () => {
        counts = await measure();
    });

    const copyOf = (type: string, number: number) => {
        const copy = castFor(counts).find(({ kind, number: its }) => kind.type === type && its === number);
        assert(copy, type);
        return copy;
    };
    const boundary = (type: string, index: number): Boundary => ({
        index,
        moment: "after",
        verbEnd: counts.get(type)?.up[0] ?? 0,
    });
    const rollback = "StateVersionRollback";
    // Two looks at versions and one at the workspace come before the lock, and another look before the rollback.
    const [locking, rollingBack] = [3, 5];

    it("`up` recognises a rollback that happened, releases the locks that were left, and names the line for an object", async () => {
        const [done, locked, role] = [copyOf(rollback, 0), copyOf(rollback, 1), copyOf("AuthRole", 0)];
        await Scene.play([done, locked, role], async (scene) => {
            const plan = new Map([
                [done.key, boundary(rollback, rollingBack)],
                [locked.key, boundary(rollback, locking)],
                [role.key, boundary("AuthRole", 1)],
            ]);
            await scene.crash("job", "up", plan);
            assert.deepEqual(await scene.locked(), [done.key, locked.key]);
            assert.deepEqual(await scene.again("up"), [role.key]);
            await scene.isAsDeclared(false);
            assert.deepEqual(await scene.locked(), []);
        });
    });
});
