/** Tests by which marks a resource recognizes the locks of its earlier runs: in both hosts, and after it was renamed. */

import assert from "node:assert/strict";
import { rollbackInputs, Workspaces } from "./fixture";

const kept = { ...rollbackInputs, keepLocked: true };

describe("the mark of a lock", () => {
    const at = new Workspaces();
    const story = at.stories("StateVersionRollback", rollbackInputs);
    const life = (isNative: boolean, stack?: string) =>
        at.simulator.resource("StateVersionRollback", { isNative, ...(stack !== undefined && { stack }) });

    for (const [mark, isNative, isOwn] of [
        ["[statecraft o/app/dev x]", true, true],
        ["[statecraft app/dev x]", false, true],
        ["[statecraft p/app/dev x]", false, false],
        ["[statecraft other/app/dev y]", true, false],
        ["[statecraft o/app/prod x]", true, false],
        ["[statecraft app/dev xx]", false, false],
    ] as const) {
        const host = isNative ? "the native plugin" : "the dynamic host";
        story(`${mark} is that of ${isOwn ? "the same" : "another"} resource in ${host}`, {
            options: { isNative },
            given: () => at.lock(`rolling back ${mark}`),
            ends: isOwn ? "created" : { code: "locked" },
            leaves: { lock: isOwn ? undefined : `rolling back ${mark}` },
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
