import assert from "node:assert/strict";
import { oneLine, redacted, redacting } from "../../src/core/redaction";
import { canary, formsOf, holdsNone } from "../support/canaries";
import { chance, seed } from "./random";

const letters = "abcdefghijklmnopqrstuvwxyz ,:{}";
const hex4 = (letter: string) => letter.charCodeAt(0).toString(16).padStart(4, "0");

describe("redaction", () => {
    const value = canary("password");

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

    it("leaves one line, which ends after two million characters", () => {
        assert.equal(oneLine(`a\u001b[2J\r\nb\u009b\u202ec\u2028`), "a [2J b c ");
        assert.equal(oneLine("x".repeat(2 ** 21 + 1)).length, 2 ** 21);
    });

    it("does not take long for a long secret", () => {
        const long = Array.from({ length: 200_000 }, (_, index) => String(index)).join(",");
        const told = redacted(`${"nothing of it ".repeat(300)}199990,199991,199992`, [long]);
        assert.equal(told, `${"nothing of it ".repeat(300)}[secret]`);
    });

    const spelt: [how: string, spelling: string][] = [
        ["with every letter as a number", [...value].map((letter) => `\\u${hex4(letter)}`).join("")],
        ["with capital numbers", [...value].map((letter) => `\\u${hex4(letter).toUpperCase()}`).join("")],
        ["with escaped slashes", JSON.stringify(value).slice(1, -1).replaceAll("/", "\\/")],
        ["in percent, every byte", Buffer.from(value).toString("hex").replace(/../g, "%$&")],
        ["in percent, in capitals", Buffer.from(value).toString("hex").toUpperCase().replace(/../g, "%$&")],
        ["in base64 in percent", encodeURIComponent(Buffer.from(value).toString("base64"))],
        ["in hex of mixed letters", Buffer.from(value).toString("hex").replace(/a/g, "A")],
        ["in base64 of a body", Buffer.from(JSON.stringify({ a: "b", c: value })).toString("base64")],
        ["in base64 of a text in a body", Buffer.from(JSON.stringify(JSON.stringify({ value }))).toString("base64")],
    ];
    for (const [how, spelling] of spelt) {
        it(`takes out a secret ${how}`, () => {
            const told = redacted(`before ${spelling} after`, [value]);
            assert.match(told, /^before .*\[secret\].{0,8} after$/s);
            holdsNone({ password: value }, told, "the message");
            const middle = Math.floor(spelling.length / 2);
            assert.ok(!told.includes(spelling.slice(middle, middle + 12)), told);
        });
    }

    it("takes out characters beyond 16 bits, however they are written", () => {
        const secret = "key \u{1f511}\u{1f512}";
        assert.equal(redacted(`a ${secret} b`, [secret]), "a [secret] b");
        assert.equal(redacted("a key \\ud83d\\udd11\\ud83d\\udd12 b", [secret]), "a [secret] b");
    });

    it("takes a short secret out whole, in any spelling, and leaves what is shorter than a word", () => {
        const secret = 'p"5e';
        for (const form of [secret, 'p\\"5e', "p%225e", Buffer.from(secret).toString("hex")])
            assert.equal(redacted(`a ${form} b`, [secret]), "a [secret] b");
        const wrapped = Buffer.from(`x${secret}yz`).toString("base64");
        assert.match(redacted(`a ${wrapped} b`, [secret]), /^a .\[secret\].{0,6} b$/);
        assert.equal(redacted("the key is abc", ["abc", "the"]), "the key is abc");
    });

    it("takes out what is left of an encoded secret, behind any number of letters that belong to something else", () => {
        const secret = "0123456789abcdefghijklmnopqrstuvwxyz";
        const part = Buffer.from(secret.slice(10, 22));
        for (const before of ["", "7", "7b", "7ba", "7ba8"]) {
            for (const form of [part.toString("base64"), part.toString("hex")])
                assert.match(redacted(`a ${before}${form} b`, [secret]), /^a .{0,4}\[secret\] b$/, before + form);
        }
        const word = part.toString("base64").slice(0, 10);
        assert.equal(redacted(`a ${word} b`, [secret]), `a ${word} b`);
    });

    it("takes out what a short secret says where it is written with escapes", () => {
        assert.equal(redacted('a p"5e1 b', ['p\\"5e1']), "a [secret] b");
    });

    it("takes out what a server reads in a secret document, where the document escapes it", () => {
        const document = '{"password":"p\\u003cq\\u0026r\\"s\\\\t\\u003eu\\nv-w\\"x"}';
        const { password } = JSON.parse(document) as { password: string };
        assert.equal(redacted(`the value ${password} is bad`, [document]), "the value [secret] is bad");
        assert.equal(redacted(`bad: ${password}`, [Buffer.from(document)]), "bad: [secret]");
    });

    describe("of a document of many steps", () => {
        const step = 128 * 1024;
        const { whole } = chance(17);
        const document = Buffer.from(Array.from({ length: 4 * step }, () => letters[whole(letters.length)]).join(""));
        const spellings: [how: string, write: (part: Buffer) => string][] = [
            ["as it is", (part) => part.toString()],
            ["in base64", (part) => part.toString("base64")],
            ["in base64 for URLs", (part) => part.toString("base64url")],
            ["in hex", (part) => part.toString("hex")],
            ["in percent", (part) => part.toString("hex").replace(/../g, "%$&")],
            ["in quotes, twice", (part) => JSON.stringify(JSON.stringify(part.toString()))],
        ];
        for (const [how, write] of spellings) {
            it(`takes out a piece from anywhere ${how}`, () => {
                const places = [0, 1, 2, step - 16, step - 8, step, 2 * step - 1, 3 * step + 11, 4 * step - 24];
                for (const place of places) {
                    const piece = document.subarray(place, place + 24);
                    const told = redacted(`before ${write(piece)} after`, [document]);
                    assert.match(told, /^before .{0,6}\[secret\].{0,6} after$/, String(place));
                }
            });
        }

        it("goes on in steps, none of which is longer for a longer document", () => {
            const stepsFor = (secret: Buffer) => [...redacting(["the serial is missing"], [secret])].length;
            assert.equal(stepsFor(document) - stepsFor(document.subarray(0, step)), 3);
        });
    });

    it(`takes out every piece of 16 letters, and nothing else (seed ${seed})`, () => {
        const { whole } = chance();
        const text = (length: number) => Array.from({ length }, () => "%!"[whole(2)]).join("");
        for (let round = 0; round < 300; round++) {
            const [said, secret] = [text(whole(200)), text(16 + whole(3000))];
            const hidden = new Set<number>();
            for (let at = 0; at + 16 <= said.length; at++) {
                if (!secret.includes(said.slice(at, at + 16))) continue;
                for (let each = at; each < at + 16; each++) hidden.add(each);
            }
            const wanted = [...said].map((letter, at) => (hidden.has(at) ? "\0" : letter)).join("");
            assert.equal(redacted(said, [secret]), wanted.replace(/\0+/g, "[secret]"));
        }
    });
});
