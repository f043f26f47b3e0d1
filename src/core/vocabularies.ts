/** Fields as one vocabulary has them: those that only it knows, and facts that are others there. */

import type { Field, Fields, Variant } from "./field";
import { variants } from "./meaning";
import type { Vocabulary } from "./session";

const known = new WeakMap<Fields, Partial<Record<Vocabulary, Fields>>>();

/** The fields that hold in a vocabulary, with the facts that hold there. */
export function fieldsIn(fields: Fields, vocabulary: Vocabulary): Fields {
    const kept = known.get(fields) ?? {};
    known.set(fields, kept);
    const made =
        kept[vocabulary] ??
        Object.fromEntries(
            Object.entries(fields)
                .filter(([, { only }]) => only === undefined || only === vocabulary)
                .map(([name, field]) => [name, fieldIn(field, vocabulary)]),
        );
    kept[vocabulary] = made;
    return made;
}

function fieldIn(field: Field, vocabulary: Vocabulary): Field {
    const { product, ...own } = field;
    const told: Field = vocabulary === "product" && product ? { ...own, ...product } : own;
    if (told.variants === undefined) return told;
    // Two names of one form stay one form.
    const forms = new Map<Variant, Variant>();
    for (const form of Object.values(told.variants)) {
        forms.set(form, { ...form, fields: fieldsIn(form.fields, vocabulary) });
    }
    const there = Object.entries(told.variants).map(([name, form]) => [name, forms.get(form) ?? form] as const);
    return { ...told, ...variants(Object.fromEntries(there), told) };
}
