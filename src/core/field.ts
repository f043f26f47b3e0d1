/** Fields: a kind of value plus every fact about its use, in one place. The frame derives check, diff, secrets and the argument types from them. */

import type { Kind } from "./kind";
import type { Vocabulary } from "./session";

/** What the settings say of objects that name nothing else. */
export interface Defaults {
    readonly vocabulary: Vocabulary;
    /** The namespace of the settings, if they name one. */
    readonly namespace: string | undefined;
}

/** The facts about a field. */
export interface Marks<Value> {
    /** What it is, for editors and pages: units, and the document's words. */
    readonly doc: string;
    /** Must be given. */
    readonly required?: true;
    /** What a left-out field means. Every optional field of the service has one. */
    readonly default?: Value;
    /** A left-out field means the value of this sibling. */
    readonly defaultFrom?: string;
    /** A left-out field means what this makes of its siblings as they were written. */
    readonly defaultBy?: (written: Props) => unknown;
    /** Never shown: sealed wherever it is returned to the engine, and never part of a message. All of it, or these properties. */
    readonly secret?: true | readonly string[];
    /** A change replaces the object: always, or only where the documents' rules hold. */
    readonly replaces?: true | "documented";
    /** A change replaces the object where this says so of the two meanings. */
    readonly replacesFrom?: (old: unknown, now: unknown) => boolean;
    /** Steers statecraft and is never sent: a change of it is stored, nothing else. */
    readonly option?: true;
    /** Kept for the frame's own use: neither an argument nor a difference. */
    readonly hidden?: true;
    /**
     * Stored at create: left out afterwards, it means the stored value. A function says what the settings make of it where a new object's
     * program leaves it out.
     */
    readonly settled?: true | ((settings: Defaults) => unknown);
    /** This is the former spelling of another field, which is the one that is sent. */
    readonly oldSpellingOf?: string;
    /** Why not to use it any more, and what to use instead. */
    readonly deprecated?: string;
    /** Its name on the wire. Fields without one are not part of the object's body. */
    readonly wire?: string | undefined;
    /** The document does not show it in answers: that an answer lacks it says nothing. */
    readonly untold?: boolean;
    /** Sent only where given, and left alone where not: the service has no default to send. */
    readonly sparse?: true;
    /** Known in this vocabulary alone; refused in the other. */
    readonly only?: Vocabulary;
    /** Facts that are others in the vocabulary `product`. `wire: undefined`: it is not part of the body there. */
    readonly product?: Partial<Omit<Marks<Value>, "product" | "only">> & { readonly kind?: Kind<Value> };
}

/** A field of a resource. */
export interface Field<Value = unknown> extends Marks<Value> {
    readonly kind: Kind<Value>;
    /** Where the value is an object of one of several forms, told apart by its property `type`. */
    readonly variants?: Readonly<Record<string, Variant>>;
}

/** One form of an object that has several. */
export interface Variant {
    readonly doc: string;
    readonly fields: Fields;
    readonly rules?: readonly Rule[];
}

/** The form of that name. A name that every object has is none. */
export function formOf(forms: Readonly<Record<string, Variant>>, type: unknown): Variant | undefined {
    return typeof type === "string" && Object.hasOwn(forms, type) ? forms[type] : undefined;
}

/** Fields by the names that programs use. */
// biome-ignore lint/suspicious/noExplicitAny: a kind's value is invariant; the frame reads values as unknown and parses them.
export type Fields = Readonly<Record<string, Field<any>>>;

/** Plain data as it crosses the boundary to the engine. */
export type Props = Readonly<Record<string, unknown>>;

/** A rule over several fields. It is asked only when all of them are known and each is right by itself. */
export interface Rule {
    readonly uses: readonly string[];
    /** Holds in this vocabulary alone. */
    readonly only?: Vocabulary;
    /** A failure stops the deployment; a warning is shown and nothing else. */
    readonly severity?: "failure" | "warning";
    /** What is wrong, beginning with the property's name, or `undefined`. `olds` are the inputs of the last deployment. */
    readonly test: (inputs: Props, olds: Props | undefined) => string | undefined;
}

/** The fields that programs see: all but those of the frame's own. */
export function visibleFields(fields: Fields): Fields {
    return Object.fromEntries(Object.entries(fields).filter(([, each]) => !each.hidden));
}

/** Outputs that are not inputs. */
export function outputsOnly(fields: Fields, state: Props): Props {
    return Object.fromEntries(Object.entries(state).filter(([name]) => !Object.hasOwn(fields, name)));
}

/** Makes a field. */
export function field<Value, const M extends Marks<Value>>(
    kind: Kind<Value>,
    marks: M,
): M & { readonly kind: Kind<Value> } {
    return { ...marks, kind };
}

type ValueOf<F> = F extends { readonly kind: Kind<infer Value> } ? Value : never;
type RequiredKeys<F extends Fields> = { [K in keyof F]: F[K] extends { readonly required: true } ? K : never }[keyof F];

/** What a checked set of inputs looks like inside a resource's own file. */
export type InputsOf<F extends Fields> = { readonly [K in RequiredKeys<F>]: ValueOf<F[K]> } & {
    readonly [K in Exclude<keyof F, RequiredKeys<F>>]?: ValueOf<F[K]> | undefined;
};
