/** Secrets: sealed in what the engine keeps, and kept out of messages. */

import type { Values } from "./facts";
import type { Node, ObjectNode } from "./node";
import { isRecord, unknown } from "./unknown";
import { mapValues } from "./values";

/** The property by which the engine tells a value of its own from a plain object. */
export const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** A value in the engine's envelope: encrypted in state and hidden on screen. */
export const sealed = (value: unknown): Values =>
    isSealed(value) ? value : { [signatureKey]: secretSignature, value };

/** Whether a value is in that envelope. */
export const isSealed = (value: unknown): value is Values => isRecord(value) && value[signatureKey] === secretSignature;

/** Whether a value, or one inside it, is in that envelope. */
export function holdsSealed(value: unknown): boolean {
    if (Array.isArray(value)) return value.some(holdsSealed);
    return isRecord(value) && (isSealed(value) || Object.values(value).some(holdsSealed));
}

/** Seals what is sealed in `given`, by name and at any depth. A list is sealed whole: a service may return it in another order. */
export function sealLike(values: Values, given: Values): Record<string, unknown> {
    return mapValues(values, (value, name) => {
        const like = given[name];
        if (!holdsSealed(like) || isSealed(value)) return value;
        return isRecord(value) && isRecord(like) && !isSealed(like) ? sealLike(value, like) : sealed(value);
    });
}

/** Seals every secret property, at any depth. */
export function sealSecrets(node: ObjectNode, values: Values): Record<string, unknown> {
    return changeSecrets(node, values, sealed);
}

/** Changes every secret property, at any depth. What is unknown or left out stays. */
export function changeSecrets(
    node: ObjectNode,
    values: Values,
    change: (secret: unknown) => unknown,
): Record<string, unknown> {
    if (!node.holdsSecrets) return { ...values };
    return mapValues(values, (value, name) => {
        const property = node.properties.get(name);
        if (property === undefined || value === undefined || value === null || value === unknown) return value;
        return property.facts.secret ? change(value) : changeInside(property.node, value, change);
    });
}

function changeInside(node: Node, value: unknown, change: (secret: unknown) => unknown): unknown {
    if (node.kind === "list" && Array.isArray(value)) return value.map((item) => changeInside(node.item, item, change));
    if (!isRecord(value)) return value;
    if (node.kind === "object") return changeSecrets(node, value, change);
    if (node.kind === "map") return mapValues(value, (item) => changeInside(node.value, item, change));
    if (node.kind !== "union") return value;
    const form = node.byName.get(value[node.discriminator]);
    return form ? changeSecrets(form.node, value, change) : value;
}

/** Takes the engine's envelopes off, at any depth. */
export function unsealed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(unsealed);
    if (!isRecord(value)) return value;
    return isSealed(value) ? unsealed(value["value"]) : mapValues(value, unsealed);
}

/** Every string inside the secret properties, longest first: what no message may hold. */
export function secretStrings(node: ObjectNode, values: Values): string[] {
    const strings: string[] = [];
    changeSecrets(node, values, (value) => {
        collectStrings(value, strings);
        return value;
    });
    return strings.filter((secret) => secret.length > 3).sort((a, b) => b.length - a.length);
}

function collectStrings(value: unknown, into: string[]): void {
    if (typeof value === "string") into.push(value);
    else if (Array.isArray(value)) for (const item of value) collectStrings(item, into);
    else if (isRecord(value)) for (const item of Object.values(value)) collectStrings(item, into);
}
