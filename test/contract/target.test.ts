import assert from "node:assert/strict";
import { manager } from "../../src/services/manager/service";
import { Ground, named, prefix, seed, type Target, titleOf } from "./target";

const target: Target = {
    name: "nowhere",
    vocabulary: "documented",
    settings: () => ({}),
    environment: {},
    complete: true,
};

describe("the ground of contracts", () => {
    it("gives names that tell the run, and titles that tell its seed", () => {
        assert.match(named("web"), /^contract-\w+-web$/);
        assert(named("web").startsWith(prefix) && prefix.endsWith(seed));
        assert.equal(titleOf("volumes service", target), `volumes service contract (nowhere; seed ${seed})`);
    });

    it("undoes everything, last first, whatever fails, and says what was left", async () => {
        const ground = new Ground(target, manager);
        const undone: string[] = [];
        for (const name of ["one", "two", "three"]) {
            ground.leaves(name, async () => {
                undone.push(name);
                if (name === "two") throw new Error("no answer");
            });
        }
        await assert.rejects(ground.clear(), /two: no answer/);
        assert.deepEqual(undone, ["three", "two", "one"]);
        await ground.clear();
        assert.equal(undone.length, 3);
    });

    it("lets a complete server pass over nothing", function () {
        const ground = new Ground(target, manager);
        assert.throws(() => ground.passOver(this, "no licence"), /nowhere must keep every contract: no licence/);
    });
});
