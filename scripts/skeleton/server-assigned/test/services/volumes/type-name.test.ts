import assert from "node:assert/strict";
import { withSimulator } from "../../support/simulator";

describe("TypeName", () => {
    const simulator = withSimulator();

    // TODO what else it does: a lost answer to its creation, and what is refused.
    it("is made once, changed in place, and deleted", async () => {
        const resource = simulator.resource("TypeName");
        assert.equal(await resource.up({ name: "first" }), "created");
        assert.equal(await resource.up({ name: "first" }), "same");
        assert.deepEqual(await resource.refresh(), []);
        assert.equal(await resource.up({ name: "second" }), "updated");
        await resource.destroy();
        assert.deepEqual(
            (await simulator.writes()).map(({ method }) => method),
            ["POST", "PUT", "DELETE"],
        );
    });
});
