/** What a set of inputs means, whatever its spelling, and how it is told to the service and back. */

import * as z from "zod";
import { isRecord } from "./engine-values";
import { type Field, type Fields, formOf, type Props, type Variant } from "./field";
import { canonicalOf, isSame, type Kind } from "./kind";

/** What was written for a field, under its name or its former one. */
export function written(fields: Fields, props: Props, name: string): unknown {
    return props[spelling(fields, props, name)];
}

/** The name under which a field was written: its former one if only that is there. */
function spelling(fields: Fields, props: Props, name: string): string {
    if (props[name] !== undefined) return name;
    const former = Object.keys(fields).find((other) => fields[other]?.oldSpellingOf === name);
    return former !== undefined && props[former] !== undefined ? former : name;
}

/** The value that a left-out field means. */
function defaultOf(fields: Fields, props: Props, field: Field): unknown {
    if (field.defaultFrom !== undefined) return written(fields, props, field.defaultFrom);
    return field.defaultBy?.(props) ?? field.default;
}

/** A field's value, or what leaving it out means. */
export function meantValue(fields: Fields, props: Props, name: string): unknown {
    const field = fields[name];
    return written(fields, props, name) ?? (field ? defaultOf(fields, props, field) : undefined);
}

/** Whether two sets of inputs mean the same in one field. */
export function isSameField(fields: Fields, name: string, left: Props, right: Props): boolean {
    const field = fields[name];
    return field !== undefined && isSame(field.kind, meantValue(fields, left, name), meantValue(fields, right, name));
}

/** The names of the fields that say something: no former spellings, nothing of the frame's own. */
export function meaningful(fields: Fields): string[] {
    return Object.keys(fields).filter((name) => fields[name]?.oldSpellingOf === undefined && !fields[name]?.hidden);
}

/** The name of a form. Where a form stands under several names, its first one. */
export function formName(forms: Readonly<Record<string, Variant>>, type: unknown): string | undefined {
    const form = formOf(forms, type);
    return form && Object.keys(forms).find((name) => forms[name] === form);
}

/** The names of all forms, each by its first one. */
export function formNames(forms: Readonly<Record<string, Variant>>): string[] {
    return Object.keys(forms).filter((name) => formName(forms, name) === name);
}

/** A field whose value is an object of one of several forms, told apart by its property `type`. */
export function variants<const M extends Omit<Field, "kind" | "variants">>(
    forms: Readonly<Record<string, Variant>>,
    marks: M,
): M & { readonly kind: Kind<Record<string, unknown>>; readonly variants: Readonly<Record<string, Variant>> } {
    const words = formNames(forms).map((word) => JSON.stringify(word));
    return {
        ...marks,
        variants: forms,
        kind: {
            type: "object",
            schema: z.record(z.string(), z.unknown(), {
                error: `must be an object whose type is one of ${words.join(", ")}`,
            }),
            canonical: (value) => {
                const form = formOf(forms, value["type"]);
                return form ? { type: formName(forms, value["type"]), ...meaningOf(form.fields, value) } : value;
            },
        },
    };
}

function meaningOf(fields: Fields, props: Props): Record<string, unknown> {
    const meaning: Record<string, unknown> = {};
    for (const name of meaningful(fields)) {
        const kind = fields[name]?.kind;
        if (kind) meaning[name] = canonicalOf(kind, meantValue(fields, props, name));
    }
    return meaning;
}

/** The body that says everything: each field under its name on the wire, left-out ones with their defaults. */
export function toWire(fields: Fields, props: Props): Record<string, unknown> {
    const body: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(fields)) {
        if (field.wire === undefined || field.oldSpellingOf !== undefined) continue;
        const value = meantValue(fields, props, name);
        if (value !== undefined) body[field.wire] = sent(field.kind, value);
    }
    return body;
}

function sent(kind: Kind, value: unknown): unknown {
    return kind.wire ? kind.wire(value) : canonicalOf(kind, value);
}

/** What programs see of a server's value. One that is outside the kind is shown as it is. */
function shown(kind: Kind, value: unknown): unknown {
    return kind.read || !kind.schema.safeParse(value).success ? value : sent(kind, value);
}

/** What stands in an answer for a secret that is set and not shown. */
function isMask(answer: unknown): boolean {
    return answer === null || (typeof answer === "string" && /^(\*+|[[(<]?redacted[\])>]?)$/i.test(answer));
}

/**
 * What an answer says of the fields, by their names in programs. A field that the answer lacks and a secret that it masks are
 * left out; `null` is the default.
 */
export function fromWire(fields: Fields, data: Props): Record<string, unknown> {
    const seen: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(fields)) {
        if (field.wire === undefined || field.oldSpellingOf !== undefined || !(field.wire in data)) continue;
        if (field.secret === true && isMask(data[field.wire])) continue;
        const value = field.kind.read ? field.kind.read(data[field.wire]) : (data[field.wire] ?? field.default);
        if (value !== undefined) seen[name] = value;
    }
    return seen;
}

/** Whether a field is the service's own affair: it has no default, and the program says nothing of it. */
const isLeftAlone = (field: Field, mine: unknown) => field.sparse === true && mine === undefined;

/**
 * The outputs named like inputs: what was written while the service means the same, else the service's value.
 * What was left out stays out unless the service holds something other than its default; what the answer lacks is carried over.
 * `isFound`: of the object nothing is known but what is seen.
 */
export function compose(fields: Fields, props: Props, seen: Props, isFound = false): Record<string, unknown> {
    const outputs: Record<string, unknown> = {};
    for (const name of independentFirst(fields, props)) {
        const key = spelling(fields, props, name);
        const field = fields[name];
        if (field === undefined || (!isFound && isLeftAlone(field, props[key]))) continue;
        const meanings = [props, outputs].map((others) => meantValue(fields, { ...others, [key]: props[key] }, name));
        const value = composeField(field, props[key], seen[name], meanings);
        if (value !== undefined && value !== null) outputs[key] = value;
    }
    return outputs;
}

/** What a left-out field means may depend on others: on what was written of them, and on what they hold now. */
function independentFirst(fields: Fields, props: Props): string[] {
    const names = Object.keys(fields).filter((name) => fields[name]?.oldSpellingOf === undefined);
    const depends = (name: string) =>
        (fields[name]?.defaultFrom !== undefined || fields[name]?.defaultBy !== undefined) &&
        written(fields, props, name) === undefined;
    return [...names.filter((name) => !depends(name)), ...names.filter(depends)];
}

/** `meanings` are those of what was written. */
function composeField(field: Field, mine: unknown, theirs: unknown, [meant, ...others]: readonly unknown[]): unknown {
    if (theirs === undefined) return mine;
    if (field.variants && isRecord(theirs)) return composeVariant(field.variants, isRecord(mine) ? mine : {}, theirs);
    const whole = field.kind.reveal ? field.kind.reveal(theirs, meant) : theirs;
    if ([meant, ...others].every((meaning) => isSame(field.kind, meaning, whole))) return mine;
    return shown(field.kind, whole);
}

function composeVariant(forms: Readonly<Record<string, Variant>>, mine: Props, theirs: Props): unknown {
    const form = formOf(forms, theirs["type"]);
    if (form === undefined) return theirs;
    const kept = formOf(forms, mine["type"]) === form ? mine : {};
    return { type: kept["type"] ?? theirs["type"], ...compose(form.fields, kept, theirs) };
}

/** The fields in which the service now holds something other than what was written, or nothing at all: `name` or `name.inner`. */
export function unheeded(fields: Fields, props: Props, seen: Props): string[] {
    return departures(
        fields,
        props,
        seen,
        (field, meant) =>
            field.wire !== undefined &&
            field.secret !== true &&
            field.untold !== true &&
            !isEmpty(meant) &&
            !isSame(field.kind, meant, defaultOf(fields, props, field)),
    );
}

/** Servers may leave out what is empty. */
function isEmpty(value: unknown): boolean {
    return !value || (typeof value === "object" && Object.keys(value).length === 0);
}

/** The same without the fields that the service does not tell, which say nothing of whose object it is. */
export function contradicted(fields: Fields, props: Props, seen: Props): string[] {
    return departures(fields, props, seen, () => false);
}

/** `isMissed` tells whether a field that the service does not tell, and that means this, is one of them. */
function departures(
    fields: Fields,
    props: Props,
    seen: Props,
    isMissed: (field: Field, meant: unknown) => boolean,
    path = "",
): string[] {
    const found: string[] = [];
    for (const name of meaningful(fields)) {
        const field = fields[name];
        if (field === undefined || field.option || field.settled) continue;
        const mine = written(fields, props, name);
        if (isLeftAlone(field, mine)) continue;
        const theirs = seen[name];
        const form = commonForm(field, mine, theirs);
        if (form && isRecord(mine) && isRecord(theirs)) {
            found.push(...departures(form.fields, mine, theirs, isMissed, `${path}${name}.`));
        } else if (
            theirs === undefined
                ? isMissed(field, meantValue(fields, props, name))
                : !isAsMeant(field.kind, meantValue(fields, props, name), theirs)
        ) {
            found.push(path + name);
        }
    }
    return found;
}

/** The form that both values have. */
function commonForm({ variants: forms }: Field, one: unknown, other: unknown): Variant | undefined {
    if (forms === undefined || !isRecord(one) || !isRecord(other)) return undefined;
    const form = formOf(forms, one["type"]);
    return formOf(forms, other["type"]) === form ? form : undefined;
}

/** Whether something means another thing than before of which the service tells nothing: it may hold the former one still. */
export function isUnproven(fields: Fields, before: Props, props: Props, seen: Props): boolean {
    return meaningful(fields).some((name) => {
        const field = fields[name];
        if (field === undefined || field.option || field.settled || isLeftAlone(field, props[name])) return false;
        if (isSameField(fields, name, before, props)) return false;
        const [former, mine, theirs] = [before[name], props[name], seen[name]];
        const form = commonForm(field, mine, theirs);
        if (form === undefined || !isRecord(mine) || !isRecord(theirs)) {
            return theirs === undefined && (field.wire !== undefined || field.variants !== undefined);
        }
        const kept = commonForm(field, mine, former) && isRecord(former) ? former : {};
        return isUnproven(form.fields, kept, mine, theirs);
    });
}

function isAsMeant(kind: Kind, meant: unknown, theirs: unknown): boolean {
    return isSame(kind, meant, kind.reveal ? kind.reveal(theirs, meant) : theirs);
}

/** What a lookup returns of what the service holds: every field of the service in one form, defaults filled in. */
export function presented(fields: Fields, seen: Props): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const name of meaningful(fields)) {
        const field = fields[name];
        const value = field && !field.option ? (seen[name] ?? field.default) : undefined;
        if (field && value !== undefined) result[name] = field.variants ? value : shown(field.kind, value);
    }
    return result;
}
