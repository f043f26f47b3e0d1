/** Tests check, diff, compare, requests, answers and secrets with the schema of `sample.ts`. */

import assert from "node:assert/strict";
import { asSentence, check as checkOf } from "../../src/schema/check";
import { changedNames, compare as compareOf, diff as diffOf } from "../../src/schema/compare";
import { Declared } from "../../src/schema/declared";
import { readAnswer } from "../../src/schema/meaning";
import { sealSecrets, secretStrings } from "../../src/schema/secrets";
import { suggestion } from "../../src/schema/suggestion";
import { unknown, type Values } from "../../src/schema/values";
import { definitionOf } from "../support/definitions";
import { node } from "./sample";

const declared = (values: Values) => new Declared(node, values);
const check = (news: Values, olds?: Values) => {
    const { failures, warnings } = checkOf(declared(news), olds && declared(olds));
    return { failures: failures.map(asSentence), warnings: warnings.map(asSentence) };
};
const failures = (news: Values, olds?: Values) => check({ name: "web", ...news }, olds).failures;
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

    it("suggests an argument with the same words in another order, that ends in the words or is at most three edits away, and no deprecated one", () => {
        const known = ["requestedTopologies", "tokenTtl", "tokenMaxTtl", "mountOptions", "capabilities", "name"];
        const near = ["topology_request", "ttl", "max_ttl", "mount_options", "capability", "Name", "request"];
        assert.deepEqual(
            near.map((name) => suggestion(name, known).replace("; perhaps you mean ", "")),
            ["requestedTopologies", "tokenTtl", "tokenMaxTtl", "mountOptions", "capabilities", "name", ""],
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

    it("names the words of a property, and the bounds of a number", () => {
        const config = { environment: "Mine", maxRetries: -1 };
        const reasons = checkOf(new Declared(definitionOf("AuthConfig").node, config)).failures.map(asSentence);
        assert.match(reasons[0] ?? "", /^environment: must be one of .*"AzurePublicCloud"/);
        assert.equal(reasons[1], "maxRetries: must be a whole number of at least 0 and of at most 2147483647");
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

it("a read drops no default that the program writes and the server omits", () => {
    const live = readAnswer(node, { storage: { kind: "folder", path: "/x" } });
    const { drift, dropped } = compareOf(node, declared({ name: "web", ...folder({ space: 1000 }) }), live);
    assert.deepEqual([drift, dropped], [[], []]);
});

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
