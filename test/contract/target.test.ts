import assert from "node:assert/strict";
import { manager } from "../../src/services/manager/service";
import { Ground } from "./target";

describe("the objects of the contract tests", () => {
    it("are removed, the last one first, and the error names those that could not be removed", async () => {
        const settings = () => ({});
        const ground = new Ground(
            { name: "none", vocabulary: "documented", settings, environment: {}, lacks: {} },
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
