import assert from "node:assert/strict";
import * as errors from "../src/errors";

const exchange = { service: "Vault", operation: "POST /v1/auth/clouda/role/dev" };
const answer = (status: number, doubtful = false) =>
    new errors.ServiceError({ operation: exchange.operation, status, reasons: ["no"], doubtful });

describe("after a failed request", () => {
    it("the service may have acted if the answer was lost, cannot be read or came from a gateway", () => {
        for (const lost of [
            new errors.UnreachableError(exchange, true, "cut"),
            new errors.AnswerError(exchange, "cut JSON"),
            ...[502, 503, 504].map((status) => answer(status)),
            answer(400, true),
        ])
            assert(errors.isLostAnswer(lost), lost.message);
        for (const known of [new errors.UnreachableError(exchange, false, "refused"), answer(400), answer(500)])
            assert(!errors.isLostAnswer(known), known.message);
        assert(errors.mayHaveActed(answer(500)));
    });
});
