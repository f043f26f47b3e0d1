/** Check: every problem of an object's properties at once. Unknown values pass, at any depth. */

import type * as z from "zod";
import { sentence } from "../catalogue";
import { expectation } from "./expectation";
import { isMask, type Values } from "./facts";
import type { Finding } from "./finding";
import type { ListNode, Node, ObjectNode, Property, UnionNode } from "./node";
import { suggestion } from "./suggestion";
import { holdsUnknown, isRecord, unknown } from "./unknown";
import { decodedWithDefaults } from "./values";

/** An argument is missing. */
export const missingArgument = sentence({
    message: "is required",
    cause: "An argument is missing. Every problem of the arguments is reported at once, in the preview already.",
    action: "Add it.",
});

/** An argument is unknown. */
export const notAnArgument = sentence({
    message: "is not an argument{suggestion}",
    cause: "An argument is misspelt, or belongs to another resource or another form of an object.",
    action: "Take the spelling that the message suggests, or leave it out.",
});

/** An argument is given by both of its names. */
export const formerName = sentence({
    message: "is the former name of {name}: give only one of them",
    cause: "An argument is given twice: by its former name, and by the new one.",
    action: "Keep the new name.",
});

/** A mask is given for a value. */
export const maskedValue = sentence({
    message:
        "is what the server shows in the place of a value that it hides: write the value itself, or leave it out. If `ignoreChanges` names it, the mask comes from the state: take it out of `ignoreChanges`",
    cause: "The mask came from an import, a lookup or a refresh. It would be sent as a value and overwrite the one that the server hides.",
    action: "Write the value itself, or leave it out. `ignoreChanges` takes the value from the state, which holds the mask where somebody else has set one: take the property out of `ignoreChanges` too.",
});

/** What check found. Warnings stop nothing. */
export interface Findings {
    readonly failures: Finding[];
    readonly warnings: Finding[];
}

/** Checks the properties of an object against their types, facts and rules. `olds` are those of the last deployment, if there was one. */
export function checkValues(node: ObjectNode, news: Values, olds?: Values): Findings {
    const findings: Findings = { failures: [], warnings: [] };
    checkObject(node, news, olds, "", findings);
    return findings;
}

function checkObject(node: ObjectNode, news: Values, olds: Values | undefined, path: string, findings: Findings): void {
    const { failures, warnings } = findings;
    const at = (name: string) => (path === "" ? name : `${path}.${name}`);
    const wrong = new Set<string>();
    for (const name of Object.keys(news)) {
        if (news[name] === undefined || isArgument(node.properties.get(name))) continue;
        failures.push({
            path: at(name),
            reason: notAnArgument({ suggestion: suggestion(name, [...node.properties.keys()]) }),
        });
    }
    for (const [name, { facts, required, node: inner }] of node.properties) {
        const value = news[name] ?? undefined;
        if (value === undefined) {
            if (required) failures.push({ path: at(name), reason: missingArgument() });
            continue;
        }
        if (facts.deprecated !== undefined)
            warnings.push({ path: at(name), reason: `is deprecated: ${facts.deprecated}` });
        if (facts.aliasOf !== undefined && news[facts.aliasOf] !== undefined) {
            failures.push({ path: at(name), reason: formerName({ name: facts.aliasOf }) });
        }
        if (isMask(facts, value)) failures.push({ path: at(name), reason: maskedValue() });
        const before = failures.length;
        checkNode(inner, value, olds?.[name], at(name), findings);
        if (failures.length > before) wrong.add(name);
    }
    checkRules(node, news, olds, wrong, at, findings);
}

/** Rules get decoded values, defaults filled in; what is wrong or unknown is left out. */
function checkRules(
    node: ObjectNode,
    news: Values,
    olds: Values | undefined,
    wrong: ReadonlySet<string>,
    at: (name: string) => string,
    { failures, warnings }: Findings,
): void {
    if (node.rules.length === 0) return;
    const open = new Set([...wrong, ...Object.keys(news).filter((name) => holdsUnknown(news[name]))]);
    const known = Object.fromEntries(Object.entries(news).filter(([name]) => !open.has(name)));
    const values = decodedWithDefaults(node, known);
    const former = olds && decodedWithDefaults(node, olds);
    for (const rule of node.rules) {
        const finding = rule.uses.some((name) => open.has(name)) ? undefined : rule.test(values, former, known);
        if (finding === undefined) continue;
        const found = { path: at(finding.path), reason: finding.reason };
        (rule.severity === "warning" ? warnings : failures).push(found);
    }
}

const isArgument = (property: Property | undefined) => property !== undefined && property.facts.internal === undefined;

function checkNode(node: Node, value: unknown, old: unknown, path: string, findings: Findings): void {
    if (value === unknown) return;
    const shape = expectedShape(node, value);
    if (shape !== undefined) fail(findings, path, shape);
    else if (node.kind === "leaf") checkLeaf(node.type, value, path, findings);
    else if (node.kind === "list" && Array.isArray(value)) checkList(node, value, path, findings);
    else if (isRecord(value)) checkRecord(node, value, isRecord(old) ? old : undefined, path, findings);
}

/** What a value must be that has not even the shape of its type. */
function expectedShape(node: Node, value: unknown): string | undefined {
    if (node.kind === "leaf") return undefined;
    if (node.kind === "list") return Array.isArray(value) ? undefined : expectation(node.type);
    if (isRecord(value)) return undefined;
    if (node.kind === "union") return `must be an object whose ${node.discriminator} is one of ${formNames(node)}`;
    return node.kind === "map" ? expectation(node.type) : "must be an object";
}

const formNames = ({ forms }: UnionNode) =>
    forms.flatMap(({ names }) => names.map((name) => JSON.stringify(name))).join(", ");

function checkList(node: ListNode, value: readonly unknown[], path: string, findings: Findings): void {
    for (const [index, item] of value.entries()) checkNode(node.item, item, undefined, `${path}[${index}]`, findings);
    if (!holdsUnknown(value)) checkBounds(node.type, value, path, findings);
}

function checkRecord(node: Node, value: Values, old: Values | undefined, path: string, findings: Findings): void {
    if (node.kind === "object") checkObject(node, value, old, path, findings);
    else if (node.kind === "map") {
        for (const [key, item] of Object.entries(value)) {
            checkNode(node.value, item, undefined, `${path}[${JSON.stringify(key)}]`, findings);
        }
    } else if (node.kind === "union" && value[node.discriminator] !== unknown) {
        const form = node.byName.get(value[node.discriminator]);
        if (form !== undefined) checkObject(form.node, value, old, path, findings);
        else fail(findings, `${path}.${node.discriminator}`, `must be one of ${formNames(node)}`);
    }
}

/** Unknown items are left out, so that the known ones are checked all the same. */
function checkLeaf(type: z.ZodType, value: unknown, path: string, findings: Findings): void {
    const known = Array.isArray(value) ? value.filter((item) => !holdsUnknown(item)) : value;
    if (isRecord(value) && holdsUnknown(value)) return;
    const result = type.safeParse(known, { error: () => expectation(type) });
    if (result.success) return;
    for (const reason of new Set(result.error.issues.map(({ message }) => message))) fail(findings, path, reason);
}

/** A list's own bounds: what is wrong with its items has been told. */
function checkBounds(type: z.ZodType, value: readonly unknown[], path: string, findings: Findings): void {
    const result = type.safeParse(value, { error: () => expectation(type) });
    for (const issue of result.error?.issues ?? []) if (issue.path.length === 0) fail(findings, path, issue.message);
}

function fail(findings: Findings, path: string, reason: string): void {
    findings.failures.push({ path, reason });
}
