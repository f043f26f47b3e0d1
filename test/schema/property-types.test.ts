import assert from "node:assert/strict";
import * as z from "zod";
import { check } from "../../src/schema/check";
import { decoded, isSame } from "../../src/schema/meaning";
import { type Equality, objectNode, type Property, property } from "../../src/schema/property";
import {
    asCidrs,
    asJson,
    asSet,
    cidrs as cidrList,
    durationText,
    duration as durationType,
    ignoringCase,
    jsonDocument as jsonType,
    names as nameList,
    nonEmptyString,
    separatedNames as separatedType,
    slashTrimmed as slashTrimmedType,
    stringMap,
    stringOf,
    wholeNumber,
    wordOf,
} from "../../src/schema/property-types";

/** An object with one property of the type, which is compared like this. */
interface Kind {
    readonly type: z.ZodType;
    readonly equality?: Equality;
}

const nodeOf = ({ type, equality }: Kind) =>
    objectNode(z.strictObject({ it: property(type, { description: "", equality }) }));
const propertyOf = (kind: Kind): Property => nodeOf(kind).properties.get("it") ?? assert.fail();

/** The problems of a value, once each; none when it is accepted. */
const problems = (kind: Kind, it: unknown) => check(nodeOf(kind), { it }).failures.map(({ reason }) => reason);

/** What would be sent. */
const sent = (kind: Kind, value: unknown) => decoded(propertyOf(kind).node, value);

const isTheSame = (kind: Kind, left: unknown, right: unknown) =>
    isSame(propertyOf(kind), sent(kind, left), sent(kind, right));
const accepts = (kind: Kind, ...values: unknown[]) => {
    for (const value of values) assert.deepEqual(problems(kind, value), [], JSON.stringify(value));
};
const refuses = (kind: Kind, ...values: unknown[]) => {
    for (const value of values) assert.equal(problems(kind, value).length, 1, `accepted ${JSON.stringify(value)}`);
};
const same = (kind: Kind, left: unknown, right: unknown) =>
    assert.ok(isTheSame(kind, left, right), `${JSON.stringify(left)} is not ${JSON.stringify(right)}`);
const different = (kind: Kind, left: unknown, right: unknown) =>
    assert.ok(!isTheSame(kind, left, right), `${JSON.stringify(left)} is ${JSON.stringify(right)}`);

const duration = (least?: number): Kind => ({ type: durationType(least) });
const names: Kind = { type: nameList, equality: asSet };
const separatedNames: Kind = { type: separatedType, equality: asSet };
const cidrs: Kind = { type: cidrList, equality: asCidrs };
const jsonDocument: Kind = { type: jsonType, equality: asJson };
const stringMaps: Kind = { type: z.array(stringMap), equality: asSet };
const string: Kind = { type: z.string() };
const word = stringOf(/^\w+$/, "must be a word");

describe("the type of a property", () => {
    describe("duration", () => {
        it("compares and sends whole seconds", () => {
            same(duration(), "1h", "3600s");
            same(duration(), "1h", 3600);
            same(duration(), "60m", "3600");
            different(duration(), "1h", 3601);
            assert.equal(sent(duration(), "1h30m"), 5400);
        });

        it("says what it must be", () => {
            assert.deepEqual(problems(duration(), "soon"), [
                'must be a duration: whole seconds such as 3600, or a string with units such as "90s", "1h30m", "1d"',
            ]);
            refuses(duration(), true, [60], {}, -1, 60.5, "1d12h", Number.NaN);
        });

        it("may travel as a string with its unit", () => {
            const text = { type: durationText() };
            assert.deepEqual(
                ["1h", 90, "", "1m0.9s"].map((value) => sent(text, value)),
                ["3600s", "90s", "0s", "60s"],
            );
            same(text, "1h", 3600);
            refuses(text, "soon", -1);
        });

        it("may have a least length", () => {
            accepts(duration(1), 1, "1s", "1h");
            refuses(duration(1), 0, "", "0.5s");
            assert.match(problems(duration(1), 0)[0] ?? "", /of at least 1 s$/);
        });
    });

    describe("a list of names", () => {
        it("is a set: order, repetition, and blanks around carry no meaning", () => {
            same(names, ["a", "b"], ["b", "a"]);
            same(names, ["a", "b", "a"], ["b", "a"]);
            same(names, [" a "], ["a"]);
            different(names, ["a"], ["A"]);
            different(names, ["a"], ["a", "b"]);
        });

        it("is sent in the order of the program, each name once", () => {
            assert.deepEqual(sent(names, ["b", " a", "b"]), ["b", "a"]);
        });

        it("does not split its items at commas", () => {
            different(names, ["a,b"], ["a", "b"]);
            assert.deepEqual(sent(names, ["a,b"]), ["a,b"]);
        });

        it("holds no empty text, which would say nothing, or all", () => {
            refuses(names, [""], [" "], ["a", ""], ["a", "\t"]);
            accepts(names, [], ["a"]);
        });

        it("that a server holds with an empty text is no list without it", () => {
            same(names, [""], [""]);
            different(names, [""], []);
        });

        it("is no text, nor holds anything else", () => refuses(names, "a,b", [1], [null], { 0: "a" }));
    });

    describe("names, also separated by commas", () => {
        it("mean the same as a list", () => {
            same(separatedNames, "a,b", ["b", "a"]);
            same(separatedNames, " b , a ", "a,b");
            same(separatedNames, "", []);
            different(separatedNames, "a,b", "a");
            assert.deepEqual(sent(separatedNames, "b, a,b"), ["b", "a"]);
        });

        it("say what they must be, once", () => {
            assert.deepEqual(problems(separatedNames, [1, 2]), [
                "must be a list of strings, or one string with commas between them",
            ]);
            refuses(separatedNames, 5, { a: "b" });
        });

        it("are none of them empty; an empty text is no name at all", () => {
            refuses(separatedNames, [""], [" "], ["a", ""], "a,,b", "a,", ",a", ",", " ", "a, ,b");
            accepts(separatedNames, "", [], "a, b");
        });
    });

    describe("CIDR blocks", () => {
        it("of one address are the address", () => {
            same(cidrs, "1.2.3.4", "1.2.3.4/32");
            same(cidrs, ["2001:db8::1/128"], ["2001:db8::1"]);
        });

        it("are compared by meaning in IPv6", () => {
            same(cidrs, "2001:DB8::1/64", "2001:db8:0:0:0:0:0:1/64");
            same(cidrs, "::1", "0:0:0:0:0:0:0:1/128");
            different(cidrs, "2001:db8::/64", "2001:db8::/65");
        });

        it("keep their host bits, as servers do", () => {
            different(cidrs, "10.0.0.1/8", "10.0.0.0/8");
            different(cidrs, "10.0.0.0/8", "10.0.0.0/16");
        });

        it("are a set, as a list or one text", () => {
            same(cidrs, "10.0.0.0/8, 1.2.3.4", ["1.2.3.4/32", "10.0.0.0/8"]);
            same(cidrs, "", []);
        });

        it("are sent as they were written", () => {
            assert.deepEqual(sent(cidrs, ["2001:DB8::1/64", "1.2.3.4/32"]), ["2001:DB8::1/64", "1.2.3.4/32"]);
        });

        for (const junk of [
            ...["10.0.0.0/99", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "junk", "/path", "010.0.0.1", "10.1"],
            ...[
                "",
                " ",
                "10.0.0.256",
                "0x7f.0.0.1",
                "10.0.0.1:80",
                "2001:db8::1/129",
                "2001:db8::g",
                "fe80::1%eth0",
                "1",
            ],
        ]) {
            it(`refuse ${junk}, and say so`, () => {
                assert.deepEqual(problems(cidrs, ["10.0.0.0/8", junk]), [
                    `must hold IP addresses or CIDR blocks such as "10.0.0.0/8"; "${junk}" is none`,
                ]);
            });
        }

        it("refuse what stands empty between commas", () => {
            refuses(cidrs, "10.0.0.0/8,,1.2.3.4", "10.0.0.0/8,", ",", " ", [""]);
            accepts(cidrs, "", []);
        });

        it("that a server holds although they are none equal only themselves", () => {
            same(cidrs, ["junk"], ["junk"]);
            different(cidrs, ["junk"], []);
        });
    });

    describe("a JSON document", () => {
        it("is its object or its text; order of keys and white space carry no meaning", () => {
            same(jsonDocument, '{"a": 1, "b": [1, 2]}', { b: [1, 2], a: 1 });
            same(jsonDocument, ' {\n"a":{"x":1,"y":2}}', '{"a":{"y":2,"x":1}}');
            different(jsonDocument, { a: [1, 2] }, { a: [2, 1] });
            different(jsonDocument, { a: 1 }, { a: "1" });
            different(jsonDocument, {}, "");
            same(jsonDocument, '{"a":1e2,"b":0.50,"c":0.0}', '{"b":5e-1,"a":100,"c":-0}');
            different(jsonDocument, '{"a":9007199254740993}', '{"a":9007199254740992}');
            const long = "a".repeat(2e7);
            assert(isTheSame(jsonDocument, `{"a":"${long}","b":1}`, `{"b":1.0,"a":"${long}"}`), "a long string");
        });

        it("is sent as text, a text as it was written", () => {
            assert.equal(sent(jsonDocument, { a: 1 }), '{"a":1}');
            assert.equal(sent(jsonDocument, '{ "a": 1 }'), '{ "a": 1 }');
        });

        it("is an object, or nothing", () => {
            accepts(jsonDocument, "", {}, "{}");
            refuses(jsonDocument, "{", "[1]", "null", "5", 5, [1]);
        });
    });

    describe("a list of flat maps", () => {
        it("is a set of sets", () => {
            same(stringMaps, [{ zone: "a", rack: "1" }, { zone: "b" }], [{ zone: "b" }, { rack: "1", zone: "a" }]);
            different(stringMaps, [{ zone: "a" }], [{ zone: "b" }]);
            different(stringMaps, [{ zone: "a" }], [{ zone: "a" }, { zone: "b" }]);
        });

        it("holds texts only", () => refuses(stringMaps, [{ zone: 1 }], [{ zone: { a: "b" } }], ["a"], { zone: "a" }));
    });

    describe("text", () => {
        it("is compared to the letter", () => {
            different(string, "a", "A");
            different(string, "a", "a ");
            refuses(string, 5, ["a"]);
        });

        it("may have a form", () => {
            accepts({ type: word }, "a");
            assert.deepEqual(problems({ type: word }, "a b"), ["must be a word"]);
            refuses({ type: nonEmptyString }, "", " ");
        });

        it("whose case carries no meaning is compared without it", () => {
            const caseless = { type: word, equality: ignoringCase };
            same(caseless, "Web", "wEB");
            different(caseless, "web", "webs");
        });

        it("of a path loses the slashes at its ends, and has no segment that leads elsewhere", () => {
            const path = { type: slashTrimmedType("must be a path") };
            same(path, "/team/clouda/", "team/clouda");
            different(path, "team/clouda", "clouda");
            accepts(path, "clouda", "a/b/c", "/a");
            refuses(path, "", "/", "a//b", "..", "a/../b", "./a", 5);
        });
    });

    it("a flag is true or false, not a word for it", () => {
        accepts({ type: z.boolean() }, true, false);
        refuses({ type: z.boolean() }, "true", 1, 0);
    });

    it("a count is whole and not below its least", () => {
        accepts({ type: wholeNumber() }, 0, 5, 2 ** 60);
        refuses({ type: wholeNumber() }, -1, 1.5, "5", Number.NaN, Number.POSITIVE_INFINITY);
        assert.deepEqual(problems({ type: wholeNumber(1) }, 0), ["must be a whole number of at least 1"]);
    });

    it("a word of both vocabularies means the documents' word, whichever was written", () => {
        const mode = { type: wordOf(["one", "two"], (word) => (word === "one" ? "single" : "both")) };
        accepts(mode, "one", "both");
        assert.deepEqual(problems(mode, "three"), ['must be one of "one", "two", "single", "both"']);
        same(mode, "two", "both");
        different(mode, "one", "both");
        assert.equal(sent(mode, "both"), "two");
    });

    it("JSON of any form is compared by structure", () => {
        const any = { type: z.array(z.unknown()) };
        same(any, [{ a: 1, b: 2 }], [{ b: 2, a: 1 }]);
        different(any, [1, 2], [2, 1]);
    });

    it("what is outside the type stands for itself", () => {
        assert.equal(sent(duration(), "soon"), "soon");
        same(duration(), "soon", "soon");
        different(duration(), "soon", 0);
        different(duration(), undefined, 0);
    });
});
