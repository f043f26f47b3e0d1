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

    describe("by rules", () => {
        it("over several fields", () => {
            assert.deepEqual(failures({ ttl: 2, maxTtl: 1 }), ["ttl: must not be greater than maxTtl"]);
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
});
