import assert from "node:assert/strict";
import { checkValues } from "../../src/schema/check";
import { changedNames, diffValues } from "../../src/schema/diff";
import type { Values } from "../../src/schema/facts";
import { compareLive, mergeOutputs } from "../../src/schema/merge";
import { objectNode } from "../../src/schema/node";
import { isRecord } from "../../src/schema/unknown";
import { decodedWithDefaults, mapValues } from "../../src/schema/values";
import { encode, readAnswer } from "../../src/schema/wire";
import { withLock } from "../core/sample";
import { type Chance, chance, seed } from "../support/random";

const whole = objectNode(withLock);
const toWire = (inputs: Values) => encode(whole, decodedWithDefaults(whole, inputs));
const fromWire = (answer: Values) => readAnswer(whole, answer);
/** What the service tells, decoded, and nothing else. */
const told = (theirs: Values): Values => {
    const all = decodedWithDefaults(whole, theirs);
    return mapValues(theirs, (value, name) => {
        const meant = all[name];
        if (!isRecord(value) || !isRecord(meant)) return meant;
        return mapValues(value, (inner, key) => meant[key] ?? inner);
    });
};
const compose = (mine: Values, theirs: Values) =>
    mergeOutputs(whole, mine, decodedWithDefaults(whole, mine), told(theirs), Object.keys(mine).length === 0);
const meantValue = (inputs: Values, name: string) => decodedWithDefaults(whole, inputs)[name];

/** What the service does not heed: what it holds otherwise, and what it does not tell, unless it may not. */
function unheeded(mine: Values, theirs: Values): string[] {
    const heard = Object.fromEntries(Object.entries(theirs).filter(([name]) => name !== "lock"));
    const { mismatches, unreported } = compareLive(whole, mine, decodedWithDefaults(whole, mine), heard);
    return [...mismatches, ...unreported.filter(({ facts }) => !facts.secret).map(({ path }) => path)];
}

const diffInputs = (olds: Values, news: Values) => ({
    changed: changedNames(diffValues(objectNode(withLock), olds, news)),
});

/** What state holds after a read, where the program wrote `mine` and the service says `theirs`. */
const read = (mine: Values, theirs: Values) => compose({ name: "web", ...mine }, { name: "web", ...theirs });

const folder = (more: Values = {}) => ({ storage: { type: "folder", path: "/x", ...more } });
const bucket = (more: Values = {}) => ({ storage: { type: "bucket", bucket: "b", ...more } });

describe("what properties mean", () => {
    describe("of the body that is sent", () => {
        it("says everything: what was left out with its default", () => {
            assert.deepEqual(toWire({ name: "web" }), {
                label: "web",
                groups: [],
                token_policies: [],
                ttl: 0,
                max_ttl: 0,
                blocks: [],
                places: [],
                uses: 0,
                sort: "default",
                password: "",
            });
        });

        it("has no options, nothing of the frame's own, and sparse fields only where they are given", () => {
            const body = toWire({ name: "web", adopt: true, wait: 5, connection: "a", lockMark: "m", note: 5 });
            assert.equal(body["note"], 5);
            assert.ok(["adopt", "wait", "connection", "lockMark", "name"].every((name) => !(name in body)));
        });

        it("has whole seconds and split lists, under the names of the wire", () => {
            const body = toWire({ name: "web", ttl: "1h30m", policies: "b, a", label: "Web" });
            assert.deepEqual([body["ttl"], body["token_policies"], body["label"]], [5400, ["b", "a"], "Web"]);
        });

        it("sends a former name under the new name only", () => {
            const body = toWire({ name: "web", oldPolicies: "a" });
            assert.deepEqual(body["token_policies"], ["a"]);
            assert.ok(!("oldPolicies" in body) && !("policies" in body));
        });
    });

    describe("of an answer", () => {
        it("is told by the names of programs; what it lacks is left out, null is the default", () => {
            const answer = { ttl: 60, groups: null, sort: null, token_policies: ["a"], note: null, unheard_of: 1 };
            assert.deepEqual(fromWire(answer), { ttl: 60, groups: [], sort: "default", policies: ["a"] });
        });
    });

    it("a left-out value is the default, or what another field says, or the former name", () => {
        assert.equal(meantValue({}, "ttl"), 0);
        assert.equal(meantValue({ name: "web" }, "label"), "web");
        assert.deepEqual(meantValue({ oldPolicies: ["a"] }, "policies"), ["a"]);
        assert.equal(meantValue({}, "note"), undefined);
    });

    describe("of a read", () => {
        const kept: [what: string, mine: Values, theirs: Values][] = [
            ["a duration's spelling", { ttl: "1h" }, { ttl: 3600 }],
            ["a list's order", { groups: ["b", "a"] }, { groups: ["a", "b"] }],
            ["a text of names", { policies: "b,a" }, { policies: ["a", "b"] }],
            ["a block's prefix", { blocks: ["1.2.3.4/32"] }, { blocks: ["1.2.3.4"] }],
            ["a former name", { oldPolicies: ["b", "a"] }, { policies: ["a", "b"] }],
            ["a default that was written", { ttl: 0, groups: [] }, { ttl: 0, groups: [] }],
            ["a letter case without meaning", { name: "WEB", label: "w" }, { name: "web", label: "w" }],
            ["a document's text", bucket({ document: '{ "a": 1 }' }), bucket({ document: { a: 1 } })],
            ["options", { adopt: true, wait: "5m", connection: "b" }, {}],
            ["what was settled", { mount: "/team/" }, {}],
            ["the frame's own", { lockMark: "m" }, {}],
        ];
        for (const [what, mine, theirs] of kept) {
            it(`keeps ${what} while the service means the same`, () => {
                assert.deepEqual(read(mine, theirs), { name: "web", ...mine });
            });
        }

        it("has the service's value in canonical form where it drifted", () => {
            assert.deepEqual(read({ ttl: "1h", policies: "a" }, { ttl: "7200s", policies: ["z", "b"] }), {
                name: "web",
                ttl: 7200,
                policies: ["z", "b"],
            });
        });

        it("tells drift of a former name under that spelling", () => {
            assert.deepEqual(read({ oldPolicies: ["a"] }, { policies: ["b"] }), { name: "web", oldPolicies: ["b"] });
        });

        it("leaves out what the program left out, unless the service holds something else than its default", () => {
            const theirs = { ttl: 0, groups: [], sort: "default", label: "web", uses: 5, places: [{ zone: "a" }] };
            assert.deepEqual(read({}, theirs), { name: "web", uses: 5, places: [{ zone: "a" }] });
        });

        it("has the default where the program wrote something else", () => {
            assert.deepEqual(read({ ttl: "1h", groups: ["a"] }, { ttl: 0, groups: [] }), {
                name: "web",
                ttl: 0,
                groups: [],
            });
        });

        it("carries over what the answer lacks", () => {
            assert.deepEqual(read({ password: "pw", ttl: "1h", note: 5 }, { ttl: 3600 }), {
                name: "web",
                password: "pw",
                ttl: "1h",
                note: 5,
            });
        });

        it("shows a value that is outside the kind as it is", () => {
            assert.deepEqual(read({ ttl: "1h", blocks: ["1.2.3.4"] }, { ttl: "soon", blocks: ["junk"] }), {
                name: "web",
                ttl: "soon",
                blocks: ["junk"],
            });
        });

        it("of what nobody described before is what the service holds", () => {
            const told = { name: "web", ttl: 60, groups: [], ...folder() };
            const found = { name: "web", ttl: 60, ...folder() };
            assert.deepEqual(compose({}, { ...told, label: "other" }), { ...found, label: "other" });
            assert.deepEqual(compose({}, { ...told, label: "web" }), found, "a default that depends on others is one");
        });

        describe("in storage", () => {
            it("keeps spellings and carries secrets over, field by field", () => {
                const mine = bucket({ key: "k", document: { a: 1 }, encrypted: true });
                const theirs = bucket({ encrypted: true, keyName: "" });
                assert.deepEqual(read(mine, theirs), { name: "web", ...mine });
                assert.deepEqual(read(mine, { storage: { type: "bucket", bucket: "c", encrypted: false } }), {
                    name: "web",
                    storage: { type: "bucket", bucket: "c", key: "k", document: { a: 1 }, encrypted: false },
                });
            });

            it("leaves defaults out", () => {
                assert.deepEqual(read(folder(), folder({ space: 1000 })), { name: "web", ...folder() });
                assert.deepEqual(read(folder(), folder({ space: 5 })), { name: "web", ...folder({ space: 5 }) });
            });

            it("of another type now carries nothing over from the former one", () => {
                assert.deepEqual(read(bucket({ key: "k" }), folder({ space: 1000 })), { name: "web", ...folder() });
            });

            it("of a type that is not known is shown whole", () => {
                const tape = { storage: { type: "tape", reel: 5 } };
                assert.deepEqual(read(bucket({ key: "k" }), tape), { name: "web", ...tape });
            });

            it("that the answer lacks is carried over", () => {
                assert.deepEqual(read(bucket({ key: "k" }), {}), { name: "web", ...bucket({ key: "k" }) });
            });
        });
    });

    describe("of what the service did not heed", () => {
        const names = (mine: Values, theirs: Values) => unheeded({ name: "web", ...mine }, { name: "web", ...theirs });
        const all = { label: "web", groups: [], policies: [], ttl: 0, maxTtl: 0, blocks: [], places: [], uses: 0 };

        it("is nothing where it means the same", () => {
            assert.deepEqual(names({ ttl: "1h", policies: "b,a" }, { ...all, ttl: 3600, policies: ["a", "b"] }), []);
            assert.deepEqual(names({}, all), []);
            assert.deepEqual(names({}, {}), []);
        });

        it("names fields that are dropped or changed", () => {
            assert.deepEqual(names({ ttl: "1h", groups: ["a"], note: 5 }, { ...all, ttl: 60, groups: ["a"] }), [
                "ttl",
                "note",
            ]);
        });

        it("names fields that came out of nowhere", () => {
            assert.deepEqual(names({}, { ...all, uses: 7 }), ["uses"]);
        });

        it("takes neither options nor what was settled nor an absent secret for it", () => {
            assert.deepEqual(names({ adopt: true, wait: 5, mount: "m", password: "pw", connection: "c" }, all), []);
            assert.deepEqual(names({ mount: "/m/n", adopt: true }, { ...all, mount: "other", adopt: false }), []);
            assert.deepEqual(names(bucket({ key: "k", document: "{}" }), bucket()), []);
        });

        it("names former names by the new name", () => {
            assert.deepEqual(names({ oldPolicies: ["a"] }, { ...all, policies: [] }), ["policies"]);
        });

        it("names fields inside storage with their path, and another type as the whole", () => {
            assert.deepEqual(names(bucket({ encrypted: true }), bucket({ encrypted: false, keyName: "" })), [
                "storage.encrypted",
            ]);
            assert.deepEqual(names(bucket(), folder()), ["storage"]);
        });
    });

    describe(`of random inputs (STATECRAFT_SEED=${seed})`, () => {
        const rounds = Array.from({ length: 200 }, (_, round) => round);
        const draw = chance();

        it("is the same on the wire and back: after a write, a read shows no change", () => {
            for (const _ of rounds) {
                const inputs = randomInputs(draw);
                assert.deepEqual(checkValues(whole, inputs).failures, []);
                const state = compose(inputs, {
                    name: inputs["name"],
                    ...fromWire(toWire(inputs)),
                });
                assert.deepEqual(state, inputs);
                assert.deepEqual(diffInputs(state, inputs).changed, []);
                assert.deepEqual(unheeded(inputs, fromWire(toWire(inputs))), []);
            }
        });

        it("drifts to whatever the service holds: a refresh shows it, and taking it over ends it", () => {
            for (const _ of rounds) {
                const [mine, theirs] = [randomInputs(draw), { ...randomInputs(draw), name: "web" }];
                const seen = { name: "web", ...fromWire(toWire(theirs)) };
                const state = compose({ ...mine, name: "web" }, seen);
                const expected = diffInputs({ ...theirs, note: undefined }, { ...mine, name: "web", note: undefined });
                const shown = diffInputs({ ...state, note: undefined }, { ...mine, name: "web", note: undefined });
                const wired = (name: string) => !["mount", "storage", "adopt", "wait"].includes(name);
                assert.deepEqual(shown.changed.filter(wired), expected.changed.filter(wired));
                assert.deepEqual(compose(state, seen), state, "a second read changes nothing");
            }
        });

        it("is the same in another spelling", () => {
            for (const _ of rounds) {
                const inputs = randomInputs(draw);
                const { changed } = diffInputs(inputs, respelled(inputs, draw));
                assert.deepEqual(changed, [], JSON.stringify(inputs));
            }
        });
    });
});

const letters = ["a", "b", "c", "d"];
const addresses = ["10.0.0.0/8", "1.2.3.4/32", "1.2.3.5", "2001:DB8::/32", "::1"];

function randomInputs(draw: Chance): Record<string, unknown> {
    const all: Record<string, unknown> = {
        mount: draw.pick(["m", "/m/n/"]),
        label: draw.pick(["web", "Web", ""]),
        groups: draw.some(letters),
        policies: draw.pick([draw.some(letters), draw.some(letters).join(",")]),
        ttl: draw.pick([draw.whole(10_000), `${draw.whole(100)}m`, `${draw.whole(9)}h${draw.whole(99)}s`, "2d"]),
        maxTtl: draw.pick(["", "0", draw.whole(3)]),
        blocks: draw.pick([draw.some(addresses), draw.some(addresses).join(", ")]),
        places: draw.some([{ zone: "a" }, { zone: "b", rack: "1" }, {}]),
        uses: draw.whole(3),
        sort: draw.pick(["service", "batch", "default"]),
        note: draw.whole(3),
        adopt: draw.pick([true, false]),
        wait: draw.pick(["5m", 0]),
        storage: draw.pick([folder().storage, bucket({ key: "k" }).storage]),
    };
    const given = draw.some(Object.keys(all));
    return { name: draw.pick(["web", "WEB", "x1"]), ...Object.fromEntries(given.map((name) => [name, all[name]])) };
}

/** The same inputs, written otherwise. */
function respelled(inputs: Values, draw: Chance): Record<string, unknown> {
    const { policies, ...others } = inputs;
    const turned = Object.entries(others).map(([name, value]) => {
        if (Array.isArray(value)) return [name, [...value].reverse()];
        if (["ttl", "maxTtl"].includes(name) && typeof value === "number") return [name, `${value}000ms`];
        return [name, name === "mount" ? `//${value}/` : value];
    });
    const list =
        typeof policies === "string"
            ? policies.split(",").filter((each) => each !== "")
            : Array.isArray(policies)
              ? policies.join(" ,")
              : policies;
    const spelling = draw.pick(["policies", "oldPolicies"]);
    return { ...Object.fromEntries(turned.reverse()), ...(list === undefined ? {} : { [spelling]: list }) };
}
