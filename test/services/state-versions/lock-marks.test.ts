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

    it("of a stack that is renamed twice, once in the native plugin, is recognized when `keepLocked` is removed", async () => {
        let { state } = await life(false, "dev").deployed(kept);
        for (const [isNative, stack, program] of [
            [true, "test", kept],
            [false, "prod", rollbackInputs],
        ] as const) {
            assert.match(String(await at.lockReason()), /\[statecraft o\/app\/dev x\]$/);
            const renamed = life(isNative, stack);
            renamed.state = state;
            await renamed.up({ ...program, triggers: [1] });
            state = renamed.state;
        }
        assert.equal(await at.lockReason(), undefined);
    });
});
