/** What the generated files have in common: how they name types, what is always there, and what they say of a property. */

import * as z from "zod";
import type { Facts } from "../src/schema/property";

/**
 * Which form of a schema is told.
 * - `args`: what programs write, at every depth a value or an output.
 * - `plain`: what programs write, values only.
 * - `state`: what state holds.
 * - `result`: the decoded form, as lookups return it.
 */
export type Form = "args" | "plain" | "state" | "result";

/** Whether programs know a property. */
export function isTold({ internal }: Facts): boolean {
    return !internal;
}

/** Whether a property is never left out. A result always has the places that the settings decide. */
export function isAlwaysThere(type: z.ZodType, facts: Facts, form: Form): boolean {
    if (!(type instanceof z.ZodOptional)) return true;
    return form === "result" && (facts.place === true || isInEachAnswer(facts));
}

/** A result holds the default of what an answer leaves out. */
function isInEachAnswer({ default: fallback, secret, optionalInAnswers }: Facts): boolean {
    return fallback !== undefined && !secret && !optionalInAnswers;
}

/** The default of a property, in words. An empty default needs none. */
export function defaultTextOf({ default: fallback, defaultText }: Facts): string {
    if (defaultText !== undefined) return defaultText;
    const text = fallback === undefined || typeof fallback === "function" ? "" : JSON.stringify(fallback);
    return /^(""|\[\]|\{\}|)$/.test(text) ? "" : `\`${text}\``;
}

/** The description of a property, and what else is to be said of it. */
export function wholeDescription(facts: Facts, form: Form, more: readonly string[] = []): string {
    const isGiven = form !== "result";
    const fallback = isGiven ? defaultTextOf(facts) : "";
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
