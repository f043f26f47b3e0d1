import assert from "node:assert/strict";
import { sealSecrets, secretStrings, unsealed } from "../../src/schema/secrets";
import { unknown } from "../../src/schema/unknown";
import { nodeIn } from "./sample";

const node = nodeIn();
const values = {
    name: "plain-name",
    password: "secret-1",
    outlet: { type: "tap", size: 1, code: "secret-22" },
    pipes: [
        { from: "plain", key: "secret-333" },
        { from: "b", key: unknown },
    ],
    server: "https://one.example",
};

describe("secrets", () => {
    it("are sealed at any depth, and nothing else is", () => {
        const sealed = JSON.stringify(sealSecrets(node, values));
        for (const plain of ["plain-name", '"plain"', unknown, "https://one.example"])
            assert.ok(sealed.includes(plain));
        assert.equal(sealed.match(/4dabf18193072939515e22adb298388d/g)?.length, 3);
        assert.deepEqual(unsealed(sealSecrets(node, values)), values);
    });

    it("are listed for redaction, longest first", () => {
        assert.deepEqual(secretStrings(node, values), ["secret-333", "secret-22", "secret-1"]);
    });
});
