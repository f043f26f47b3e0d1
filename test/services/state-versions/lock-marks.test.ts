/** Tests by which marks a resource recognizes the locks of its earlier runs: in both hosts, and after it was renamed. */

import assert from "node:assert/strict";
import { rollbackInputs, Workspaces } from "./fixture";

const kept = { ...rollbackInputs, keepLocked: true };

describe("the mark of a lock", () => {
    const at = new Workspaces();
    const life = (isNative: boolean, stack?: string) =>
        at.simulator.resource("StateVersionRollback", { isNative, ...(stack !== undefined && { stack }) });

    for (const [mark, isNative, host] of [
        ["[statecraft o/app/dev x]", true, "the native plugin"],
        ["[statecraft app/dev x]", false, "the dynamic host"],
    ] as const) {
        it(`${mark} of a killed run is that of the same resource in ${host}, which then unlocks`, async () => {
            await at.lock(`rolling back ${mark}`);
            await life(isNative).up(rollbackInputs);
            assert.equal(await at.lockReason(), undefined);
        });
    }

    for (const [mark, isNative] of [
        ["[statecraft p/app/dev x]", false],
        ["[statecraft other/app/dev y]", true],
        ["[statecraft o/app/prod x]", true],
        ["[statecraft app/dev xx]", false],
    ] as const) {
        it(`${mark} is that of another resource`, async () => {
            await at.lock(`rolling back ${mark}`);
            await assert.rejects(life(isNative).up(rollbackInputs), { code: "locked" });
        });
    }

    for (const isNative of [false, true]) {
        it(`of a stack that is renamed twice is recognized when \`keepLocked\` is removed${isNative ? ", native" : ""}`, async () => {
            const before = await life(isNative, "dev").deployed(kept);
            const between = life(isNative, "test");
            between.state = before.state;
            await between.up({ ...kept, triggers: [1] });
            const after = life(isNative, "prod");
            after.state = between.state;
            assert.match(String(await at.lockReason()), /\[statecraft (o\/)?app\/dev x\]$/);
            await after.up({ ...rollbackInputs, triggers: [1] });
            assert.equal(await at.lockReason(), undefined);
        });
    }

    it("of a resource that moves to the native plugin is recognized when the resource is deleted", async () => {
        const before = await life(false).deployed(kept);
        const after = life(true, "renamed");
        after.state = before.state;
        await after.up({ ...kept, triggers: [1] });
        await after.destroy();
        assert.equal(await at.lockReason(), undefined);
    });
});
