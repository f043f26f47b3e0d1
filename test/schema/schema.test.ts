/** Tests check, diff, compare, requests, answers and secrets with the schema of `sample.ts`. */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { asSentence, check as checkOf } from "../../src/schema/check";
import { changedNames, compare as compareOf, diff as diffOf } from "../../src/schema/compare";
import { Declared } from "../../src/schema/declared";
import { encode, readAnswer } from "../../src/schema/meaning";
import { sealSecrets, secretStrings } from "../../src/schema/secrets";
import { suggestion } from "../../src/schema/suggestion";
import { isRecord, mapValues, unknown, type Values } from "../../src/schema/values";
import { definitionOf } from "../support/definitions";
import { seed } from "../support/random";
import { node } from "./sample";

const declared = (values: Values) => new Declared(node, values);
const check = (news: Values, olds?: Values) => {
    const { failures, warnings } = checkOf(declared(news), olds && declared(olds));
    return { failures: failures.map(asSentence), warnings: warnings.map(asSentence) };
};
const failures = (news: Values, olds?: Values) => check({ name: "web", ...news }, olds).failures;
const bodyOf = (inputs: Values) => encode(node, declared({ name: "web", ...inputs }).meaning);
const folder = (more: Values = {}) => ({ storage: { type: "folder", path: "/x", ...more } });
const bucket = (more: Values = {}) => ({ storage: { type: "bucket", bucket: "b", ...more } });

describe("check", () => {
    it("accepts null as an omitted property", () => {
        assert.deepEqual(failures({ ttl: null, groups: undefined, other: undefined }), []);
    });

    it("reports every problem at once, each with its path at any depth", () => {
        const news = {
            titel: "x",
            ttl: "soon",
            groups: ["a", ""],
            storage: { type: "folder", space: 0, colour: "red" },
            pipes: [{ from: "here", length: 1.5 }, { key: 1 }],
            labels: { a: 1 },
            force: "yes",
        };
        assert.deepEqual(check(news).failures, [
            "titel: is not an argument; perhaps you mean title",
            "name: is required",
            'ttl: must be a duration: whole seconds such as 3600, or a string with units such as "90s", "1h30m", "1d"',
            "groups: must be a list of strings, none of them empty",
            "pipes[0].length: must be a whole number of at least 0",
            "pipes[1].from: is required",
            "pipes[1].key: must be a string",
            'labels["a"]: must be a string: write "1"',
            "storage.colour: is not an argument",
            "storage.path: is required",
            "storage.space: must be a whole number of at least 1",
            "force: must be true or false",
        ]);
    });

    it("suggests an argument with the same words in another order, or that ends in the words, and no deprecated one", () => {
        const known = ["requestedTopologies", "tokenTtl", "tokenMaxTtl", "mountOptions", "capabilities"];
        const near = ["topology_request", "ttl", "max_ttl", "mount_options", "capability", "request"];
        assert.deepEqual(
            near.map((name) => suggestion(name, known).replace("; perhaps you mean ", "")),
            ["requestedTopologies", "tokenTtl", "tokenMaxTtl", "mountOptions", "capabilities", ""],
        );
        const [problem] = checkOf(new Declared(definitionOf("AuthRole").node, { name: "a", ttl: "1h" })).failures;
        assert.match(problem?.reason ?? "", /tokenTtl$/);
    });

    it("names the text for a number or a boolean where a text is needed, but not of a secret", () => {
        const volume = { volumeId: "v", pluginId: "p", context: { port: 2049, ro: true }, secrets: { pin: 4711 } };
        const reasons = checkOf(new Declared(definitionOf("CsiVolume").node, volume)).failures;
        assert.deepEqual(reasons.map(({ path, reason }) => `${path}: ${reason}`).sort(), [
            'context["port"]: must be a string: write "2049"',
            'context["ro"]: must be a string: write "true"',
            'secrets["pin"]: must be a string',
        ]);
    });

    it("suggests an argument whose name is at most three edits away", () => {
        const reasons = ["Name", "tll", "policy", "completelyElse"].map((given) => failures({ [given]: 1 })[0]);
        assert.deepEqual(reasons, [
            "Name: is not an argument; perhaps you mean name",
            "tll: is not an argument; perhaps you mean ttl",
            "policy: is not an argument; perhaps you mean policies",
            "completelyElse: is not an argument",
        ]);
    });

    it("refuses names that every JavaScript object inherits, and internal inputs", () => {
        const names = ["constructor", "toString", "lockMark"];
        assert.deepEqual(
            failures(Object.fromEntries(names.map((name) => [name, "1"]))),
            names.map((name) => `${name}: is not an argument`),
        );
    });

    it("names the variants of a union, and refuses the fields of another variant", () => {
        const one = '"folder", "directory", "bucket"';
        assert.deepEqual(failures({ storage: { type: "constructor" } }), [`storage.type: must be one of ${one}`]);
        assert.deepEqual(failures({ storage: "x" }), [`storage: must be an object whose type is one of ${one}`]);
        assert.deepEqual(failures(folder({ bucket: "b" })), ["storage.bucket: is not an argument"]);
    });

    it("accepts unknown values at any depth, and checks the known values beside them", () => {
        assert.equal(unknown, "04da6b54-80e4-46f7-96ec-b56ff0331ba9");
        assert.deepEqual(failures({ groups: unknown, storage: { type: "folder", path: unknown } }), []);
        assert.deepEqual(
            check({
                name: unknown,
                groups: ["a", unknown],
                storage: { type: unknown, size: 0 },
                pipes: [unknown, { from: unknown, length: -1 }],
                labels: { a: unknown, b: 2 },
            }).failures,
            ["pipes[1].length: must be a whole number of at least 0", 'labels["b"]: must be a string: write "2"'],
        );
    });

    it("runs a rule with the defaults of omitted properties, and only if its properties are known and valid", () => {
        assert.deepEqual(failures({ ttl: "2m" }), ["ttl: needs a group"]);
        assert.deepEqual(failures({ ttl: "2m", groups: [unknown] }), []);
        assert.equal(failures({ ttl: "2m", groups: [1] }).length, 1);
    });

    it("passes the inputs of the last deployment to rules that may only warn", () => {
        const news = { name: "web", uses: 1 };
        assert.deepEqual(check(news, { uses: 5 }), { failures: [], warnings: ["uses: fewer than before"] });
        assert.deepEqual(check(news), { failures: [], warnings: [] });
        const less = { name: "web", ...folder({ space: 1 }) };
        assert.deepEqual(check(less, folder({ space: 5 })).warnings, ["storage.space: less than before"]);
        assert.deepEqual(check(less, { storage: "/x" }).warnings, []);
    });
});

describe("diff", () => {
    const diff = (olds: Values, news: Values) =>
        diffOf(declared({ name: "a", ...olds }), declared({ name: "a", ...news })).map(
            ({ path, kind, replaces, isOption }) =>
                `${kind} ${path}${replaces ? " (replaces)" : ""}${isOption ? " (option)" : ""}`,
        );

    it("names each change with its path and kind", () => {
        const olds = {
            ...folder({ space: 1, key: "x" }),
            pipes: [{ from: "a" }, { from: "b" }],
            labels: { a: "1", b: "2" },
        };
        const news = { ...folder({ space: 2 }), pipes: [{ from: "a", length: 3 }], labels: { a: "1", c: "3" } };
        assert.deepEqual(diff(olds, { ...news, password: "p" }), [
            "update pipes[0].length",
            "delete pipes[1]",
            'delete labels["b"]',
            'add labels["c"]',
            "add password",
            "update storage.space",
            "update storage.key",
        ]);
        assert.deepEqual(changedNames(diffOf(declared({ name: "a", ...olds }), declared({ name: "a", ...news }))), [
            "pipes",
            "labels",
            "storage",
        ]);
    });

    it("writes a map's key in the engine's path syntax, and names the whole map if the syntax cannot express the key", () => {
        const changed = (key: string) => diff({ labels: { [key]: "1" } }, { labels: { [key]: "2" } });
        assert.deepEqual(changed("a.b[0]"), ['update labels["a.b[0]"]']);
        assert.deepEqual(changed('say "x"'), ['update labels["say \\"x\\""]']);
        assert.deepEqual(changed("C:\\dir\n"), ['update labels["C:\\dir\n"]']);
        assert.deepEqual(changed("C:\\"), ["update labels"]);
    });

    it("replaces for `immutable`, always or if its function returns true", () => {
        assert.deepEqual(diff({ title: "t" }, { name: "b", title: "t" }), ["update name (replaces)"]);
        assert.deepEqual(diff({ size: 1 }, { size: 2 }), ["update size"]);
        assert.deepEqual(diff({ size: 2 }, { size: 1 }), ["update size (replaces)"]);
        assert.deepEqual(diff({ size: 2 }, { size: unknown }), ["update size (replaces)"]);
    });

    it("names the whole union if its variant changes", () => {
        assert.deepEqual(diff(folder(), bucket()), ["update storage"]);
    });

    it("compares with a default that depends on another property", () => {
        assert.deepEqual(diff({}, { name: "b" }), ["update name (replaces)", "update title"]);
        assert.deepEqual(diff({ title: "b" }, {}), ["delete title"]);
    });
});

it("a read has the default of a property that is null, and no value of an omitted one", () => {
    assert.deepEqual(readAnswer(node, { groups: null, note: null, token_policies: ["a"] }), {
        groups: [],
        policies: ["a"],
    });
});

it("a read keeps the secret of an item whose list has the same length", () => {
    const pipes = [{ from: "a", key: "k" }];
    const found = (From: string) =>
        compareOf(node, declared({ name: "web", pipes }), readAnswer(node, { pipes: [{ From, Length: 1 }] }));
    assert.deepEqual(found("a").outputs["pipes"], pipes);
    assert.deepEqual(
        [found("b").drift, found("b").outputs["pipes"]],
        [["pipes"], [{ from: "b", key: "k", length: 1 }]],
    );
});

describe(`laws of random inputs (STATECRAFT_SEED=${seed})`, () => {
    const changed = (state: Values, inputs: Values) => changedNames(diffOf(declared(state), declared(inputs)));
    const law = (title: string, holds: (inputs: Values, respelled: Values, theirs: Values) => void) =>
        it(title, () =>
            fc.assert(
                fc.property(inputsOf, written, inputsOf, (inputs, some, theirs) =>
                    holds(inputs, respelled(inputs, some), theirs),
                ),
                { seed, numRuns: 100 },
            ),
        );

    law("valid inputs have no failure, in each spelling", (inputs, other) => {
        for (const each of [inputs, other]) assert.deepEqual(checkOf(declared(each)).failures, []);
    });

    law("another spelling of the same values, or a default that is written, is no change", (inputs, other) => {
        assert.deepEqual(changed(inputs, other), []);
    });

    law(
        "a server that stores the written values in another spelling shows no drift, and the program's spelling stays",
        (inputs, other) => {
            const live = readAnswer(node, bodyOf(other));
            const { outputs, drift, dropped } = compareOf(node, declared(inputs), live);
            assert.deepEqual([outputs, drift, dropped, changed(outputs, inputs)], [inputs, [], [], []]);
        },
    );

    law("a server that omits values equal to their defaults drops nothing", (inputs) => {
        const usual = bodyOf({ name: inputs["name"] });
        const shown = Object.entries(bodyOf(inputs)).filter(([name, value]) => !isDeepStrictEqual(value, usual[name]));
        const body = Object.fromEntries(shown);
        const { outputs, drift, dropped } = compareOf(node, declared(inputs), readAnswer(node, body));
        assert.deepEqual([outputs, drift, dropped], [inputs, [], []]);
    });

    law("an import contains what the server stores, without defaults", (inputs) => {
        const { name, mount, force } = inputs;
        const { name: _, ...outputs } = compareOf(node, undefined, readAnswer(node, bodyOf(inputs))).outputs;
        assert.deepEqual(changed({ ...outputs, name, mount, force }, inputs), []);
        const isDefault = (output: string) => changed({ name }, { name, [output]: outputs[output] }).length === 0;
        // The default of `title` depends on the name, which no answer contains.
        assert.deepEqual(
            Object.keys(outputs)
                .filter(isDefault)
                .filter((output) => output !== "title"),
            [],
        );
    });

    law("a read stores the server's values, and a second read changes nothing", (mine, _, theirs) => {
        const live = readAnswer(node, bodyOf({ ...theirs, note: 1 }));
        const { outputs } = compareOf(node, declared(mine), live);
        const isShown = (name: string) =>
            ["groups", "policies", "ttl", "blocks", "labels", "uses", "unit"].includes(name) ||
            (name === "storage" && "storage" in theirs);
        assert.deepEqual(changed(outputs, theirs).filter(isShown), []);
        assert.deepEqual(compareOf(node, declared(outputs), live).outputs, outputs);
    });
});

const someOf = (items: readonly string[]) => fc.shuffledSubarray([...items]);
const [letters, addresses] = [
    someOf(["a", "b", "c", "d"]),
    someOf(["10.0.0.0/8", "1.2.3.4/32", "1.2.3.5", "2001:DB8::/32", "::1"]),
];
const document = { a: 1, b: [1, { x: 1, y: "2" }] };
const seconds = fc.nat(59);
const properties = {
    name: fc.constantFrom("web", "WEB"),
    mount: fc.constantFrom("m", "/m/n/"),
    title: fc.constantFrom("web", "Web"),
    groups: letters,
    policies: fc.oneof(
        letters,
        letters.map((some) => some.join(",")),
    ),
    ttl: fc.oneof(
        seconds,
        seconds.map((count) => `${count}s`),
        seconds.map((count) => `${count}000ms`),
    ),
    blocks: fc.oneof(
        addresses,
        addresses.map((some) => some.join(", ")),
    ),
    labels: fc.constantFrom({}, { a: "1" }, { a: "1", b: "2" }),
    uses: fc.nat(2),
    unit: fc.constantFrom("s", "m"),
    note: fc.nat(2),
    force: fc.boolean(),
    storage: fc
        .constantFrom(folder(), folder({ type: "directory", space: 5 }), bucket({ key: "k", document }))
        .map(({ storage }) => storage),
};
const inputsOf: fc.Arbitrary<Values> = fc.record(properties, { requiredKeys: ["name"], noNullPrototype: true });

/** Values that are equal to an omitted property. */
const defaults = ({ name }: Values): Values => ({
    ...{ title: name, ttl: "0s", groups: [], policies: "", blocks: [], labels: {}, uses: 0, unit: "s" },
    ...{ password: "", force: false },
});

/** The names of defaults that a program writes. */
const written = someOf(Object.keys(defaults({})));

/** Returns the same inputs in another spelling, with some defaults of omitted properties. */
function respelled(inputs: Values, some: readonly string[]): Values {
    const written = Object.entries(defaults(inputs)).filter(([name]) => some.includes(name));
    // The default of `title` is the name as written.
    const name = "title" in inputs ? String(inputs["name"]).toLowerCase() : inputs["name"];
    return { ...Object.fromEntries(written), ...mapValues(inputs, respelling), name };
}

function respelling(value: unknown, name: string): unknown {
    if (Array.isArray(value)) return [...value, ...value.slice(0, 1)].reverse().map((item) => respelling(item, "item"));
    if (name === "item") return String(value).endsWith("/32") ? String(value).replace("1.2.3.4/32", "1.2.3.4") : value;
    if (name === "mount") return `//${value}/`;
    if (name === "ttl")
        return typeof value === "number"
            ? `${value}000ms`
            : Number.parseInt(String(value), 10) / (String(value).endsWith("ms") ? 1000 : 1);
    if (name === "policies" || name === "blocks") return String(value).split(/, */).filter(Boolean);
    if (name === "type") return value === "folder" ? "directory" : value === "directory" ? "folder" : value;
    if (name === "document") return JSON.stringify(backwards(value), undefined, 1);
    if (name === "storage" && isRecord(value)) {
        const omitted = "bucket" in value ? { encrypted: false } : { space: 1000, key: "" };
        return mapValues({ ...omitted, ...value }, respelling);
    }
    return backwards(value);
}

/** Returns an object with its keys in reverse order, at any depth. Of other values, returns the value. */
function backwards(value: unknown): unknown {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
        Object.entries(value)
            .reverse()
            .map(([name, inner]) => [name, backwards(inner)]),
    );
}

describe("sealSecrets and secretStrings", () => {
    const sealed = (value: unknown) => ({
        "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
        value,
    });

    it("find the secrets of every variant of a union, whatever variant the object names", () => {
        for (const type of ["misspelt", "constructor", "__proto__", unknown, undefined, { toString: 1 }]) {
            const storage = { type, key: "key-1", bucket: "b" };
            assert.deepEqual(sealSecrets(node, { storage }), { storage: { ...storage, key: sealed("key-1") } });
            assert.deepEqual(secretStrings(node, { storage }), ["key-1"]);
        }
    });

    it("leave absent and unknown values as they are", () => {
        for (const values of [{}, { password: unknown }, { storage: unknown }, bucket({ key: unknown })])
            assert.deepEqual(sealSecrets(node, values), values);
    });

    it("return the strings inside a secret document too", () => {
        const document = { private_key: "private-1", nested: { list: ["private-2", 12345, null] } };
        const strings = secretStrings(node, {
            name: "name-1",
            password: "password-1",
            ...bucket({ key: "key-1", document }),
        });
        assert.deepEqual(strings.sort(), ["key-1", "password-1", "private-1", "private-2", JSON.stringify(document)]);
    });
});
