/** Check: every problem of a set of inputs at once, each reason beginning with the property's path. Unknown values pass. */

import { holdsUnknown, isRecord } from "./engine-values";
import { type Fields, formOf, type Props, type Rule } from "./field";
import { formNames } from "./meaning";
import type { Vocabulary } from "./session";
import { suggestion } from "./suggestion";
import { fieldsIn } from "./vocabularies";

/** What check found. Warnings never block. */
export interface Findings {
    readonly failures: string[];
    readonly warnings: string[];
}

/**
 * Checks inputs against their fields and rules, as the vocabulary has them. `olds` are the inputs of the last deployment, if
 * there was one.
 */
export function checkInputs(
    fields: Fields,
    rules: readonly Rule[],
    news: Props,
    olds?: Props,
    vocabulary: Vocabulary = "documented",
): Findings {
    const findings: Findings = { failures: [], warnings: [] };
    checkLevel(fields, rules, news, { olds, path: "", vocabulary }, findings);
    return findings;
}

/** Checks inputs where any of these vocabularies may be the right one: what is wrong in each of them is wrong. */
export function checkSpoken(
    fields: Fields,
    rules: readonly Rule[],
    news: Props,
    olds: Props | undefined,
    vocabularies: readonly Vocabulary[],
): Findings {
    const found = vocabularies.map((vocabulary) => checkInputs(fields, rules, news, olds, vocabulary));
    const inEach = (of: (findings: Findings) => string[]) =>
        found.map(of).reduce((all, some) => all.filter((finding) => some.includes(finding)));
    return { failures: inEach(({ failures }) => failures), warnings: inEach(({ warnings }) => warnings) };
}

interface Place {
    readonly olds: Props | undefined;
    /** Before the names of its properties, in reasons. */
    readonly path: string;
    readonly vocabulary: Vocabulary;
}

function checkLevel(
    all: Fields,
    rules: readonly Rule[],
    news: Props,
    { olds, path, vocabulary }: Place,
    findings: Findings,
): void {
    const fields = fieldsIn(all, vocabulary);
    const wrong = new Set<string>();
    for (const name of Object.keys(news)) {
        if (Object.hasOwn(fields, name) || news[name] === undefined) continue;
        const other = Object.hasOwn(all, name) ? all[name]?.only : undefined;
        findings.failures.push(
            other === undefined
                ? `${path}${name}: is not an argument${suggestion(name, Object.keys(fields))}`
                : `${path}${name}: is an argument only where the settings say \`vocabulary: ${other}\``,
        );
    }
    for (const [name, field] of Object.entries(fields)) {
        const value = news[name] ?? undefined;
        if (value === undefined) {
            if (field.required) findings.failures.push(`${path}${name}: is required`);
            continue;
        }
        if (field.deprecated !== undefined)
            findings.warnings.push(`${path}${name}: is deprecated: ${field.deprecated}`);
        if (field.oldSpellingOf !== undefined && news[field.oldSpellingOf] !== undefined) {
            findings.failures.push(
                `${path}${name}: is the former spelling of ${field.oldSpellingOf}: give only one of them`,
            );
        }
        const parsed = field.kind.schema.safeParse(knownPart(value));
        if (!parsed.success && value !== undefined && !isWhollyUnknown(value)) {
            wrong.add(name);
            for (const message of new Set(parsed.error.issues.map((issue) => issue.message))) {
                findings.failures.push(`${path}${name}: ${message}`);
            }
            continue;
        }
        // The forms as they are declared: which of their fields hold here is told level by level.
        const forms = all[name]?.variants;
        if (forms && isRecord(value))
            checkVariant(forms, value, { olds: asProps(olds?.[name]), path: `${path}${name}`, vocabulary }, findings);
    }
    for (const rule of rules) {
        if (rule.only !== undefined && rule.only !== vocabulary) continue;
        if (rule.uses.some((name) => wrong.has(name) || holdsUnknown(news[name]))) continue;
        const problem = rule.test(news, olds);
        if (problem !== undefined) {
            (rule.severity === "warning" ? findings.warnings : findings.failures).push(path + problem);
        }
    }
}

function checkVariant(
    forms: NonNullable<Fields[string]["variants"]>,
    value: Props,
    place: Place,
    findings: Findings,
): void {
    const { type, ...rest } = value;
    if (holdsUnknown(type)) return;
    const form = formOf(forms, type);
    if (form === undefined) {
        const words = formNames(forms).map((word) => JSON.stringify(word));
        findings.failures.push(`${place.path}.type: must be one of ${words.join(", ")}`);
        return;
    }
    checkLevel(form.fields, form.rules ?? [], rest, { ...place, path: `${place.path}.` }, findings);
}

function asProps(value: unknown): Props | undefined {
    return isRecord(value) ? value : undefined;
}

/** Unknown items of lists and maps are left out, so that the known ones are checked all the same. */
function knownPart(value: unknown): unknown {
    if (Array.isArray(value)) return value.filter((item) => !holdsUnknown(item));
    if (isRecord(value)) return Object.fromEntries(Object.entries(value).filter(([, item]) => !holdsUnknown(item)));
    return value;
}

/** Of a list, how many items it must have cannot be told of those that are known. */
function isWhollyUnknown(value: unknown): boolean {
    return Array.isArray(value)
        ? value.length > 0 && value.every(holdsUnknown)
        : !isRecord(value) && holdsUnknown(value);
}
