/** Tests for each type of a property which values it accepts, which values are equal, and what is sent. */

import assert from "node:assert/strict";
import * as z from "zod";
import { documentedWord } from "../../src/product-names";
import { check } from "../../src/schema/check";
import { Declared } from "../../src/schema/declared";
import { decoding, isSame, mapNode } from "../../src/schema/meaning";
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
    parseDuration,
    separatedNames as separatedType,
    size as sizeType,
    slashTrimmed,
    stringMap,
    stringOf,
    wholeNumber,
} from "../../src/schema/property-types";

/** The type of a property, and the rule by which its values are compared. */
interface Kind {
    readonly type: z.ZodType;
    readonly equality?: Equality;
}

const nodeOf = ({ type, equality }: Kind) =>
    objectNode(z.strictObject({ it: property(type, { description: "", equality }) }));
const propertyOf = (kind: Kind): Property => nodeOf(kind).properties.get("it") ?? assert.fail();

/** Returns the problems of a value; an empty list if the type accepts the value. */
const problems = (kind: Kind, it: unknown) =>
    check(new Declared(nodeOf(kind), { it })).failures.map(({ reason }) => reason);

const sent = (kind: Kind, value: unknown) => mapNode(propertyOf(kind).node, value, decoding);

const means = (kind: Kind, left: unknown, right: unknown) =>
    isSame(propertyOf(kind), sent(kind, left), sent(kind, right));

const duration: Kind = { type: durationType() };
const jsonDocument: Kind = { type: jsonType, equality: asJson };

interface Row {
    readonly kind: Kind;
    /** Accepted values: those of a list are equal, those of two lists are different. */
    readonly values?: readonly (readonly unknown[])[];
    /** Values with exactly one problem, each of which differs from all `values`. */
    readonly refuses?: readonly unknown[];
    /** Values of a program, and the values that are sent for them. */
    readonly sends?: readonly (readonly [written: unknown, sent: unknown])[];
    /** A refused value, and the text of its problem. */
    readonly says?: readonly [value: unknown, problem: string];
}

const mustBeDuration =
    'must be a duration: whole seconds such as 3600, or a string with units such as "90s", "1h30m", "1d"';

const rows: Readonly<Record<string, Row>> = {
    "a duration is whole seconds": {
        kind: duration,
        values: [["1h", "3600s", "60m", 3600], [3601], [0, ""]],
        refuses: ["soon", true, [60], {}, -1, 60.5, Number.NaN],
        sends: [["1h30m", 5400]],
        says: ["soon", mustBeDuration],
    },
    "a duration may be sent as a string with its unit": {
        kind: { type: durationText() },
        values: [["1h", 3600]],
        refuses: ["soon", -1],
        sends: Object.entries({ "1h": "3600s", "90": "90s", "": "0s", "1m0.9s": "60s" }),
    },
    "a duration may have a minimum": {
        kind: { type: durationType(1) },
        values: [[1, "1s"], ["1h"]],
        refuses: [0, "", "0.5s"],
    },
    "names are a set: order, repetition and surrounding blanks are ignored, commas are not": {
        kind: { type: nameList, equality: asSet },
        values: [
            [
                ["a", "b", "a"],
                ["b", " a "],
                ["b\u0085", "\u2003a"],
            ],
            [["\ufeffa"]],
            [["a"]],
            [["A"]],
            [["a,b"]],
            [[]],
        ],
        refuses: [[""], ["a", "\t"], ["\u0085"], "a,b", [1], [null], { 0: "a" }],
        sends: [
            [
                ["b", " a", "b"],
                ["b", "a"],
            ],
        ],
    },
    "names separated by commas are equal to a list": {
        kind: { type: separatedType, equality: asSet },
        values: [[" b , a ", ["a", "b"], "a, b"], ["", []], ["a"]],
        refuses: [[""], ["a", ""], "a,,b", "a,", ",", " ", 5, { a: "b" }],
        sends: [["b, a,b", ["b", "a"]]],
        says: [[1, 2], "must be a list of strings, or one string with commas between them"],
    },
    "CIDR blocks are a set of addresses, compared by meaning and sent as written": {
        kind: { type: cidrList, equality: asCidrs },
        values: [
            ["10.0.0.0/8, 1.2.3.4", ["1.2.3.4/32", "10.0.0.0/8"]],
            ["2001:DB8::1/64", "2001:db8:0:0:0:0:0:1/64"],
            ["::1", "0:0:0:0:0:0:0:1/128"],
            ["::ffff:10.20.0.255", "10.20.0.255", "::FFFF:a14:ff/128", "::ffff:10.20.0.255/80"],
            ["::ffff:172.16.0.0/108", "172.16.0.0/12", "::ffff:ac10:0/12"],
            ["::ffff:0.0.0.0/96", "0.0.0.0/0"],
            ...[["::fffe:a14:ff"], ["::10.20.0.255"], ["::ffff:0:a14:ff"]],
            ["", []],
            ...[["2001:db8::/64"], ["2001:db8::/65"], ["10.0.0.1/8"], ["10.0.0.0/8"]],
        ],
        refuses: [
            ...["10.0.0.0/99", "10.0.0.0/", "10.0.0.0/8/8", "/path", "010.0.0.1", "10.1", " ", "10.0.0.256", ","],
            ...["0x7f.0.0.1", "10.0.0.1:80", "2001:db8::1/129", "2001:db8::g", "fe80::1%eth0", "1", [""], "1.2.3.4,"],
            ["junk"],
        ],
        sends: [
            [
                ["2001:DB8::1/64", "1.2.3.4/32"],
                ["2001:DB8::1/64", "1.2.3.4/32"],
            ],
        ],
        says: [["10.0.0.0/8", "junk"], 'must contain IP addresses or CIDR blocks such as "10.0.0.0/8"; "junk" is none'],
    },
    "a JSON document is an object or text, whose numbers are compared by every digit": {
        kind: jsonDocument,
        values: [
            [' {"a": 1, "b": [1, {"x":1,"y":2}]}', { b: [1, { y: 2, x: 1 }], a: 1 }],
            ['{"a":1e2,"b":0.50,"c":0.0}', '{"b":5e-1,"a":100,"c":-0}'],
            ...[[{ a: [1, 2] }], [{ a: [2, 1] }], [{ a: 1 }], [{ a: "1" }], [{}, "{}"], [""]],
            ...[['{"a":9007199254740993}'], ['{"a":9007199254740992}']],
            ...[[String.raw`{"a":"\" 1e2"}`], [String.raw`{"a":"\" 100"}`]],
        ],
        refuses: ["{", "[1]", "null", "5", 5, [1]],
        sends: [
            [{ a: 1 }, '{"a":1}'],
            ['{ "a": 9007199254740993, "b": 1.50 }', '{ "a": 9007199254740993, "b": 1.50 }'],
        ],
    },
    "a list of maps may be a set of sets": {
        kind: { type: z.array(stringMap), equality: asSet },
        values: [
            [
                [{ zone: "a", rack: "1" }, { zone: "b" }],
                [{ zone: "b" }, { rack: "1", zone: "a" }],
            ],
            [[{ zone: "a" }]],
            [[{ zone: "a" }, { zone: "b" }]],
        ],
        refuses: [[{ zone: 1 }], [{ zone: { a: "b" } }], ["a"], { zone: "a" }],
    },
    "a string is compared exactly": {
        kind: { type: nonEmptyString },
        values: [["a"], ["a "]],
        refuses: ["", " ", 5, ["a"]],
    },
    "a string may have a pattern, and may ignore letter case": {
        kind: { type: stringOf(/^\w+$/, "must be a word"), equality: ignoringCase },
        values: [["Web", "wEB"], ["webs"]],
        says: ["a b", "must be a word"],
    },
    "a path is trimmed of slashes, and has no empty or dot segment": {
        kind: { type: slashTrimmed("must be a path") },
        values: [["/team/clouda/", "team/clouda"], ["clouda"], ["a/b/c"]],
        refuses: ["", "/", "a//b", "..", "a/../b", "./a", 5],
    },
    "a boolean is true or false, not text or a number": { kind: { type: z.boolean() }, refuses: ["true", 1, 0] },
    "a number is whole, and at least the minimum": {
        kind: { type: wholeNumber(1) },
        values: [[1], [2 ** 60]],
        refuses: [1.5, "5", Number.POSITIVE_INFINITY, 1e21],
        says: [2 ** 63, "must be less than 2^63"],
    },
    "a whole number of 32 bits is less than 2^31": {
        kind: { type: wholeNumber(0, 32) },
        values: [[0], [2 ** 31 - 1]],
        refuses: [2 ** 31, 2 ** 60],
        says: [-1, "must be a whole number of at least 0 and of at most 2147483647"],
    },
    "a value of the product is equal to the document's value": {
        kind: { type: z.enum(["cloudb-s3", "cloudc-gcs", "aws-s3", "google-gcs"]), equality: documentedWord },
        values: [["cloudb-s3", "aws-s3"], ["cloudc-gcs"]],
        says: ["s3", 'must be one of "cloudb-s3", "cloudc-gcs", "aws-s3", "google-gcs"'],
    },
    "JSON of any form is compared by structure": {
        kind: { type: z.array(z.unknown()) },
        values: [[[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]], [[1, 2]], [[2, 1]]],
    },
};

describe("the type of a property", () => {
    for (const [title, { kind, values = [], refuses = [], sends = [], says }] of Object.entries(rows)) {
        it(title, () => {
            const groups = [...values, ...refuses.map((refused) => [refused]), [undefined]];
            for (const [index, group] of groups.entries()) {
                for (const [one, other] of group.flatMap((each) => group.map((peer) => [each, peer]))) {
                    assert(means(kind, one, other), `different: ${JSON.stringify([one, other])}`);
                }
                for (const one of values.flatMap((group, at) => (at === index ? [] : group))) {
                    assert(!means(kind, one, group[0]), `the same: ${JSON.stringify([one, group[0]])}`);
                }
            }
            for (const value of values.flat()) {
                assert.deepEqual(problems(kind, value), [], JSON.stringify(value));
                assert.deepEqual(
                    sent(kind, sent(kind, value)),
                    sent(kind, value),
                    "a decoded value is decoded to itself",
                );
            }
            for (const value of refuses) assert.equal(problems(kind, value).length, 1, JSON.stringify(value));
            for (const [written, expected] of sends) assert.deepEqual(sent(kind, written), expected);
            if (says) assert.deepEqual(problems(kind, says[0]), [says[1]]);
        });
    }

    it("compares long strings inside a JSON document", () => {
        const long = "a".repeat(2e7);
        assert(means(jsonDocument, `{"a":"${long}","b":1}`, `{"b":1.0,"a":"${long}"}`));
    });
});

describe("a size", () => {
    const size: Kind = { type: sizeType(1) };
    const sizes: Readonly<Record<string, number>> = {
        ...{
            "1073741824": 2 ** 30,
            "10GiB": 10 * 2 ** 30,
            "10Gi": 10 * 2 ** 30,
            "1 TiB": 2 ** 40,
            "3 MiB": 3 * 2 ** 20,
        },
        ...{ "10GB": 1e10, "10G": 1e10, "500 MB": 5e8, "7B": 7, "2KB": 2000 },
    };
    for (const [written, bytes] of Object.entries(sizes)) {
        it(`${JSON.stringify(written)} is ${bytes} bytes`, () => {
            assert.deepEqual(problems(size, written), []);
            assert.equal(sent(size, written), bytes);
            assert(means(size, written, bytes));
        });
    }

    it("refuses fractions and other texts, and names bytes and a good spelling", () => {
        for (const written of [
            "1.5GiB",
            "",
            "GiB",
            "10 tons",
            "10gib",
            "-1G",
            "1e9",
            " 1G",
            "0GiB",
            0,
            1.5,
            "9".repeat(19),
            "9999999TiB",
        ]) {
            const [problem = "", ...others] = problems(size, written);
            assert.match(problem, /bytes .*"10GiB"$/, String(written));
            assert.deepEqual(others, []);
        }
    });
});

describe("parseDuration", () => {
    const accepted: Readonly<Record<string, number>> = {
        ...{ "": 0, "60": 60, "60s": 60, "90m": 5400, "1h30m15s": 5415, "30m1h": 5400, "1.5h": 5400, ".5h": 1800 },
        ...{ "1d": 86_400, "1d12h": 129_600, "1500ms": 1, "2000000us": 2, "2000000µs": 2, "3000000000ns": 3 },
        // Fractions of a second are dropped, but floating-point errors must not lose a whole second.
        ...{ "0.5s": 0, "999999999ns": 0, "1.9s": 1, "1m0.999s": 60, "0.1s0.2s0.7s": 1, "0.3m": 18, "2.05m": 123 },
        ...{ "1.1h": 3960, "9223372036": 9_223_372_036, "2562047h47m16s": 9_223_372_036 },
    };
    for (const [written, seconds] of Object.entries(accepted)) {
        it(`${JSON.stringify(written)} is ${seconds} s`, () => assert.equal(parseDuration(written), seconds));
    }

    it("refuses every other text and number, and more than 64 bits of nanoseconds", () => {
        for (const written of [
            ...["1w", " 60", "60 ", "60 s", "1e3", "1e3s", "0x10", "1_000", "1,5h", "h", "s60", ".", "-1s", "1h-30m"],
            ...["٣s", "1H", "null", -1, 60.5, Number.NaN, Number.POSITIVE_INFINITY, true, undefined],
            ...[9_223_372_037, "2562047h47m17s", "106752d", "9".repeat(400), `${"1".repeat(200_000)}x`],
        ]) {
            assert.equal(parseDuration(written), undefined, String(written).slice(0, 20));
        }
    });
});
