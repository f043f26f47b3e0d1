/**
 * Writes what follows from the definitions: `src/args.ts`, the interfaces that editors show, and `src/functions.ts`, the
 * functions of programs. `--check` only compares.
 */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Definition, frameOutputs } from "../src/core/definition";
import { type Field, type Fields, visibleFields } from "../src/core/field";
import type { FunctionDefinition } from "../src/core/function";
import { formNames } from "../src/core/meaning";
import { definitions } from "../src/services/definitions";
import { functions } from "../src/services/functions";

const note = "Generated from the definitions by `npm run generate`: change them there.";

/** The text of every generated file, by its name in `src`. */
export function generated(): Record<string, string> {
    return { "args.ts": argsSource(), "functions.ts": functionsSource() };
}

/** The text of `src/args.ts` as the definitions have it. */
export function argsSource(): string {
    const heading = `/** Arguments and outputs of every resource, arguments and results of every function. ${note} */`;
    const parts = [
        ...definitions.flatMap(interfaces),
        ...recordInterfaces(Object.values<FunctionDefinition>(functions)),
        ...Object.values<FunctionDefinition>(functions).flatMap(functionInterfaces),
    ];
    const told = [...parts, ...typeMaps()].join("\n\n");
    const imports = [
        'import type * as pulumi from "@pulumi/pulumi";',
        ...(/\bProductName</.test(told) ? ['import type { ProductName } from "./vocabulary";'] : []),
    ];
    return formatted("args.ts", [heading, imports.join("\n"), told].join("\n\n"));
}

/** The types by name, for those who go through all resources and functions. */
function typeMaps(): string[] {
    const resources = definitions.map(({ type }) => `${type}: { args: ${type}Args; outputs: ${type}Outputs };`);
    const called = Object.keys(functions).map(
        (name) => `${name}: { args: ${capitalized(name)}Args; result: ${capitalized(name)}Result };`,
    );
    return [
        `/** Types of every resource, by its name. */\nexport interface ResourceTypes {\n${resources.join("\n")}\n}`,
        `/** Types of every function, by its name. */\nexport interface FunctionTypes {\n${called.join("\n")}\n}`,
    ];
}

function functionsSource(): string {
    const heading = `/** Functions of a program: each plain, with a promise, and as \`…Output\`, for arguments that are outputs. ${note} */`;
    const imports = [
        'import type * as pulumi from "@pulumi/pulumi";',
        'import type * as args from "./args";',
        'import { programHost } from "./program-host";',
        'import { functionOf } from "./pulumi/function-of";',
        'import { functions } from "./services/functions";',
    ].join("\n");
    return formatted(
        "functions.ts",
        [heading, imports, ...Object.values<FunctionDefinition>(functions).map(bothForms)].join("\n\n"),
    );
}

function bothForms({ name, doc }: FunctionDefinition): string {
    const [Args, OutputArgs, Result] = ["Args", "OutputArgs", "Result"].map(
        (suffix) => `args.${capitalized(name)}${suffix}`,
    );
    return [
        `const ${name}Forms = functionOf<${Args}, ${OutputArgs}, ${Result}>(functions.${name}, programHost);`,
        `/** ${doc} */\nexport const ${name}: (args: ${Args}) => Promise<${Result}> = ${name}Forms.plain;`,
        `/** {@link ${name}} for arguments that are outputs. */\nexport const ${name}Output: (args: ${OutputArgs}) => pulumi.Output<pulumi.Unwrap<${Result}>> = ${name}Forms.output;`,
    ].join("\n\n");
}

/** A field as a function's argument: there is no object that another value would replace. */
function lookedUp({ replaces: _, replacesFrom: __, ...field }: Field): Field {
    return field;
}

function functionInterfaces({ name, inputs, outputs }: FunctionDefinition): string[] {
    const type = capitalized(name);
    const plain = visible(inputs).map(([each, field]) => property(each, lookedUp(field), output(field)));
    const lifted = visible(inputs).map(([each, field]) => property(each, lookedUp(field), input(field)));
    const result = Object.entries(outputs).map(([each, { doc, type: told, optional, secret }]) => {
        const shown = secret ? `pulumi.Output<${told}>` : told;
        return `${comment(doc)}\nreadonly ${each}${optional ? "?" : ""}: ${shown}${optional ? " | undefined" : ""};`;
    });
    return [
        `/** Arguments of \`${name}\`. */\nexport interface ${type}Args {\n${plain.join("\n\n")}\n}`,
        `/** Arguments of \`${name}Output\`. */\nexport interface ${type}OutputArgs {\n${lifted.join("\n\n")}\n}`,
        `/** Result of \`${name}\`. */\nexport interface ${type}Result {\n${result.join("\n\n")}\n}`,
    ];
}

/** Types of records inside results, each once. */
function recordInterfaces(all: readonly FunctionDefinition[]): string[] {
    const records = new Map(all.flatMap(({ records = [] }) => records.map((record) => [record.name, record] as const)));
    return [...records.values()].map(({ name, doc, fields }) => {
        const properties = Object.entries(fields).map(
            ([field, { doc: fieldDoc, type, optional }]) =>
                `${comment(fieldDoc)}\nreadonly ${field}${optional ? "?" : ""}: ${type}${optional ? " | undefined" : ""};`,
        );
        return `/** ${doc} */\nexport interface ${name} {\n${properties.join("\n\n")}\n}`;
    });
}

function formatted(name: string, source: string): string {
    const biome = join(__dirname, "..", "node_modules", "@biomejs", "biome", "bin", "biome");
    return execFileSync(process.execPath, [biome, "check", "--write", `--stdin-file-path=src/${name}`], {
        input: source,
        encoding: "utf8",
        stdio: ["pipe", "pipe", "ignore"],
    });
}

function interfaces(definition: Definition): string[] {
    const forms = Object.entries(definition.inputs).flatMap(([name, field]) =>
        variantInterfaces(definition.type, name, field),
    );
    const inputs = visible(definition.inputs);
    const args = inputs.map(([name, field]) => property(name, field, argumentType(definition.type, name, field)));
    const outputs = [
        ...inputs.map(([name, field]) => property(name, field, outputType(definition.type, name, field), "readonly ")),
        ...Object.entries({ ...definition.outputs, ...frameOutputs }).map(
            ([name, { doc, type, optional }]) =>
                `${comment(doc)}\nreadonly ${name}${optional ? "?" : ""}: ${type}${optional ? " | undefined" : ""};`,
        ),
    ];
    return [
        ...forms,
        `/** Arguments of \`${definition.type}\`. */\nexport interface ${definition.type}Args {\n${args.join("\n\n")}\n}`,
        `/** Outputs of \`${definition.type}\`. */\nexport interface ${definition.type}Outputs {\n${outputs.join("\n\n")}\n}`,
    ];
}

function visible(fields: Fields): [string, Field][] {
    return Object.entries(visibleFields(fields));
}

function variantInterfaces(type: string, name: string, field: Field): string[] {
    if (field.variants === undefined) return [];
    const all = Object.entries(field.variants);
    const known = formNames(field.variants);
    const forms = all.filter(([form]) => known.includes(form));
    const names = forms.map(([form]) => formName(type, name, form));
    const both = (suffix: string, typeOf: (field: Field) => string, mark: string) => [
        ...forms.map(([form, { doc, fields }], index) => {
            const told = visible(fields).map(([inner, innerField]) =>
                property(inner, innerField, typeOf(innerField), mark),
            );
            const isNamedTwice = all.some(([other, same]) => other !== form && same === field.variants?.[form]);
            const word = JSON.stringify(form);
            const discriminator = `/** Which form this is. */\n${mark}type: ${word}${isNamedTwice ? ` | ProductName<${word}>` : ""};`;
            return `/** ${doc} */\nexport interface ${names[index]}${suffix} {\n${[discriminator, ...told].join("\n\n")}\n}`;
        }),
        `/** ${field.doc} */\nexport type ${type}${capitalized(name)}${suffix} = ${names.map((each) => each + suffix).join(" | ")};`,
    ];
    return [...both("Args", input, ""), ...both("", output, "readonly ")];
}

function formName(type: string, name: string, form: string): string {
    return `${type}${capitalized(name)}${form.split("-").map(capitalized).join("")}`;
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function property(name: string, field: Field, type: string, mark = ""): string {
    const isRequired = field.required && field.only === undefined;
    const optional = isRequired ? "" : "?";
    return `${comment(docOf(field), field.deprecated)}\n${mark}${name}${optional}: ${type}${isRequired ? "" : " | undefined"};`;
}

function docOf(field: Field): string {
    const always = "A change replaces the object.";
    const documented = "A change replaces the object, deleting it first, where the documents' rules hold.";
    const facts = [
        field.default !== undefined && field.default !== "" && typeof field.default !== "object"
            ? `Default: \`${String(field.default)}\`.`
            : "",
        field.secret === undefined
            ? ""
            : field.secret === true
              ? "Secret."
              : `Secret: ${field.secret.map((name) => `\`${name}\``).join(", ")}.`,
        field.only === undefined ? "" : `Only in the vocabulary \`${field.only}\`.`,
        field.replaces === true ? always : field.replaces === "documented" ? documented : "",
    ];
    return [field.doc, ...facts].filter((fact) => fact !== "").join(" ");
}

function comment(doc: string, deprecated?: string): string {
    return deprecated === undefined ? `/** ${doc} */` : `/**\n * ${doc}\n * @deprecated ${deprecated}\n */`;
}

function argumentType(type: string, name: string, field: Field): string {
    return field.variants ? `pulumi.Input<${type}${capitalized(name)}Args>` : input(field);
}

function outputType(type: string, name: string, field: Field): string {
    return field.variants ? `${type}${capitalized(name)}` : output(field);
}

/** Items of lists and entries of maps may be outputs too. */
function input(field: Field): string {
    const lifted = field.kind.type
        .replace(/Record<string, (string|unknown)>/g, "Record<string, pulumi.Input<$1>>")
        .replace(/(readonly )?\bstring\[\]/g, "pulumi.Input<string>[]")
        .replace(/^(Record<.*>)\[\]$/, "pulumi.Input<$1>[]");
    return `pulumi.Input<${lifted}>`;
}

function output(field: Field): string {
    return (field.kind.keptType ?? field.kind.type).replace(/pulumi\.Input<(\w+)>/g, "$1");
}

if (require.main === module) {
    for (const [name, source] of Object.entries(generated())) {
        const target = join(__dirname, "..", "src", name);
        if (!process.argv.includes("--check")) writeFileSync(target, source);
        else if (readFileSync(target, "utf8") !== source) {
            console.error(`src/${name} is stale: run \`npm run generate\``);
            process.exitCode = 1;
        }
    }
}
