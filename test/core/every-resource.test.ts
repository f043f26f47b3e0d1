import assert from "node:assert/strict";
import type { AnyResource } from "../../src/core/resource";
import { check as checkOf } from "../../src/schema/check";
import { changedNames, diff } from "../../src/schema/compare";
import { Declared } from "../../src/schema/declared";
import type { Values } from "../../src/schema/values";
import { definitionOf, definitions } from "../support/definitions";
import { unknown } from "../support/pulumi-values";
import { factsOf, programOf, resourceFacts } from "../support/resource-facts";

/** Returns valid inputs with every field. */
const inputsOf = (resource: AnyResource): Values => {
    const facts = factsOf(resource.type);
    const timeouts = resource.node.properties.has("timeouts") ? { timeouts: { create: "5m" } } : {};
    return { ...programOf(facts), ...facts.rest, ...timeouts, connection: "second" };
};
const check = (resource: AnyResource, news: Values) => checkOf(new Declared(resource.node, news)).failures;
const changes = (resource: AnyResource, olds: Values, news: Values) =>
    diff(new Declared(resource.node, olds), new Declared(resource.node, news));
const changed = (resource: AnyResource, olds: Values, news: Values) => changedNames(changes(resource, olds, news));

/** Deprecated inputs of `AuthRole`, which a program cannot combine with their new names. */
const formerNames = ["policies", "maxTtl"];

describe("every resource", () => {
    for (const resource of definitions) {
        describe(resource.type, () => {
            const inputs = inputsOf(resource);
            // A program cannot combine a deprecated input with its new name, or a secret with its source.
            const shown = [...resource.node.properties].filter(
                ([, { facts }]) =>
                    !facts.internal && !facts.sourceOf && !/^(Deprecated|Former name)/.test(facts.description),
            );

            it("accepts valid inputs with every field", () => {
                assert.deepEqual(check(resource, inputs), []);
                const names = shown.map(([name]) => name).filter((name) => !formerNames.includes(name));
                assert.deepEqual(Object.keys(inputs).sort(), names.sort(), "full, beside and rest in test/resources");
            });

            it("accepts unknown values", () => {
                for (const [name] of shown) assert.deepEqual(check(resource, { ...inputs, [name]: unknown }), [], name);
                assert.deepEqual(check(resource, Object.fromEntries(shown.map(([name]) => [name, unknown]))), []);
            });

            it("sees no change in equal inputs, and a change in an unknown value", () => {
                assert.deepEqual(changed(resource, inputs, structuredClone(inputs)), []);
                for (const [name] of shown) {
                    assert.ok(changed(resource, inputs, { ...inputs, [name]: unknown }).includes(name), name);
                }
            });

            it("replaces for exactly the fields that `immutable` in test/resources names", () => {
                const allUnknown = Object.fromEntries(shown.map(([name]) => [name, unknown]));
                const replaced = changes(resource, inputs, allUnknown).filter((change) => change.replaces);
                assert.deepEqual(changedNames(replaced).sort(), [...factsOf(resource.type).immutable].sort());
            });
        });
    }

    for (const { type, places } of resourceFacts) {
        for (const field of places.path) {
            it(`\`check\` of ${type} refuses a \`${field}\` that no path can contain`, () => {
                const resource = definitionOf(type);
                for (const value of ["", ".", ".."]) {
                    const reasons = check(resource, { ...inputsOf(resource), [field]: value });
                    assert.deepEqual(
                        reasons.map(({ path }) => path),
                        [field],
                        JSON.stringify(value),
                    );
                }
            });
        }
    }
});
