/** Plants canaries in values, and in the programs and calls of `test/resources`: as the secrets themselves, or in variables that the programs name. */

import type { Node } from "../../src/schema/property";
import { canary } from "./canaries";
import { definitionOf, definitions } from "./definitions";
import { factsOf, functionFacts, type Props, programsOf } from "./resource-facts";

/** Replaces every text in a value. A path has the names of members; all items of a list have the name `*`. */
export function withTexts(value: unknown, change: (text: string, path: string) => string, path = ""): unknown {
    if (typeof value === "string") return change(value, path);
    if (Array.isArray(value)) return value.map((item) => withTexts(item, change, `${path}/*`));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([name, inner]) => [name, withTexts(inner, change, `${path}/${name}`)]));
}

/** Returns every text in a value with its path. */
export function textsIn(value: unknown): (readonly [text: string, path: string])[] {
    const found: [string, string][] = [];
    withTexts(value, (...each) => {
        found.push(each);
        return "";
    });
    return found;
}

/** Whether a text has a canary, in any spelling but an encoding of the whole: its first 20 characters are letters and digits. */
export const isIn = (value: string, text: string): boolean => text.includes(value.slice(0, 20));

/** A program of a resource, or the arguments of a function, with canaries in place of the texts with `planted`. */
export interface Planted {
    readonly title: string;
    readonly type: string;
    readonly inputs: Props;
    readonly canaries: Readonly<Record<string, string>>;
}

function plantedIn(type: string, programs: readonly Props[], plant: typeof canary): Planted[] {
    return programs.flatMap((program, index) => {
        const canaries: Record<string, string> = {};
        const planted = (text: string): string => {
            if (!text.includes("planted")) return text;
            // A Terraform state and a key of an account are JSON.
            if (text.startsWith("{")) return JSON.stringify(withTexts(JSON.parse(text), planted));
            canaries[text] = plant(text);
            return canaries[text];
        };
        const inputs = withTexts(program, planted) as Props;
        const title = programs.length > 1 ? `${type}, program ${index + 1}` : type;
        return Object.keys(canaries).length > 0 ? [{ title, type, inputs, canaries }] : [];
    });
}

/** Returns every program with a secret. */
export const plantedPrograms = (plant = canary): Planted[] =>
    definitions.flatMap(({ type }) => plantedIn(type, programsOf(factsOf(type)), plant));

/** Returns the arguments of every function with a secret. */
export const plantedCalls = (plant = canary): Planted[] =>
    Object.entries(functionFacts).flatMap(([name, { args, calls = [args] }]) => plantedIn(name, calls, plant));

/** A program whose secrets come from variables. The canaries are those of the variables. */
export interface Sourced extends Planted {
    /** The program with the secrets instead of their sources. */
    readonly given: Props;
    readonly variables: Readonly<Record<string, string>>;
}

/** Returns the programs with a variable as the source of each secret: none for a resource without such an input. */
export const sourcedPrograms = (plant = canary): Sourced[] =>
    plantedPrograms(plant).flatMap((program, index) => {
        const variables: Record<string, string> = {};
        const source = (secret: unknown) => {
            const variable = `CANARY_${index}_${Object.keys(variables).length}`;
            variables[variable] = typeof secret === "string" ? secret : JSON.stringify(secret);
            return { variable };
        };
        const inputs = withSources(definitionOf(program.type).node, program.inputs, source) as Props;
        const written = JSON.stringify(inputs);
        const outside = Object.entries(program.canaries).filter(([, value]) => !isIn(value, written));
        const canaries = Object.fromEntries(outside);
        return outside.length > 0 ? [{ ...program, inputs, given: program.inputs, canaries, variables }] : [];
    });

/** Replaces each secret that may come from a source. */
function withSources(node: Node, inputs: unknown, source: (secret: unknown) => object): unknown {
    if (typeof inputs !== "object" || inputs === null || node.kind === "leaf" || "item" in node) return inputs;
    const form = node.kind === "object" ? node : node.forms.get(Reflect.get(inputs, node.discriminator));
    const entries = Object.entries(inputs).map(([name, value]) => {
        const [property, from] = [form?.properties.get(name), form?.properties.get(`${name}From`)];
        if (from === undefined) return [name, property ? withSources(property.node, value, source) : value];
        if (from.node.kind !== "map") return [from.name, source(value)];
        return [from.name, Object.fromEntries(Object.entries(Object(value)).map(([key, one]) => [key, source(one)]))];
    });
    return Object.fromEntries(entries);
}
