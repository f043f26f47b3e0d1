/** TypeScript interfaces of arguments, outputs and results, from schemas. */

import * as z from "zod";
import { asType, type Facts, factsOrNone, required, wordsOf } from "../src/schema/property";
import { asset } from "../src/schema/property-types";
import { inProductWords, productWords, productWordsFirst } from "./product-words";
import {
    type Form,
    innerName,
    isAlwaysThere,
    publicProperties,
    singular,
    unionFormName,
    wholeDescription,
} from "./property-texts";

/** Interfaces by their names, in the order in which they were first needed. */
export type Interfaces = Map<string, string>;

/** The form of each property. */
type FormOf = (property: string) => Form;

/** How an interface differs from that of a plain object. */
interface Kind {
    /** The property that names a form of a union. */
    readonly discriminator?: string | undefined;
    /** Each property is a `pulumi.Output`. It is written out, because the compiler would evaluate a mapped type again for every program. */
    readonly isResource?: true;
}

/** Adds the interface of an object and of the objects inside it. */
export function addInterface(
    into: Interfaces,
    name: string,
    doc: string,
    schema: z.ZodObject,
    form: Form | FormOf,
    { discriminator, isResource }: Kind = {},
): void {
    const stem = name.replace(/(Output|Plain)?Args$|Outputs$|Properties$|Result$/, "");
    const body = publicProperties(schema).map(([property, type, facts]) => {
        const own = typeof form === "function" ? form(property) : form;
        const text = typeText(into, innerName(stem, property), required(type), facts, own);
        const absent = isAlwaysThere(type, facts, own) ? "" : " | undefined";
        const lines = `${comment(facts, own)}\n${own === "args" || own === "plain" ? "" : "readonly "}${property}`;
        if (isResource) return `${lines}: pulumi.Output<${text}${absent}>;`;
        const whole = property === discriminator ? text : liftedProperty(text, absent, facts, own);
        return `${lines}${absent && "?"}: ${whole};`;
    });
    add(into, name, `/** ${doc} */\nexport interface ${name} {\n${body.join("\n\n")}\n}`);
}

function add(into: Interfaces, name: string, text: string): void {
    const known = into.get(name);
    if (known !== undefined && known !== text) throw new TypeError(`two different types are called ${name}`);
    into.set(name, text);
}

/** Arguments are `pulumi.Input`s, optional ones also of `undefined`. Secret results are `pulumi.Output`s. A discriminator is a plain string. */
function liftedProperty(text: string, absent: string, { secret }: Facts, form: Form): string {
    if (form === "args") return `pulumi.Input<${text}${absent}>`;
    return (secret && form === "result" ? `pulumi.Output<${text}>` : text) + absent;
}

function typeText(into: Interfaces, name: string, type: z.ZodType, facts: Facts, form: Form): string {
    if (type === asset) return form === "state" || form === "result" ? "string" : "pulumi.asset.Asset";
    if (type instanceof z.ZodCodec)
        return typeText(into, name, asType(form === "result" ? type.out : type.in), facts, form);
    if (type instanceof z.ZodPipe) return typeText(into, name, asType(type.out), facts, form);
    if (type instanceof z.ZodReadonly) return `readonly ${typeText(into, name, asType(type.unwrap()), facts, form)}`;
    if (type instanceof z.ZodString) return openText(facts.suggestions);
    if (type instanceof z.ZodNumber) return "number";
    if (type instanceof z.ZodBoolean) return "boolean";
    if (type instanceof z.ZodEnum || type instanceof z.ZodLiteral)
        return productWordsFirst(wordsOf(type))
            .map((word) => JSON.stringify(word))
            .join(" | ");
    if (type instanceof z.ZodArray) return itemsText(into, name, type, facts, form);
    if (type instanceof z.ZodRecord)
        return `Record<string, ${lift(typeText(into, singular(name), asType(type.valueType), inside(facts), form), form)}>`;
    if (type instanceof z.ZodDiscriminatedUnion) return unionText(into, name, type, facts, form);
    if (type instanceof z.ZodUnion) {
        const texts = type.options.map((option) => typeText(into, name, asType(option), noFacts, form));
        return [...new Set(texts)].join(" | ");
    }
    if (type instanceof z.ZodObject) return objectText(into, name, type, facts, form);
    return "unknown";
}

/** The compiler would join words with `string`, and editors suggest none of them. */
const openText = (words: readonly string[] = []) =>
    words.length === 0 ? "string" : [...words.map((word) => JSON.stringify(word)), "(string & {})"].join(" | ");

/** A type in one line for tables of the reference, in the products' words, without `pulumi.Input`. Nested objects have the names of their interfaces. */
export function typeOf(type: z.ZodType, form: Form): string {
    const text = inProductWords(typeText(new Map(), "", type, noFacts, form));
    return [...new Set(text.split(" | "))].join(" | ");
}

const noFacts: Facts = { description: "" };

/** Items of a list or a map without a description have that of the list or map. */
const inside = ({ description }: Facts): Facts => ({ description });

function itemsText(into: Interfaces, name: string, type: z.ZodArray, facts: Facts, form: Form): string {
    const item = lift(typeText(into, singular(name), asType(type.element), inside(facts), form), form);
    return item === "unknown"
        ? "readonly unknown[]"
        : `${/[ |]/.test(item) && !/^[\w.]+<.*>$/.test(item) ? `(${item})` : item}[]`;
}

/** Items of lists and entries of maps may be `pulumi.Input`s too. */
const lift = (text: string, form: Form) => (form === "args" && text !== "unknown" ? `pulumi.Input<${text}>` : text);

function objectText(
    into: Interfaces,
    name: string,
    type: z.ZodObject,
    facts: Facts,
    form: Form,
    discriminator?: string,
): string {
    const own = factsOrNone(type);
    const isFormOfResult = form === "result" && discriminator !== undefined;
    const full =
        fullName(name, own?.typeName ?? facts.typeName, form) + (isFormOfResult && own?.typeName ? "Result" : "");
    addInterface(into, full, own?.description ?? facts.description, type, form, { discriminator });
    return full;
}

/** A type with a `typeName` has that name in outputs and results; the type of its arguments ends in `Args`. */
function fullName(name: string, own: string | undefined, form: Form): string {
    const suffix = {
        args: "Args",
        plain: "PlainArgs",
        state: "",
        output: "",
        result: own === undefined ? "Result" : "",
    };
    return (own ?? name) + suffix[form];
}

function unionText(into: Interfaces, name: string, type: z.ZodDiscriminatedUnion, facts: Facts, form: Form): string {
    const { discriminator } = type.def;
    const forms = type.options.map((option) => {
        const object = asType(option);
        if (!(object instanceof z.ZodObject)) throw new TypeError(`${name} has a form that is no object`);
        const [word] = productWords(wordsOf(asType(object.shape[discriminator])));
        return objectText(into, unionFormName(name, word), object, inside(facts), form, discriminator);
    });
    const full = fullName(name, facts.typeName, form);
    add(into, full, `/** ${facts.description} */\nexport type ${full} = ${forms.join(" | ")};`);
    return full;
}

function comment(facts: Facts, form: Form): string {
    return `/** ${wholeDescription(facts, form, facts.secret ? ["Secret."] : [])} */`;
}
