/** What is generated is what the definitions say. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { generated } from "../scripts/generate";
import { addInterface } from "../scripts/interfaces";
import { objectSpec } from "../scripts/package-schema";
import { property } from "../src/schema/property";
import { wholeNumber } from "../src/schema/property-types";

const textOf = (path: string) => readFileSync(join(__dirname, "..", path), "utf8");

describe("the generated files", () => {
    for (const [path, text] of Object.entries(generated())) {
        it(`${path} is what the definitions say; \`npm run generate\` writes it`, () => {
            assert.ok(textOf(path) === text, `${path} is stale: run \`npm run generate\``);
        });
    }

    it("describe every type and every property of the package schema", () => {
        const described = z.object({ description: z.string().min(1) });
        const whole = z.object({
            properties: z.record(z.string(), described).optional(),
            inputProperties: z.record(z.string(), described).optional(),
            description: z.string().min(1),
        });
        const schema = z.object({
            types: z.record(z.string(), whole),
            resources: z.record(z.string(), whole),
            functions: z.record(
                z.string(),
                z.object({ description: z.string().min(1), inputs: whole.partial(), outputs: whole.partial() }),
            ),
        });
        assert.doesNotThrow(() => schema.parse(JSON.parse(textOf("schema.json"))));
    });

    it("say integer of a whole number that fits into 32 bits, and call no type as the SDK of Go calls its own", () => {
        const whole = (facts: object) => property(wholeNumber(), { description: "How many.", ...facts });
        const { properties } = objectSpec(
            {},
            "Any",
            z.strictObject({ few: whole({}), many: whole({ large: true }) }),
            "args",
        );
        assert.deepEqual(properties, {
            few: { type: "integer", description: "How many." },
            many: { type: "number", description: "How many." },
        });
        const { types, resources } = z
            .object({ types: z.record(z.string(), z.unknown()), resources: z.record(z.string(), z.unknown()) })
            .parse(JSON.parse(textOf("schema.json")));
        const taken = Object.keys(resources).flatMap((token) => [`${token}State`, `${token}Args`]);
        assert.deepEqual(
            taken.filter((token) => Object.hasOwn(types, token)),
            [],
        );
    });

    it("hold no two types of one name", () => {
        const inner = (type: z.ZodType) =>
            property(z.strictObject({ value: property(type, { description: "A value." }) }), {
                description: "An object.",
                typeName: "Same",
            });
        const outer = z.strictObject({ one: inner(z.string()), other: inner(z.number()) });
        assert.throws(() => addInterface(new Map(), "Outer", "Both.", outer, "args"), TypeError);
        assert.throws(() => objectSpec({}, "Outer", outer, "args"), TypeError);
        const alike = z.strictObject({ one: inner(z.string()), other: inner(z.string()) });
        assert.doesNotThrow(() => addInterface(new Map(), "Outer", "Both.", alike, "args"));
        assert.doesNotThrow(() => objectSpec({}, "Outer", alike, "args"));
    });
});
