/**
 * Writes what follows from the definitions: `src/args.ts`, the interfaces that editors show, `src/functions.ts`, the functions of
 * programs, and `schema.json`, the Pulumi package schema. `--check` only compares.
 */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

import type { DefinedFunction } from "../src/core/defined-function";
import { frameOutputs, type Resource } from "../src/core/resource";
import { factsOf } from "../src/schema/facts";
import { definitions as all } from "../src/services/definitions";
import { functions } from "../src/services/functions";
import { serviceObject } from "../src/settings-schema";
import { addInterface, type Interfaces } from "./interfaces";
import { packageSchema } from "./package-schema";
import { capitalized } from "./property-texts";

const root = join(__dirname, "..");
const definitions = all;
const note = "Generated from the definitions by `npm run generate`: change them there.";
const called = Object.values<DefinedFunction>(functions);

/** The text of every generated file, by its path from the repository's root. */
export function generated(): Record<string, string> {
    return {
        "src/args.ts": argsSource(),
        "src/functions.ts": functionsSource(),
        "schema.json": formatted("schema.json", JSON.stringify(packageSchema(definitions, called))),
    };
}

/** The text of `src/args.ts` as the definitions have it. */
export function argsSource(): string {
    const heading = `/** The settings of a service, arguments and outputs of every resource, arguments and results of every function. ${note} */`;
    const into: Interfaces = new Map();
    const { description } = factsOf(serviceObject);
    addInterface(into, "ServiceSettings", description, serviceObject, "state");
    for (const definition of definitions) addResource(into, definition);
    for (const definition of called) addFunction(into, definition);
    const told = [...into.values(), ...typeMaps()].join("\n\n");
    const imports = [
        'import type * as pulumi from "@pulumi/pulumi";',
        ...(/\bProductName</.test(told) ? ['import type { ProductName } from "./vocabulary";'] : []),
    ];
    return formatted("src/args.ts", [heading, imports.join("\n"), told].join("\n\n"));
}

function addResource(into: Interfaces, { type, inputs, outputs }: Resource): void {
    const whole = z.strictObject({ ...inputs.shape, ...outputs.shape, ...frameOutputs.shape });
    addInterface(into, `${type}Args`, `Arguments of \`${type}\`.`, inputs, "args");
    addInterface(into, `${type}Outputs`, `Outputs of \`${type}\`.`, whole, "state");
}

function addFunction(into: Interfaces, { name, inputs, result }: DefinedFunction): void {
    const type = capitalized(name);
    addInterface(into, `${type}Args`, `Arguments of \`${name}\`.`, inputs, "plain");
    addInterface(into, `${type}OutputArgs`, `Arguments of \`${name}Output\`.`, inputs, "args");
    addInterface(into, `${type}Result`, `Result of \`${name}\`.`, result, "result");
}

/** The types by name, for those who go through all resources and functions. */
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
        'import { programHost } from "./program-host";',
        'import { functionOf } from "./pulumi/function-of";',
        'import { programRuntime } from "./runtime/program-runtime";',
        'import { functions } from "./services/functions";',
    ].join("\n");
    return formatted("src/functions.ts", [heading, imports, ...called.map(bothForms)].join("\n\n"));
}

function bothForms({ name, description }: DefinedFunction): string {
    const [Args, OutputArgs, Result] = ["Args", "OutputArgs", "Result"].map(
        (suffix) => `args.${capitalized(name)}${suffix}`,
    );
    return [
        `const ${name}Forms = functionOf<${Args}, ${OutputArgs}, ${Result}>(functions.${name}, programHost);`,
        `/** ${description} */\nexport const ${name}: (args: ${Args}) => Promise<${Result}> = ${name}Forms.plain;`,
        `/** {@link ${name}} for arguments that are outputs. */\nexport const ${name}Output: (args: ${OutputArgs}) => pulumi.Output<pulumi.Unwrap<${Result}>> = ${name}Forms.output;`,
    ].join("\n\n");
}

function formatted(path: string, source: string): string {
    const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
    return execFileSync(process.execPath, [biome, "check", "--write", `--stdin-file-path=${path}`], {
        input: source,
        encoding: "utf8",
        stdio: ["pipe", "pipe", "ignore"],
        maxBuffer: 1 << 26,
    });
}

if (require.main === module) {
    for (const [path, source] of Object.entries(generated())) {
        const target = join(root, path);
        if (!process.argv.includes("--check")) writeFileSync(target, source);
        else if (readFileSync(target, "utf8") !== source) {
            console.error(`${path} is stale: run \`npm run generate\``);
            process.exitCode = 1;
        }
    }
}
