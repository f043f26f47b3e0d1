/** Between an object's properties and what travels: encode a request, read an answer. */

import type { Values } from "./facts";
import type { Node, ObjectNode, UnionNode } from "./node";
import { isRecord } from "./unknown";
import { changeObjects, decoded, isSame, mapValues } from "./values";

/** A body that says everything: each property under its name on the wire. `values` are decoded, with their defaults. */
export function encode(node: ObjectNode, values: Values): Record<string, unknown> {
    const body: Record<string, unknown> = {};
    for (const property of node.meaningful) {
        const { name, facts } = property;
        const value = values[name];
        if (facts.wire === undefined || value === undefined) continue;
        if (facts.omitDefault && isSame(property, value, decoded(property.node, facts.default))) continue;
        const told = facts.wireForm?.encode ? facts.wireForm.encode(value) : value;
        body[facts.wire] = changeObjects(property.node, told, encode);
    }
    return body;
}

/**
 * What an answer tells of the properties, decoded, by their names in programs. What it lacks is left out, and so is what can say nothing:
 * a write-only property, or a mask in the place of a secret. `null` is the default.
 * @param believes whether a write-only property that is told all the same counts: of an object that is just found, it tells whose that is
 */
export function readAnswer(node: ObjectNode, body: Values, believes = { writeOnly: false }): Record<string, unknown> {
    const live: Record<string, unknown> = {};
    for (const { name, facts, node: inner } of node.meaningful) {
        if (facts.wire === undefined || (facts.writeOnly && !believes.writeOnly) || !(facts.wire in body)) continue;
        const answer = body[facts.wire];
        if (answer === null && facts.optionalInAnswers) continue;
        if (facts.secret && facts.maskWhenSet === undefined && isMask(answer)) continue;
        const told = facts.wireForm?.decode ? facts.wireForm.decode(answer) : (answer ?? facts.default);
        const value = told === undefined ? undefined : readValue(inner, told);
        if (value !== undefined) live[name] = value;
    }
    return live;
}

function readValue(node: Node, told: unknown): unknown {
    if (node.kind === "leaf") return decoded(node, told);
    if (node.kind === "object") return isRecord(told) ? readAnswer(node, told) : told;
    if (node.kind === "list") return Array.isArray(told) ? told.map((item) => readValue(node.item, item)) : told;
    if (node.kind === "map") return isRecord(told) ? mapValues(told, (item) => readValue(node.value, item)) : told;
    return isRecord(told) ? readForm(node, told) : told;
}

/** An answer that does not tell the form tells nothing. */
function readForm(node: UnionNode, told: Values): unknown {
    const wire = node.forms[0]?.node.properties.get(node.discriminator)?.facts.wire ?? node.discriminator;
    const form = node.byName.get(told[wire]);
    if (form === undefined) return told[wire] === undefined ? undefined : { [node.discriminator]: told[wire] };
    return { ...readAnswer(form.node, told), [node.discriminator]: form.names[0] };
}

/** What servers show in the place of a secret. */
function isMask(told: unknown): boolean {
    if (Array.isArray(told)) return told.length > 0 && told.every(isMask);
    return told === null || (typeof told === "string" && /^(\*+|[[(<]?redacted[\])>]?)$/i.test(told));
}
