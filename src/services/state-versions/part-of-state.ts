/**
 * Brings instances of an older Terraform state (format 4) into a newer one. The result consists of slices of both texts, because a state that
 * is parsed and written again loses digits, and everything that `only` does not name must stay to the letter.
 *
 * An instance is replaced in, or added to, the entry of its resource with its provider. Deposed objects stay, and none come back.
 */

import * as z from "zod";
import { step } from "../../core/steps";
import { StatecraftError } from "../../errors";
import { asJson } from "../../schema/property-types";
import { suggestion } from "../../schema/suggestion";
import { isRecord, parsedJson, parsedObject, sortedJson, type Values } from "../../schema/values";
import { md5Of, type RawState } from "./content";
import type { ManagedResource } from "./records";

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

/** The ranges in the text of a state, where its arrays begin, and how many members all objects have. One pass, because a text may have 100 MB. */
function rangesIn(json: Buffer) {
    const entries: (Range & { readonly array: number; readonly instances: readonly Range[] })[] = [];
    let instances: Range[] = [];
    /** Where the open objects and arrays begin. */
    const starts: number[] = [];
    let [names, text, serial, resources, array] = [0, 0, 0, 0, 0];
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
            if (depth === 3 && isResource) member = nameAt(text);
        } else if (kind === opening) {
            if (depth === 1 && isResource) resources = at;
            if (depth === 3 && isResource && member === "instances") array = at;
            starts.push(at);
        } else {
            const item = { start: starts.pop() ?? 0, end: at + 1 };
            if (depth === 5 && isResource && member === "instances") instances.push(item);
            if (depth !== 3 || !isResource) continue;
            entries.push({ ...item, array, instances });
            [instances, member] = [[], ""];
        }
    }
    const [, space = "", digits = ""] = /^(\s*)([^\s,}]+)/.exec(json.toString("latin1", serial, serial + 100)) ?? [];
    const start = serial + space.length;
    return { names, serial: { start, end: start + digits.length }, resources, entries };
}

type Ranges = ReturnType<typeof rangesIn>;

/** The number of members of all objects in a parsed value, which has one of several members with the same name. */
function membersIn(value: unknown): number {
    if (typeof value !== "object" || value === null) return 0;
    const inner: unknown[] = Object.values(value);
    return inner.reduce((sum: number, each) => sum + membersIn(each), Array.isArray(value) ? 0 : inner.length);
}

/** A step of a Terraform address, with its key in one spelling: `["module", ""]`, `["web", "[0]"]`, `["logs", '["eu"]']`. */
type Step = readonly [name: string, key: string];

const stepForm = /(?:^|\.)([^\s."[\]]+)(?:\[(\d+|"(?:[^"\\]|\\.)*")\])?/gy;

/** The steps of a Terraform address. An empty list for a text of another form. */
function stepsOf(address: string): Step[] {
    const matches = [...address.matchAll(stepForm)];
    if (matches.map(([text]) => text).join("") !== address) return [];
    return matches.map(([, name = "", key]) => [name, key === undefined ? "" : keyText(keyIn(key))]);
}

/** The value of a key in an address. Terraform escapes `${` and `%{` by another `$` or `%`. */
const keyIn = (key: string) => parsedJson(key.replace(/([$%])\1(?=\{)/g, "$1")) ?? key;

const withoutKeys = (address: string) =>
    stepsOf(address)
        .map(([name]) => name)
        .join(".");

/** The key of an instance as Terraform writes it in addresses. */
const keyText = (key: unknown) => (key === undefined ? "" : `[${JSON.stringify(key).replace(/[$%](?=\{)/g, "$&$&")}]`);

/** The problem of an address in `only`. */
export function addressProblem(address: string): string | undefined {
    const steps = stepsOf(address);
    const isData = steps.some(([name], index) => name === "data" && index % 2 === 0);
    if (isData) return "is a data source, which Terraform reads at each run: leave it out";
    if (steps.length > 0 && steps.length % 2 === 0) return undefined;
    return 'must be the address of a module, a resource or an instance, such as aws_instance.web["a"]';
}

/** Whether an address of `only` names an instance: a step without a key names all instances, and a module all that is below it. */
const isNamed = (target: readonly Step[], steps: readonly Step[]) =>
    target.every(([name, key], index) => name === steps[index]?.[0] && (key === "" || key === steps[index][1]));

const refusal = (
    message: string,
    hint = `Name other addresses, or leave \`${step.option("only")}\` out to bring the whole version back`,
) => new StatecraftError("only", step.about("only") + message, { hint });

const text = z.string();
const instanceForm = z.object({
    index_key: z.union([text, z.number()]).optional(),
    deposed: text.optional(),
    // OpenTofu writes the provider here if the instances of a resource have several.
    provider: text.optional(),
    attributes: z.object({ id: z.unknown().optional() }).nullish(),
    dependencies: z.array(text).nullish(),
});
const entryForm = z.object({
    ...{ module: text.default(""), mode: text, type: text, name: text, provider: text.default("") },
    instances: z.array(instanceForm),
});
const stateForm = z.object({
    ...{ version: z.literal(4), serial: z.number(), lineage: text.optional() },
    resources: z.array(z.literal(0)),
});

/** The managed resources in a parsed state. `undefined` if its format is not 4. */
export function managedIn(state: Values): ManagedResource[] | undefined {
    const { data } = stateForm.extend({ resources: z.array(entryForm) }).safeParse(state);
    const managed = data?.resources.filter(({ mode }) => mode === "managed");
    return managed?.map(({ module, type, name, provider, instances }) => {
        const count = instances.filter(({ deposed }) => deposed === undefined).length;
        return { module: module || "root", type, name, provider, count };
    });
}

/** A raw state of format 4, as ranges of its text. */
type Parts = ReturnType<typeof partsOf>;
type Entry = Parts["entries"][number];
/** An item of `instances`. */
type Instance = Parts["objects"][number];

/** @param problem makes the error @throws StatecraftError for a state of another format */
export function partsOf(json: Buffer, version: string, problem: (message: string) => StatecraftError = refusal) {
    const unreadable = (why: string) => problem(`the state of ${version} ${why}`);
    const ranges = rangesIn(json);
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
        const entry = entryOf(parsed(slice(range)), range);
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
        /** Where the array of the entries begins. */
        resources: ranges.resources,
        serial: { ...ranges.serial, value: state.serial },
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
    if (state?.resources.length !== entries.length) throw unreadable("cannot be read");
    return state;
}

/** An entry of `resources` with the ranges of its instances. `undefined` if it has another form. */
function entryOf(value: unknown, range: Ranges["entries"][number]) {
    const { data: entry } = entryForm.safeParse(value);
    if (entry?.instances.length !== range.instances.length) return undefined;
    const { module, mode, type, name } = entry;
    const resource = [module, mode.replace("managed", ""), type, name].filter((step) => step !== "").join(".");
    /** The resource and its provider: only one entry has both. */
    const home = `${resource} ${entry.provider}`;
    const instances = entry.instances.flatMap((instance, index) => {
        const { index_key: key, deposed, dependencies, provider = entry.provider } = instance;
        const { id } = instance.attributes ?? {};
        return range.instances.slice(index, index + 1).map((at) => ({
            ...{ start: at.start, end: at.end, home, resource, provider, dependencies, deposed },
            address: resource + keyText(key),
            form: typeof key,
            isManaged: mode === "managed",
            /** The object of the provider. `undefined` if its attributes have no `id`. */
            remote: typeof id === "string" ? JSON.stringify([provider, type, id]) : undefined,
        }));
    });
    return { ...range, home, instances };
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

/** The text of an entry with other instances. */
const withInstances = ({ json }: Parts, entry: Entry, instances: readonly Buffer[]) =>
    edited(json, entry, [relisted(json, entry.array, entry.instances, instances)]);

/** The objects of a state that `only` names. `isWhole`: whether an address names all instances of the resource. */
function namedIn({ version, objects }: Parts, only: readonly string[]) {
    const targets = new Map<string, { readonly address: string; readonly steps: readonly Step[] }[]>();
    for (const address of only) {
        const steps = stepsOf(address);
        targets.set(beginning(steps), [...(targets.get(beginning(steps)) ?? []), { address, steps }]);
    }
    const missing = new Set(only);
    const named = objects.flatMap((instance) => {
        const path = stepsOf(instance.address);
        const begun = targets.get(beginning(path)) ?? [];
        const names = begun.filter(({ steps }) => isNamed(steps, path));
        for (const { address } of names) missing.delete(address);
        const isWhole = names.some(({ steps }) => steps.length < path.length || steps.at(-1)?.[1] === "");
        return names.length === 0 ? [] : [{ instance, isWhole }];
    });
    for (const address of missing) {
        const known = [...new Set(objects.flatMap((each) => [each.address, each.resource]))];
        throw refusal(`${version} has no ${address}${suggestion(address, known)}`);
    }
    return named;
}

/** The first two steps without keys: an address of `only` and an instance that it names have the same. */
const beginning = ([first, second]: readonly Step[]) => `${first?.[0]}.${second?.[0]}`;

/** The instances that change when others come back: those of the current state, and those of the older one. */
interface Change {
    readonly removed: ReadonlySet<Instance>;
    readonly replaced: ReadonlyMap<Instance, Instance>;
    readonly added: ReadonlySet<Instance>;
}

/** The change of `current` that brings back the instances of `old` that `only` names. @throws StatecraftError */
function changeOf(current: Parts, old: Parts, only: readonly string[]): Change {
    const homes = new Set(current.entries.map(({ home }) => home));
    const present = new Map(current.objects.map((each) => [each.resource, each]));
    /** The forms of resources whose instances have other keys now. */
    const forms = new Map<string, string>();
    const removed = new Set<Instance>();
    const replaced = new Map<Instance, Instance>();
    const added = new Set<Instance>();
    for (const { instance, isWhole } of namedIn(old, only)) {
        const { address, resource, home, provider, form } = instance;
        const [now, sibling] = [current.byAddress.get(address), present.get(resource)];
        const hasOtherForm = sibling !== undefined && sibling.form !== form;
        const hasOtherProvider =
            now === undefined
                ? sibling !== undefined && !homes.has(home)
                : now.home !== home || now.provider !== provider;
        if (!isWhole && (hasOtherForm || hasOtherProvider)) {
            const reason = hasOtherForm
                ? "its instances have other keys (`count`, `for_each`)"
                : "it has another provider";
            const message = `${address} cannot come back alone, because in ${current.version} ${reason}`;
            throw refusal(message, `Name the whole resource: ${resource}`);
        }
        if (hasOtherForm) forms.set(resource, form);
        if (now === undefined || hasOtherProvider) added.add(instance);
        else if (sortedJson(current.valueIn(now)) !== sortedJson(old.valueIn(instance))) replaced.set(now, instance);
        if (now !== undefined && hasOtherProvider) removed.add(now);
    }
    for (const each of current.objects) if ((forms.get(each.resource) ?? each.form) !== each.form) removed.add(each);
    return { removed, replaced, added };
}

const isStaying = ({ removed, replaced }: Change, instance: Instance) =>
    !removed.has(instance) && !replaced.has(instance);

/**
 * Brings the instances of `old` that `only` names into `current`. Returns what changes, and the state that results.
 * @throws StatecraftError if an address names nothing, or if Terraform could not read the result, or would destroy an object because of it
 */
export function bringBack(current: Parts, old: Parts, only: readonly string[]) {
    if (current.lineage !== old.lineage) throw refusal(`${old.version} has another lineage than ${current.version}`);
    const { byAddress, objects } = current;
    const change = changeOf(current, old, only);
    const returned = [...change.replaced.values(), ...change.added];
    const holders = new Map(
        current.managed.filter((each) => isStaying(change, each)).map((each) => [each.remote, each]),
    );
    for (const { remote, address } of returned) {
        const holder = remote && holders.get(remote);
        if (!holder) continue;
        const other = holder.deposed === undefined ? holder.address : `a deposed object of ${holder.address}`;
        const message = `${address} of ${old.version} is ${other} in ${current.version}`;
        const why = "one object under two addresses is destroyed by a later plan";
        throw refusal(`${message}, and ${why}`, `Leave ${address} out, or move it with a \`moved\` block`);
    }
    const staying = objects.filter((each) => isStaying(change, each));
    const known = new Set([...staying, ...returned].map(({ resource }) => withoutKeys(resource)));
    const needed = new Set(returned.flatMap(({ dependencies }) => dependencies ?? []));
    const returnedAddresses = new Set(returned.map(({ address }) => address));
    /** The address of a replaced instance, with the names of the attributes that differ. */
    const described = (instance: Instance) => {
        const before = byAddress.get(instance.address);
        const names = differing(before ? current.attributesOf(before) : {}, old.attributesOf(instance));
        return `${instance.address} (${names.join(", ") || "other fields"})`;
    };
    return {
        comesBack: [...returnedAddresses].filter((address) => !byAddress.has(address)),
        replaced: returned.filter(({ address }) => byAddress.has(address)).map(described),
        lost: [...change.removed].map(({ address }) => address).filter((address) => !returnedAddresses.has(address)),
        newer: staying.filter(({ address }) => !old.byAddress.has(address)).length,
        /** Resources on which a returned instance depends, and that the result does not have. */
        absent: [...needed].filter((each) => addressProblem(each) === undefined && !known.has(withoutKeys(each))),
        isSame: returned.length === 0,
        /** The state that results, with a serial above that of `current` and above `least`. */
        stateAfter: (least: number): RawState => changedState(current, old, change, least),
    };
}

/** The current state after a change, with a serial above its own and above `least`. */
function changedState(current: Parts, old: Parts, change: Change, least: number): RawState {
    const { removed, replaced, added } = change;
    const { json } = current;
    const homes = new Map(current.entries.map((entry) => [entry.home, entry]));
    const more = new Map([...added].map(({ home }): [string, Buffer[]] => [home, []]));
    for (const each of added) more.get(each.home)?.push(old.slice(each));
    const present = current.entries.flatMap((entry) => {
        const others = homes.get(entry.home) === entry ? (more.get(entry.home) ?? []) : [];
        if (others.length === 0 && entry.instances.every((each) => isStaying(change, each)))
            return [current.slice(entry)];
        const instances = entry.instances.flatMap((each) => {
            const other = replaced.get(each);
            return removed.has(each) ? [] : [other ? old.slice(other) : current.slice(each)];
        });
        const all = [...instances, ...others];
        return all.length === 0 ? [] : [withInstances(current, entry, all)];
    });
    const absent = old.entries.flatMap((entry) => {
        const instances = homes.has(entry.home) ? [] : entry.instances.filter((each) => added.has(each));
        return instances.length === 0 ? [] : [withInstances(old, entry, instances.map(old.slice))];
    });
    const serial = Math.max(least, current.serial.value) + 1;
    const edits = [
        { ...current.serial, parts: [Buffer.from(String(serial))] },
        relisted(json, current.resources, current.entries, [...present, ...absent]),
    ];
    const bytes = edited(json, { start: 0, end: json.length }, edits);
    return { bytes, serial, lineage: current.lineage, md5: md5Of(bytes) };
}

/** The object at a name of an object. Empty if there is none. */
function recordIn(value: unknown, name: string): Values {
    const inner = isRecord(value) ? value[name] : undefined;
    return isRecord(inner) ? inner : {};
}

/** The names of the properties in which two objects differ. */
export const differing = (one: Values, other: Values): string[] =>
    Object.keys({ ...one, ...other }).filter((name) => sortedJson(one[name]) !== sortedJson(other[name]));
