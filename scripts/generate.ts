/**
 * Generates files from the definitions in `src/services`.
 *
 * | file                                | what it holds                                          |
 * | ----------------------------------- | ------------------------------------------------------ |
 * | `src/generated/args.ts`             | the interfaces that editors show                       |
 * | `src/generated/class-facts.ts`      | inputs and outputs of each resource class              |
 * | `src/generated/resources.ts`        | the classes of programs                                |
 * | `src/generated/native-resources.ts` | the classes of programs that use the native plugin     |
 * | `src/generated/native-words.ts`     | allowed values of arguments as constants               |
 * | `src/generated/functions.ts`        | the functions of programs                              |
 * | `src/generated/registry.ts`         | every resource and function by its name, loaded on use |
 * | `schema.json`                       | the Pulumi package schema                              |
 */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";

import type { AnyFunction } from "../src/core/functions";
import { type AnyResource, sharedOutputs } from "../src/core/resource";
import type { ClassFacts } from "../src/pulumi/resource-class";
import { check } from "../src/schema/check";
import { Declared } from "../src/schema/declared";
import { asType, factsOf, objectNode } from "../src/schema/property";
import { serviceSettings } from "../src/settings/settings-schema";
import { type Found, lookups, resources } from "./definitions";
import { addInterface, type Interfaces } from "./interfaces";
import { wordsSource } from "./native-words";
import { packageSchema } from "./package-schema";
import { inProductWords } from "./product-words";
import { capitalized } from "./property-texts";

const root = join(__dirname, "..");
const note = "Generated from the definitions by `npm run generate`: change them there.";

const definitions = resources.map(({ definition }) => definition);
const called = lookups.map(({ definition }) => definition);

/** The text of every generated file, by its path from the repository's root. */
export function generated(): Record<string, string> {
    const schema = packageSchema(definitions, called);
    return formatted({
        "src/generated/args.ts": argsSource(),
        "src/generated/class-facts.ts": classFactsSource(),
        "src/generated/resources.ts": resourcesSource("dynamicClass", "../pulumi/dynamic-class"),
        "src/generated/native-resources.ts": resourcesSource("nativeClass", "../pulumi/native-class"),
        "src/generated/native-words.ts": wordsSource(schema, note),
        "src/generated/functions.ts": functionsSource(),
        "src/generated/registry.ts": registrySource(),
        "schema.json": JSON.stringify(schema),
    });
}

function registrySource(): string {
    const loaderOf = (name: string, { file, constant }: Pick<Found<unknown>, "file" | "constant">) =>
        `${name}: () => require("../services/${file}").${constant},`;
    const source = [
        `/**\n * Every resource and function by its name. Each is loaded on its first use: a process needs only those of its program.\n * ${note}\n */`,
        'import type { AnyFunction } from "../core/functions";\nimport type { AnyResource } from "../core/resource";',
        `const resources: Readonly<Record<string, () => AnyResource>> = {\n${resources.map((each) => loaderOf(each.definition.type, each)).join("\n")}\n};`,
        `const functions: Readonly<Record<string, () => AnyFunction>> = {\n${lookups.map((each) => loaderOf(each.definition.name, each)).join("\n")}\n};`,
        "/** Loads the resource of this type, if there is one. */\nexport function loadResource(type: string): AnyResource | undefined {\nreturn Object.hasOwn(resources, type) ? resources[type]?.() : undefined;\n}",
        "/** Loads the function of this name, if there is one. */\nexport function loadFunction(name: string): AnyFunction | undefined {\nreturn Object.hasOwn(functions, name) ? functions[name]?.() : undefined;\n}",
        "/** Loads every resource. */\nexport const allResources = (): AnyResource[] => Object.values(resources).map((load) => load());",
        "/** Loads every function. */\nexport const allFunctions = (): AnyFunction[] => Object.values(functions).map((load) => load());",
    ];
    return source.join("\n\n");
}

function classFactsSource(): string {
    const facts = Object.fromEntries(definitions.map((definition) => [definition.type, factsOfClass(definition)]));
    const source = [
        `/** Facts about the resources for the classes of programs. ${note} */`,
        'import type { ClassFacts } from "../pulumi/resource-class";',
        `/** By the types of resources. */\nexport const classFacts = ${JSON.stringify(facts)} satisfies Record<string, ClassFacts>;`,
    ];
    return source.join("\n\n");
}

/** The facts that a resource class needs. */
export function factsOfClass(definition: AnyResource): ClassFacts {
    const { type } = definition;
    const { properties, secrets } = definition.node;
    const outputs = Object.entries({ ...definition.outputs.shape, ...sharedOutputs.shape }).map(([name, schema]) => ({
        name,
        facts: factsOf(asType(schema)),
    }));
    const all = [...properties.values(), ...outputs].filter(({ facts }) => !facts.internal);
    const names = [...new Set(all.map(({ name }) => name))];
    const isOptional = (name: string) => {
        const input = properties.get(name);
        return input !== undefined && !input.required && !(input.facts.chosen && input.facts.default === undefined);
    };
    return {
        type,
        declared: names.filter((name) => !isOptional(name)),
        optional: names.filter(isOptional),
        secrets,
    };
}

function resourcesSource(base: string, from: string): string {
    const names = definitions.flatMap(({ type }) => [`${type}Args`, `${type}Properties`]);
    const imports = [
        'import type * as pulumi from "@pulumi/pulumi";',
        `import type { ${names.join(", ")} } from "./args";`,
        'import { classFacts } from "./class-facts";',
        `import { ${base} } from "${from}";`,
    ];
    // Not a subclass: Pulumi records the caller of the outermost constructor as the source position of the resource.
    const classes = definitions.map(({ type, description, identity }) =>
        [
            `/** ${description} Id: \`${identity.form}\`. */`,
            `export const ${type} = ${base}<${type}Args, ${type}>(classFacts.${type});`,
            `/** A resource of the class \`${type}\`. */`,
            `export interface ${type} extends pulumi.CustomResource, ${type}Properties {}`,
        ].join("\n"),
    );
    const heading = `/** The classes of programs, one for each resource. ${note} */`;
    return [heading, imports.join("\n"), ...classes].join("\n\n");
}

/** The text of `src/generated/args.ts`. */
export function argsSource(): string {
    const heading = `/** The settings of a service, arguments and outputs of every resource, arguments and results of every function. ${note} */`;
    const into: Interfaces = new Map();
    const { description } = factsOf(serviceSettings);
    addInterface(into, "ServiceSettings", description, serviceSettings, "state");
    for (const definition of definitions) addResource(into, definition);
    for (const definition of called) addFunction(into, definition);
    const interfaces = [...into.values(), ...typeMaps()].join("\n\n");
    return [heading, 'import type * as pulumi from "@pulumi/pulumi";', interfaces].join("\n\n");
}

function addResource(into: Interfaces, { type, inputs, outputs }: AnyResource): void {
    const whole = z.strictObject({ ...inputs.shape, ...outputs.shape, ...sharedOutputs.shape });
    addInterface(into, `${type}Args`, `Arguments of \`${type}\`.`, inputs, "args");
    const formOf = (property: string) => (property in inputs.shape ? "state" : "output");
    addInterface(into, `${type}Outputs`, `Outputs of \`${type}\`.`, whole, formOf);
    const doc = `The outputs of \`${type}\`, as programs read them.`;
    addInterface(into, `${type}Properties`, doc, whole, formOf, { isResource: true });
}

function addFunction(into: Interfaces, { name, inputs, result }: AnyFunction): void {
    const type = capitalized(name);
    addInterface(into, `${type}Args`, `Arguments of \`${name}\`.`, inputs, "plain");
    addInterface(into, `${type}OutputArgs`, `Arguments of \`${name}Output\`.`, inputs, "args");
    addInterface(into, `${type}Result`, `Result of \`${name}\`.`, result, "result");
}

/** Types by resource or function name, for generic code. */
function typeMaps(): string[] {
    const resources = definitions.map(({ type }) => `${type}: { args: ${type}Args; outputs: ${type}Outputs };`);
    const all = called.map(
        ({ name }) => `${name}: { args: ${capitalized(name)}Args; result: ${capitalized(name)}Result };`,
    );
    return [
        `/** Types of every resource, by its name. */\nexport interface ResourceTypes {\n${resources.join("\n")}\n}`,
        `/** Types of every function, by its name. */\nexport interface FunctionTypes {\n${all.join("\n")}\n}`,
    ];
}

function functionsSource(): string {
    const heading = `/** Functions of a program: each plain, with a promise, and as \`…Output\`, for arguments that are outputs. ${note} */`;
    const imports = [
        'import type * as pulumi from "@pulumi/pulumi";',
        'import type * as args from "./args";',
        'import { functionOf } from "../pulumi/function-of";',
        'import type { FunctionOptions, OutputOptions } from "../pulumi/function-of";',
        'import type * as ProgramRuntime from "../runtime/program-runtime";',
        'import type { Values } from "../schema/values";',
    ].join("\n");
    const calling = [
        "/** Loads the services and their client at the first call: declaring resources needs none of them. */",
        "const calling = (name: string) => async (args: Values, provider?: pulumi.ProviderResource) =>",
        '    (require("../runtime/program-runtime") as typeof ProgramRuntime).callFunction(name, args, provider);',
    ].join("\n");
    return [
        heading,
        imports,
        'export type { FunctionOptions, OutputOptions } from "../pulumi/function-of";',
        calling,
        ...called.map(bothForms),
    ].join("\n\n");
}

function bothForms({ name, description, inputs }: AnyFunction): string {
    const [Args, OutputArgs, Result] = ["Args", "OutputArgs", "Result"].map(
        (suffix) => `args.${capitalized(name)}${suffix}`,
    );
    const needsNone = check(new Declared(objectNode(inputs), {})).failures.length === 0;
    const given = needsNone ? "args?" : "args";
    return [
        `const ${name}Forms = functionOf<${Args}, ${OutputArgs}, ${Result}>(calling("${name}"));`,
        `/** ${description} */\nexport const ${name}: (${given}: ${Args}, opts?: FunctionOptions) => Promise<${Result}> = ${name}Forms.plain;`,
        `/** {@link ${name}} for arguments that are outputs. */\nexport const ${name}Output: (${given}: ${OutputArgs}, opts?: OutputOptions) => pulumi.Output<pulumi.Unwrap<${Result}>> = ${name}Forms.output;`,
    ].join("\n\n");
}

/** Formats all files in one process, because the formatter takes longer to start than to format. */
function formatted(sources: Readonly<Record<string, string>>): Record<string, string> {
    const folder = mkdtempSync(join(tmpdir(), "statecraft-generated-"));
    try {
        for (const [path, source] of Object.entries(sources)) {
            mkdirSync(dirname(join(folder, path)), { recursive: true });
            // Types and the schema list the documents' words behind those of the products.
            writeFileSync(
                join(folder, path),
                source.replace(/\/\*\*[\s\S]*?\*\/|"description":\s*"(?:[^"\\]|\\.)*"/g, inProductWords),
            );
        }
        cpSync(join(root, "biome.json"), join(folder, "biome.json"));
        const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
        execFileSync(process.execPath, [biome, "check", "--write", "."], { cwd: folder, stdio: "ignore" });
        return Object.fromEntries(Object.keys(sources).map((path) => [path, readFileSync(join(folder, path), "utf8")]));
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

if (require.main === module)
    for (const [path, source] of Object.entries(generated())) writeFileSync(join(root, path), source);
