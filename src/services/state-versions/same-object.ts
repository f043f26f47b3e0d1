/**
 * Whether instances of two states are one object of their provider. Terraform destroys an object that a state has under two addresses, unless
 * the configuration has both.
 *
 * | two instances of one type                                 | are                           |
 * | --------------------------------------------------------- | ----------------------------- |
 * | with an `identity` of one schema version (Terraform 1.12) | one object if these are equal |
 * | with an equal `id`, and another `arn`, `self_link`, `urn` | two objects                   |
 * | with an equal `arn`, `self_link`, `urn` or `id`           | one object                    |
 * | without any of these values, and with equal attributes    | one object                    |
 *
 * A value that two instances of one of the states have at once identifies neither: every `random_password` has the id `none`. Providers are
 * not compared, because several may manage one object, such as google and google-beta.
 */

import { isRecord, parsedObject, sortedJson, type Values } from "../../schema/values";
import { digestOf } from "./content";
import type { Instance, Parts } from "./state-parts";

/** Attributes that are unique in more places than `id`. */
const names = ["arn", "self_link", "urn"] as const;
type Name = "identity" | "id" | "attributes" | (typeof names)[number];
/** Values of an instance that may identify its object. */
type Marks = ReadonlyMap<Name, string>;

/** The values, but for the attributes as a whole, because to sort those of all instances takes seconds. */
function marksOf(value: Values): Marks {
    const { identity, identity_schema_version: schema = 0 } = value;
    const attributes = attributesIn(value);
    const marks = new Map<Name, string>();
    if (isRecord(identity)) marks.set("identity", `${sortedJson(schema)} ${sortedJson(identity)}`);
    for (const name of ["id", ...names] as const) {
        const text = attributes[name];
        if ((typeof text === "string" && text !== "") || typeof text === "number") marks.set(name, String(text));
    }
    return marks;
}

function wholeOf(value: Values): Marks {
    const attributes = attributesIn(value);
    return new Map(Object.keys(attributes).length === 0 ? [] : [["attributes", digestOf(sortedJson(attributes))]]);
}

/** States that Terraform 0.11 wrote have flat attributes. */
const attributesIn = ({ attributes, attributes_flat: flat }: Values): Values =>
    [attributes, flat].find((each) => isRecord(each)) ?? {};

/** `proven`: whatever the values mean to the provider. */
export type Verdict = "proven" | "likely" | "two";

/** Finds the objects of instances of an older state in the current one. */
export class SameObjects {
    /** The instances in both states with each value of the wanted instances. */
    private readonly holders = new Map<string, { readonly now: Instance[]; before: number }>();

    /** @param wanted instances of `old` */
    constructor(
        private readonly current: Parts,
        private readonly old: Parts,
        wanted: readonly Instance[],
    ) {
        this.collect(wanted, marksOf);
        const others = wanted.filter((each) => this.identifying(each, marksOf(old.recordOf(each))).length === 0);
        this.collect(others, wholeOf);
    }

    /** The instances of the current state that have a value of a wanted instance, and whether they are its object. */
    of(instance: Instance): readonly { readonly other: Instance; readonly verdict: Verdict }[] {
        const value = this.old.recordOf(instance);
        const marks = new Map([...marksOf(value), ...wholeOf(value)]);
        const others = this.identifying(instance, marks).flatMap(({ holder }) => holder.now);
        return [...new Set(others)].flatMap((other) => {
            const verdict = this.verdictOn(instance, marks, other);
            return verdict === undefined ? [] : [{ other, verdict }];
        });
    }

    private verdictOn(instance: Instance, marks: Marks, other: Instance): Verdict | undefined {
        const value = this.current.recordOf(other);
        const others = new Map([...marksOf(value), ...wholeOf(value)]);
        const isEqual = (name: Name) => marks.has(name) && marks.get(name) === others.get(name);
        const isOther = (name: Name) => marks.has(name) && others.has(name) && !isEqual(name);
        const [schema, otherSchema] = [marks, others].map((each) => each.get("identity")?.split(" ")[0]);
        if (isOther("identity") && schema === otherSchema) return undefined;
        const shared = this.identifying(instance, marks).flatMap(({ name }) => (isEqual(name) ? [name] : []));
        if (shared.includes("identity")) return "proven";
        if (shared.includes("id") && names.some(isOther)) return "two";
        if (shared.length === 0) return undefined;
        return isEqual("id") && names.some(isEqual) ? "proven" : "likely";
    }

    /** The values that at most one instance of each state has. */
    private identifying({ type }: Instance, marks: Marks) {
        return [...marks].flatMap(([name, text]) => {
            const holder = this.holders.get(keyOf(type, name, text));
            return holder === undefined || holder.now.length > 1 || holder.before > 1 ? [] : [{ name, holder }];
        });
    }

    /** Collects the instances of both states that have a value of a wanted instance. */
    private collect(wanted: readonly Instance[], read: (value: Values) => Marks): void {
        const keysOf = ({ type }: Instance, value: Values) =>
            [...read(value)].map(([name, text]) => keyOf(type, name, text));
        /** With rounded numbers: to read every digit of all instances takes too much time and memory. */
        const roughKeysOf = (parts: Parts, each: Instance) => keysOf(each, parsedObject(parts.slice(each)) ?? {});
        const rough = new Set(wanted.flatMap((each) => roughKeysOf(this.old, each)));
        for (const each of wanted) {
            for (const key of keysOf(each, this.old.recordOf(each))) this.holders.set(key, { now: [], before: 0 });
        }
        const types = new Set(wanted.map(({ type }) => type));
        for (const parts of [this.current, this.old]) {
            for (const each of parts.managed) {
                if (!types.has(each.type) || !roughKeysOf(parts, each).some((key) => rough.has(key))) continue;
                for (const key of keysOf(each, parts.recordOf(each))) {
                    const holder = this.holders.get(key);
                    if (parts === this.current) holder?.now.push(each);
                    else if (holder) holder.before++;
                }
            }
        }
    }
}

const keyOf = (type: string, name: Name, text: string) => `${type} ${name} ${text}`;
