import assert from "node:assert/strict";
import { oneLine, redacted } from "../../src/core/redaction";
import { formsOf } from "../support/canaries";

describe("redacted", () => {
    const secret = "a1 &<>!'\"\\\nü";
    /** The spellings of the secret that SECURITY.md lists, written by hand. */
    const forms = {
        plain: "a1 &<>!'\"\\\nü",
        "JSON-escaped": String.raw`a1 &<>!'\"\\\nü`,
        "JSON-escaped twice": String.raw`a1 &<>!'\\\"\\\\\\nü`,
        "percent-encoded": "a1%20%26%3C%3E!'%22%5C%0A%C3%BC",
        "in base64": "YTEgJjw+ISciXArDvA==",
        "in base64 for URLs": "YTEgJjw-ISciXArDvA",
        "in hex": "613120263c3e2127225c0ac3bc",
        "in capital hex": "613120263C3E2127225C0AC3BC",
    };

    it("is tested with the spellings for which all tests search", () => {
        assert.deepEqual(formsOf(secret), forms);
    });

    for (const [how, form] of Object.entries(forms)) {
        it(`removes a secret that is ${how}`, () => {
            assert.match(redacted(`before ${form} after`, [secret]), /^before \[secret\]=* after$/);
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
