/** Asserts that each operation of each resource sends the requests of `sends` in test/resources. */

import assert from "node:assert/strict";
import { seed, subjects } from "./faults/subjects";
import { unsealed } from "./support/managed-resource";
import { resourceFacts, sendsOf } from "./support/resource-facts";
import { withSimulator } from "./support/simulator";

describe("the requests of an operation", () => {
    const simulator = withSimulator(seed);
    const sent = async () => {
        const all = (await simulator.requests()).map(({ method }) => method);
        await simulator.forget();
        return all.join(" ");
    };

    for (const facts of resourceFacts) {
        const { type } = facts;
        it(`of ${type} are those in test/resources, none without a change of the program, and leave no content of a state and no signed URL in Pulumi's state`, async () => {
            const subject = subjects.find((each) => each.type === type) ?? assert.fail(type);
            await subject.prepare?.(simulator);
            await simulator.forget();
            const resource = await simulator.resource(type).deployed(subject.inputs);
            const create = await sent();
            assert(!/\/object\/|planted-output/.test(JSON.stringify(unsealed(resource.state))));
            await resource.preview(subject.inputs);
            assert.equal(await resource.up(subject.inputs), "same");
            assert.equal(await sent(), "");
            await resource.refresh();
            const refresh = await sent();
            await resource.up(subject.edited);
            const update = await sent();
            await resource.destroy();
            const all = { create, refresh, update, delete: await sent() };
            assert.deepEqual(all, sendsOf(facts), "`sends` of the resource in test/resources");
        });
    }
});
