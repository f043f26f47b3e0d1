import assert from "node:assert/strict";
import { objectNode } from "../../src/schema/node";
import { sealSecrets, secretStrings, unsealed } from "../../src/schema/secrets";
import { holdsUnknown, isRecord, unknown } from "../../src/schema/unknown";
import { inputs } from "../core/sample";

describe("secrets", () => {
    it("are the only values of the engine's own that are opened", () => {
        const asset = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: "raw" };
        assert.deepEqual(unsealed({ content: asset, inside: [sealed(asset)] }), { content: asset, inside: [asset] });
    });
});

const whole = objectNode(inputs);

/** The engine's envelope, as its own documents give it. */
const sealed = (value: unknown) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    value,
});

describe("engine values", () => {
    it("an unknown is found at any depth", () => {
        assert.equal(unknown, "04da6b54-80e4-46f7-96ec-b56ff0331ba9");
        for (const value of [unknown, [unknown], { a: { b: [1, { c: unknown }] } }]) assert.ok(holdsUnknown(value));
        for (const value of ["a", undefined, null, [], {}, { a: [null, undefined, 0] }])
            assert.ok(!holdsUnknown(value));
    });

    it("a record is an object, neither a list nor null", () => {
        assert.deepEqual([{}, [], null, "a", undefined].map(isRecord), [true, false, false, false, false]);
    });

    it("secrets are sealed where they stand, at the top and inside storage, and nothing else is", () => {
        const document = { private_key: "pk", id: 5 };
        const storage = { type: "bucket", bucket: "b", key: "k", document, encrypted: true };
        assert.deepEqual(sealSecrets(whole, { name: "web", password: "pw", storage, server: "s" }), {
            name: "web",
            password: sealed("pw"),
            storage: { type: "bucket", bucket: "b", key: sealed("k"), document: sealed(document), encrypted: true },
            server: "s",
        });
    });

    it("a secret of one form is sealed whatever the object says that its form is", () => {
        for (const type of ["misspelt", "constructor", "__proto__", unknown, undefined, { toString: 1 }]) {
            const storage = { type, key: "key-1", bucket: "b" };
            assert.deepEqual(sealSecrets(whole, { storage }), { storage: { ...storage, key: sealed("key-1") } });
            assert.deepEqual(secretStrings(whole, { storage }), ["key-1"]);
        }
    });

    it("what is absent or unknown is not sealed", () => {
        assert.deepEqual(sealSecrets(whole, { name: "web", password: unknown }), { name: "web", password: unknown });
        assert.deepEqual(sealSecrets(whole, { storage: unknown }), { storage: unknown });
        assert.deepEqual(sealSecrets(whole, { storage: { type: "bucket", bucket: "b", key: unknown } }), {
            storage: { type: "bucket", bucket: "b", key: unknown },
        });
        assert.deepEqual(sealSecrets(whole, {}), {});
    });

    it("what was given is not changed by sealing", () => {
        const props = { password: "pw", storage: { type: "bucket", key: "k" } };
        sealSecrets(whole, props);
        assert.deepEqual(props, { password: "pw", storage: { type: "bucket", key: "k" } });
    });

    it("the strings of secrets are found inside documents too", () => {
        const document = { private_key: "private-1", nested: { list: ["private-2", 12345, null] } };
        const storage = { type: "bucket", bucket: "bucket-1", key: "key-1", document };
        const strings = secretStrings(whole, { name: "name-1", password: "password-1", storage });
        const wanted = ["key-1", "password-1", "private-1", "private-2", JSON.stringify(document)];
        assert.deepEqual([...strings].sort(), wanted);
    });
});
