import assert from "node:assert/strict";
import * as errors from "../src/errors";

const exchange = { service: "Vault", operation: "POST /v1/auth/clouda/role/dev" };

describe("errors", () => {
    const refusal = { operation: exchange.operation, status: 400, reasons: ["bad ttl", "bad name"] };

    it("of an answer are told apart by class and by code", () => {
        const made = [
            new errors.ServiceError(refusal),
            new errors.NotFoundError(refusal),
            new errors.ConflictError(refusal),
            new errors.DeniedError(refusal, "look at the token"),
            new errors.LimitedError(refusal, undefined, 3),
        ];
        assert.deepEqual(
            made.map(({ name, code }) => `${name} ${code}`),
            [
                "ServiceError service",
                "NotFoundError absent",
                "ConflictError conflict",
                "DeniedError denied",
                "LimitedError limited",
            ],
        );
        assert.ok(made.every((error) => error instanceof errors.ServiceError));
    });

    it("keep their class and their facts when reworded", () => {
        const limited = new errors.LimitedError({ ...refusal, status: 429 }, undefined, 3);
        const said = errors.reworded(limited, { code: "lock-kept", message: "later", hint: "wait" });
        assert.ok(said instanceof errors.LimitedError);
        assert.deepEqual(
            [said.code, said.message, said.hint, said.status, said.retryAfter],
            ["lock-kept", "later", "wait", 429, 3],
        );
    });

    it("say whether the service may have acted", () => {
        assert.equal(errors.isLostAnswer(new errors.UnreachableError(exchange, true, "cut")), true);
        assert.equal(errors.isLostAnswer(new errors.UnreachableError(exchange, false, "refused")), false);
        assert.equal(errors.isLostAnswer(new errors.AnswerError(exchange, "cut JSON")), true);
        assert.equal(errors.isLostAnswer(new errors.ServiceError(refusal)), false);
        assert.equal(errors.isLostAnswer(new errors.ServiceError({ ...refusal, doubtful: true })), true);
        assert.equal(errors.mayHaveActed(new errors.ServiceError({ ...refusal, status: 500 })), true);
        assert.equal(errors.isLostAnswer(new Error("cut")), false);
    });
});
