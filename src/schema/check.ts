/** Checks inputs against their types, facts and rules, and reports every problem at once. Unknown values pass, at any depth. */

import * as z from "zod";
import type { Declared } from "./declared";
import { objectIn } from "./meaning";
import { asType, type Checked, type ItemsNode, type Node, type ObjectNode, type UnionNode, wordsOf } from "./property";
import { suggestion } from "./suggestion";
import { holdsUnknown, isRecord, unknown, type Values } from "./values";

/** A problem of a property. */
export interface Finding {
    /** Path of the property, such as `storage.bucket` or `capabilities[0].accessMode`; empty for the resource as a whole. */
    readonly path: string;
    readonly reason: string;
    /** A code of docs/errors.md. Default: `input`. */
    readonly code?: string;
}

/** A finding as a sentence that begins with the path. */
export const asSentence = ({ path, reason }: Finding): string => (path === "" ? reason : `${path}: ${reason}`);

/** A finding as a complete message, with its code. */
export const asMessage = (finding: Finding): string => `${asSentence(finding)} [${finding.code ?? "input"}]`;

/** The result of a check. Only failures stop the deployment. */
interface Findings {
    readonly failures: Finding[];
    readonly warnings: Finding[];
    readonly notes: Finding[];
}

/**
 * Checks inputs or arguments. `before` is those of the last deployment, for rules about changes. Of a secret that has a source, rules get the
 * value, and in `before` the digest.
 */
export function check({ node, given, sent }: Declared, before?: Declared): Findings {
    const findings: Findings = { failures: [], warnings: [], notes: [] };
    checkObject(node, { written: given, meaning: sent, before: before?.digested }, "", findings);
    return findings;
}

function checkObject(node: ObjectNode, { written, meaning, before }: Checked, path: string, findings: Findings): void {
    const { failures } = findings;
    const at = (name: string) => (path === "" ? name : `${path}.${name}`);
    const invalid = new Set<string>();
    const known = [...node.properties.values()].filter(({ facts }) => !facts.internal);
    const names = known.map(({ name }) => name);
    const suggested = known.flatMap(({ name, facts }) => (facts.deprecated ? [] : [name]));
    for (const name of Object.keys(written)) {
        if (written[name] === undefined || names.includes(name)) continue;
        failures.push({ path: at(name), reason: `is not an argument${suggestion(name, suggested)}` });
    }
    for (const [name, { required, node: inner, facts }] of node.properties) {
        const earlier = failures.length;
        const value = { written: written[name] ?? undefined, meaning: meaning[name], before: before?.[name] };
        if (value.written !== undefined) checkNode(inner, value, at(name), findings, facts.secret);
        else if (required) failures.push({ path: at(name), reason: "is required" });
        if (failures.length > earlier) invalid.add(name);
    }
    checkRules(node, { written, meaning, before }, invalid, at, findings);
}

/** Runs the rules of an object, except those that use an invalid or unknown property. */
function checkRules(
    node: ObjectNode,
    { written, meaning, before }: Checked,
    invalid: ReadonlySet<string>,
    at: (name: string) => string,
    { failures, warnings, notes }: Findings,
): void {
    if (node.rules.length === 0) return;
    const skipped = new Set([...invalid, ...Object.keys(written).filter((name) => holdsUnknown(written[name]))]);
    const lists = { failure: failures, warning: warnings, note: notes };
    for (const { uses, severity = "failure", test } of node.rules) {
        const problem = uses.some((name) => skipped.has(name)) ? undefined : test({ written, meaning, before });
        if (problem === undefined) continue;
        lists[severity].push({ path: at(problem.path), reason: problem.reason });
    }
}

/** @param isSecret whether no message may show the value */
function checkNode(node: Node, value: Checked<unknown>, path: string, findings: Findings, isSecret = false): void {
    const { written } = value;
    if (written === unknown) return;
    const refuse = (reason: string, at = path) => findings.failures.push({ path: at, reason });
    if (node.kind === "leaf") checkLeaf(node.type, written, path, findings, isSecret);
    else if (node.kind === "list") {
        if (Array.isArray(written)) {
            checkItems(node, written, value.meaning, path, findings, isSecret);
            checkList(node, written, path, findings);
        } else refuse(expectation(node.type));
    } else if (node.kind === "union") {
        if (!isRecord(written)) refuse(`must be an object whose ${node.discriminator} is ${formNames(node)}`);
        else if (written[node.discriminator] !== unknown) {
            const form = node.forms.get(written[node.discriminator]);
            if (form) checkObject(form, inObject(written, value), path, findings);
            else refuse(`must be ${formNames(node)}`, `${path}.${node.discriminator}`);
        }
    } else if (!isRecord(written)) refuse("must be an object");
    else if (node.kind === "object") checkObject(node, inObject(written, value), path, findings);
    else checkItems(node, written, value.meaning, path, findings, isSecret);
}

function inObject(written: Values, { meaning, before }: Checked<unknown>): Checked {
    return { written, meaning: isRecord(meaning) ? meaning : {}, before: isRecord(before) ? before : undefined };
}

/** Checks the items of a list or a map. Items are not compared with those of the last deployment, because they may have moved. */
function checkItems(
    node: ItemsNode,
    written: object,
    meaning: unknown,
    path: string,
    findings: Findings,
    isSecret: boolean,
): void {
    for (const [key, item] of Object.entries(written)) {
        const value = { written: item, meaning: Reflect.get(Object(meaning), key), before: undefined };
        checkNode(node.item, value, itemPath(node, path, key), findings, isSecret);
    }
}

const itemPath = ({ kind }: Node, path: string, key: string) =>
    `${path}[${kind === "list" ? key : JSON.stringify(key)}]`;

const formNames = ({ forms }: UnionNode) => words([...forms.keys()]);

function checkList(node: ItemsNode, value: readonly unknown[], path: string, findings: Findings): void {
    const { error } = node.type.safeParse(value, { error: () => expectation(node.type) });
    // Issues with a path are about items, which `checkItems` reports.
    for (const issue of error?.issues ?? [])
        if (issue.path.length === 0) findings.failures.push({ path, reason: issue.message });
}

function checkLeaf(type: z.ZodType, value: unknown, path: string, findings: Findings, isSecret: boolean): void {
    if (isRecord(value) && holdsUnknown(value)) return;
    const text = typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
    const isText = !isSecret && text !== undefined && type.safeParse(text).success;
    const advice = isText ? `: write ${JSON.stringify(text)}` : "";
    // The known items of a list are checked although others are unknown.
    const { error } = type.safeParse(Array.isArray(value) ? value.filter((item) => !holdsUnknown(item)) : value, {
        error: () => expectation(type),
    });
    const reasons = new Set(error?.issues.map(({ message }) => message + advice));
    // Servers replace it, so the value would never equal theirs.
    if (!error && /\p{Cs}/u.test([value].flat().join())) reasons.add("must not contain half of a surrogate pair");
    for (const reason of reasons) findings.failures.push({ path, reason });
}

/**
 * The decoded values in an answer that have another kind than their property, such as a list instead of a string. A value of the right kind
 * that no program may write, such as a number that is too large, counts as drift instead, which the next write repairs.
 */
export function wrongKinds({ properties }: ObjectNode, values: Values, path = ""): Finding[] {
    return [...properties.values()].flatMap(({ name, node }) =>
        values[name] === undefined ? [] : wrongInside(node, values[name], path + name),
    );
}

function wrongInside(node: Node, value: unknown, path: string): Finding[] {
    if (node.kind === "leaf") return hasKind(node.type, value) ? [] : [{ path, reason: requirement(node.type) }];
    if (node.kind === "list" && !Array.isArray(value)) return [{ path, reason: "must be a list" }];
    if (node.kind !== "list" && !isRecord(value)) return [{ path, reason: "must be an object" }];
    const values: Values = Object(value);
    const object = objectIn(node, values);
    if (object) return wrongKinds(object, values, `${path}.`);
    // An item, or the form of a newer server.
    const inner: Node = "item" in node ? node.item : { kind: "leaf", type: z.string() };
    // Only the first one, because there may be millions.
    const [key, wrong] = Object.entries(values).find(([, item]) => wrongInside(inner, item, "").length > 0) ?? [];
    return key === undefined ? [] : wrongInside(inner, wrong, itemPath(node, path, key));
}

const contentIssues: readonly string[] = ["too_small", "too_big", "invalid_format", "custom"];

/** Whether a type refuses a decoded value for nothing but its size, its pattern or its words. */
function hasKind(type: z.ZodType, value: unknown): boolean {
    if (Array.isArray(value) && value.length > 1) return value.every((item) => hasKind(type, [item]));
    const { error } = (type instanceof z.ZodCodec ? asType(type.def.out) : type).safeParse(value);
    const codes = typeof value === "string" ? [...contentIssues, "invalid_value"] : contentIssues;
    return error === undefined || error.issues.every(({ code }) => codes.includes(code));
}

/** Like `expectation`, but in the words of the type if it has its own. */
const requirement = (type: z.ZodType) =>
    type.safeParse(undefined, { error: () => expectation(type) }).error?.issues[0]?.message ?? "";

/** The requirement of a type, as a finding names it: `must be a whole number of at least 1`. Types with refinements have other messages. */
function expectation(type: z.ZodType): string {
    return `must be ${expected(type)}`;
}

function expected(type: z.ZodType): string {
    if (type instanceof z.ZodCodec) return expected(asType(type.def.in));
    if (type instanceof z.ZodString) return "a string";
    if (type instanceof z.ZodBoolean) return "true or false";
    if (type instanceof z.ZodNumber) return number(type);
    if (type instanceof z.ZodEnum || type instanceof z.ZodLiteral) return words(wordsOf(type));
    if (type instanceof z.ZodArray) return type.def.checks?.length ? "a list, not empty" : "a list";
    return type instanceof z.ZodRecord ? "an object" : "a value of its type";
}

function number({ isInt, minValue, maxValue }: z.ZodNumber): string {
    const least = minValue !== null && minValue > Number.MIN_SAFE_INTEGER ? ` of at least ${minValue}` : "";
    const most = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER ? ` of at most ${maxValue}` : "";
    return (isInt ? "a whole number" : "a number") + [least, most].filter(Boolean).join(" and");
}

const words = (all: readonly unknown[]) =>
    (all.length === 1 ? "" : "one of ") + all.map((word) => JSON.stringify(word)).join(", ");
