/** Requests of which an earlier try may have had an effect, and the last try is refused. */

import assert from "node:assert/strict";
import { isLostAnswer, mayHaveActed, ServiceError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { manager } from "./services";
import { closeAll, connect, json, serve } from "./support";

describe("a failure", () => {
    afterEach(closeAll);

    // The status 0 is a cut connection.
    for (const [method, statuses, doubtful] of [
        ["POST", [0, 400], true],
        ["POST", [503, 409], true],
        ["POST", [0, 429], true],
        ["POST", [502, 429, 404], true],
        ["POST", [429, 400], false],
        ["POST", [409], false],
        ["GET", [0, 400], false],
        ["LIST", [0, 400], false],
    ] as const) {
        it(`of ${method} after ${statuses.join(", ")} ${doubtful ? "counts" : "does not count"} as a lost answer`, async () => {
            const place = await serve((_, answer, number) => {
                const status = statuses[number - 1] ?? statuses.at(-1) ?? 500;
                if (status === 0) answer.destroy();
                else json(answer, status, { errors: ["no"] });
            });
            const { call } = connect(manager, place.address, { maxRetries: statuses.length - 1 });
            const error = await failureOf(call(`${method} /v1/thing`, { repeat: "always" }), ServiceError);
            assert.equal(error.status, statuses.at(-1));
            assert.deepEqual([isLostAnswer(error), mayHaveActed(error)], [doubtful, doubtful]);
        });
    }
});
