/** A refresh of every resource after a 404: only a service whose 404 means nothing else says so that the object is gone. */

import assert from "node:assert/strict";
import { definitions } from "./support/definitions";
import { withCode } from "./support/messages";
import { factsOf, programOf } from "./support/resource-facts";
import { withSimulator } from "./support/simulator";

const answers = {
    manager: { body: '{"errors":[]}', contentType: "application/json" },
    volumes: { body: "volume not found", contentType: "text/plain" },
    stateVersions: { body: '{"errors":[{"detail":"not found"}]}', contentType: "application/vnd.api+json" },
};

describe("a refresh after a 404 in the service's own form", () => {
    const simulator = withSimulator();

    // No request reads the other resources.
    for (const { type, service } of definitions.filter(
        ({ type }) => !["RootRotation", "CsiVolumeDetachment"].includes(type),
    )) {
        const isHidden = service.name === "stateVersions";
        it(isHidden ? `keeps ${type} in state, and warns` : `removes ${type} from state`, async () => {
            const facts = factsOf(type);
            // A deleted content has no readable record.
            const available = type === "StateVersionBackingData" && { state: "available" };
            const inputs = { ...programOf(facts), ...available, __provider: "text" };
            const server = simulator.url + (isHidden ? "/api/v2" : "");
            const resource = simulator.resource(type);
            resource.state = { id: facts.id, inputs, outputs: { ...inputs, server }, initErrors: [] };
            await simulator.fault({ method: "GET", times: 0, status: 404, ...answers[service.name] });
            assert.deepEqual(await resource.refresh(), isHidden ? [] : "gone");
            assert.equal(resource.warnings.length, isHidden ? 1 : 0);
            if (isHidden) assert.match(resource.warnings.join(), withCode("absent"));
        });
    }
});
