/** Interfaces of TypeScript from schemas: what editors show of arguments, outputs and results. */

import * as z from "zod";
import { asset } from "../src/schema/asset";
import { type Facts, factsOf, factsOrNone } from "../src/schema/facts";
import { asType, required, wordsOf } from "../src/schema/node";
import { asProductName } from "./product-names";

/**
 * Which form of a schema is told.
 * - `args`: what programs write, at every depth a value or an output.
 * - `plain`: what programs write, values only.
 * - `state`: what state holds.
 * - `result`: the decoded form, as lookups return it.
 */
export type Form = "args" | "plain" | "state" | "result";

/** Interfaces by their names, in the order in which they were first needed. */
export type Interfaces = Map<string, string>;

/** Adds the interface of an object, and those of the objects inside it. */
export function addInterface(into: Interfaces, name: string, doc: string, schema: z.ZodObject, form: Form): void {
    if (into.has(name)) return;
    const stem = name.replace(/(Output)?Args$|Outputs$|Result$/, "");
    const body = Object.entries(schema.shape).flatMap(([property, type]) =>
        propertyText(into, stem, property, asType(type), form),
    );
    into.set(name, `/** ${doc} */\nexport interface ${name} {\n${body.join("\n\n")}\n}`);
}

function propertyText(into: Interfaces, stem: string, name: string, type: z.ZodType, form: Form): string[] {
    const facts = factsOf(type);
    if (facts.internal || (form === "result" && facts.aliasOf !== undefined)) return [];
    const isThere = !(type instanceof z.ZodOptional) && facts.only === undefined;
    // What settings settle is always told.
    const isRequired = isThere || (form === "result" && facts.sticky !== undefined);
    const text = typeText(into, stem + capitalized(name), required(type), facts, form);
    const lifted =
        form === "args" ? `pulumi.Input<${text}>` : facts.secret && form === "result" ? `pulumi.Output<${text}>` : text;
    const mark = form === "args" || form === "plain" ? "" : "readonly ";
    return [
        `${comment(facts, form)}\n${mark}${name}${isRequired ? "" : "?"}: ${lifted}${isRequired ? "" : " | undefined"};`,
    ];
}

function typeText(into: Interfaces, name: string, type: z.ZodType, facts: Facts, form: Form): string {
    if (type === asset) return form === "state" || form === "result" ? "string" : "pulumi.asset.Asset";
    if (facts.standIn !== undefined && form === "state") return "string";
    if (type instanceof z.ZodCodec)
        return typeText(into, name, asType(form === "result" ? type.out : type.in), facts, form);
    if (type instanceof z.ZodString) return "string";
    if (type instanceof z.ZodNumber) return "number";
    if (type instanceof z.ZodBoolean) return "boolean";
    if (type instanceof z.ZodEnum || type instanceof z.ZodLiteral)
        return wordsOf(type)
            .map((word) => asProductName(word) ?? JSON.stringify(word))
            .join(" | ");
    if (type instanceof z.ZodArray) return itemsText(into, name, type, form);
    if (type instanceof z.ZodRecord)
        return `Record<string, ${lift(typeText(into, name, asType(type.valueType), noFacts, form), form)}>`;
    if (type instanceof z.ZodDiscriminatedUnion) return unionText(into, name, type, facts, form);
    if (type instanceof z.ZodUnion) {
        return unique(type.options.map((option) => typeText(into, name, asType(option), noFacts, form))).join(" | ");
    }
    if (type instanceof z.ZodObject) return objectText(into, name, type, facts, form);
    return "unknown";
}

/** A type in one line, without outputs: for tables. Objects inside it are called by what they would be. */
export function typeOf(type: z.ZodType, form: Form): string {
    return typeText(new Map(), "", type, noFacts, form)
        .replace(/ProductName<"[^"]*">/g, "")
        .replace(/ \| {1,2}(?=\||$)/g, "");
}

const noFacts: Facts = { description: "" };

function itemsText(into: Interfaces, name: string, type: z.ZodArray, form: Form): string {
    const item = lift(typeText(into, singular(name), asType(type.element), noFacts, form), form);
    return item === "unknown"
        ? "readonly unknown[]"
        : `${/[ |]/.test(item) && !/^[\w.]+<.*>$/.test(item) ? `(${item})` : item}[]`;
}

/** Items of lists and entries of maps may be outputs too. */
const lift = (text: string, form: Form) => (form === "args" && text !== "unknown" ? `pulumi.Input<${text}>` : text);

function objectText(into: Interfaces, name: string, type: z.ZodObject, facts: Facts, form: Form): string {
    const own = { ...facts, ...factsOrNone(type) };
    const full = (own.typeName ?? name) + suffixes[form];
    addInterface(into, full, own.description || facts.description, type, form);
    return full;
}

const suffixes: Readonly<Record<Form, string>> = { args: "Args", plain: "PlainArgs", state: "", result: "Result" };

function unionText(into: Interfaces, name: string, type: z.ZodDiscriminatedUnion, facts: Facts, form: Form): string {
    const forms = type.options.map((option) => {
        const object = asType(option);
        if (!(object instanceof z.ZodObject)) throw new TypeError(`${name} has a form that is no object`);
        const [word = ""] = wordsOf(asType(object.shape[type.def.discriminator]));
        const formName = name + word.split("-").map(capitalized).join("");
        return objectText(into, formName, object, factsOrNone(object) ?? noFacts, form);
    });
    const full = name + suffixes[form];
    if (!into.has(full)) into.set(full, `/** ${facts.description} */\nexport type ${full} = ${forms.join(" | ")};`);
    return full;
}

function comment(facts: Facts, form: Form): string {
    const doc = [facts.description, ...factTexts(facts, form)].join(" ");
    return facts.deprecated === undefined ? `/** ${doc} */` : `/**\n * ${doc}\n * @deprecated ${facts.deprecated}\n */`;
}

/** What editors tell of a property beside its description. */
function factTexts(facts: Facts, form: Form): string[] {
    const { default: fallback, secret, only, immutable } = facts;
    const isPlain = fallback !== undefined && fallback !== "" && typeof fallback !== "object";
    const texts = [
        isPlain && form !== "result" ? `Default: \`${String(fallback)}\`.` : "",
        secret ? "Secret." : "",
        only === undefined ? "" : `Only in the vocabulary \`${only}\`.`,
        immutable === undefined || form === "result" || form === "plain" ? "" : changeText(immutable),
    ];
    return texts.filter((text) => text !== "");
}

function changeText(immutable: NonNullable<Facts["immutable"]>): string {
    if (immutable === true) return "A change replaces the object.";
    return immutable === "documented"
        ? "A change replaces the object, deleting it first, where the documents' rules hold."
        : "A change may replace the object.";
}

/** `capabilities` are made of a `capability`. */
function singular(name: string): string {
    return name.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
}

function unique(texts: readonly string[]): string[] {
    return [...new Set(texts)];
}

/** `tokenTtl` as a part of a name. */
export function capitalized(word: string): string {
    return word.charAt(0).toUpperCase() + word.slice(1);
}
