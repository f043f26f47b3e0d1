import assert from "node:assert/strict";
import { holdsUnknown, isRecord, sealSecrets, secretTexts, unknown } from "../../src/core/engine-values";
import { fields } from "./sample";

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
        assert.deepEqual(sealSecrets(fields, { name: "web", password: "pw", storage, server: "s" }), {
            name: "web",
            password: sealed("pw"),
            storage: { type: "bucket", bucket: "b", key: sealed("k"), document: sealed(document), encrypted: true },
            server: "s",
        });
    });

    it("a form that every object seems to have is none", () => {
        for (const type of ["constructor", "__proto__", { toString: 1 }]) {
            const storage = { type, key: "k" };
            assert.deepEqual(sealSecrets(fields, { storage }), { storage });
            assert.deepEqual(secretTexts(fields, { storage }), []);
        }
    });

    it("what is absent or unknown is not sealed", () => {
        assert.deepEqual(sealSecrets(fields, { name: "web", password: unknown }), { name: "web", password: unknown });
        assert.deepEqual(sealSecrets(fields, { storage: unknown }), { storage: unknown });
        assert.deepEqual(sealSecrets(fields, { storage: { type: "bucket", bucket: "b", key: unknown } }), {
            storage: { type: "bucket", bucket: "b", key: unknown },
        });
        assert.deepEqual(sealSecrets(fields, {}), {});
    });

    it("what was given is not changed by sealing", () => {
        const props = { password: "pw", storage: { type: "bucket", key: "k" } };
        sealSecrets(fields, props);
        assert.deepEqual(props, { password: "pw", storage: { type: "bucket", key: "k" } });
    });

    it("the texts of secrets are found inside documents too, but for the shortest ones", () => {
        const document = { private_key: "private-1", nested: { list: ["private-2", "abc", 12345] } };
        const storage = { type: "bucket", bucket: "bucket-1", key: "key-1", document };
        const texts = secretTexts(fields, { name: "name-1", password: "password-1", storage });
        assert.deepEqual([...texts].sort(), ["key-1", "password-1", "private-1", "private-2"]);
    });

    it("the longest secret comes first, so that none is left in part when all are cut out of a message", () => {
        const storage = { type: "bucket", bucket: "b", key: "abcdefgh" };
        assert.deepEqual(secretTexts(fields, { password: "abcd", storage }), ["abcdefgh", "abcd"]);
    });
});
