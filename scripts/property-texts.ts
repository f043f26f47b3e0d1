/** Names, defaults and descriptions of properties, as all generated files use them. */

import * as z from "zod";
import { asType, type Facts, factsOf } from "../src/schema/property";

/**
 * The forms of a schema:
 * - `args`: arguments of a resource, with `pulumi.Input` at every depth.
 * - `plain`: arguments of a function, plain values.
 * - `state`: inputs of a resource, among its outputs.
 * - `output`: outputs of a resource that are not inputs, which have no default.
 * - `result`: decoded results of a function.
 */
export type Form = "args" | "plain" | "state" | "output" | "result";

/** The properties of a schema that programs know. */
export function publicProperties(schema: z.ZodObject): [name: string, type: z.ZodType, facts: Facts][] {
    return Object.entries(schema.shape)
        .map(([name, type]): [string, z.ZodType, Facts] => [name, asType(type), factsOf(asType(type))])
        .filter(([, , { internal }]) => !internal);
}

/** Whether the property is required. In results, properties with a default from the settings always are. */
export function isAlwaysThere(type: z.ZodType, facts: Facts, form: Form): boolean {
    if (!(type instanceof z.ZodOptional)) return true;
    return form === "result" && (facts.chosen === true || isInEachAnswer(facts));
}

/** In results, a property that the answer omits has its default. */
function isInEachAnswer({ default: fallback, secret, optionalInAnswers }: Facts): boolean {
    return fallback !== undefined && !secret && !optionalInAnswers;
}

/** The default of a property, in words. An empty default needs none. */
export function defaultTextOf({ default: fallback, defaultText }: Facts): string {
    if (defaultText !== undefined) return defaultText;
    const text = fallback === undefined || typeof fallback === "function" ? "" : JSON.stringify(fallback);
    return /^(""|\[\]|\{\}|)$/.test(text) ? "" : `\`${text}\``;
}

/** The description of a property with its default and whether a change replaces the object. */
export function wholeDescription(facts: Facts, form: Form, more: readonly string[] = []): string {
    const isGiven = form !== "result" && form !== "output";
    // Some descriptions contain the default, and a flag is off unless a text says otherwise.
    const isSaid = facts.default === false || facts.description.includes("Default: ");
    const fallback = isGiven && !isSaid ? defaultTextOf(facts) : "";
    const texts = [
        facts.description,
        fallback === "" ? "" : `Default: ${fallback}.`,
        ...more,
        isGiven && form !== "plain" ? changeText(facts) : "",
    ];
    return texts.filter((text) => text !== "").join(" ");
}

function changeText(facts: Facts): string {
    if (facts.immutable === undefined) return "";
    return facts.immutable === true ? "A change replaces the object." : "A change may replace the object.";
}

/** The name of the type of a property's object, without the suffix of its form. */
export function innerName(stem: string, property: string): string {
    return stem + capitalized(property);
}

/** The singular of a property name: `capabilities` gives `capability`. */
export function singular(name: string): string {
    return name.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
}

/** The name of one form of a union, from the value of its discriminator, such as `local`. */
export function unionFormName(name: string, word = ""): string {
    return name + word.split("-").map(capitalized).join("");
}

/** `tokenTtl` gives `TokenTtl`. */
export function capitalized(word: string): string {
    return word.charAt(0).toUpperCase() + word.slice(1);
}
