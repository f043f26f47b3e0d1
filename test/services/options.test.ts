/** Options that several resources share. */

import assert from "node:assert/strict";
import { checkInputs } from "../../src/core/check";
import { timeoutsField } from "../../src/services/options";

describe("timeouts", () => {
    const check = (timeouts: unknown) => checkInputs({ timeouts: timeoutsField }, [], { timeouts }).failures;

    it("are durations, of any of the three verbs that may take long", () => {
        for (const timeouts of [{}, { create: "5m" }, { update: 30 }, { delete: "1h" }]) {
            assert.deepEqual(check(timeouts), []);
        }
    });

    it("are of no other verbs, and nothing but durations", () => {
        for (const timeouts of [{ read: "5m" }, { delete: "soon" }, { update: -1 }, { create: null }, "5m", ["5m"]]) {
            assert.equal(check(timeouts).length, 1, JSON.stringify(timeouts));
        }
    });
});
