/** A value of an answer that has another kind than its property reaches no program. The kinds are those of schema.json. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { invokeFunction } from "../src/core/functions";
import { Operations } from "../src/core/operations";
import type { StatecraftError } from "../src/errors";
import { topLevel } from "../src/schema/compare";
import { hostWith, validAnswer } from "./properties/fuzz-inputs";
import { definitionOf, functions } from "./support/definitions";
import { ManagedResource, pathsOf, type Shown } from "./support/managed-resource";
import { withCode } from "./support/messages";
import { functionFacts, isNamedObject, type Props, resourceFacts } from "./support/resource-facts";

/** The type of a property in schema.json. */
interface Type {
    readonly type?: string;
    readonly $ref?: string;
    readonly items?: Type;
    readonly additionalProperties?: Type;
    readonly properties?: Readonly<Record<string, Type>>;
    readonly oneOf?: readonly Type[];
}

type Entries = Readonly<Record<string, Type & { readonly outputs?: Type }>>;
const schema: Readonly<Record<string, Entries>> = JSON.parse(readFileSync("schema.json", "utf8"));
const entry = (kind: string, name: string) => schema[kind]?.[`statecraft:index:${name}`] ?? assert.fail(name);

/** Whether a value has a type. */
function fits(value: unknown, { type, $ref = "", oneOf, items, additionalProperties, properties }: Type): boolean {
    if ($ref) return /^pulumi/.test($ref) || fits(value, entry("types", $ref.replace(/.*:/, "")));
    if (oneOf) return oneOf.some((one) => fits(value, one));
    if (type === "array") return Array.isArray(value) && value.every((item) => !items || fits(item, items));
    if (type === "integer") return Number.isInteger(value);
    if (type !== "object") return typeof value === type;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    return Object.entries(value).every(([name, inner]) => {
        const of = properties?.[name] ?? additionalProperties;
        return inner === undefined || of === undefined || fits(inner, of);
    });
}

const kindOf = (value: unknown) => (Array.isArray(value) ? "list" : typeof value);

/** Copies of an answer, each with a value of another kind at one place. */
function* variants(answer: unknown): Iterable<unknown> {
    yield* ["planted-kind", 987_654, true, [987_654], { odd: 987_654 }].filter(
        (other) => kindOf(other) !== kindOf(answer),
    );
    for (const [key, inner] of Object.entries(typeof answer === "string" ? {} : Object(answer))) {
        for (const other of variants(inner)) {
            yield Object.assign(Array.isArray(answer) ? [...answer] : { ...Object(answer) }, { [key]: other });
        }
    }
}

/** A runtime whose services give this answer to every request. */
const answering = (body: unknown, warn: (message: string) => void = () => undefined) => ({
    ...hostWith(async () => ({ exchange: { service: "s", operation: "GET /x" }, status: 200, headers: {}, body })),
    say: (_: string, message: string) => warn(message),
});

describe("a value of an answer that has another kind than its property", () => {
    for (const definition of functions) {
        const { name, service } = definition;
        it(`is not returned by ${name}`, async () => {
            for (const body of variants(validAnswer(service.name, name))) {
                const call = invokeFunction(definition, answering(body), functionFacts[name]?.args);
                const found = await call.catch(({ code, message }: StatecraftError) => {
                    assert.match(code, /^(answer|content)$/, message);
                    assert.doesNotMatch(message, /planted|987/);
                });
                assert(!found || fits(found, entry("functions", name).outputs ?? {}), JSON.stringify([body, found]));
            }
        });
    }

    for (const { type, id, full, edited } of resourceFacts.filter(isNamedObject)) {
        it(`is not returned by a read of ${type}, and is a warning after a write`, async () => {
            const declared: Props = { ...full, ...edited };
            for (const body of variants(validAnswer(definitionOf(type).service.name))) {
                const said: string[] = [];
                const runtime = answering(body, (message) => said.push(message));
                const resource = ManagedResource.of(new Operations(definitionOf(type), runtime));
                const isRefused = async (verb: () => Promise<unknown>) => {
                    const outputs = { ...full, server: "https://one.example" };
                    resource.state = structuredClone({ id, inputs: full, outputs, initErrors: [] });
                    const code = await verb().then(
                        () => undefined,
                        (error: Shown) => error.code,
                    );
                    const state = resource.outputs();
                    assert(fits(state, { ...entry("resources", type), type: "object" }), JSON.stringify([body, state]));
                    assert(code === undefined || code === "answer", code);
                    return code === "answer";
                };
                const isReadRefused = await isRefused(() => resource.refresh());
                const isWriteRefused = await isRefused(() => resource.up(declared));
                const paths = pathsOf(said.filter((text) => withCode("answer").test(text))).map(topLevel);
                assert.equal(isWriteRefused || paths.length > 0, isReadRefused, JSON.stringify([body, said]));
                for (const path of paths) assert.deepEqual(resource.outputs()[path], declared[path], path);
            }
        });
    }
});
