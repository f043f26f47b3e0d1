/** Addresses of modules, resources and instances, as Terraform writes them. */

import { shellWord } from "../../core/steps";
import { parsedJson } from "../../schema/values";

/** A step of an address, with its key in one spelling: `["module", ""]`, `["web", "[0]"]`, `["logs", '["eu"]']`. */
export type Step = readonly [name: string, key: string];

const stepForm = /(?:^|\.)([^\s."[\]]+)(?:\[(\d+|"(?:[^"\\]|\\.)*")\])?/gy;

/** The steps of an address. An empty list for a text of another form. */
export function stepsOf(address: string): Step[] {
    const matches = [...address.matchAll(stepForm)];
    if (matches.map(([text]) => text).join("") !== address) return [];
    return matches.map(([, name = "", key]) => [name, key === undefined ? "" : keyText(keyIn(key))]);
}

/** The value of a key in an address. Terraform escapes `${` and `%{` by another `$` or `%`. */
const keyIn = (key: string) => parsedJson(key.replace(/([$%])\1(?=\{)/g, "$1")) ?? key;

/** The key of an instance as Terraform writes it in addresses. */
export const keyText = (key: unknown) =>
    key === undefined ? "" : `[${JSON.stringify(key).replace(/[$%](?=\{)/g, "$&$&")}]`;

export const withoutKeys = (address: string): string =>
    stepsOf(address)
        .map(([name]) => name)
        .join(".");

/** Spellings of other tools and habits, and Terraform's. */
const otherSpellings: readonly (readonly [RegExp, string])[] = [
    [/^\s+|\s+$/g, ""],
    // A shell removes quotes.
    [/\[(?!\d+\]|\*\]|")['‘’“”]?([^\]"'‘’“”]+)['‘’“”]?\]/g, '["$1"]'],
    [/\[\*\]/g, ""],
    [/\.(\d+)(?=\.|$)/g, "[$1]"],
];

/** The problem of an address that a program names. Of one in another spelling, it names the address in Terraform's. */
export function addressProblem(address: string): string | undefined {
    const problem = kindProblem(stepsOf(address));
    if (problem === undefined) return undefined;
    const spelled = otherSpellings.reduce((text, [from, to]) => text.replace(from, to), address);
    if (kindProblem(stepsOf(spelled)) !== undefined) return problem;
    return `${problem}; perhaps you mean ${spelled}${spelled.includes('"') ? ` (in a shell: ${shellWord(spelled)})` : ""}`;
}

function kindProblem(steps: readonly Step[]): string | undefined {
    const kinds = steps.filter((_, index) => index % 2 === 0).map(([name]) => name);
    if (kinds.includes("data")) return "is a data source, which Terraform reads at each run: leave it out";
    if (kinds.includes("output")) return "is an output, and outputs stay as they are now: leave it out";
    if (steps.length > 0 && steps.length % 2 === 0) return undefined;
    return 'must be the address of a module, a resource or an instance, such as aws_instance.web["a"]';
}

const mostNames = 20;

/** The first of some names, and how many more there are. */
export const shortList = (names: readonly string[]): string =>
    names.slice(0, mostNames).join(", ") + (names.length > mostNames ? ` and ${names.length - mostNames} more` : "");

/** Whether an address names an instance: a step without a key names all instances, and a module all that is below it. */
export const isNamed = (target: readonly Step[], steps: readonly Step[]): boolean =>
    target.every(([name, key], index) => name === steps[index]?.[0] && (key === "" || key === steps[index][1]));

/** The first two steps without keys: an address and an instance that it names have the same. */
const beginning = ([first, second]: readonly Step[]) => `${first?.[0]}.${second?.[0]}`;

/** Some addresses, and which of them name an instance. */
export class Addresses {
    private readonly byBeginning = new Map<string, { readonly address: string; readonly steps: readonly Step[] }[]>();
    /** The addresses that have not named an instance yet. */
    readonly unused: Set<string>;

    constructor(readonly all: readonly string[]) {
        this.unused = new Set(all);
        for (const address of all) {
            const steps = stepsOf(address);
            const others = this.byBeginning.get(beginning(steps)) ?? [];
            this.byBeginning.set(beginning(steps), [...others, { address, steps }]);
        }
    }

    /** The steps of the addresses that name an instance. */
    naming(path: readonly Step[]): readonly (readonly Step[])[] {
        const names = (this.byBeginning.get(beginning(path)) ?? []).filter(({ steps }) => isNamed(steps, path));
        for (const { address } of names) this.unused.delete(address);
        return names.map(({ steps }) => steps);
    }
}
