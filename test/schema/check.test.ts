import assert from "node:assert/strict";
import { checkValues } from "../../src/schema/check";
import { unknown } from "../../src/schema/unknown";
import { nodeIn } from "./sample";

const reasons = (news: object, vocabulary: "documented" | "product" = "documented") =>
    checkValues(nodeIn(vocabulary), { ...news }).failures.map(({ path, reason }) => `${path}: ${reason}`);

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
            'outlet.type: must be one of "tap", "valve"',
        ]);
        assert.deepEqual(reasons({ name: "a", outlet: "x" }), [
            'outlet: must be an object whose type is one of "tap", "valve"',
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
        assert.deepEqual(checkValues(nodeIn(), { name: "a", oldPolicies: ["x"] }).warnings, [
            { path: "oldPolicies", reason: "is deprecated: use policies" },
        ]);
        assert.deepEqual(reasons({ name: "a", oldPolicies: ["x"], policies: ["x"] }), [
            "oldPolicies: is the former name of policies: give only one of them",
        ]);
    });

    it("refuses what only the other vocabulary has", () => {
        assert.deepEqual(reasons({ name: "a", beta: true }), [
            "beta: is an argument only where the settings say `vocabulary: product`",
        ]);
        assert.deepEqual(reasons({ name: "a", beta: true }, "product"), []);
    });

    it("asks a rule with defaults filled in, and only when all that it uses is known and right", () => {
        assert.deepEqual(reasons({ name: "a", ttl: "2m" }), ["ttl: needs a group"]);
        assert.deepEqual(reasons({ name: "a", ttl: "2m", groups: [unknown] }), []);
        assert.deepEqual(reasons({ name: "a", ttl: "2m", groups: [1] }).length, 1);
        assert.deepEqual(checkValues(nodeIn("product"), { name: "a" }).warnings, [
            { path: "labels", reason: "are advised" },
        ]);
        assert.deepEqual(checkValues(nodeIn(), { name: "a" }).warnings, []);
    });
});
