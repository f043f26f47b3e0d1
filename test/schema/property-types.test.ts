/** Tests of types whose values have many spellings: which values they accept, which values are equal, and what is sent. */

import assert from "node:assert/strict";
import * as z from "zod";
import { check } from "../../src/schema/check";
import { Declared } from "../../src/schema/declared";
import { decoding, isSame, mapNode } from "../../src/schema/meaning";
import { type Equality, objectNode, type Property, property } from "../../src/schema/property";
import {
    asCidrs,
    asJson,
    asSet,
    cidrs as cidrList,
    duration,
    jsonDocument as jsonType,
    listOf,
    names as nameList,
    size as sizeType,
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

const rows: Readonly<Record<string, Row>> = {
    "a duration is whole seconds": {
        kind: { type: duration() },
        values: [["1h", "3600s", "60m", 3600], [3601], [0, ""]],
        refuses: [
            ...["soon", "1w", " 60", "60 ", "60 s", "1e3", "1e3s", "0x10", "1_000", "1,5h", "h", "s60", ".", "-1s"],
            ...["1h-30m", "٣s", "1H", "null", -1, 60.5, Number.NaN, Number.POSITIVE_INFINITY, true, [60], {}],
            ...[9_223_372_037, "2562047h47m17s", "106752d", "9".repeat(400), `${"1".repeat(200_000)}x`],
        ],
        sends: Object.entries({
            ...{ "60": 60, "60s": 60, "90m": 5400, "1h30m15s": 5415, "30m1h": 5400, "1.5h": 5400, ".5h": 1800 },
            ...{ "1d": 86_400, "1d12h": 129_600, "1500ms": 1, "2000000us": 2, "2000000µs": 2, "3000000000ns": 3 },
            // Fractions of a second are dropped, but floating-point errors must not lose a whole second.
            ...{ "0.5s": 0, "999999999ns": 0, "1.9s": 1, "1m0.999s": 60, "0.1s0.2s0.7s": 1, "0.3m": 18, "2.05m": 123 },
            ...{ "1.1h": 3960, "9223372036": 9_223_372_036, "2562047h47m16s": 9_223_372_036 },
        }),
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
    "a size is bytes, or a text with a unit": {
        kind: { type: sizeType(1) },
        values: [["10GiB", "10Gi", 10 * 2 ** 30], ["10GB", "10G", 1e10], ["500 MB"], ["3 MiB"], ["7B"], ["2KB"]],
        refuses: [
            ...["1.5GiB", "", "GiB", "10 tons", "10gib", "-1G", "1e9", " 1G", "0GiB", 0, 1.5],
            ...["9".repeat(19), "9999999TiB"],
        ],
        sends: Object.entries({
            "1073741824": 2 ** 30,
            "1 TiB": 2 ** 40,
            "500 MB": 5e8,
            "3 MiB": 3 * 2 ** 20,
            "2KB": 2000,
        }),
        says: [
            "10 tons",
            'must be a size of at least 1: whole bytes such as 10737418240, or a string with a unit such as "10GiB"',
        ],
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

it("a list in an answer is refused at its first wrong item, without a look at the others", () => {
    let checked = 0;
    const item = z.custom((value) => {
        checked += 1;
        return value !== "wrong";
    });
    assert.equal(listOf(item).safeParse(["right", "wrong", ...Array(100).fill("wrong")]).success, false);
    assert.equal(checked, 2);
});
