/** Writes `src/args.ts`: the argument and output interfaces that editors show, from the definitions. `--check` only compares. */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Definition, frameOutputs } from "../src/core/definition";
import type { Field, Fields } from "../src/core/field";
import { definitions } from "../src/services/definitions";

const target = join(__dirname, "..", "src", "args.ts");

/** The text of `src/args.ts` as the definitions have it. */
export function argsSource(): string {
    const source = [
        "/** Arguments and outputs of every resource. Generated from the definitions by `npm run generate`: change them there. */",
        'import type * as pulumi from "@pulumi/pulumi";',
        ...definitions.flatMap(interfaces),
    ].join("\n\n");
    const biome = join(__dirname, "..", "node_modules", "@biomejs", "biome", "bin", "biome");
    const format = ["check", "--write", "--stdin-file-path=src/args.ts"];
    return execFileSync(process.execPath, [biome, ...format], {
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
    return Object.entries(fields).filter(([, field]) => !field.hidden);
}

function variantInterfaces(type: string, name: string, field: Field): string[] {
    if (field.variants === undefined) return [];
    const forms = Object.entries(field.variants);
    const names = forms.map(([form]) => formName(type, name, form));
    const both = (suffix: string, typeOf: (field: Field) => string, mark: string) => [
        ...forms.map(([form, { doc, fields }], index) => {
            const told = visible(fields).map(([inner, innerField]) =>
                property(inner, innerField, typeOf(innerField), mark),
            );
            const discriminator = `/** Which form this is. */\n${mark}type: ${JSON.stringify(form)};`;
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
    const optional = field.required ? "" : "?";
    return `${comment(docOf(field), field.deprecated)}\n${mark}${name}${optional}: ${type}${field.required ? "" : " | undefined"};`;
}

function docOf(field: Field): string {
    const always = "A change replaces the object.";
    const documented = "A change replaces the object, deleting it first, where the documents' rules hold.";
    const facts = [
        field.default !== undefined && field.default !== "" && !Array.isArray(field.default)
            ? `Default: \`${String(field.default)}\`.`
            : "",
        field.secret ? "Secret." : "",
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
    return field.kind.type.replace(/pulumi\.Input<(\w+)>/g, "$1");
}

if (require.main === module) {
    const source = argsSource();
    if (!process.argv.includes("--check")) writeFileSync(target, source);
    else if (readFileSync(target, "utf8") !== source) {
        console.error("src/args.ts is stale: run `npm run generate`");
        process.exitCode = 1;
    }
}
