import assert from "node:assert/strict";
import { diffInputs } from "../../src/core/diff";
import { unknown } from "../../src/core/engine-values";
import type { Props } from "../../src/core/field";
import { fields } from "./sample";

const diff = (olds: Props, news: Props, vocabulary: "documented" | "product" = "documented") =>
    diffInputs(fields, { name: "web", ...olds }, { name: "web", ...news }, vocabulary);

const bucket = (more: Props) => ({ storage: { type: "bucket", bucket: "b", ...more } });

describe("diff", () => {
    const same: [what: string, left: Props, right: Props][] = [
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
        ["a former spelling", { oldPolicies: "b,a" }, { policies: ["a", "b"] }],
        ["order of keys in storage", bucket({ key: "k" }), { storage: { key: "k", bucket: "b", type: "bucket" } }],
        ["defaults in storage", bucket({}), bucket({ encrypted: false, keyName: "", key: "" })],
        ["a document and its text", bucket({ document: { a: 1, b: 2 } }), bucket({ document: '{"b":2, "a":1}' })],
        ["what is the frame's own", { lockMark: "a" }, { lockMark: "b" }],
        ["what is no field at all", { server: "x", anything: 1 }, {}],
    ];
    for (const [what, left, right] of same) {
        it(`takes for the same: ${what}`, () => {
            assert.deepEqual(diff(left, right), { changed: [], replaces: [], sends: false });
            assert.deepEqual(diff(right, left), { changed: [], replaces: [], sends: false });
        });
    }

    const changed: [what: string, olds: Props, news: Props, changed: string[], replaces: string[]][] = [
        ["another length", { ttl: "1h" }, { ttl: "61m" }, ["ttl"], []],
        ["a removed field", { ttl: "1h", groups: ["a"] }, {}, ["groups", "ttl"], []],
        ["letter case in a list", { groups: ["a"] }, { groups: ["A"] }, ["groups"], []],
        ["another name", {}, { name: "other" }, ["name", "label"], ["name", "label"]],
        ["another mount", { mount: "a" }, { mount: "b" }, ["mount"], ["mount"]],
        ["a type of storage", bucket({}), { storage: { type: "folder", path: "/x" } }, ["storage"], []],
        ["a field inside storage", bucket({ key: "a" }), bucket({ key: "b" }), ["storage"], []],
        ["a sparse field", { note: 1 }, {}, ["note"], []],
        ["a changed former spelling", { oldPolicies: ["a"] }, { oldPolicies: ["b"] }, ["policies"], []],
    ];
    for (const [what, olds, news, names, replaces] of changed) {
        it(`tells apart: ${what}`, () => assert.deepEqual(diff(olds, news), { changed: names, replaces, sends: true }));
    }

    it("replaces by the documents' rules only where they hold", () => {
        assert.deepEqual(diff({}, { label: "Web" }, "documented").replaces, ["label"]);
        assert.deepEqual(diff({}, { label: "Web" }, "product").replaces, []);
        assert.deepEqual(diff({}, { mount: "x" }, "product").replaces, ["mount"]);
    });

    it("keeps what was settled at create when the program leaves it out", () => {
        assert.deepEqual(diff({ mount: "clouda" }, {}), { changed: [], replaces: [], sends: false });
    });

    it("counts an unknown as changed, and as a replacement where the field replaces", () => {
        assert.deepEqual(diff({ ttl: 1 }, { ttl: unknown }), { changed: ["ttl"], replaces: [], sends: true });
        assert.deepEqual(diff({ mount: "a" }, { mount: unknown }).replaces, ["mount"]);
        assert.deepEqual(diff({ ttl: unknown }, { ttl: unknown }).changed, ["ttl"]);
        assert.deepEqual(diff({}, { name: unknown }).replaces, ["name", "label"]);
    });

    it("counts an unknown inside a value as a change of it", () => {
        assert.deepEqual(diff({ groups: ["a"] }, { groups: ["a", unknown] }).changed, ["groups"]);
        assert.deepEqual(diff({ places: [] }, { places: [{ zone: unknown }] }).changed, ["places"]);
        assert.deepEqual(diff(bucket({}), bucket({ key: unknown })).changed, ["storage"]);
    });

    it("sends nothing for options, and yet they are changes", () => {
        const options = { adopt: true, wait: "1m", connection: "b" };
        assert.deepEqual(diff({}, options), {
            changed: ["adopt", "wait", "connection"],
            replaces: [],
            sends: false,
        });
        assert.deepEqual(diff(options, {}).sends, false);
        assert.deepEqual(diff({ wait: 60 }, { wait: "1m" }).changed, []);
    });
});
