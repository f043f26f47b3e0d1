/** The examples of a resource or a function in each language, for pages and the package schema. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { AnyFunction } from "../src/core/functions";
import type { AnyResource } from "../src/core/resource";
import { factsOrNone } from "../src/schema/property";
import { factsOf, functionFacts } from "../test/support/resource-facts";
import { definitionOf, nameOf } from "./definitions";
import { goProgram, pythonProgram, yamlProgram } from "./program-languages";
import { programOf } from "./program-model";
import { publicProperties } from "./property-texts";

const root = join(__dirname, "..");

/** `CsiVolume` becomes `csi-volume`. */
export function kebabCase(name: string): string {
    return name.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/** An example in one language. */
export interface ProgramText {
    readonly language: string;
    /** The tag of a block of code. */
    readonly tag: string;
    readonly text: string;
}

/** How files in each language end, and how programs are written. Pages show the languages in this order. */
const languages = [
    { language: "Python", tag: "python", ending: "py", write: pythonProgram },
    { language: "Go", tag: "go", ending: "go", write: goProgram },
    { language: "YAML", tag: "yaml", ending: "yaml", write: yamlProgram },
];

/** A program in all languages but TypeScript, from that in TypeScript. */
export const translations = (source: string) => {
    const program = programOf(source, shownProperty);
    return languages.map(({ write, ...language }) => ({ ...language, text: write(program) }));
};

/** The first property of a function's result that is no argument. */
function shownProperty(name: string): string {
    const lookup = definitionOf(name);
    if (lookup === undefined || !("result" in lookup)) return "";
    return Object.keys(lookup.result.shape).find((property) => !(property in lookup.inputs.shape)) ?? "";
}

/** The example in all languages, TypeScript first. `from` is the module that TypeScript imports. */
export function programTexts(
    definition: AnyResource | AnyFunction,
    from: "pulumi-statecraft" | "pulumi-statecraft/native" = "pulumi-statecraft",
): readonly ProgramText[] {
    const source = sourceOf(definition);
    const text = source.replace('"pulumi-statecraft"', JSON.stringify(from));
    return [{ language: "TypeScript", tag: "ts", text }, ...translations(source)];
}

/** The example in TypeScript: a file of a resource, or the call of a function. */
function sourceOf(definition: AnyResource | AnyFunction): string {
    if ("invoke" in definition) return sampleCall(definition);
    return readFileSync(join(root, "examples", `${kebabCase(definition.type)}.ts`), "utf8").trim();
}

/** The programs in languages other than TypeScript, by their paths. */
export function translatedPrograms(definitions: readonly (AnyResource | AnyFunction)[]): Record<string, string> {
    const every = readFileSync(join(root, "test/languages/every-resource.ts"), "utf8");
    const examples = definitions.flatMap((definition) =>
        translations(sourceOf(definition)).map(({ tag, ending, text }) => [
            `examples/${tag}/${kebabCase(nameOf(definition))}.${ending}`,
            `${text}\n`,
        ]),
    );
    const tests = translations(every).map(({ ending, text }) => [
        `test/languages/every-resource.${ending}`,
        `${text}\n`,
    ]);
    return Object.fromEntries([...examples, ...tests]);
}

/** The command that imports an object. */
export function importCommand({ type }: AnyResource): string {
    return `pulumi import statecraft:index:${type} example ${factsOf(type).id}`;
}

const samples: Readonly<Record<string, string>> = {
    name: '"web"',
    volumeId: '"data"',
    id: '"sv-3"',
    stateVersionId: '"sv-3"',
    workspaceId: '"ws-1"',
    organization: '"example"',
    workspaceName: '"app"',
};

/** The arguments of a function whose alternatives consist of more than one argument, or that needs more than its required ones. */
const pairs: Readonly<Record<string, Record<string, string>>> = {
    getWorkspace: { organization: '"example"', name: '"app"' },
    login: {
        ...{ role: '"web"', jwt: 'config.requireSecret("jwt")', vmName: '"web-1"', resourceGroupName: '"prod"' },
        subscriptionId: '"11111111-2222-4333-8444-555555555555"',
    },
};

/** The arguments of a short call, as code: the required ones, or the first of several alternatives. */
export function sampleArguments({ name: lookup, inputs }: AnyFunction): Record<string, string> {
    if (pairs[lookup]) return pairs[lookup];
    const properties = publicProperties(inputs);
    const needed = properties.filter(([, type]) => !(type instanceof z.ZodOptional));
    const hasRules = (factsOrNone(inputs)?.rules ?? []).length > 0;
    const first = hasRules ? properties.filter(([name]) => samples[name] !== undefined) : [];
    const given = needed.length > 0 ? needed : first.slice(0, 1);
    return Object.fromEntries(
        given.map(([name]) => [name, samples[name] ?? JSON.stringify(functionFacts[lookup]?.args[name] ?? "…")]),
    );
}

function sampleCall(lookup: AnyFunction): string {
    const args = Object.entries(sampleArguments(lookup)).map(([name, value]) => `${name}: ${value}`);
    const needsConfig = args.some((arg) => arg.includes("config."));
    const imports = [
        ...(needsConfig ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
        'import * as statecraft from "pulumi-statecraft";',
    ].join("\n");
    const config = needsConfig ? "const config = new pulumi.Config();\n\n" : "";
    const flat = `{${args.length === 0 ? "" : ` ${args.join(", ")} `}}`;
    const whole = flat.length < 80 ? flat : `{\n${args.map((arg) => `    ${arg},\n`).join("")}}`;
    return `${imports}\n\n${config}export const found = statecraft.${lookup.name}Output(${whole});`;
}
