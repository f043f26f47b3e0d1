/** What a type expects, in words that follow the property's path: `must be a whole number of at least 1`. */

import * as z from "zod";
import { asType } from "./node";

/** What a value of the type must be. Types with rules of their own bring their own words. */
export function expectation(type: z.ZodType): string {
    return `must be ${expected(type)}`;
}

function expected(type: z.ZodType): string {
    if (type instanceof z.ZodOptional) return expected(asType(type.unwrap()));
    if (type instanceof z.ZodCodec) return expected(asType(type.def.in));
    if (type instanceof z.ZodString) return "a string";
    if (type instanceof z.ZodBoolean) return "true or false";
    if (type instanceof z.ZodNumber) return number(type);
    if (type instanceof z.ZodEnum) return words(type.options.map(String));
    if (type instanceof z.ZodLiteral) return words([...type.values].map(String));
    if (type instanceof z.ZodArray) return list(type);
    if (type instanceof z.ZodRecord) return `an object whose values are ${plural(asType(type.valueType))}`;
    return "a value of its type";
}

function list(type: z.ZodArray): string {
    const [kind, element] = [type.def.checks?.length ? "a list, not empty," : "a list", asType(type.element)];
    return element instanceof z.ZodUnknown ? kind : `${kind} of ${plural(element)}`;
}

function number(type: z.ZodNumber): string {
    const kind = type.isInt ? "a whole number" : "a number";
    const { minValue, maxValue } = type;
    const least = minValue !== null && minValue > Number.MIN_SAFE_INTEGER;
    const most = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER;
    const bounds = [least ? `of at least ${minValue}` : "", most ? `${least ? "and " : "of "}at most ${maxValue}` : ""];
    return [kind, ...bounds].filter((part) => part !== "").join(" ");
}

const words = (all: readonly string[]) =>
    all.length === 1 ? JSON.stringify(all[0]) : `one of ${all.map((word) => JSON.stringify(word)).join(", ")}`;

function plural(type: z.ZodType): string {
    if (type instanceof z.ZodString) return "strings";
    if (type instanceof z.ZodRecord) return `objects whose values are ${plural(asType(type.valueType))}`;
    return type instanceof z.ZodObject || type instanceof z.ZodDiscriminatedUnion ? "objects" : "values of their type";
}
