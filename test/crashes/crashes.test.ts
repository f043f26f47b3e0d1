/**
 * Crashes of the real engine: each victim, in each command, while copies of each resource are before and after the effect of each of their
 * requests; then the user's next command. `npm run test:nightly` runs them.
 */

import assert from "node:assert/strict";
import { victims } from "./crash";
import { assertSucceeded, CrashStack, lockedIn } from "./crash-stack";
import {
    type Command,
    type Copy,
    type Counts,
    commands,
    copiesFor,
    measure,
    planFor,
    type Undisturbed,
    undisturbed,
} from "./fixtures";

describe("crashes of the real engine", function () {
    this.timeout(1_800_000);
    let counts: ReadonlyMap<string, Counts>;
    let copies: readonly Copy[];
    let same: Undisturbed;
    before(async () => {
        counts = await measure();
        copies = copiesFor(counts);
        same = await undisturbed(copies);
    });
    const plan = (command: Command) => planFor(command, copies, counts);

    for (const victim of victims) {
        it(`${victim}: after its death in any command, the next command does nothing twice and forgets nothing`, async () => {
            await CrashStack.play(copies, same, async (stack) => {
                await stack.crash(victim, "up", plan("up"));
                const made = stack.made();
                const refused = await stack.again("up");
                // Only a provider that survived the lost answers could store which objects it made.
                if (victim === "network") assert.deepEqual(refused, []);
                else assert(refused.length > 0 && refused.every((key) => made.includes(key)));
                await stack.clearPending();
                await stack.isWhole("up");

                await stack.crash(victim, "change", plan("change"));
                await stack.again("change");
                await stack.clearPending();
                await stack.isWhole("change");

                await stack.crash(victim, "refresh", plan("refresh"));
                assert.deepEqual(await stack.again("refresh"), []);
                await stack.isWhole("change");

                // After another rollback, each rollback knows its previous version.
                assertSucceeded(await stack.run("up"));
                await stack.isTakenDown(async () => {
                    await stack.crash(victim, "destroy", plan("destroy"));
                    assert.deepEqual(await stack.again("destroy"), []);
                });
            });
        });
    }

    it("job: after its death in an up, destroy removes all recorded objects, and a later up finds the others", async () => {
        await CrashStack.play(copies, same, async (stack) => {
            await stack.crash("job", "up", plan("up"));
            const recorded = new Set((await stack.stack.resources()).map(({ urn }) => urn.split("::").at(-1)));
            const isOther = (key: string) => !recorded.has(key);
            const [made, locked] = [stack.made().filter(isOther), lockedIn(stack.store).filter(isOther)];
            assert(made.length > 0);
            assert.deepEqual(await stack.again("destroy"), []);
            assert.deepEqual(await stack.stack.resources(), []);
            assert.deepEqual([stack.made(), lockedIn(stack.store)], [made, locked]);
            const refused = await stack.again("up");
            assert(refused.length > 0 && refused.every((key) => made.includes(key)));
            assert.deepEqual(lockedIn(stack.store), []);
        });
    });

    after(() => {
        for (const command of commands) console.log(`${command}: ${plan(command).size} boundaries for each victim`);
    });
});
