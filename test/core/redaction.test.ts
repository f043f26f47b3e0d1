import assert from "node:assert/strict";
import { redacted } from "../../src/core/redaction";
import { formsOf, holdsNone, planted } from "../support/planted";

describe("redaction", () => {
    const value = planted("password");

    for (const [how, form] of Object.entries(formsOf(value))) {
        it(`takes out a secret ${how}`, () => {
            const told = redacted(`before ${form} after`, [value]);
            holdsNone({ password: value }, told, "the message");
            assert.match(told, /^before \[secret\].* after$/s);
        });
    }

    it("takes out what is left of one that was cut, or folded", () => {
        const secret = "0123456789abcdefghijklmnopqrstuvwxyz\nSecond line of the same secret";
        for (const [said, told] of [
            ["begins with 0123456789abcdefgh…", "begins with [secret]…"],
            ["…klmnopqrstuvwxyz", "…[secret]"],
            ["0123456789abcdefghijklmnopqrstuvwxyz Second line of the same secret", "[secret] [secret]"],
            ["a 0123456789abcdefghijklmnopqrstuvwxyz", "a [secret]"],
        ] as const) {
            assert.equal(redacted(said, [secret]), told);
        }
    });

    it("takes out the longest first, and every one of several", () => {
        assert.equal(redacted("abcdefgh abcd efgh", ["abcd", "abcdefgh"]), "[secret] [secret] efgh");
    });

    it("leaves everything else as it is, words of a secret too", () => {
        const text = 'role "web": the policy of the production team is unknown (100% sure: a+b/c\\d)';
        assert.equal(redacted(text, [value, "the policy board", ""]), text);
        assert.equal(redacted(text, []), text);
        assert.equal(redacted("", [value]), "");
    });

    it("does not take long for a long secret", () => {
        const long = Array.from({ length: 200_000 }, (_, index) => String(index)).join(",");
        const told = redacted(`${"nothing of it ".repeat(300)}199990,199991,199992`, [long]);
        assert.equal(told, `${"nothing of it ".repeat(300)}[secret]`);
    });
});
