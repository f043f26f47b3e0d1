/** Programs by chance: arguments in the spellings that the documents allow, together with what each of them means. */

import fc from "fast-check";

/** Properties of any kind. */
export type Props = Readonly<Record<string, unknown>>;

/** A value as a program writes it, and as the service must then hold it. */
export interface Told {
    readonly written: unknown;
    readonly means: unknown;
    /** Texts in it that nobody may ever see. */
    readonly secrets?: readonly string[];
}

/** An argument: its name in the service's document, what leaving it out means, and what programs may write. */
export interface Argument {
    readonly wire: string;
    readonly absent: unknown;
    readonly told: fc.Arbitrary<Told>;
    readonly required?: true;
}

/** What a program declares of an object, beside its name. */
export interface Program {
    readonly args: Props;
    /** By the names of the service's document: what the service must hold. */
    readonly means: Props;
    readonly secrets: readonly string[];
}

/** Chosen arguments. */
export type Chosen = Record<string, Told>;

/** Programs over a table of arguments. `settle` takes out what the document does not allow together. */
export function programs(
    table: Readonly<Record<string, Argument>>,
    settle: (chosen: Chosen) => Chosen = (chosen) => chosen,
): fc.Arbitrary<Program> {
    const tolds = Object.fromEntries(Object.entries(table).map(([name, { told }]) => [name, told]));
    const requiredKeys = Object.keys(table).filter((name) => table[name]?.required);
    return fc.record(tolds, { requiredKeys }).map((some) => {
        const chosen = settle({ ...some } as Chosen);
        const means: Record<string, unknown> = {};
        for (const [name, { wire, absent }] of Object.entries(table))
            means[wire] = chosen[name]?.means ?? means[wire] ?? absent;
        return {
            args: Object.fromEntries(Object.entries(chosen).map(([name, { written }]) => [name, written])),
            means,
            secrets: Object.values(chosen).flatMap(({ secrets = [] }) => secrets),
        };
    });
}

/** Written as it is meant. */
export const plain = (value: unknown): Told => ({ written: value, means: value });

/** One of these, written as it is meant. */
export const oneOf = (...values: readonly unknown[]) => fc.constantFrom(...values.map(plain));

/** A set of names, written in any order and more than once. */
export const nameSet = (...names: readonly string[]) =>
    fc
        .tuple(fc.shuffledSubarray([...names]), fc.boolean())
        .map(([some, twice]) => ({ written: twice ? [...some, ...some.slice(0, 1)] : some, means: [...some].sort() }));

/** The same, or one text separated by commas. */
export const separatedSet = (...names: readonly string[]) =>
    fc.tuple(nameSet(...names), fc.boolean()).map(([{ written, means }, joined]) => ({
        written: joined ? written.join(", ") : written,
        means,
    }));

/** Whole seconds, or text of the same length. */
export const lengthOfTime = (...seconds: readonly number[]) =>
    fc.tuple(fc.constantFrom(...seconds), fc.nat(3)).map(([means, spelling]) => {
        const minutes = `${Math.floor(means / 60)}m${means % 60}s`;
        return { written: [means, String(means), `${means}s`, minutes][spelling], means };
    });

/** A text to be kept secret, of the sort that breaks quoting. */
export const secretText = fc
    .tuple(fc.nat(1), fc.constantFrom("", '"quoted"', "50%20 ünï back\\slash $& $1"))
    .map(([some, tail]) => `planted-secret-${some}${tail}`);

/** An argument that is a secret text. There are few of them, so that a program often keeps the one that it has. */
export const secret = secretText.map((text) => ({ written: text, means: text, secrets: [text] }));
