import assert from "node:assert/strict";
import * as z from "zod";
import { createMemory } from "../../src/core/memory";
import { forgetStandIns, withStandIns, writtenFor } from "../../src/core/stand-ins";
import { property } from "../../src/schema/facts";
import { objectNode } from "../../src/schema/node";

const node = objectNode(
    z.strictObject({
        name: property(z.string(), { description: "Name." }),
        letter: property(z.string(), {
            description: "Long.",
            standIn: (written) => (String(written).startsWith("#") ? String(written) : `#${String(written).length}`),
        }),
    }),
    "documented",
);
const given = { name: "a", letter: "a long letter" };

describe("a value that must not be kept in state", () => {
    it("is found writtenFor what stands for it until the operation is done", () => {
        const memory = createMemory();
        const kept = withStandIns(node, given, memory);
        assert.deepEqual(kept, { name: "a", letter: "#13" });
        assert.equal(writtenFor("#13", memory), "a long letter");
        forgetStandIns(node, kept, memory);
        assert.equal(writtenFor("#13", memory), undefined);
    });

    it("stays as long as another operation needs it, also one whose inputs were checked before", () => {
        const memory = createMemory();
        const kept = withStandIns(node, given, memory);
        assert.deepEqual(withStandIns(node, kept, memory), kept);
        forgetStandIns(node, kept, memory);
        assert.equal(writtenFor("#13", memory), "a long letter");
        forgetStandIns(node, kept, memory);
        forgetStandIns(node, kept, memory);
        assert.equal(writtenFor("#13", memory), undefined);
    });

    it("is known to no other runtime", () => {
        const [one, other] = [createMemory(), createMemory()];
        withStandIns(node, given, one);
        assert.equal(writtenFor("#13", other), undefined);
    });

    it("stays what it is while it is not known", () => {
        const letter = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
        assert.deepEqual(withStandIns(node, { letter }, createMemory()), { letter });
    });
});
