/**
 * What the compiler does for a program that uses every class with every output, and every function, beside the same program with classes
 * and functions that are declared by hand, property by property, as generated SDKs declare them. What the compiler counts is the same on
 * every machine.
 */

import { join } from "node:path";
import ts from "typescript";
import { resources as found, lookups } from "../scripts/generate";
import { capitalized } from "../scripts/property-texts";
import { atMost, type Measurement } from "./measurement";

const root = join(__dirname, "..");
const resources = found.map(({ definition: { type } }) => type);
const functions = lookups.map(({ definition: { name } }) => name);

const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
};

/** Compiles files that are not on disk, among those that are. */
function compiled(files: Readonly<Record<string, string>>): ts.Program {
    const host = ts.createCompilerHost(options);
    const { fileExists, readFile, getSourceFile } = host;
    const sources = new Map(Object.entries(files).map(([name, text]) => [join(root, name), text]));
    host.getCurrentDirectory = () => root;
    host.fileExists = (path) => sources.has(path) || fileExists(path);
    host.readFile = (path) => sources.get(path) ?? readFile(path);
    host.getSourceFile = (path, version, ...rest) => {
        const text = sources.get(path);
        return text === undefined ? getSourceFile(path, version, ...rest) : ts.createSourceFile(path, text, version);
    };
    const program = ts.createProgram([...sources.keys()], options, host);
    const [problem] = ts.getPreEmitDiagnostics(program);
    if (problem !== undefined) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, "\n"));
    return program;
}

/** The outputs of each class, as the generated interfaces have them: name, and type as text. */
function outputsOf(): ReadonlyMap<string, readonly (readonly [name: string, type: string])[]> {
    const path = join(root, "dist", "args.d.ts");
    const program = ts.createProgram([path], options);
    const outputs = new Map<string, (readonly [string, string])[]>();
    const file = program.getSourceFile(path);
    file?.forEachChild((node) => {
        if (!ts.isInterfaceDeclaration(node) || !node.name.text.endsWith("Outputs")) return;
        const properties = node.members.filter(ts.isPropertySignature);
        outputs.set(
            node.name.text.replace(/Outputs$/, ""),
            properties.map(({ name, type }) => [name.getText(file), `args.${type?.getText(file) ?? "unknown"}`]),
        );
    });
    return outputs;
}

/** Names of other interfaces stand in the file of arguments; everything else is the language's own. */
const qualified = (type: string, own: ReadonlySet<string>) =>
    type.replace(/^args\./, "").replace(/\b[A-Z]\w+\b/g, (name) => (own.has(name) ? `args.${name}` : name));

/** Every class and function, declared by hand. */
function byHand(outputs: ReturnType<typeof outputsOf>, own: ReadonlySet<string>): string {
    const classes = resources.map((type) => {
        const properties = (outputs.get(type) ?? []).map(
            ([name, text]) => `    readonly ${name}: pulumi.Output<${qualified(text, own)}>;`,
        );
        return `export declare class ${type} extends pulumi.CustomResource {
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ${type};
    static isInstance(value: unknown): value is ${type};
${properties.join("\n")}
    constructor(name: string, args: args.${type}Args, opts?: pulumi.CustomResourceOptions);
}`;
    });
    const calls = functions.map((name) => {
        const types = `args.${capitalized(name)}`;
        return `export declare function ${name}(args: ${types}Args): Promise<${types}Result>;
export declare function ${name}Output(args: ${types}OutputArgs): pulumi.Output<pulumi.Unwrap<${types}Result>>;`;
    });
    const imports = 'import * as pulumi from "@pulumi/pulumi";\nimport type * as args from "./dist/generated/args";';
    return [imports, ...classes, ...calls].join("\n");
}

/** A program that uses everything of a module. */
function user(module: string, outputs: ReturnType<typeof outputsOf>): string {
    const classes = resources.map((type) => {
        const reads = (outputs.get(type) ?? []).map(([name]) => `void resource${type}.${name};`);
        return `declare const args${type}: args.${type}Args;
const resource${type} = new all.${type}("x", args${type});
void all.${type}.get("y", "id").urn;
${reads.join("\n")}`;
    });
    const calls = functions.map((name) => {
        const types = `args.${capitalized(name)}`;
        return `declare const ${name}Args: ${types}Args, ${name}OutputArgs: ${types}OutputArgs;
void all.${name}(${name}Args);
void all.${name}Output(${name}OutputArgs);`;
    });
    return [
        `import type * as args from "./dist/generated/args";\nimport * as all from "${module}";`,
        ...classes,
        ...calls,
    ].join("\n");
}

export async function measure(): Promise<Measurement[]> {
    const outputs = outputsOf();
    const path = join(root, "dist", "args.d.ts");
    const own = new Set(
        [...(ts.sys.readFile(path) ?? "").matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = ""]) => name),
    );
    const ours = compiled({ "program.ts": user("./dist/index", outputs) });
    const hand = compiled({ "program.ts": user("./by-hand", outputs), "by-hand.d.ts": byHand(outputs, own) });
    const ratio = (count: "getInstantiationCount" | "getTypeCount") => ours[count]() / hand[count]();
    return [
        atMost(
            "Types",
            "instantiations, beside classes that are declared by hand",
            ratio("getInstantiationCount"),
            1.15,
        ),
        atMost("Types", "types, beside classes that are declared by hand", ratio("getTypeCount"), 1.15),
    ];
}
