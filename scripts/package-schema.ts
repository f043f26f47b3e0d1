/** The Pulumi package schema, from the definitions: types, descriptions, enums, unions, secrets, defaults in words, functions, configuration. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { DefinedFunction } from "../src/core/defined-function";
import { frameOutputs, type Resource } from "../src/core/resource";
import { asset } from "../src/schema/asset";
import { type Facts, factsOf, factsOrNone } from "../src/schema/facts";
import { asType, required, wordsOf } from "../src/schema/node";
import { settingsSchema } from "../src/settings-schema";
import { capitalized } from "./interfaces";

/** A type or a property, as the package schema writes it. */
export type Spec = Readonly<Record<string, unknown>>;

/** Types by their tokens. */
export type Types = Record<string, Spec>;

/** Inputs are told as programs write them, results in their decoded form. */
type Form = "input" | "output" | "result";

const token = (name: string) => `statecraft:index:${name}`;

/** The schema of the whole package. */
export function packageSchema(resources: readonly Resource[], functions: readonly DefinedFunction[]): Spec {
    const types: Types = {};
    const { version, description, keywords, license } = manifest();
    return {
        name: "statecraft",
        displayName: "statecraft",
        version,
        description,
        keywords: [...keywords, "category/infrastructure", "kind/native"],
        license,
        config: configSpec(types),
        provider: { description: "The settings of the services.", inputProperties: configSpec(types).variables },
        resources: Object.fromEntries(
            resources.map((resource) => [token(resource.type), resourceSpec(types, resource)]),
        ),
        functions: Object.fromEntries(
            functions.map((definition) => [token(definition.name), functionSpec(types, definition)]),
        ),
        types,
    };
}

const manifestSchema = z.object({
    version: z.string(),
    description: z.string(),
    keywords: z.array(z.string()),
    license: z.string(),
});

function manifest(): z.infer<typeof manifestSchema> {
    return manifestSchema.parse(JSON.parse(readFileSync(join(__dirname, "..", "package.json"), "utf8")));
}

/** Configuration: each of its keys may also stand in the environment, field by field. */
function configSpec(types: Types): { variables: Readonly<Record<string, Spec>> } {
    return { variables: record(objectSpec(types, "Config", settingsSchema, "input")["properties"]) };
}

/** A resource's part of the schema; types that it needs are added to `types`. */
export function resourceSpec(types: Types, { type, description, inputs, outputs }: Resource): Spec {
    const given = objectSpec(types, type, inputs, "input");
    const told = objectSpec(types, type, inputs, "output");
    const own = objectSpec(types, type, outputs, "output");
    const framed = objectSpec(types, type, frameOutputs, "output");
    return {
        description,
        inputProperties: given["properties"],
        requiredInputs: given["required"],
        properties: { ...record(told["properties"]), ...record(own["properties"]), ...record(framed["properties"]) },
        required: [told, own, framed].flatMap((spec) => spec["required"] ?? []),
    };
}

const record = (value: unknown) => value as Record<string, Spec>;

/** A function's part of the schema. */
export function functionSpec(types: Types, { name, description, inputs, result }: DefinedFunction): Spec {
    const stem = capitalized(name);
    return {
        description,
        inputs: { type: "object", ...objectSpec(types, stem, inputs, "input") },
        outputs: { type: "object", ...objectSpec(types, stem, result, "result") },
    };
}

/** The properties of an object, and which of them are always there. */
export function objectSpec(types: Types, name: string, schema: z.ZodObject, form: Form): Spec {
    const entries = Object.entries(schema.shape).flatMap(([property, declared]): [string, Spec, boolean][] => {
        const type = asType(declared);
        const facts = factsOf(type);
        if (facts.internal || (form === "result" && facts.aliasOf !== undefined)) return [];
        const isThere = !(type instanceof z.ZodOptional) && facts.only === undefined;
        const isTold = form === "result" && facts.sticky !== undefined;
        const spec = typeSpec(types, name + capitalized(property), required(type), facts, form);
        return [[property, { ...spec, ...propertyFacts(facts, form) }, isThere || isTold]];
    });
    return {
        properties: Object.fromEntries(entries.map(([property, spec]) => [property, spec])),
        required: entries.filter(([, , isRequired]) => isRequired).map(([property]) => property),
    };
}

function propertyFacts(facts: Facts, form: Form): Spec {
    const { default: fallback, defaultFrom, immutable, only, secret, deprecated } = facts;
    const words = [
        facts.description,
        fallback === undefined || fallback === "" || form === "result"
            ? ""
            : `Default: \`${JSON.stringify(fallback)}\`.`,
        defaultFrom === undefined || form === "result" ? "" : `Default: ${defaultFrom.description}.`,
        only === undefined ? "" : `Only in the vocabulary \`${only}\`.`,
        immutable === "documented" && form !== "result"
            ? "A change replaces the object, deleting it first, where the documents' rules hold."
            : "",
    ];
    return {
        description: words.filter((word) => word !== "").join(" "),
        ...(secret ? { secret: true } : {}),
        ...(deprecated === undefined ? {} : { deprecationMessage: capitalized(deprecated) }),
        ...(immutable === true && form === "input" ? { replaceOnChanges: true } : {}),
    };
}

function typeSpec(types: Types, name: string, type: z.ZodType, facts: Facts, form: Form): Spec {
    if (type === asset) return { $ref: "pulumi.json#/Asset" };
    if (facts.standIn !== undefined && form === "output") return { type: "string" };
    if (type instanceof z.ZodCodec)
        return typeSpec(types, name, asType(form === "result" ? type.out : type.in), facts, form);
    if (type instanceof z.ZodString) return { type: "string" };
    if (type instanceof z.ZodNumber) return { type: isInt32(type) ? "integer" : "number" };
    if (type instanceof z.ZodBoolean) return { type: "boolean" };
    if (type instanceof z.ZodLiteral) return { type: "string", const: wordsOf(type)[0] };
    if (type instanceof z.ZodEnum) return enumSpec(types, name, type, facts);
    if (type instanceof z.ZodArray) {
        return { type: "array", items: typeSpec(types, name, asType(type.element), noFacts, form) };
    }
    if (type instanceof z.ZodRecord) {
        return { type: "object", additionalProperties: typeSpec(types, name, asType(type.valueType), noFacts, form) };
    }
    if (type instanceof z.ZodDiscriminatedUnion) return unionSpec(types, name, type, form);
    if (type instanceof z.ZodUnion) {
        const options = type.options.map((option) => typeSpec(types, name, asType(option), noFacts, form));
        return { oneOf: [...new Map(options.map((option) => [JSON.stringify(option), option])).values()] };
    }
    if (type instanceof z.ZodObject) return objectRef(types, name, type, facts, form);
    return { $ref: "pulumi.json#/Any" };
}

const noFacts: Facts = { description: "" };

/** Pulumi's integers have 32 bits: sizes in bytes do not fit. */
function isInt32(type: z.ZodNumber): boolean {
    return type.isInt && type.maxValue !== null && type.maxValue < 2 ** 31;
}

function objectRef(types: Types, name: string, type: z.ZodObject, facts: Facts, form: Form): Spec {
    const own = { ...facts, ...factsOrNone(type) };
    const full = token((own.typeName ?? name) + (form === "result" && own.typeName === undefined ? "Result" : ""));
    types[full] ??= {
        type: "object",
        description: own.description || facts.description,
        ...objectSpec(types, own.typeName ?? name, type, form),
    };
    return { $ref: `#/types/${full}` };
}

function enumSpec(types: Types, name: string, type: z.ZodEnum, { description }: Facts): Spec {
    const full = token(name);
    types[full] ??= { type: "string", description, enum: wordsOf(type).map((value) => ({ value })) };
    return { $ref: `#/types/${full}` };
}

function unionSpec(types: Types, name: string, type: z.ZodDiscriminatedUnion, form: Form): Spec {
    const { discriminator } = type.def;
    const mapping: Record<string, string> = {};
    const refs = type.options.map((option) => {
        const object = asType(option);
        if (!(object instanceof z.ZodObject)) throw new TypeError(`${name} has a form that is no object`);
        const words = wordsOf(asType(object.shape[discriminator]));
        const formName = name + (words[0] ?? "").split("-").map(capitalized).join("");
        const ref = objectRef(types, formName, object, factsOrNone(object) ?? noFacts, form);
        for (const word of words) mapping[word] = String(ref["$ref"]);
        return ref;
    });
    return { oneOf: refs, discriminator: { propertyName: discriminator, mapping } };
}
