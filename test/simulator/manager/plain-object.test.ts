/** A kind of object that is made of its fields alone, as another resource starts with it. */

import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/simulator/json";
import type { Call } from "../../../src/simulator/manager/call";
import { plainObject } from "../../../src/simulator/manager/plain-object";
import { emptyManager } from "../../../src/simulator/manager/records";
import type { Manners } from "../../../src/simulator/manners";
import { badRequest } from "../../../src/simulator/simulator-error";

const marks = {
    path: "sys/marks/:name+",
    mountType: "system",
    fields: [
        { name: "size", kind: "number", required: true },
        { name: "place", kind: "text" },
        { name: "interval", kind: "duration", preset: 1 },
        { name: "wide", kind: "boolean" },
        { name: "tag", kind: "text" },
    ],
    also: { type: "mark" },
    hidden: ["tag"],
    settle(set: JsonObject, { body: { corners } }: Call): JsonObject {
        if (Number(set["size"]) < 0) throw badRequest("size is negative");
        return { wide: !set["place"], corners: {}, ...set, ...(corners !== undefined && { corners }) };
    },
} as const;

describe("simulator: an object that is its fields", () => {
    const call = (body: Call["body"], manners: Manners = []): Call => ({
        store: emptyManager(),
        path: "sys/marks/a",
        parameters: { name: "a" },
        namespace: "",
        body,
        isList: false,
        vocabulary: "documented",
        manners,
        unknownQuery: [],
        now: new Date(0),
    });
    /** What is stored after these writes, one after the other. */
    const stored = (of: Parameters<typeof plainObject>[0], ...calls: readonly Call[]) =>
        calls.reduce<JsonObject | undefined>((before, each) => plainObject(of).write(before, each).stored, undefined);
    const unset = { place: "", interval: 1, wide: true, tag: "", corners: {} };

    it("fills in what a write leaves out, and what depends on another field", () => {
        assert.deepEqual(stored(marks, call({ size: "2" })), { ...unset, size: 2 });
        const placed = { ...unset, size: 2, place: "x", wide: false };
        assert.deepEqual(stored(marks, call({ size: 2, place: "x" })), placed);
    });

    it("keeps what a later write leaves out, or replaces the whole", () => {
        const corners = { left: [1] };
        const writes = [call({ size: 2, place: "x", corners }), call({ size: 3 })];
        const kept = { ...unset, size: 3, place: "x", wide: false, corners };
        assert.deepEqual(stored(marks, ...writes), kept);
        assert.deepEqual(stored({ ...marks, replaces: true }, ...writes), { ...unset, size: 3 });
        const merging = writes.map((each) => ({ ...each, manners: ["merges"] as const }));
        assert.deepEqual(stored({ ...marks, replaces: true }, ...merging), kept);
    });

    it("refuses a write without a required field, and what the kind of object refuses", () => {
        assert.throws(() => stored(marks, call({ place: "x" })), /size is required/);
        assert.throws(() => stored(marks, call({ size: -1 })), /size is negative/);
        const later = [call({ size: 2 }), call({ place: "x" })];
        assert.throws(() => stored({ ...marks, replaces: true }, ...later), /size is required/);
    });

    it("shows all but what is hidden, and what is beside the fields", () => {
        const object = plainObject(marks);
        const { stored: held } = object.write(undefined, call({ size: 2, tag: "t", corners: { left: [1] } }));
        assert.deepEqual(object.read(held, call({})), {
            size: 2,
            place: "",
            interval: 1,
            wide: true,
            corners: { left: [1] },
            type: "mark",
        });
        const { documented } = object.shown(held);
        assert(documented.has("corners") && !documented.has("tag"));
    });
});
