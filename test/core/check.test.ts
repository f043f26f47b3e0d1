import assert from "node:assert/strict";
import { checkInputs } from "../../src/core/check";
import { unknown } from "../../src/core/engine-values";
import type { Props } from "../../src/core/field";
import { fields, rules } from "./sample";

const check = (news: Props, olds?: Props) => checkInputs(fields, rules, news, olds);
const failures = (news: Props, olds?: Props) => check({ name: "web", ...news }, olds).failures;

describe("check", () => {
    it("accepts what is right", () => {
        const all = {
            name: "web",
            mount: "/team/",
            groups: ["a"],
            policies: "a,b",
            ttl: "1h",
            blocks: ["10.0.0.0/8"],
            storage: { type: "bucket", bucket: "b", key: "k", document: { a: 1 } },
        };
        assert.deepEqual(check(all), { failures: [], warnings: [] });
        assert.deepEqual(check({ name: "web" }), { failures: [], warnings: [] });
    });

    it("reports every problem at once, each beginning with the path of its property", () => {
        const news = {
            name: "a b",
            ttl: "soon",
            uses: -1,
            sort: "other",
            blocks: ["junk", "10.0.0.0/99", "10.0.0.0/8"],
            gruops: ["a"],
            storage: { type: "folder", path: "x", space: 0, spcae: 1 },
        };
        assert.deepEqual(check(news).failures.sort(), [
            'blocks: must hold IP addresses or CIDR blocks such as "10.0.0.0/8"; "10.0.0.0/99" is none',
            'blocks: must hold IP addresses or CIDR blocks such as "10.0.0.0/8"; "junk" is none',
            "gruops: is not an argument; did you mean groups?",
            "name: must be a word",
            'sort: must be one of "service", "batch", "default"',
            "storage.path: must begin with /",
            "storage.space: must be a whole number of at least 1",
            "storage.spcae: is not an argument; did you mean space?",
            'ttl: must be a duration: whole seconds such as 3600, or text with units such as "90s", "1h30m", "1d"',
            "uses: must be a whole number of at least 0",
        ]);
    });

    it("names what is required and missing, also inside storage", () => {
        assert.deepEqual(check({}).failures, ["name: is required"]);
        assert.deepEqual(failures({ storage: { type: "folder" } }), ["storage.path: is required"]);
    });

    it("takes null and undefined for left out", () => {
        assert.deepEqual(failures({ ttl: null, groups: undefined, other: undefined }), []);
        assert.deepEqual(check({ name: null }).failures, ["name: is required"]);
    });

    const misspelt: [given: string, meant: string][] = [
        ["Name", "name"],
        ["tll", "ttl"],
        ["policy", "policies"],
        ["maxttl", "maxTtl"],
        ["addopt", "adopt"],
    ];
    for (const [given, meant] of misspelt) {
        it(`guesses that ${given} means ${meant}`, () => {
            assert.deepEqual(failures({ [given]: 1 }), [`${given}: is not an argument; did you mean ${meant}?`]);
        });
    }

    it("guesses nothing where nothing is near", () => {
        assert.deepEqual(failures({ completelyElse: 1 }), ["completelyElse: is not an argument"]);
    });

    it("knows no argument by what every object of JavaScript inherits", () => {
        assert.deepEqual(failures({ constructor: 1, toString: 2 }), [
            "constructor: is not an argument",
            "toString: is not an argument",
        ]);
        assert.deepEqual(failures({ storage: { type: "constructor" } }), [
            'storage.type: must be one of "folder", "bucket"',
        ]);
    });

    describe("of storage", () => {
        it("wants one of its forms", () => {
            const must = 'storage.type: must be one of "folder", "bucket"';
            assert.deepEqual(failures({ storage: {} }), [must]);
            assert.deepEqual(failures({ storage: { type: "tape", path: "/x" } }), [must]);
            assert.deepEqual(failures({ storage: "/x" }), [
                'storage: must be an object whose type is one of "folder", "bucket"',
            ]);
            assert.deepEqual(failures({ storage: ["/x"] }), [
                'storage: must be an object whose type is one of "folder", "bucket"',
            ]);
        });

        it("refuses the fields of another form", () => {
            assert.deepEqual(failures({ storage: { type: "folder", path: "/x", bucket: "b" } }), [
                "storage.bucket: is not an argument",
            ]);
        });

        it("asks the rules of its form, with the whole path", () => {
            assert.deepEqual(failures({ storage: { type: "bucket", bucket: "b", keyName: "k" } }), [
                "storage.keyName: needs encrypted",
            ]);
        });
    });

    describe("of unknown values", () => {
        const passing: [where: string, news: Props][] = [
            ["at the top", { name: unknown, mount: unknown, ttl: unknown, groups: unknown, sort: unknown }],
            ["in lists", { groups: ["a", unknown], policies: [unknown], blocks: ["10.0.0.0/8", unknown] }],
            ["in maps of lists", { places: [{ zone: unknown }, { zone: "a" }] }],
            ["as the whole storage", { storage: unknown }],
            ["as the type of storage", { storage: { type: unknown, anything: 1 } }],
            ["nested in storage", { storage: { type: "folder", path: unknown, space: unknown } }],
            ["in a document", { storage: { type: "bucket", bucket: "b", document: { a: unknown, b: [unknown] } } }],
        ];
        for (const [where, news] of passing) {
            it(`lets them pass ${where}`, () => assert.deepEqual(failures(news), []));
        }

        it("still reports what is known to be wrong beside them", () => {
            assert.deepEqual(failures({ blocks: [unknown, "junk"] }), [
                'blocks: must hold IP addresses or CIDR blocks such as "10.0.0.0/8"; "junk" is none',
            ]);
            assert.deepEqual(failures({ storage: { type: "folder", path: unknown, space: 0 } }), [
                "storage.space: must be a whole number of at least 1",
            ]);
        });
    });

    describe("by rules", () => {
        it("over several fields", () => {
            assert.deepEqual(failures({ ttl: 2, maxTtl: 1 }), ["ttl: must not be greater than maxTtl"]);
        });

        it("is not done where a value is unknown or wrong by itself", () => {
            assert.deepEqual(failures({ ttl: 2, maxTtl: unknown }), []);
            assert.deepEqual(
                failures({ storage: { type: "bucket", bucket: "b", keyName: "k", encrypted: unknown } }),
                [],
            );
            assert.equal(failures({ ttl: 2, maxTtl: -1 }).length, 1);
        });

        it("may only warn, and may look at the last deployment", () => {
            const news = { name: "web", uses: 1 };
            assert.deepEqual(check(news, { uses: 5 }), { failures: [], warnings: ["uses: fewer than before"] });
            assert.deepEqual(check(news), { failures: [], warnings: [] });
            const [less, more] = [1, 5].map((space) => ({
                name: "web",
                storage: { type: "folder", path: "/x", space },
            }));
            assert.deepEqual(check(less ?? {}, more).warnings, ["storage.space: less than before"]);
            assert.deepEqual(check(less ?? {}, { storage: "/x" }).warnings, []);
        });
    });

    describe("of a former spelling", () => {
        it("warns, and says what to use", () => {
            assert.deepEqual(check({ name: "web", oldPolicies: ["a"] }), {
                failures: [],
                warnings: ["oldPolicies: is deprecated: use policies"],
            });
        });

        it("refuses both spellings at once", () => {
            assert.deepEqual(failures({ policies: ["a"], oldPolicies: ["a"] }), [
                "oldPolicies: is the former spelling of policies: give only one of them",
            ]);
        });
    });
});
