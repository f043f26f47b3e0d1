/**
 * The text of a Terraform state (format 4) as ranges: a state that is parsed and written again loses digits, so what comes of it consists of
 * slices of its text.
 */

import * as z from "zod";
import { step } from "../../core/steps";
import { StatecraftError } from "../../errors";
import { asJson } from "../../schema/property-types";
import { isRecord, parsedJson, parsedObject, sortedJson, type Values } from "../../schema/values";
import type { ManagedResource } from "./records";
import { keyText } from "./terraform-address";

interface Range {
    readonly start: number;
    readonly end: number;
}

const [quote, backslash] = Buffer.from('"\\');
const [quoting, naming, opening, closing] = [1, 2, 3, 4];
/** The effect of each byte outside of strings. */
const kinds = new Uint8Array(256);
for (const byte of Buffer.from('"')) kinds[byte] = quoting;
for (const byte of Buffer.from(":")) kinds[byte] = naming;
for (const byte of Buffer.from("{[")) kinds[byte] = opening;
for (const byte of Buffer.from("}]")) kinds[byte] = closing;

function stringEnd(json: Buffer, start: number): number {
    let at = start + 1;
    while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
    return at + 1;
}

/** The most entries and instances of a state. Each takes memory beside its text. */
const mostItems = 500_000;
/** The most objects and arrays inside one another: comparisons are recursive. */
const mostDepth = 1_000;

/**
 * The ranges in the text of a state, where its arrays begin, how many members all objects have, and how deep they are. One pass, because a
 * text may have 100 MB.
 */
function rangesIn(json: Buffer, unreadable: (why: string) => StatecraftError) {
    const entries: (Range & Readonly<{ array: number; provider: number; instances: readonly Range[] }>)[] = [];
    const instances: Range[] = [];
    let [items, deepest] = [0, 0];
    /** Where the open objects and arrays begin. */
    const starts: number[] = [];
    let [names, text, serial, resources, array, provider] = [0, 0, 0, 0, 0, 0];
    let [part, member] = ["", ""];
    const nameAt = (start: number) => String(parsedJson(json.subarray(start, stringEnd(json, start))));
    for (let at = 0; at < json.length; at++) {
        const kind = kinds[json[at] ?? 0] ?? 0;
        if (kind === 0) continue;
        const depth = starts.length;
        const isResource = part === "resources";
        if (kind === quoting) {
            text = at;
            at = stringEnd(json, at) - 1;
        } else if (kind === naming) {
            names++;
            if (depth === 1) part = nameAt(text);
            if (depth === 1 && part === "serial") serial = at + 1;
            if (depth === 1 && part === "resources") resources = at + 1;
            if (depth === 3 && isResource) member = nameAt(text);
            if (depth === 3 && isResource && member === "provider") provider = at + 1;
        } else if (kind === opening) {
            if (depth === 3 && isResource && member === "instances") array = at;
            deepest = Math.max(deepest, starts.push(at));
        } else {
            const item = { start: starts.pop() ?? 0, end: at + 1 };
            if (!isResource || (depth !== 3 && (depth !== 5 || member !== "instances"))) continue;
            if (++items > mostItems) throw unreadable(`has more than ${mostItems} resources and instances`);
            if (depth === 5) instances.push(item);
            else entries.push({ ...item, array, provider, instances: instances.splice(0) });
            if (depth === 3) member = "";
        }
    }
    return {
        ...{ names, deepest },
        serial: scalarAt(json, serial),
        resources: resources === 0 ? undefined : scalarAt(json, resources),
        entries,
    };
}

/** The range of a number or another short word after a colon; of the bracket, if an array begins there. */
function scalarAt(json: Buffer, from: number): Range {
    const [, space = "", word = ""] = /^(\s*)(\[|[^\s,}]+)/.exec(json.toString("latin1", from, from + 100)) ?? [];
    return { start: from + space.length, end: from + space.length + word.length };
}

type Ranges = ReturnType<typeof rangesIn>;

/** The number of members of all objects in a parsed value, which has one of several members with the same name. */
function membersIn(value: unknown): number {
    // A recursion would end at a depth that the parser reads.
    const rest = [value];
    let sum = 0;
    while (rest.length > 0) {
        const each = rest.pop();
        if (typeof each !== "object" || each === null) continue;
        const inner: unknown[] = Object.values(each);
        if (!Array.isArray(each)) sum += inner.length;
        for (const one of inner) if (typeof one === "object") rest.push(one);
    }
    return sum;
}

/** The error for a part of a state that cannot come back. */
export const refusal = (
    message: string,
    hint = `Name other addresses, or leave \`${step.option("only")}\` out to bring the whole version back`,
) => new StatecraftError("only", step.about("only") + message, { hint });

/** The error for a state that cannot be read, where no part of it comes back. */
export const contentProblem = (message: string) => new StatecraftError("content", message);

const text = z.string();
const instanceForm = z.object({
    index_key: z.union([text, z.number()]).optional(),
    deposed: text.optional(),
    // OpenTofu writes the provider here if the instances of a resource have several.
    provider: text.optional(),
    schema_version: z.number().catch(0),
    dependencies: z.array(text).nullish(),
});
const entryForm = z.object({
    ...{ module: text.default(""), mode: text, type: text, name: text, provider: text.default("") },
    instances: z.array(instanceForm),
});
const stateForm = z.object({
    ...{ version: z.literal(4), serial: z.int().min(0), lineage: text.optional() },
    // Terraform reads a state without resources, too.
    resources: z.array(z.literal(0)).nullish(),
});

/** A raw state of format 4, as ranges of its text. */
export type Parts = ReturnType<typeof partsOf>;
export type Entry = Parts["entries"][number];
/** An item of `instances`. */
export type Instance = Parts["objects"][number];

/**
 * @param problem makes the error
 * @param spelled the spelling of a provider, instead of that in the text
 * @throws StatecraftError for a state of another format
 */
export function partsOf(
    json: Buffer,
    version: string,
    problem: (message: string) => StatecraftError = refusal,
    spelled = (provider: string) => provider,
) {
    const unreadable = (why: string) => problem(`the state of ${version} ${why}`);
    const ranges = rangesIn(json, unreadable);
    if (ranges.deepest > mostDepth) throw unreadable("is nested too deeply");
    const slice = ({ start, end }: Range) => json.subarray(start, end);
    let members = 0;
    const parsed = (text: Buffer) => {
        const value = parsedObject(text);
        members += membersIn(value);
        return value;
    };
    const rest = withoutEntries(json, ranges);
    const state = stateOf(parsed(rest), ranges, unreadable);
    // Each entry is parsed alone and forgotten, because all values of a state take several times the memory of its text.
    const entries = ranges.entries.map((range) => {
        const entry = entryOf(parsed(slice(range)), range, spelled);
        if (entry === undefined) throw unreadable("cannot be read");
        return entry;
    });
    if (ranges.names !== members) throw unreadable("has an object with two members of one name");
    const managed = entries.flatMap(({ instances }) => instances).filter(({ isManaged }) => isManaged);
    const objects = managed.filter(({ deposed }) => deposed === undefined);
    const byAddress = new Map(objects.map((each) => [each.address, each]));
    if (byAddress.size < objects.length) throw unreadable("has two objects of one instance");
    /** A value with all digits of its numbers. */
    const valueIn = (range: Range) => asJson(slice(range).toString());
    return {
        ...{ json, version, entries, managed, objects, byAddress, slice, valueIn, lineage: state.lineage },
        /** The bracket that begins the array of the entries, or another value. Undefined if there is none. */
        resources: ranges.resources,
        serial: { ...ranges.serial, value: state.serial },
        recordOf: (instance: Range): Values => Object(valueIn(instance)),
        attributesOf: (instance: Range) => recordIn(valueIn(instance), "attributes"),
        get outputs() {
            return recordIn(asJson(rest.toString()), "outputs");
        },
    };
}

/** The text of a state with `0` for each entry of `resources`. */
function withoutEntries(json: Buffer, { entries }: Ranges): Buffer {
    const parts = [Buffer.from("0")];
    const edits = entries.map((range) => ({ ...range, parts }));
    return edited(json, { start: 0, end: json.length }, edits);
}

/** The members of a state beside its entries, if its format is 4. */
function stateOf(others: Values | undefined, { entries }: Ranges, unreadable: (why: string) => StatecraftError) {
    if (others?.["encrypted_data"] !== undefined) throw unreadable("is encrypted");
    const format = others?.["version"];
    if (typeof format === "number" && format !== 4) throw unreadable(`has the format ${format}, and not 4`);
    const { data: state } = stateForm.safeParse(others);
    if (state === undefined || (state.resources ?? []).length !== entries.length) throw unreadable("cannot be read");
    return state;
}

/** An entry of `resources` with the ranges of its instances. `undefined` if it has another form. */
function entryOf(value: unknown, range: Ranges["entries"][number], spelled: (provider: string) => string) {
    const { data: entry } = entryForm.safeParse(value);
    if (entry?.instances.length !== range.instances.length) return undefined;
    const { module, mode, type, name } = entry;
    const resource = [module, mode.replace("managed", ""), type, name].filter((step) => step !== "").join(".");
    const provider = spelled(entry.provider);
    /** The resource and its provider: only one entry has both. */
    const home = `${resource} ${provider}`;
    const instances = entry.instances.flatMap((instance, index) => {
        const { index_key: key, deposed, dependencies, schema_version: schema } = instance;
        // Without a spread, which takes twice the memory.
        return range.instances.slice(index, index + 1).map(({ start, end }) => ({
            start,
            end,
            home,
            resource,
            type,
            schema,
            dependencies,
            deposed,
            provider: instance.provider ?? provider,
            address: resource + keyText(key),
            form: typeof key,
            isManaged: mode === "managed",
        }));
    });
    const text = { at: range.provider, is: entry.provider };
    const count = instances.filter(({ deposed }) => deposed === undefined).length;
    // As records of versions name them: the type of a data source begins with `data.`.
    const named = { module: module || "root", type: mode === "managed" ? type : `${mode}.${type}`, name };
    const record: ManagedResource = { ...named, provider: entry.provider, count };
    return { ...range, home, record, provider, instances, text };
}

/** Parts that replace a range of a text. */
interface Edit extends Range {
    readonly parts: readonly Buffer[];
}

/** A range of a text after some edits. */
function edited(json: Buffer, whole: Range, edits: readonly Edit[]): Buffer {
    let at = whole.start;
    const parts = [...edits]
        .sort((one, other) => one.start - other.start)
        .flatMap((edit) => {
            const before = json.subarray(at, edit.start);
            at = edit.end;
            return [before, ...edit.parts];
        });
    return Buffer.concat([...parts, json.subarray(at, whole.end)]);
}

/** Replaces the items of the array that begins at `array`. */
function relisted(json: Buffer, array: number, items: readonly Range[], parts: readonly Buffer[]): Edit {
    const [start, end] = [items[0]?.start ?? array + 1, items.at(-1)?.end ?? array + 1];
    const gap = Buffer.concat([Buffer.from(","), json.subarray(array + 1, start)]);
    return { start, end, parts: parts.flatMap((part, index) => (index === 0 ? [part] : [gap, part])) };
}

/** The text of an entry with other instances, and with its provider in the spelling of `partsOf`. */
export function withInstances({ json }: Parts, entry: Entry, instances: readonly Buffer[]): Buffer {
    const { array, provider, text } = entry;
    const start = json.indexOf('"', text.at);
    const spelling = { start, end: stringEnd(json, start), parts: [Buffer.from(JSON.stringify(provider))] };
    const list = relisted(json, array, entry.instances, instances);
    return edited(json, entry, provider === text.is ? [list] : [list, spelling]);
}

/** The text of a state with another serial and other entries. */
export function withEntries(
    { json, serial, resources, entries }: Parts,
    next: number,
    parts: readonly Buffer[],
): Buffer {
    const digits = Buffer.from(String(next));
    const comma = Buffer.from(",");
    const list = [
        Buffer.from("["),
        ...parts.flatMap((part, index) => (index === 0 ? [part] : [comma, part])),
        Buffer.from("]"),
    ];
    const edits =
        resources === undefined
            ? [{ ...serial, parts: [digits, Buffer.from(',"resources":'), ...list] }]
            : [
                  { ...serial, parts: [digits] },
                  json.toString("latin1", resources.start, resources.end) === "["
                      ? relisted(json, resources.start, entries, parts)
                      : { ...resources, parts: list },
              ];
    return edited(json, { start: 0, end: json.length }, edits);
}

/** The serial of a new version. @throws StatecraftError if it has too many digits for JavaScript */
export function serialAbove(serial: number, version: string, problem: (message: string) => StatecraftError = refusal) {
    if (serial < Number.MAX_SAFE_INTEGER) return serial + 1;
    throw problem(`no serial follows that of ${version}`);
}

/** The text of a state of any format with another serial. */
export function withSerial(json: Buffer, next: number, problem: (message: string) => StatecraftError): Buffer {
    const edit = { ...rangesIn(json, problem).serial, parts: [Buffer.from(String(next))] };
    return edited(json, { start: 0, end: json.length }, [edit]);
}

/** The object at a name of an object. Empty if there is none. */
function recordIn(value: unknown, name: string): Values {
    const inner = isRecord(value) ? value[name] : undefined;
    return isRecord(inner) ? inner : {};
}

/** The names of the properties in which two objects differ. */
export const differing = (one: Values, other: Values): string[] =>
    Object.keys({ ...one, ...other }).filter((name) => sortedJson(one[name]) !== sortedJson(other[name]));
