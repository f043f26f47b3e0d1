import assert from "node:assert/strict";
import { checkValues } from "../../src/schema/check";
import type { Values } from "../../src/schema/facts";
import { asSentence } from "../../src/schema/finding";
import { objectNode } from "../../src/schema/node";
import { unknown } from "../../src/schema/unknown";
import { inputs } from "../core/sample";
import { sampleNode } from "./sample";

const reasons = (news: object) =>
    checkValues(sampleNode, { ...news }).failures.map(({ path, reason }) => `${path}: ${reason}`);

describe("check", () => {
    it("accepts what the types allow", () => {
        const news = {
            name: "a",
            ttl: "1h",
            groups: ["x"],
            policies: "a, b",
            outlet: { type: "faucet", size: 2 },
            pipes: [{ from: "here" }],
            labels: { a: "b" },
        };
        assert.deepEqual(reasons(news), []);
    });

    it("reports every problem at once, each with its path at any depth", () => {
        const news = {
            titel: "x",
            ttl: "soon",
            groups: ["a", ""],
            outlet: { type: "tap", size: 0, colour: "red" },
            pipes: [{ from: "here", length: 1.5 }, { key: 1 }],
            labels: { a: 1 },
            force: "yes",
        };
        assert.deepEqual(reasons(news), [
            "titel: is not an argument; did you mean title?",
            "name: is required",
            'ttl: must be a duration: whole seconds such as 3600, or a string with units such as "90s", "1h30m", "1d"',
            "groups: must be a list of strings, none of them empty",
            "outlet.colour: is not an argument",
            "outlet.size: must be a whole number of at least 1",
            "pipes[0].length: must be a whole number of at least 0",
            "pipes[1].from: is required",
            "pipes[1].key: must be a string",
            'labels["a"]: must be a string',
            "force: must be true or false",
        ]);
    });

    it("names the forms of an object that has several", () => {
        assert.deepEqual(reasons({ name: "a", outlet: { type: "hole" } }), [
            'outlet.type: must be one of "tap", "faucet", "valve"',
        ]);
        assert.deepEqual(reasons({ name: "a", outlet: "x" }), [
            'outlet: must be an object whose type is one of "tap", "faucet", "valve"',
        ]);
    });

    it("lets unknown values pass at any depth, and checks what is known beside them", () => {
        assert.deepEqual(
            reasons({
                name: unknown,
                groups: ["a", unknown],
                outlet: { type: unknown, size: 0 },
                pipes: [unknown, { from: unknown, length: -1 }],
                labels: { a: unknown, b: 2 },
            }),
            ["pipes[1].length: must be a whole number of at least 0", 'labels["b"]: must be a string'],
        );
        assert.deepEqual(reasons({ name: "a", groups: unknown, outlet: { type: "tap", size: unknown } }), []);
    });

    it("holds a list to its own bounds", () => {
        assert.deepEqual(reasons({ name: "a", pipes: [] }), ["pipes: must be a list, not empty, of objects"]);
    });

    it("knows a former name, and not both names at once", () => {
        assert.deepEqual(reasons({ name: "a", oldPolicies: ["x"] }), []);
        assert.deepEqual(checkValues(sampleNode, { name: "a", oldPolicies: ["x"] }).warnings, [
            { path: "oldPolicies", reason: "is deprecated: use policies" },
        ]);
        assert.deepEqual(reasons({ name: "a", oldPolicies: ["x"], policies: ["x"] }), [
            "oldPolicies: is the former name of policies: give only one of them",
        ]);
    });

    it("asks a rule with defaults filled in, and only when all that it uses is known and right", () => {
        assert.deepEqual(reasons({ name: "a", ttl: "2m" }), ["ttl: needs a group"]);
        assert.deepEqual(reasons({ name: "a", ttl: "2m", groups: [unknown] }), []);
        assert.deepEqual(reasons({ name: "a", ttl: "2m", groups: [1] }).length, 1);
        assert.deepEqual(checkValues(sampleNode, { name: "a", labels: { old: "x" } }).warnings, [
            { path: "labels", reason: "are advised" },
        ]);
        assert.deepEqual(checkValues(sampleNode, { name: "a" }).warnings, []);
    });
});

const node = objectNode(inputs);
const check = (news: Values, olds?: Values) => {
    const { failures, warnings } = checkValues(node, news, olds);
    return { failures: failures.map(asSentence), warnings: warnings.map(asSentence) };
};
const failures = (news: Values, olds?: Values) => check({ name: "web", ...news }, olds).failures;

describe("check of a whole resource", () => {
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
            'ttl: must be a duration: whole seconds such as 3600, or a string with units such as "90s", "1h30m", "1d"',
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
        const passing: [where: string, news: Values][] = [
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

    describe("of a former name", () => {
        it("warns, and says what to use", () => {
            assert.deepEqual(check({ name: "web", oldPolicies: ["a"] }), {
                failures: [],
                warnings: ["oldPolicies: is deprecated: use policies"],
            });
        });

        it("refuses both names at once", () => {
            assert.deepEqual(failures({ policies: ["a"], oldPolicies: ["a"] }), [
                "oldPolicies: is the former name of policies: give only one of them",
            ]);
        });
    });
});
