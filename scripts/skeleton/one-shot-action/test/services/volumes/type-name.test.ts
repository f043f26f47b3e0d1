import assert from "node:assert/strict";
import { withSimulator } from "../../support/simulator";

describe("TypeName", () => {
    const simulator = withSimulator();

    // TODO what else it does.
    it("acts when it is made, and again for changed triggers", async () => {
        const resource = simulator.resource("TypeName");
        assert.equal(await resource.up({ name: "first" }), "created");
        assert.equal(await resource.up({ name: "first" }), "same");
        assert.equal(await resource.up({ name: "first", triggers: [1] }), "updated");
        assert.deepEqual(
            (await simulator.writes()).map(({ method, path }) => `${method} ${path}`),
            ["POST SERVED/first", "POST SERVED/first"],
        );
    });
});
