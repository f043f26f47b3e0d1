import assert from "node:assert/strict";
import { manager } from "../../src/services/manager/service";
import { Ground } from "./target";

describe("the ground of contracts", () => {
    it("removes every object, the last one first, and names the objects that are left", async () => {
        const settings = () => ({});
        const ground = new Ground(
            { name: "none", vocabulary: "documented", settings, environment: {}, complete: true },
            manager,
        );
        const undone: string[] = [];
        for (const title of ["one", "two", "three"]) {
            ground.undoLater(title, async () => {
                undone.push(title);
                if (title === "two") throw new Error("no answer");
            });
        }
        await assert.rejects(ground.clear(), /two: no answer/);
        assert.deepEqual(undone, ["three", "two", "one"]);
    });
});
