import assert from "node:assert/strict";
import { redacted } from "../../src/core/redaction";
import { secretStrings } from "../../src/schema/secrets";
import { formsOf, longCanary } from "../support/canaries";

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

    it("finds a secret with blanks and plus signs in a form, where a blank is `+` and a plus is `%2B`", () => {
        for (const secret of ["a+b c&d", "++ ++ x", "%2B + %20"]) {
            const form = new URLSearchParams({ secret }).toString();
            assert.equal(redacted(form, [secret]), "secret=[secret]");
        }
    });

    it("finds a secret that looks as if it were JSON-escaped and percent-encoded", () => {
        const secret = String.raw`x\\n%41y`;
        assert.equal(redacted(`before ${secret} after`, [secret]), "before [secret] after");
    });

    for (const [how, form] of Object.entries(forms)) {
        it(`removes a secret that is ${how}`, () => {
            assert.match(redacted(`before ${form} after`, [secret]), /^before \[secret\]=* after$/);
        });
    }

    // The redaction searches long secrets in pieces, and each of base64 and hex as a whole.
    const long = longCanary("long");

    for (const [how, form] of Object.entries(formsOf(long))) {
        it(`removes a secret of ${long.length} characters and many lines that is ${how}`, () => {
            const secrets = secretStrings({ secrets: { key: "whole" } }, { key: long });
            assert.match(redacted(`before ${form} after`, secrets), /^before \[secret\]=* after$/);
        });
    }

    it("removes a secret of 1,000,000 characters, and what a server quotes of its beginning", () => {
        const secret = long.repeat(50).slice(0, 1_000_000);
        assert.equal(secret.length, 1_000_000);
        assert.equal(redacted(`before ${secret} after`, [secret]), "before [secret] after");
        assert.equal(redacted(`before ${JSON.stringify(secret)} after`, [secret]), 'before "[secret]" after');
        assert.equal(redacted(`before ${secret.slice(0, 5_000)}… after`, [secret]), "before [secret]… after");
    });

    it("leaves no part of two secrets that overlap in a text", () => {
        assert.equal(redacted("a: onetwothree", ["onetwo", "twothree"]), "a: [secret]");
    });

    it("removes a secret with a carriage return as JSON escapes it", () => {
        assert.equal(redacted(String.raw`a b\r\nc d`, ["b\r\nc"]), "a [secret] d");
    });

    it("returns no text that it cannot search", () => {
        const secrets = function* () {
            yield "other";
            throw new RangeError("planted-secret");
        };
        assert.equal(redacted("a planted-secret", secrets()), "[secret]");
    });

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
