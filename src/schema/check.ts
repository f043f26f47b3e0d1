/** Checks inputs against their types, facts and rules, and reports every problem at once. Unknown values pass, at any depth. */

import * as z from "zod";
import { meaningOf } from "./meaning";
import { asType, type ItemsNode, type Node, type ObjectNode, type UnionNode, wordsOf } from "./property";
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
export interface Findings {
    readonly failures: Finding[];
    readonly warnings: Finding[];
}

/** Checks the properties of an object. `olds` are those of the last deployment, for rules about changes. */
export function check(node: ObjectNode, news: Values, olds?: Values): Findings {
    const findings: Findings = { failures: [], warnings: [] };
    checkObject(node, news, olds, "", findings);
    return findings;
}

function checkObject(node: ObjectNode, news: Values, olds: Values | undefined, path: string, findings: Findings): void {
    const { failures } = findings;
    const at = (name: string) => (path === "" ? name : `${path}.${name}`);
    const invalid = new Set<string>();
    const names = [...node.properties.values()].filter(({ facts }) => !facts.internal).map(({ name }) => name);
    for (const name of Object.keys(news)) {
        if (news[name] === undefined || names.includes(name)) continue;
        failures.push({ path: at(name), reason: `is not an argument${suggestion(name, names)}` });
    }
    for (const [name, { required, node: inner }] of node.properties) {
        const value = news[name] ?? undefined;
        const before = failures.length;
        if (value !== undefined) checkNode(inner, value, olds?.[name], at(name), findings);
        else if (required) failures.push({ path: at(name), reason: "is required" });
        if (failures.length > before) invalid.add(name);
    }
    checkRules(node, news, olds, invalid, at, findings);
}

/** Runs the rules of an object on its decoded inputs, without invalid and unknown ones. Rules that use these are skipped. */
function checkRules(
    node: ObjectNode,
    news: Values,
    olds: Values | undefined,
    invalid: ReadonlySet<string>,
    at: (name: string) => string,
    { failures, warnings }: Findings,
): void {
    if (node.rules.length === 0) return;
    const skipped = new Set([...invalid, ...Object.keys(news).filter((name) => holdsUnknown(news[name]))]);
    const known = Object.fromEntries(Object.entries(news).filter(([name]) => !skipped.has(name)));
    const [meaning, former] = [meaningOf(node, known), olds && meaningOf(node, olds)];
    for (const { uses, severity, test } of node.rules) {
        const found = uses.some((name) => skipped.has(name)) ? undefined : test(meaning, former, known);
        if (found === undefined) continue;
        (severity === "warning" ? warnings : failures).push({ path: at(found.path), reason: found.reason });
    }
}

function checkNode(node: Node, value: unknown, old: unknown, path: string, findings: Findings): void {
    if (value === unknown) return;
    const refuse = (reason: string, at = path) => findings.failures.push({ path: at, reason });
    if (node.kind === "leaf") checkLeaf(node.type, value, path, findings);
    else if (node.kind === "list") {
        if (Array.isArray(value)) checkList(node, value, path, findings);
        else refuse(expectation(node.type));
    } else if (node.kind === "union") {
        if (!isRecord(value)) refuse(`must be an object whose ${node.discriminator} is ${formNames(node)}`);
        else if (value[node.discriminator] !== unknown) {
            const form = node.forms.get(value[node.discriminator]);
            if (form) checkObject(form.node, value, isRecord(old) ? old : undefined, path, findings);
            else refuse(`must be ${formNames(node)}`, `${path}.${node.discriminator}`);
        }
    } else if (!isRecord(value)) refuse("must be an object");
    else if (node.kind === "object") checkObject(node, value, isRecord(old) ? old : undefined, path, findings);
    else {
        for (const [key, item] of Object.entries(value))
            checkNode(node.item, item, undefined, `${path}[${JSON.stringify(key)}]`, findings);
    }
}

const formNames = ({ forms }: UnionNode) => words([...forms.keys()]);

function checkList(node: ItemsNode, value: readonly unknown[], path: string, findings: Findings): void {
    for (const [index, item] of value.entries()) checkNode(node.item, item, undefined, `${path}[${index}]`, findings);
    const result = node.type.safeParse(value, { error: () => expectation(node.type) });
    // Issues with a path are about items, which were checked above.
    for (const issue of result.error?.issues ?? [])
        if (issue.path.length === 0) findings.failures.push({ path, reason: issue.message });
}

function checkLeaf(type: z.ZodType, value: unknown, path: string, findings: Findings): void {
    if (isRecord(value) && holdsUnknown(value)) return;
    // The known items of a list are checked although others are unknown.
    const known = Array.isArray(value) ? value.filter((item) => !holdsUnknown(item)) : value;
    const result = type.safeParse(known, { error: () => expectation(type) });
    if (result.success) return;
    for (const reason of new Set(result.error.issues.map(({ message }) => message)))
        findings.failures.push({ path, reason });
}

/** The requirement of a type, as a finding names it: `must be a whole number of at least 1`. Types with refinements have other messages. */
export function expectation(type: z.ZodType): string {
    return `must be ${expected(type)}`;
}

function expected(type: z.ZodType): string {
    if (type instanceof z.ZodOptional) return expected(asType(type.unwrap()));
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
