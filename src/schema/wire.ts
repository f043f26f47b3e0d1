/** Between properties and the bodies of requests and answers. */

import { changeObjects, decoded, type Meaning } from "./meaning";
import type { Node, ObjectNode, UnionNode } from "./property";
import { isRecord, mapValues, type Values } from "./values";

declare const live: unique symbol;

/** What an answer shows of an object, decoded, by the names of programs. The compiler tells it from what a program means. */
export type Live = Values & { readonly [live]: true };

/** A body that says everything: each property under its name on the wire. */
export function encode(node: ObjectNode, meaning: Meaning): Record<string, unknown> {
    return encodeObject(node, meaning);
}

function encodeObject(node: ObjectNode, meaning: Values): Record<string, unknown> {
    const body: Record<string, unknown> = {};
    for (const { name, facts, node: inner } of node.properties.values()) {
        const value = meaning[name];
        if (facts.wire === undefined || value === undefined) continue;
        body[facts.wire] = changeObjects(
            inner,
            facts.wireForm?.encode ? facts.wireForm.encode(value) : value,
            encodeObject,
        );
    }
    return body;
}

/** Reads an answer. A property that the answer lacks, or a mask in the place of a secret, is left out. `null` is the default. */
export function readAnswer(node: ObjectNode, body: Values): Live {
    const shown: Record<string, unknown> = {};
    for (const { name, facts, node: inner } of node.properties.values()) {
        if (facts.wire === undefined || !(facts.wire in body)) continue;
        const answer = body[facts.wire];
        if (answer === null && facts.optionalInAnswers) continue;
        if (facts.secret && isMask(answer)) continue;
        const told = facts.wireForm?.decode ? facts.wireForm.decode(answer) : (answer ?? facts.default);
        const value = told === undefined ? undefined : readValue(inner, told);
        if (value !== undefined) shown[name] = value;
    }
    return shown as Live;
}

function readValue(node: Node, answer: unknown): unknown {
    if (node.kind === "leaf") return decoded(node, answer);
    if (node.kind === "list") return Array.isArray(answer) ? answer.map((item) => readValue(node.item, item)) : answer;
    if (!isRecord(answer)) return answer;
    if (node.kind === "object") return readAnswer(node, answer);
    if (node.kind === "map") return mapValues(answer, (item) => readValue(node.value, item));
    return readForm(node, answer);
}

/** An answer that lacks the discriminator shows nothing. */
function readForm(node: UnionNode, answer: Values): unknown {
    const wire = node.forms[0]?.node.properties.get(node.discriminator)?.facts.wire ?? node.discriminator;
    const form = node.byName.get(answer[wire]);
    if (form === undefined) return answer[wire] === undefined ? undefined : { [node.discriminator]: answer[wire] };
    return { ...readAnswer(form.node, answer), [node.discriminator]: form.names[0] };
}

/** What servers show in the place of a secret. */
function isMask(answer: unknown): boolean {
    if (Array.isArray(answer)) return answer.length > 0 && answer.every(isMask);
    return answer === null || (typeof answer === "string" && /^(\*+|[[(<]?redacted[\])>]?)$/i.test(answer));
}
