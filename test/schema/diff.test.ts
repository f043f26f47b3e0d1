import assert from "node:assert/strict";
import { changedNames, diffValues } from "../../src/schema/diff";
import { unknown } from "../../src/schema/unknown";
import { sampleNode } from "./sample";

const diff = (olds: object, news: object) =>
    diffValues(sampleNode, { ...olds }, { ...news }).map(
        ({ path, kind, replaces, isOption }) =>
            `${kind} ${path}${replaces ? " (replaces)" : ""}${isOption ? " (option)" : ""}`,
    );

describe("diff", () => {
    it("sees no difference in what means the same", () => {
        const olds = {
            name: "A",
            ttl: "1h",
            groups: ["a", "b"],
            policies: "x,y",
            outlet: { type: "tap", size: 1 },
            labels: { a: "1", b: "2" },
        };
        const news = {
            name: "a",
            ttl: 3600,
            groups: ["b", "a", "a"],
            oldPolicies: ["y", "x"],
            outlet: { size: 1, type: "faucet", code: "" },
            labels: { b: "2", a: "1" },
            title: "A",
        };
        assert.deepEqual(
            diff(olds, { ...news, title: "A" }),
            ["update title"].filter(() => false),
        );
        assert.deepEqual(diff({ name: "a" }, { name: "a", ttl: "0s", groups: [], force: false, title: "a" }), []);
    });

    it("tells each difference with its path and kind", () => {
        assert.deepEqual(
            diff(
                {
                    name: "a",
                    outlet: { type: "tap", size: 1, code: "x" },
                    pipes: [{ from: "a" }, { from: "b" }],
                    labels: { a: "1", b: "2" },
                },
                {
                    name: "a",
                    outlet: { type: "tap", size: 2 },
                    pipes: [{ from: "a", length: 3 }],
                    labels: { a: "1", c: "3" },
                    password: "p",
                },
            ),
            [
                "update outlet.size",
                "update outlet.code",
                "update pipes[0].length",
                "delete pipes[1]",
                'delete labels["b"]',
                'add labels["c"]',
                "add password",
            ],
        );
    });

    it("writes a key of a map as the engine reads it, and tells the map where it cannot be written", () => {
        const changed = (key: string) =>
            diff({ name: "a", labels: { [key]: "1" } }, { name: "a", labels: { [key]: "2" } });
        assert.deepEqual(changed("a.b[0]"), ['update labels["a.b[0]"]']);
        assert.deepEqual(changed('say "x"'), ['update labels["say \\"x\\""]']);
        assert.deepEqual(changed("C:\\dir\n"), ['update labels["C:\\dir\n"]']);
        assert.deepEqual(changed("C:\\"), ["update labels"]);
    });

    it("replaces where the property says so", () => {
        assert.deepEqual(diff({ name: "a", title: "t" }, { name: "b", title: "t" }), ["update name (replaces)"]);
        assert.deepEqual(diff({ name: "a", region: "x" }, { name: "a", region: "y" }), ["update region (replaces)"]);
    });

    it("keeps what is sticky where it is left out", () => {
        assert.deepEqual(diff({ name: "a", region: "x" }, { name: "a" }), []);
    });

    it("tells another form of an object as a whole", () => {
        assert.deepEqual(
            diff({ name: "a", outlet: { type: "tap", size: 1 } }, { name: "a", outlet: { type: "valve" } }),
            ["update outlet"],
        );
    });

    it("counts an unknown value as changed, and one inside a set makes the set changed", () => {
        assert.deepEqual(diff({ name: "a", title: "t" }, { name: unknown, title: "t" }), ["update name (replaces)"]);
        assert.deepEqual(diff({ name: "a", groups: ["x"] }, { name: "a", groups: ["x", unknown] }), ["update groups"]);
        assert.deepEqual(
            diff(
                { name: "a", outlet: { type: "tap", size: 1 } },
                { name: "a", outlet: { type: "tap", size: unknown } },
            ),
            ["update outlet.size"],
        );
    });

    it("follows a default that depends on another property", () => {
        assert.deepEqual(diff({ name: "a" }, { name: "b" }), ["update name (replaces)", "update title"]);
        assert.deepEqual(diff({ name: "a", title: "b" }, { name: "a" }), ["delete title"]);
    });

    it("marks options", () => {
        assert.deepEqual(diff({ name: "a" }, { name: "a", force: true }), ["add force (option)"]);
    });

    it("names the properties that changes are in, each once", () => {
        const changes = diffValues(
            sampleNode,
            { name: "a", pipes: [{ from: "a", length: 2 }] },
            { name: "a", pipes: [{ from: "b" }] },
        );
        assert.deepEqual(changedNames(changes), ["pipes"]);
    });
});
