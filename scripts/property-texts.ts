/** What the generated files have in common: how they name types, what is always there, and what they say of a property. */

import * as z from "zod";
import type { Facts } from "../src/schema/facts";

/**
 * Which form of a schema is told.
 * - `args`: what programs write, at every depth a value or an output.
 * - `plain`: what programs write, values only.
 * - `state`: what state holds.
 * - `result`: the decoded form, as lookups return it.
 */
export type Form = "args" | "plain" | "state" | "result";

/** Whether a property is told in a form. */
export function isTold({ internal, aliasOf }: Facts, form: Form): boolean {
    return !internal && (form !== "result" || aliasOf === undefined);
}

/** Whether a property is never left out. A result always has what the settings settle. */
export function isAlwaysThere(type: z.ZodType, facts: Facts, form: Form): boolean {
    if (!(type instanceof z.ZodOptional)) return true;
    return form === "result" && (facts.sticky !== undefined || isInEachAnswer(facts));
}

/** An answer that lacks what it has to hold is an error. What is left out has its default then. */
function isInEachAnswer({ default: fallback, secret, writeOnly, optionalInAnswers }: Facts): boolean {
    return fallback !== undefined && !secret && !writeOnly && !optionalInAnswers;
}

/** The default of a property, in words. What is empty needs none. */
export function defaultText({ default: fallback, defaultFrom }: Facts): string {
    if (defaultFrom !== undefined) return defaultFrom.description;
    const text = fallback === undefined ? "" : JSON.stringify(fallback);
    return /^(""|\[\]|\{\}|)$/.test(text) ? "" : `\`${text}\``;
}

/** The description of a property, and what else is to be said of it. */
export function wholeDescription(facts: Facts, form: Form, more: readonly string[] = []): string {
    const isGiven = form !== "result";
    const fallback = isGiven ? defaultText(facts) : "";
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

/** The name of a type inside another one, without what tells its forms apart. */
export function innerName(stem: string, property: string): string {
    return stem + capitalized(property);
}

/** `capabilities` are made of a `capability`. */
export function singular(name: string): string {
    return name.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
}

/** The name of one form of a union, which goes by a word such as `cloudb-s3`. */
export function unionFormName(name: string, word = ""): string {
    return name + word.split("-").map(capitalized).join("");
}

/** `tokenTtl` as a part of a name. */
export function capitalized(word: string): string {
    return word.charAt(0).toUpperCase() + word.slice(1);
}
