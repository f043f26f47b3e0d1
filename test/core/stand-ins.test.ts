import assert from "node:assert/strict";
import * as z from "zod";
import { StandIns } from "../../src/core/stand-ins";
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
);
const given = { name: "a", letter: "a long letter" };

describe("a value that must not be kept in state", () => {
    it("is found writtenFor what stands for it until the operation is done", () => {
        const standIns = new StandIns();
        const kept = standIns.put(node, given);
        assert.deepEqual(kept, { name: "a", letter: "#13" });
        assert.equal(standIns.writtenFor("#13"), "a long letter");
        standIns.forget(node, kept);
        assert.equal(standIns.writtenFor("#13"), undefined);
    });

    it("stays as long as another operation needs it, also one whose inputs were checked before", () => {
        const standIns = new StandIns();
        const kept = standIns.put(node, given);
        assert.deepEqual(standIns.put(node, kept), kept);
        standIns.forget(node, kept);
        assert.equal(standIns.writtenFor("#13"), "a long letter");
        standIns.forget(node, kept);
        standIns.forget(node, kept);
        assert.equal(standIns.writtenFor("#13"), undefined);
    });

    it("is known to no other runtime", () => {
        const [one, other] = [new StandIns(), new StandIns()];
        one.put(node, given);
        assert.equal(other.writtenFor("#13"), undefined);
    });

    it("stays what it is while it is not known", () => {
        const letter = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
        assert.deepEqual(new StandIns().put(node, { letter }), { letter });
    });
});
