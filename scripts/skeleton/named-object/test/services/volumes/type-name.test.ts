import assert from "node:assert/strict";
import { typeName } from "../../resources/type-name";
import { describeResource } from "../../support/conformance";
import { withSimulator } from "../../support/simulator";

describeResource(typeName);

describe("TypeName", () => {
    const simulator = withSimulator();

    // TODO what only this resource does, or nothing.
    it("TODO", async () => {
        const resource = simulator.resource("TypeName");
        assert.equal(await resource.up(typeName.minimal), "created");
    });
});
