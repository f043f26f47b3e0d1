import assert from "node:assert/strict";
import { explained, failure, finding, refusal, sentence } from "../src/catalogue";
import { inWordsOf, pulumiCommands, scriptCommands } from "../src/commands";
import * as errors from "../src/errors";

const busy = failure({
    code: "busy",
    message: "the {title} is in use by {holder}",
    cause: "Somebody uses it.",
    action: "Ask {holder}",
});
const exchange = {
    service: "scheduler",
    operation: "PUT /v1/volume/csi/a",
    status: 429,
    reasons: ["too many requests"],
};

describe("the catalogue", () => {
    it("makes an error of an entry, with its code and what to do", () => {
        const error = busy({ title: "volume a", holder: "job b" });
        assert.ok(error instanceof errors.StatecraftError);
        assert.deepEqual(
            [error.code, error.message, error.hint],
            ["busy", "the volume a is in use by job b", "Ask job b"],
        );
    });

    it("puts an entry in the place of a service's own words, and keeps all else that the service told", () => {
        const limited = new errors.LimitedError({ ...exchange, retryAfter: 3 }, { code: "limited", hint: "wait" });
        const error = busy.of(limited, { title: "volume a", holder: "job b" });
        assert.ok(error instanceof errors.LimitedError);
        assert.deepEqual(
            [error.code, error.message, error.hint, error.status, error.retryAfter, error.reasons],
            ["busy", "the volume a is in use by job b", "Ask job b", 429, 3, ["too many requests"]],
        );
    });

    it("shows the reference pages every gap as the same sign", () => {
        assert.deepEqual(busy.doc, {
            message: "the … is in use by …",
            cause: "Somebody uses it.",
            action: "Ask …",
            code: "busy",
        });
    });

    it("takes what stands in a gap as it is", () => {
        const told = sentence({ message: "it said: {words}", cause: "", action: "" });
        assert.equal(told({ words: "$& {words} $1" }), "it said: $& {words} $1");
    });

    it("makes a finding at its property, and shows both to the pages", () => {
        const small = finding({ path: "retain", message: "must be at least {least}", cause: "", action: "" });
        assert.deepEqual(small({ least: "1" }), { path: "retain", reason: "must be at least 1" });
        assert.equal(small.doc.message, "retain: must be at least …");
    });

    describe("knows a refusal by its words", () => {
        const cases: [pattern: string, reason: string, isKnown: boolean][] = [
            ["volume exists…", "volume exists: a", true],
            ["volume exists…", "the volume exists", false],
            ["…EOF", "rpc: EOF", true],
            ["…EOF", "EOF of the plugin", false],
            ["…volume … cannot be updated…", "the volume mount flags cannot be updated now", true],
            ["…no plugin (a.b)…", "there is no plugin (aXb)", false],
            ["…no plugin (a.b)…", "there is\nNO PLUGIN (a.b)", true],
        ];
        for (const [message, reason, isKnown] of cases) {
            it(`${JSON.stringify(reason)} is ${isKnown ? "" : "not "}${message}`, () => {
                const known = refusal({ message, cause: "", action: "look at {plugin}" });
                const error = new errors.ServiceError(
                    { ...exchange, status: 500, reasons: [reason] },
                    { hint: "else" },
                );
                assert.equal(explained(error, [known], { plugin: "disks" }), error);
                assert.equal(error.hint, isKnown ? "look at disks" : "else");
                assert.match(error.message, /^PUT .*: 500: /);
            });
        }

        it("and gives it a code where ours is more exact", () => {
            const error = new errors.ServiceError({ ...exchange, status: 500, reasons: ["volume exists: a"] });
            explained(error, [refusal({ code: "exists", message: "volume exists…", cause: "", action: "" })]);
            assert.deepEqual([error.code, error.status], ["exists", 500]);
        });

        it("and leaves what is no refusal as it is", () => {
            const error = new Error("volume exists");
            assert.equal(explained(error, [refusal({ message: "…", cause: "", action: "" })]), error);
        });
    });

    it("leaves it to the host how the user's next step is called", () => {
        const entry = failure({ code: "gone", message: "{what} is gone", cause: "It is.", action: "Run {up} again" });
        const { message, hint } = entry({ what: "It" });
        assert.deepEqual([message, hint], ["It is gone", "Run {up} again"]);
        assert.equal(inWordsOf(pulumiCommands, hint ?? ""), "Run `pulumi up` again");
        assert.equal(inWordsOf(scriptCommands, hint ?? ""), "Run `create` or `update` again");
    });
});
