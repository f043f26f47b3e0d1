/** Options that several resources share. */

import assert from "node:assert/strict";
import * as z from "zod";
import { check } from "../../src/schema/check";
import { objectNode } from "../../src/schema/property";
import { timeoutsProperty, triggersProperty } from "../../src/services/shared-options";

describe("timeouts", () => {
    const node = objectNode(z.strictObject({ timeouts: timeoutsProperty }));
    const failuresOf = (timeouts: unknown) => check(node, { timeouts }).failures;

    it("are durations, of any of the three operations that may take long", () => {
        for (const timeouts of [{}, { create: "5m" }, { update: 30 }, { delete: "1h" }]) {
            assert.deepEqual(failuresOf(timeouts), []);
        }
    });

    it("are of no other operations, and nothing but durations", () => {
        for (const timeouts of [{ read: "5m" }, { delete: "soon" }, { update: -1 }, "5m", ["5m"]]) {
            assert.equal(failuresOf(timeouts).length, 1, JSON.stringify(timeouts));
        }
    });
});

describe("triggers", () => {
    const node = objectNode(z.strictObject({ triggers: triggersProperty("acts") }));

    it("are a list of anything, which a message says where they are none", () => {
        assert.deepEqual(check(node, { triggers: [1, "a", { b: true }] }).failures, []);
        assert.deepEqual(check(node, { triggers: { a: 1 } }).failures, [
            { path: "triggers", reason: "must be a list" },
        ]);
    });
});
