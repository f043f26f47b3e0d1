/** Two forms of value that the engine gives a meaning of its own: unknowns and secrets. */

import { type Fields, formOf, type Props } from "./field";

/** The text that stands for a value which is not known before the deployment. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Whether a value is unknown, or holds one that is. */
export function holdsUnknown(value: unknown): boolean {
    if (value === unknown) return true;
    if (Array.isArray(value)) return value.some(holdsUnknown);
    return isRecord(value) && Object.values(value).some(holdsUnknown);
}

/** Whether a value is a plain object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Wraps every field that is marked secret in the engine's envelope, at any depth, so that it is encrypted in state and hidden on screen. */
export function sealSecrets(fields: Fields, props: Props): Record<string, unknown> {
    return mapFields(fields, props, (value) => ({ [signatureKey]: secretSignature, value }));
}

/** Takes the engine's envelopes off, at any depth. */
export function unsealed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(unsealed);
    if (!isRecord(value)) return value;
    if (signatureKey in value) return unsealed(value["value"]);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unsealed(inner)]));
}

/** Every text inside the fields that are marked secret, longest first: what must not appear in any message. */
export function secretTexts(fields: Fields, props: Props): string[] {
    const texts: string[] = [];
    mapFields(fields, props, (value) => {
        collectTexts(value, texts);
        return value;
    });
    return texts.filter((secret) => secret.length > 3).sort((a, b) => b.length - a.length);
}

function mapFields(fields: Fields, props: Props, change: (secret: unknown) => unknown): Record<string, unknown> {
    const result: Record<string, unknown> = { ...props };
    for (const [name, field] of Object.entries(fields)) {
        const value = props[name];
        if (value === undefined || value === unknown) continue;
        if (field.secret === true) result[name] = change(value);
        else if (field.secret) result[name] = mapProperties(field.secret, value, change);
        else if (field.variants && isRecord(value)) {
            const variant = formOf(field.variants, value["type"]);
            if (variant) result[name] = mapFields(variant.fields, value, change);
        }
    }
    return result;
}

/** Changes some properties of a value, where it is an object that has them. */
export function mapProperties(names: readonly string[], value: unknown, change: (secret: unknown) => unknown): unknown {
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([name, inner]) => {
        const isChanged = names.includes(name) && inner !== undefined && inner !== unknown;
        return [name, isChanged ? change(inner) : inner] as const;
    });
    return Object.fromEntries(entries);
}

function collectTexts(value: unknown, into: string[]): void {
    if (typeof value === "string") into.push(value);
    else if (Array.isArray(value)) for (const item of value) collectTexts(item, into);
    else if (isRecord(value)) for (const item of Object.values(value)) collectTexts(item, into);
}
