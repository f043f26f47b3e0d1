import assert from "node:assert/strict";
import { compareLive, mergeOutputs as mergeLive } from "../../src/schema/merge";
import { decodedWithDefaults } from "../../src/schema/values";
import { encode, readAnswer } from "../../src/schema/wire";
import { sampleNode } from "./sample";

const node = sampleNode;
const mergeOutputs = (mine: object, live: object) =>
    mergeLive(node, { ...mine }, decodedWithDefaults(node, { ...mine }), { ...live });
const bodyOf = (values: object) => encode(node, decodedWithDefaults(node, { ...values }));

describe("a request and its answer", () => {
    it("says everything, defaults included, under the names of the wire", () => {
        assert.deepEqual(
            bodyOf({
                name: "a",
                ttl: "1h",
                groups: ["b", " a "],
                outlet: { type: "faucet", size: 2 },
                pipes: [{ from: "x" }],
                force: true,
            }),
            {
                Title: "a",
                TTL: 3600,
                Groups: ["b", "a"],
                Policies: [],
                Outlet: { kind: "tap", Size: 2, Code: "" },
                Pipes: [{ From: "x", Length: 1 }],
                Labels: {},
                Beta: false,
            },
        );
    });

    it("sends what was written under a former name", () => {
        assert.deepEqual(bodyOf({ name: "a", oldPolicies: "x, y" })["Policies"], ["x", "y"]);
    });

    it("reads what the answer tells: null is the default, and what it lacks, hides or cannot show is left out", () => {
        assert.deepEqual(
            readAnswer(node, {
                TTL: "2h",
                Groups: null,
                Title: "t",
                Password: "x",
                Pipes: [{ From: "a", Key: "****" }],
            }),
            {
                title: "t",
                ttl: 7200,
                groups: [],
                pipes: [{ from: "a" }],
            },
        );
        assert.deepEqual(readAnswer(node, { Outlet: { kind: "valve", Turns: 2, Size: 1 } }), {
            outlet: { type: "valve", turns: 2 },
        });
        assert.deepEqual(readAnswer(node, { Outlet: { Turns: 2 } }), {}, "an answer without the form tells nothing");
        assert.deepEqual(
            readAnswer(node, { TTL: "odd" }),
            { ttl: "odd" },
            "what is outside the type stands for itself",
        );
    });

    it("reads back what it sent", () => {
        const mine = {
            name: "a",
            ttl: "1h",
            groups: ["a"],
            outlet: { type: "tap", size: 1, code: "s" },
            pipes: [{ from: "x", key: "k" }],
            labels: { a: "b" },
        };
        assert.deepEqual(mergeOutputs(mine, { name: "a", ...readAnswer(node, bodyOf(mine)) }), mine);
    });
});

describe("outputs", () => {
    const merge = (mine: object, body: object) => mergeOutputs({ ...mine }, readAnswer(node, { ...body }));

    it("keep what was written while the service means the same, at any depth", () => {
        const mine = { name: "a", ttl: "1h", oldPolicies: "x,y", outlet: { type: "faucet", size: 1 } };
        const body = { TTL: 3600, Policies: ["y", "x"], Outlet: { kind: "tap", Size: 1, Code: "" } };
        assert.deepEqual(merge(mine, body), mine);
    });

    it("hold the service's value where it means something else, and keep the rest as written", () => {
        assert.deepEqual(merge({ name: "a", ttl: "1h", oldPolicies: "x" }, { TTL: 60, Policies: ["z"] }), {
            name: "a",
            ttl: 60,
            oldPolicies: ["z"],
        });
        assert.deepEqual(
            merge({ name: "a", outlet: { type: "faucet", size: 1, code: "s" } }, { Outlet: { kind: "tap", Size: 3 } }),
            { name: "a", outlet: { type: "faucet", size: 3, code: "s" } },
        );
        assert.deepEqual(
            merge({ name: "a", outlet: { type: "tap", size: 1 } }, { Outlet: { kind: "valve", Turns: 2 } }),
            {
                name: "a",
                outlet: { type: "valve", turns: 2 },
            },
        );
    });

    it("hold what the service holds in a list beside what was written", () => {
        const mine = { name: "a", pipes: [{ from: "x" }] };
        assert.deepEqual(merge(mine, { Pipes: [{ From: "x", Length: 1 }] }), mine);
        const pipes = [{ from: "x", key: "k", length: 1 }];
        assert.deepEqual(merge(mine, { Pipes: [{ From: "x", Key: "k", Length: 1 }] }), { name: "a", pipes });
    });

    it("leave out what the program leaves out, unless the service holds something else than the default", () => {
        assert.deepEqual(merge({ name: "a" }, { TTL: 0, Groups: null, Title: "a", Labels: {} }), { name: "a" });
        assert.deepEqual(merge({ name: "a" }, { TTL: 5, Groups: ["g"], Title: "b" }), {
            name: "a",
            ttl: 5,
            groups: ["g"],
            title: "b",
        });
    });

    it("carry over what the service does not tell", () => {
        const mine = { name: "a", password: "p", pipes: [{ from: "a", key: "k" }], labels: { a: "b" }, force: true };
        assert.deepEqual(
            merge(mine, { Password: "other", Pipes: [{ From: "a", Key: "[REDACTED]", Length: 1 }] }),
            mine,
        );
    });

    it("compare a default that depends on other properties with those of the outputs", () => {
        const mine = { name: "a" };
        const outputs = mergeOutputs(mine, { name: "b", title: "a" });
        assert.deepEqual(outputs, { name: "b", title: "a" });
    });
});

describe("comparing inputs with what the service holds", () => {
    const compare = (mine: object, body: object) => {
        const { mismatches, unreported } = compareLive(
            node,
            { ...mine },
            decodedWithDefaults(node, { ...mine }),
            readAnswer(node, { ...body }),
        );
        return { mismatches, unreported: unreported.map(({ path }) => path) };
    };

    it("names what differs and what is not told, at any depth", () => {
        assert.deepEqual(
            compare(
                {
                    name: "a",
                    ttl: 5,
                    groups: ["x"],
                    password: "p",
                    outlet: { type: "tap", size: 1, code: "s" },
                    force: true,
                },
                {
                    TTL: 6,
                    Outlet: { kind: "tap", Size: 2 },
                },
            ),
            { mismatches: ["ttl", "outlet.size"], unreported: ["groups", "outlet.code", "password"] },
        );
    });

    it("takes what the service leaves out for the default, also for one that depends on other properties", () => {
        assert.deepEqual(compare({ name: "a", title: "a", ttl: 0 }, {}).unreported, ["password"]);
        assert.deepEqual(compare({ name: "a", title: "b", ttl: 1 }, {}).unreported, ["title", "ttl", "password"]);
    });

    it("takes a left-out property for its default", () => {
        assert.deepEqual(compare({ name: "a" }, { TTL: 0, Title: "a" }).mismatches, []);
        assert.deepEqual(compare({ name: "a" }, { TTL: 1, Title: "b" }).mismatches, ["title", "ttl"]);
    });
});
