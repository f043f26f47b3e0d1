import assert from "node:assert/strict";
import { changedNames, diffValues } from "../../src/schema/diff";
import type { Values } from "../../src/schema/facts";
import { objectNode } from "../../src/schema/node";
import { unknown } from "../../src/schema/unknown";
import { withLock } from "../core/sample";
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

const diffSample = (olds: Values, news: Values) => {
    const node = objectNode(withLock);
    const changes = diffValues(node, { name: "web", ...olds }, { name: "web", ...news });
    const replaces = changes.filter((change) => change.replaces);
    const sends = changes.some(({ isOption }) => !isOption);
    return { changed: changedNames(changes), replaces: changedNames(replaces), sends };
};

const bucket = (more: Values) => ({ storage: { type: "bucket", bucket: "b", ...more } });

describe("diff of a whole resource", () => {
    const same: [what: string, left: Values, right: Values][] = [
        ["durations by length", { ttl: "1h" }, { ttl: "3600s" }],
        ["durations as text and number", { ttl: "1h" }, { ttl: 3600 }],
        ["lists as sets", { groups: ["a", "b"] }, { groups: ["b", "a", "a"] }],
        ["lists as text", { policies: "a,b" }, { policies: ["b", "a"] }],
        ["blocks of addresses", { blocks: "1.2.3.4/32,2001:DB8::1" }, { blocks: ["2001:db8::1", "1.2.3.4"] }],
        [
            "maps without order",
            { places: [{ a: "1", b: "2" }, { a: "3" }] },
            { places: [{ a: "3" }, { b: "2", a: "1" }] },
        ],
        ["absent and empty list", {}, { groups: [], policies: "", blocks: [], places: [] }],
        ["absent and default", {}, { ttl: 0, maxTtl: "0s", uses: 0, sort: "default", adopt: false, wait: "" }],
        ["absent and what another field says", {}, { label: "web" }],
        ["letter case of a name without it", { name: "WEB", label: "a" }, { name: "web", label: "a" }],
        ["slashes around a mount", { mount: "team/clouda" }, { mount: "/team/clouda/" }],
        ["a former name", { oldPolicies: "b,a" }, { policies: ["a", "b"] }],
        ["order of keys in storage", bucket({ key: "k" }), { storage: { key: "k", bucket: "b", type: "bucket" } }],
        ["defaults in storage", bucket({}), bucket({ encrypted: false, keyName: "", key: "" })],
        ["a document and its text", bucket({ document: { a: 1, b: 2 } }), bucket({ document: '{"b":2, "a":1}' })],
        ["what is the frame's own", { lockMark: "a" }, { lockMark: "b" }],
        ["what is no field at all", { server: "x", anything: 1 }, {}],
    ];
    for (const [what, left, right] of same) {
        it(`takes for the same: ${what}`, () => {
            assert.deepEqual(diffSample(left, right), { changed: [], replaces: [], sends: false });
            assert.deepEqual(diffSample(right, left), { changed: [], replaces: [], sends: false });
        });
    }

    const changed: [what: string, olds: Values, news: Values, changed: string[], replaces: string[]][] = [
        ["another length", { ttl: "1h" }, { ttl: "61m" }, ["ttl"], []],
        ["a removed field", { ttl: "1h", groups: ["a"] }, {}, ["groups", "ttl"], []],
        ["letter case in a list", { groups: ["a"] }, { groups: ["A"] }, ["groups"], []],
        ["another name", {}, { name: "other" }, ["name", "label"], ["name", "label"]],
        ["another mount", { mount: "a" }, { mount: "b" }, ["mount"], ["mount"]],
        ["a type of storage", bucket({}), { storage: { type: "folder", path: "/x" } }, ["storage"], []],
        ["a field inside storage", bucket({ key: "a" }), bucket({ key: "b" }), ["storage"], []],
        ["a sparse field", { note: 1 }, {}, ["note"], []],
        ["a changed former name", { oldPolicies: ["a"] }, { oldPolicies: ["b"] }, ["policies"], []],
    ];
    for (const [what, olds, news, names, replaces] of changed) {
        it(`tells apart: ${what}`, () =>
            assert.deepEqual(diffSample(olds, news), { changed: names, replaces, sends: true }));
    }

    it("replaces by the documents' rules only where they hold", () => {
        assert.deepEqual(diffSample({}, { label: "Web" }).replaces, ["label"]);
        assert.deepEqual(diffSample({}, { mount: "x" }).replaces, ["mount"]);
    });

    it("keeps what was settled at create when the program leaves it out", () => {
        assert.deepEqual(diffSample({ mount: "clouda" }, {}), { changed: [], replaces: [], sends: false });
    });

    it("counts an unknown as changed, and as a replacement where the field replaces", () => {
        assert.deepEqual(diffSample({ ttl: 1 }, { ttl: unknown }), { changed: ["ttl"], replaces: [], sends: true });
        assert.deepEqual(diffSample({ mount: "a" }, { mount: unknown }).replaces, ["mount"]);
        assert.deepEqual(diffSample({ ttl: unknown }, { ttl: unknown }).changed, ["ttl"]);
        assert.deepEqual(diffSample({}, { name: unknown }).replaces, ["name", "label"]);
    });

    it("counts an unknown inside a value as a change of it", () => {
        assert.deepEqual(diffSample({ groups: ["a"] }, { groups: ["a", unknown] }).changed, ["groups"]);
        assert.deepEqual(diffSample({ places: [] }, { places: [{ zone: unknown }] }).changed, ["places"]);
        assert.deepEqual(diffSample(bucket({}), bucket({ key: unknown })).changed, ["storage"]);
    });

    it("sends nothing for options, and yet they are changes", () => {
        const options = { adopt: true, wait: "1m", connection: "b" };
        assert.deepEqual(diffSample({}, options), {
            changed: ["adopt", "wait", "connection"],
            replaces: [],
            sends: false,
        });
        assert.deepEqual(diffSample(options, {}).sends, false);
        assert.deepEqual(diffSample({ wait: 60 }, { wait: "1m" }).changed, []);
    });
});
