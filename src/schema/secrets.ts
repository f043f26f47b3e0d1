/** Marks secrets for Pulumi's engine, and finds those that messages must not contain. A sealed value is a secret in the engine's form. */

import { isRecord, mapValues, parsedJson, unknown, type Values } from "./values";

/** The key by which the engine recognizes its special values, such as secrets. */
export const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** The properties of an object that are or contain secrets. Plain data, so that the classes of programs need not load the schema. */
export type SecretProperties = Readonly<Record<string, SecretPart>>;

/** Where a value contains secrets: the value as a whole, some of its properties, or every item of a list or map. */
export type SecretPart = "whole" | { readonly properties: SecretProperties } | { readonly items: SecretPart };

/** A schema with the parts that are secrets, such as an `ObjectNode`. */
interface WithSecrets {
    readonly secrets: SecretProperties;
}

/** Seals a value: returns the object that the engine encrypts in state and hides on screen. */
export const sealed = (value: unknown): Values =>
    isSealed(value) ? value : { [signatureKey]: secretSignature, value };

export const isSealed = (value: unknown): value is Values => isRecord(value) && value[signatureKey] === secretSignature;

/** Seals every secret property, at any depth. */
export function sealSecrets({ secrets }: WithSecrets, values: Values): Record<string, unknown> {
    return changeSecrets(secrets, values, sealed);
}

type Change = (secret: unknown, path: string) => unknown;

/** Applies `change` to every secret property, at any depth. Unknown and absent values stay the same. */
export function changeSecrets(
    secrets: SecretProperties,
    values: Values,
    change: Change,
    prefix = "",
): Record<string, unknown> {
    return mapValues(values, (value, name) => {
        const part = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
        const isChanged = part !== undefined && value !== undefined && value !== null && value !== unknown;
        return isChanged ? changeAt(part, value, change, prefix + name) : value;
    });
}

function changeAt(part: SecretPart, value: unknown, change: Change, path: string): unknown {
    if (part === "whole") return change(value, path);
    if ("items" in part && Array.isArray(value)) return value.map((item) => changeAt(part.items, item, change, path));
    if (!isRecord(value)) return value;
    if ("items" in part) return mapValues(value, (item) => changeAt(part.items, item, change, path));
    return changeSecrets(part.properties, value, change, `${path}.`);
}

/** Replaces every sealed value by its content, at any depth. */
export function unsealed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(unsealed);
    if (!isRecord(value)) return value;
    return isSealed(value) ? unsealed(value["value"]) : mapValues(value, unsealed);
}

/**
 * Every string in the secret properties, and the JSON text of those that are objects, as an answer may quote it. Messages must contain none
 * of them. A server may quote only a part of a secret, so long strings inside JSON and long lines are secrets too.
 */
export function secretStrings({ secrets }: WithSecrets, values: Values): string[] {
    const found: string[][] = [];
    changeSecrets(secrets, values, (value) => {
        if (typeof value !== "string") found.push([JSON.stringify(value)]);
        else if (/^\s*[{[]/.test(value)) {
            found.push(stringsIn(parsedJson(value)).filter(({ length }) => length >= shortestInside));
        }
        found.push(stringsIn(value).flatMap((text) => [text].concat(linesOf(text))));
        return value;
    });
    return found.flat();
}

/** Characters of the shortest string inside a JSON text, and of the shortest line, that count as secrets. */
const [shortestInside, shortestLine] = [8, 16];

const linesOf = (text: string) => {
    const lines = text.split(/\r?\n/);
    return lines.length === 1 ? [] : lines.filter(({ length }) => length >= shortestLine);
};

/** The strings at any depth, also in a value that is nested too deep for a recursion. */
function stringsIn(value: unknown): string[] {
    const parts = [value];
    for (const part of parts) {
        if (typeof part === "object" && part !== null) for (const inner of Object.values(part)) parts.push(inner);
    }
    return parts.filter((part) => typeof part === "string");
}
