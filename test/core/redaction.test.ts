import assert from "node:assert/strict";
import { oneLine, redacted } from "../../src/core/redaction";
import { canary, formsOf, holdsNone } from "../support/canaries";

describe("redacted", () => {
    const value = canary("password");

    for (const [how, form] of Object.entries(formsOf(value))) {
        it(`removes a secret ${how}`, () => {
            const text = redacted(`before ${form} after`, [value]);
            holdsNone({ password: value }, text, "the message");
            assert.match(text, /^before \[secret\]=* after$/);
        });
    }

    it("removes all of several secrets, the longest first", () => {
        assert.equal(redacted("abcdefgh abcd efgh", ["abcd", "abcdefgh"]), "[secret] [secret] efgh");
    });

    it("does not remove secrets of fewer than 4 characters, which occur in other words", () => {
        assert.equal(redacted("the key is abc", ["abc", "the", ""]), "the key is abc");
        assert.equal(redacted("the key is abcd", ["abcd"]), "the key is [secret]");
    });

    it("accepts an unpaired surrogate", () => {
        assert.equal(redacted("a key\ud83d b", ["key\ud83d"]), "a [secret] b");
    });
});

describe("oneLine", () => {
    it("removes line breaks and control characters", () => {
        assert.equal(oneLine(`a\u001b[2J\r\nb\u009b\u202ec\u2028`), "a [2J b c ");
    });
});
