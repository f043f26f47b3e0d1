/** Tests which instances `only` takes for one object, what `distinct` and `except` change, and what the preview says of what Terraform does next. */

import assert from "node:assert/strict";
import { failureOf } from "../../support/failures";
import { Shown } from "../../support/managed-resource";
import type { Props } from "../../support/pulumi-values";
import { rollbackInputs, Workspaces } from "./fixture";

const cloud = (name: string) => `provider["registry.example.com/acme/${name}"]`;
interface Entry {
    readonly provider?: string;
    readonly module?: string;
}
const entry = (address: string, instances: readonly object[], { provider = cloud("cloud"), module }: Entry = {}) => {
    const [type, name] = address.split(".");
    return { ...(module && { module }), mode: "managed", type, name, provider, instances };
};
const one = (address: string, attributes: object, more: object = {}, about: Entry = {}) =>
    entry(address, [{ schema_version: 0, attributes, ...more }], about);
const state = (serial: number, resources: readonly object[]) => ({
    ...{ version: 4, serial, lineage: "objects", outputs: {}, resources },
});
const topic = (address: string, attributes: object, more?: object, about?: Entry) =>
    one(`cloud_topic.${address}`, attributes, more, about);
const identity = (value: unknown, schema = 0) => ({ identity: value, identity_schema_version: schema });
const moved = "cloud_topic.new in sv-31";
/** `cloud_topic.old` with another provider. */
const of = (provider: string) => [topic("old", { id: "t-1" }, {}, { provider })];

/** The attributes of an instance, or all resources of a state. */
type Side = Props | readonly object[];
const resourcesOf = (name: string, side: Side) => (Array.isArray(side) ? side : [topic(name, side)]);

/** `cloud_topic.old` of the older state, `cloud_topic.new` of the current one, and what happens to `cloud_topic.old`. */
const rule: readonly (readonly [what: string, old: Side, now: Side, outcome: "back" | "likely" | "proven"])[] = [
    ["the same id", { id: "t-1" }, { id: "t-1" }, "likely"],
    ["another id", { id: "t-1" }, { id: "t-2" }, "back"],
    ["an empty id", { id: "", a: 1 }, { id: "", a: 2 }, "back"],
    ["the same id of a preview provider", of(cloud("cloud-preview")), { id: "t-1" }, "likely"],
    [
        "the same id of a provider in a module, with an alias",
        of(`module.m.${cloud("cloud")}.eu`),
        { id: "t-1" },
        "likely",
    ],
    ["an id as a number", { id: 7 }, { id: 7 }, "likely"],
    [
        "flat attributes",
        [topic("old", {}, { attributes: null, attributes_flat: { id: "t-1" } })],
        { id: "t-1" },
        "likely",
    ],
    ["the same arn", { arn: "arn:1", a: 1 }, { arn: "arn:1", a: 2 }, "likely"],
    ["the same self_link", { self_link: "s", id: 1 }, { self_link: "s", id: 2 }, "likely"],
    ["the same urn", { urn: "u", id: 1 }, { urn: "u", id: 2 }, "likely"],
    ["the same id and arn", { id: "t", arn: "a" }, { id: "t", arn: "a" }, "proven"],
    ["the same id and another arn", { id: "t", arn: "a" }, { id: "t", arn: "b" }, "back"],
    ["the same id and another urn", { id: "t", urn: "a" }, { id: "t", urn: "b" }, "back"],
    [
        "an id that two instances have at once in the older state",
        [topic("old", { id: "none", a: 1 }), topic("new", { id: "none", a: 2 })],
        { id: "none", a: 2 },
        "back",
    ],
    [
        "an id that two instances have at once in the current state",
        { id: "none", a: 1 },
        [topic("new", { id: "none", a: 2 }), topic("third", { id: "none", a: 3 })],
        "back",
    ],
    [
        "an id that two instances have at once, and the same arn",
        [topic("old", { id: "none", arn: "a" }), topic("third", { id: "none", arn: "b" })],
        { id: "none", arn: "a", more: 1 },
        "proven",
    ],
    [
        "an id that two instances have at once, and the same attributes",
        [topic("old", { id: "none", a: 1 }), topic("third", { id: "none", a: 2 })],
        [topic("new", { a: 1, id: "none" }), topic("third", { id: "none", a: 2 })],
        "likely",
    ],
    ["no value and the same attributes", { a: [1, "x"] }, { a: [1, "x"] }, "likely"],
    ["no value and other attributes", { a: 1 }, { a: 2 }, "back"],
    ["no attributes", {}, {}, "back"],
    [
        "the same identity and another id",
        [topic("old", { id: 1 }, identity({ name: "n", region: "eu" }))],
        [topic("new", { id: 2 }, identity({ region: "eu", name: "n" }))],
        "proven",
    ],
    [
        "another identity and the same id and arn",
        [topic("old", { id: 1, arn: "a" }, identity({ name: "n" }))],
        [topic("new", { id: 1, arn: "a" }, identity({ name: "m" }))],
        "back",
    ],
    [
        "an identity of another schema version, and the same id",
        [topic("old", { id: 1 }, identity({ name: "n" }))],
        [topic("new", { id: 1 }, identity({ path: "n" }, 1))],
        "likely",
    ],
    [
        "an identity that is null, and the same id",
        [topic("old", { id: 1 }, identity(null))],
        [topic("new", { id: 1 }, identity({ name: "n" }))],
        "likely",
    ],
    ["another type with the same id", { id: 1 }, [one("cloud_queue.new", { id: 1 })], "back"],
];

describe("StateVersionRollback with `only`, for objects that have moved", () => {
    const at = new Workspaces();
    const seeded = async (old: readonly object[], now: readonly object[] | Props) => ({
        ...(await at.seeded(state(1, old), Array.isArray(now) ? state(2, now) : (now as Props))),
        only: ["cloud_topic.old"],
    });
    /** The messages of a preview, and the addresses that the inputs which a message offers have. */
    const previewed = async (inputs: Props) => {
        const undo = at.rollback();
        const said = await undo.preview(inputs);
        const blocker = undo.warnings.find((each) => each.includes("would fail"));
        const offered = (name: string): unknown => {
            const [, list] = new RegExp(`\`${name}: (\\[.*?\\])\``).exec(blocker ?? "") ?? [];
            return list && JSON.parse(list);
        };
        return { said, blocker, warnings: undo.warnings, except: offered("except"), distinct: offered("distinct") };
    };
    const current = async () => JSON.parse(await at.state("ws-3")) as { readonly resources: Props[] };
    const addresses = async () => (await current()).resources.map(({ type, name }) => `${type}.${name}`);

    for (const [what, old, now, outcome] of rule) {
        it(`${outcome === "back" ? "brings back" : `refuses, as ${outcome},`} an instance with ${what}`, async () => {
            const inputs = await seeded(resourcesOf("old", old), resourcesOf("new", now));
            const { blocker, distinct } = await previewed(inputs);
            if (outcome === "back") {
                assert.equal(blocker, undefined);
                await at.rollback().up(inputs);
                return assert((await addresses()).includes("cloud_topic.old"));
            }
            assert(blocker?.includes(`cloud_topic.old of sv-30 is ${moved}`), blocker);
            assert.deepEqual(distinct, outcome === "likely" ? ["cloud_topic.old"] : undefined);
            const apart = at.rollback().up({ ...inputs, distinct: ["cloud_topic.old"] });
            if (outcome === "likely") return assert.equal(await apart, "created");
            assert.equal((await failureOf(apart, Shown)).code, "only");
        });
    }

    it("says which instances with one id are two objects", async () => {
        const inputs = await seeded([topic("old", { id: "t", arn: "a" })], [topic("new", { id: "t", arn: "b" })]);
        assert.match(
            (await previewed(inputs)).said.join("\n"),
            /two objects.*cloud_topic\.old of sv-30 and cloud_topic\.new/,
        );
    });

    for (const [where, address] of [
        ["its own address", "old"],
        ["another address", "new"],
    ] as const) {
        it(`refuses an instance that is a deposed object at ${where}`, async () => {
            const deposed = entry(`cloud_topic.${address}`, [
                { attributes: { id: "t-2" } },
                { deposed: "00ff", attributes: { id: "t-1" } },
            ]);
            const { blocker } = await previewed(await seeded([topic("old", { id: "t-1" })], [deposed]));
            assert.match(
                blocker ?? "",
                new RegExp(`cloud_topic\\.old of sv-30 is a deposed object of cloud_topic\\.${address}`),
            );
            assert.doesNotMatch(blocker ?? "", /moved/);
        });
    }

    const inModule = (name: string, attributes: object) => topic(name, attributes, {}, { module: "module.m" });
    const many = Array.from({ length: 14 }, (_, index) => inModule(`t${index}`, { id: `t-${index}` }));
    const renamed = Array.from({ length: 12 }, (_, index) => inModule(`r${index}`, { id: `t-${index}` }));

    it("names all obstacles at once, ten in words, and offers the `except` with which the rest comes back", async () => {
        const inputs = { ...(await seeded(many, renamed)), only: ["module.m", "cloud_topic.nine"] };
        const { blocker, except } = await previewed(inputs);
        assert.match(
            blocker ?? "",
            /13 addresses cannot come back: sv-30 has no cloud_topic\.nine; .*t8 of sv-30 is .*; and 3 more/,
        );
        assert.deepEqual(
            except,
            Array.from({ length: 12 }, (_, index) => `module.m.cloud_topic.t${index}`),
        );
        const rest = { ...inputs, only: ["module.m"], except };
        assert.match(
            (await previewed(rest)).said.join(),
            /: \+ module\.m\.cloud_topic\.t12, module\.m\.cloud_topic\.t13; kept: 12 newer/,
        );
        const undo = await at.rollback().deployed(rest);
        assert.equal(await undo.up({ ...rest, except: [...(except as string[])].reverse() }), "same");
        assert.equal(await undo.up({ ...rest, distinct: ["module.m"] }), "updated");
        const writes = (await at.simulator.writes()).length;
        const narrow = { ...rest, except: [...(except as string[]), "module.m.cloud_topic.t13"] };
        assert.equal(await undo.up(narrow), "updated");
        assert.equal((await at.simulator.writes()).length, writes);
    });

    for (const wrong of [
        { only: undefined, except: ["module.m"] },
        { only: undefined, distinct: ["module.m"] },
        { only: ["module.m"], except: ["module.n.cloud_topic.a"] },
        { only: ["module.m.cloud_topic.a[0]"], except: ["module.m.cloud_topic.b"] },
        { only: ["module.m[0]"], distinct: ["module.m[1]"] },
        { only: ["module.m[0]", "module.m[1]"], except: ["module.m[0]", "module.m[1]"] },
    ]) {
        it(`refuses ${JSON.stringify(wrong)} before a request`, async () => {
            const [, path = ""] = Object.keys(wrong);
            const check = at.rollback().check({ ...rollbackInputs, ...wrong });
            await assert.rejects(check, { paths: [path] });
            assert.deepEqual(await at.simulator.requests(), []);
        });
    }

    it("refuses an `except` that the older version does not have, or that leaves nothing of it", async () => {
        const inputs = await seeded([topic("old", { id: 1 })], []);
        const absent = await previewed({ ...inputs, except: ["cloud_topic.old[1]"] });
        assert.match(absent.blocker ?? "", /sv-30 has no cloud_topic\.old\[1\]/);
        const keyed = entry("cloud_topic.old", [{ index_key: 1, attributes: { id: 1 } }]);
        const none = await previewed({ ...(await seeded([keyed], [])), except: ["cloud_topic.old[1]"] });
        assert.match(none.blocker ?? "", /`except` leaves nothing/);
    });

    const legacy = "provider.cloud";
    for (const [what, more, provider, severity, words, now = topic("new", { id: 2 })] of [
        ["a tainted instance", { status: "tainted" }, undefined, "info", /tainted.*cloud_topic\.old/],
        [
            "a schema_version above that of the type",
            { schema_version: 3 },
            undefined,
            "warning",
            /schema_version.*cloud_topic\.old/,
        ],
        [
            "a provider that the current state does not have",
            {},
            'provider["mirror.example.com/acme/cloud"]',
            "warning",
            /provider becomes .*mirror\.example\.com.*`init`.*cloud_topic\.old/,
        ],
        [
            "a legacy provider whose siblings have another spelling",
            {},
            `module.m.${legacy}.eu`,
            "info",
            /becomes module\.m\.provider\["registry\.example\.com\/acme\/cloud"\]\.eu instead of module\.m\.provider\.cloud\.eu/,
        ],
        [
            "a legacy provider without siblings",
            {},
            legacy,
            "warning",
            /`terraform state replace-provider registry\.terraform\.io\/-\/cloud \S+` after the rollback/,
            one("other_thing.a", { id: 1 }, {}, { provider: cloud("other") }),
        ],
    ] as const) {
        it(`tells of ${what}`, async () => {
            const old = topic("old", { id: 1 }, more, provider ? { provider } : {});
            const { said, warnings } = await previewed(await seeded([old], [now]));
            const told = said.find((each) => words.test(each));
            assert(told, said.join("\n"));
            assert.equal(warnings.includes(told), severity === "warning");
        });
    }

    it("writes the provider as its siblings spell it", async () => {
        const old = topic("old", { id: 1 }, {}, { provider: 'module.m.provider["registry.example.com/-/cloud"].eu' });
        await at.rollback().up(await seeded([old], [topic("new", { id: 2 })]));
        const [, back] = await resources();
        assert.equal(back?.["provider"], `module.m.${cloud("cloud")}.eu`);
    });

    const depends = (on: string) => topic("old", { id: 1 }, { dependencies: [on] });
    for (const [what, net, now, isTold] of [
        ["that is lost", [one("net.a", { id: 9 })], [], true],
        ["that has another address", [one("net.a", { id: 9 })], [one("net.b", { id: 9 })], false],
        ["that the older version lacks, too", [], [], false],
    ] as const) {
        it(`${isTold ? "warns" : "does not warn"} of a dependency ${what}`, async () => {
            const { warnings } = await previewed(await seeded([depends("net.a"), ...net], now));
            assert.equal(
                warnings.some((each) => /lacks.*net\.a/.test(each)),
                isTold,
                warnings.join(),
            );
        });
    }

    it("names every field in which a replaced instance differs", async () => {
        const more = { ...identity({ name: "n" }), private: "eA==", sensitive_attributes: [[]], schema_version: 1 };
        const { said } = await previewed(
            await seeded([topic("old", { id: 1, size: 2 })], [topic("old", { id: 1 }, more)]),
        );
        const names = "size, identity, identity_schema_version, private, schema_version, sensitive_attributes";
        const [, shown = ""] = /cloud_topic\.old \((.*?)\)/.exec(said.join()) ?? [];
        assert.equal(shown.split(", ").sort().join(), names.split(", ").sort().join());
    });

    it("warns that the whole version comes back if `only` leaves a program whose version stays", async () => {
        const { only, ...whole } = await seeded([topic("old", { id: 1 })], [topic("new", { id: 2 })]);
        const undo = await at.rollback().deployed({ ...whole, only });
        await undo.preview(whole);
        assert.match(undo.warnings.join(), /only: without it .*: - cloud_topic\.new/);
    });

    const resources = async () => (await current()).resources;
    for (const [what, none] of [
        ["that has no `resources`", undefined],
        ["whose `resources` are null", null],
    ] as const) {
        it(`brings instances back into a state ${what}`, async () => {
            const empty = { ...state(2, []), resources: none };
            const inputs = await seeded([topic("old", { id: 1 })], empty);
            await at.rollback().up(inputs);
            assert.deepEqual(await current(), { ...empty, serial: 3, resources: [topic("old", { id: 1 })] });
            assert.match((await previewed(inputs)).said.join(), /nothing to bring back now/);
        });
    }

    /** The store answers with another state than the current one. */
    const stored = async (instead: object, old = [topic("old", { id: 1 })]) => {
        const inputs = await seeded(old, [topic("new", { id: 2 }), topic("third", { id: 3 })]);
        const path = await at.pathOfState("ws-3");
        await at.simulator.fault({ path, times: 0, status: 200, body: JSON.stringify(instead) });
        return inputs;
    };
    for (const [what, instead] of [
        ["has the serial 1 instead of 2", state(1, [topic("new", { id: 2 }), topic("third", { id: 3 })])],
        ["lacks cloud_topic.new", state(2, [topic("third", { id: 3 })])],
        ["lacks cloud_topic.new, cloud_topic.third", { ...state(2, []), resources: null }],
    ] as const) {
        it(`refuses a current state that, compared with its record, ${what}`, async () => {
            const { only, ...version } = await stored(instead);
            for (const inputs of [
                { ...version, only },
                { ...version, upload: true },
            ]) {
                const { blocker } = await previewed(inputs);
                assert.match(blocker ?? "", /\[content\]$/);
                assert(blocker?.includes(`: it ${what}`), blocker);
                assert.equal((await failureOf(at.rollback().up(inputs), Shown)).code, "content");
            }
            assert.deepEqual(await at.writes(), []);
        });
    }
    it("warns of a current state that has more than its record", async () => {
        const more = ["new", "third", "fourth"].map((name) => topic(name, { id: name }));
        const { blocker, warnings } = await previewed(await stored(state(3, more)));
        assert.equal(blocker, undefined);
        assert.match(warnings.join(), /serial 3, and its record 2.*more than its record: cloud_topic\.fourth/);
    });
});
