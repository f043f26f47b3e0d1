/** Secrets: sealed in values for the engine, and found for their removal from messages. */

import type { Values } from "./values";
import { isRecord, mapValues, unknown } from "./values";

/** The property by which the engine tells a value of its own from a plain object. */
export const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** The properties of an object that are secret or hold secrets. Plain data: the classes of programs have it without the schema. */
export type SecretProperties = Readonly<Record<string, SecretPlace>>;

/** Where secrets are in a value: all of it, in properties, or in every item of a list or map. */
export type SecretPlace = "whole" | { readonly properties: SecretProperties } | { readonly items: SecretPlace };

/** What knows where its secrets are, such as an object's node. */
interface WithSecrets {
    readonly secrets: SecretProperties;
}

/** A value in the engine's envelope: encrypted in state and hidden on screen. */
export const sealed = (value: unknown): Values =>
    isSealed(value) ? value : { [signatureKey]: secretSignature, value };

/** Whether a value is in that envelope. */
export const isSealed = (value: unknown): value is Values => isRecord(value) && value[signatureKey] === secretSignature;

/** Seals every secret property, at any depth. */
export function sealSecrets({ secrets }: WithSecrets, values: Values): Record<string, unknown> {
    return changeSecrets(secrets, values, sealed);
}

/** Changes every secret property, at any depth. Unknown and absent values stay as they are. */
export function changeSecrets(
    secrets: SecretProperties,
    values: Values,
    change: (secret: unknown) => unknown,
): Record<string, unknown> {
    const changed = { ...values };
    for (const [name, place] of Object.entries(secrets)) {
        const value = values[name];
        if (value !== undefined && value !== null && value !== unknown) changed[name] = changeAt(place, value, change);
    }
    return changed;
}

function changeAt(place: SecretPlace, value: unknown, change: (secret: unknown) => unknown): unknown {
    if (place === "whole") return change(value);
    if ("items" in place && Array.isArray(value)) return value.map((item) => changeAt(place.items, item, change));
    if (!isRecord(value)) return value;
    if ("items" in place) return mapValues(value, (item) => changeAt(place.items, item, change));
    return changeSecrets(place.properties, value, change);
}

/** Takes the engine's envelopes off, at any depth. */
export function unsealed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(unsealed);
    if (!isRecord(value)) return value;
    return isSealed(value) ? unsealed(value["value"]) : mapValues(value, unsealed);
}

/** Every string inside the secret properties, and the JSON text of those that are objects, as a body may hold it: no message may hold one. */
export function secretStrings({ secrets }: WithSecrets, values: Values): string[] {
    const strings: string[] = [];
    changeSecrets(secrets, values, (value) => {
        if (typeof value !== "string") strings.push(JSON.stringify(value));
        collectStrings(value, strings);
        return value;
    });
    return strings;
}

function collectStrings(value: unknown, into: string[]): void {
    if (typeof value === "string") into.push(value);
    else if (Array.isArray(value)) for (const item of value) collectStrings(item, into);
    else if (isRecord(value)) for (const item of Object.values(value)) collectStrings(item, into);
}
