/** Requests whose earlier try may have had an effect, and whose last one is refused. */

import assert from "node:assert/strict";
import { operation } from "../../src/core/operation";
import { isLostAnswer, mayHaveActed, ServiceError, StatecraftError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { manager } from "./services";
import { closeAll, connect, json, serve } from "./support";

describe("a failure", () => {
    afterEach(closeAll);

    const post = operation("POST /v1/thing", "always");
    /** The failure of a request whose tries end in these statuses; 0 is a cut connection. */
    async function failureAfter(statuses: readonly number[], what = post): Promise<StatecraftError> {
        const place = await serve((_, answer, number) => {
            const status = statuses[number - 1] ?? statuses.at(-1) ?? 500;
            if (status === 0) answer.destroy();
            else json(answer, status, { errors: ["no"] });
        });
        const { client } = connect(manager, place.address, { maxRetries: statuses.length - 1 });
        return failureOf(client.call(what, { parameters: {}, body: {} }), StatecraftError);
    }

    for (const [statuses, doubtful] of [
        [[0, 400], true],
        [[503, 409], true],
        [[0, 429], true],
        [[502, 429, 404], true],
        [[429, 400], false],
        [[429, 429], false],
        [[400], false],
        [[409], false],
    ] as const) {
        it(`after ${statuses.join(", ")} is ${doubtful ? "" : "not "}a lost answer`, async () => {
            const error = await failureAfter(statuses);
            assert(error instanceof ServiceError);
            assert.equal(error.status, statuses.at(-1));
            assert.equal(isLostAnswer(error), doubtful);
            assert.equal(mayHaveActed(error), doubtful);
        });
    }

    it("of a read is not a lost answer", async () => {
        for (const line of ["GET /v1/thing", "LIST /v1/thing"] as const)
            assert.equal(isLostAnswer(await failureAfter([0, 400], operation(line))), false);
    });
});
