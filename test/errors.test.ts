import assert from "node:assert/strict";
import * as errors from "../src/errors";

const exchange = { service: "secrets manager", operation: "POST /v1/auth/clouda/role/dev" };

describe("errors", () => {
    const answer = { ...exchange, status: 400, reasons: ["bad ttl", "bad name"] };
    it("of an answer are told apart by class and by code", () => {
        const made = [
            new errors.ConflictError(answer, { code: "conflict" }),
            new errors.DeniedError(answer, { code: "denied", hint: "look at the token" }),
            new errors.LimitedError({ ...answer, retryAfter: 3 }, { code: "limited" }),
        ];
        assert.deepEqual(
            made.map(({ name, code, hint }) => [name, code, hint]),
            [
                ["ConflictError", "conflict", undefined],
                ["DeniedError", "denied", "look at the token"],
                ["LimitedError", "limited", undefined],
            ],
        );
        assert.ok(
            made.every((error) => error instanceof errors.ServiceError && !(error instanceof errors.NotFoundError)),
        );
        assert.equal(new errors.LimitedError({ ...answer, retryAfter: 3 }).retryAfter, 3);
    });

    it("carry a cause only where one is given", () => {
        assert.ok(!("cause" in new errors.UnreachableError({ ...exchange, sent: true }, "cut")));
        const cause = new Error("deeper");
        assert.equal(new errors.InternalError("x", cause).cause, cause);
    });

    it("keep their class and their facts in other words", () => {
        const limited = new errors.LimitedError({ ...answer, status: 429, retryAfter: 3 }, { code: "limited" });
        const said = errors.reworded(limited, { message: "later", hint: "wait" });
        assert.ok(said instanceof errors.LimitedError);
        assert.deepEqual(
            [said.code, said.message, said.hint, said.status, said.retryAfter],
            ["limited", "later", "wait", 429, 3],
        );
    });

    it("say whether what the service did is unknown", () => {
        assert.equal(errors.isLostAnswer(new errors.UnreachableError({ ...exchange, sent: true }, "cut")), true);
        assert.equal(errors.isLostAnswer(new errors.UnreachableError({ ...exchange, sent: false }, "refused")), false);
        assert.equal(errors.isLostAnswer(new errors.AnswerError(exchange, "cut JSON")), true);
        assert.equal(errors.isLostAnswer(new errors.ServiceError(answer)), false);
        assert.equal(errors.isLostAnswer(new Error("cut")), false);
        assert.equal(errors.isLostAnswer(undefined), false);
    });
});
