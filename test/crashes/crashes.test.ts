/**
 * Crashes of the real engine: kills each victim in each command, while copies of each resource wait before and after the effect of each of their
 * requests; then runs the user's next command. Part of `npm run test:nightly`.
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
        it(`${victim}: after a crash in any command, the next command repeats no action and loses no object`, async () => {
            await CrashStack.play(copies, same, async (stack) => {
                await stack.crash(victim, "up", plan("up"));
                const made = stack.made();
                const refused = await stack.again("up");
                // Only after a cut network can the provider store the objects that it created.
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

                // Rollbacks that a crash interrupted do not know their previous version; after another rollback, all do.
                assertSucceeded(await stack.run("up"));
                await stack.isTakenDown(async () => {
                    await stack.crash(victim, "destroy", plan("destroy"));
                    assert.deepEqual(await stack.again("destroy"), []);
                });
            });
        });
    }

    it("job: after a crash in `up`, `destroy` removes all objects in state, and a later `up` finds the others", async () => {
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
