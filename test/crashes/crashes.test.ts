/**
 * Every crash: each victim, in each command, while copies of each resource stand before and after the effect of each of its requests, so
 * that one death meets every boundary of the command; and then the user's next command. `npm run test:nightly` runs them.
 */

import assert from "node:assert/strict";
import { victims } from "./crash";
import { CrashStack } from "./crash-stack";
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
        it(`${victim}: whatever it dies in, the next command goes on and nothing is done twice or forgotten`, async () => {
            await CrashStack.play(copies, same, async (stack) => {
                await stack.crash(victim, "up", plan("up"));
                const made = await stack.made();
                const refused = await stack.again("up");
                // A provider that saw the answers get lost knows what is its own; a dead one took that along.
                if (victim === "network") assert.deepEqual(refused, []);
                else assert(refused.length > 0 && refused.every((key) => made.includes(key)));
                await stack.settle();
                await stack.isWhole("up");

                await stack.crash(victim, "change", plan("change"));
                await stack.again("change");
                await stack.settle();
                await stack.isWhole("change");

                await stack.crash(victim, "refresh", plan("refresh"));
                assert.deepEqual(await stack.again("refresh"), []);
                await stack.isWhole("change");

                // One that was found done does not know what was there before; after another rollback, every one does.
                stack.succeeded(await stack.run("up"));
                await stack.isTakenDown(async () => {
                    await stack.crash(victim, "destroy", plan("destroy"));
                    assert.deepEqual(await stack.again("destroy"), []);
                });
            });
        });
    }

    for (const victim of ["network", "job"] as const) {
        it(`${victim}: destroy in the place of the up that it died in removes all that was recorded, and a later up finds the rest`, async () => {
            await CrashStack.play(copies, same, async (stack) => {
                await stack.crash(victim, "up", plan("up"));
                const recorded = new Set((await stack.stack.resources()).map(({ urn }) => urn.split("::").at(-1)));
                const isLeft = (key: string) => !recorded.has(key);
                const made = (await stack.made()).filter(isLeft);
                const locked = (await stack.locked()).filter(isLeft);
                // A provider that sees the network go still tells what it may have made.
                assert.equal(made.length > 0, victim === "job");
                assert.deepEqual(await stack.again("destroy"), []);
                assert.deepEqual(await stack.stack.resources(), []);
                assert.deepEqual([await stack.made(), await stack.locked()], [made, locked]);
                const refused = await stack.again("up");
                assert(refused.every((key) => made.includes(key)) && refused.length > 0 === made.length > 0);
                assert.deepEqual(await stack.locked(), []);
            });
        });
    }

    after(() => {
        for (const command of commands) console.log(`${command}: ${plan(command).size} boundaries for each victim`);
    });
});
