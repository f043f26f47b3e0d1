/** Writes a program in Python, Go and YAML. */

import { isRecord } from "../src/schema/values";
import { definitionOf } from "./definitions";
import { memberOf } from "./native-words";
import { objectSpec, type Spec, type Types, token } from "./package-types";
import { type Program, Reference, Text } from "./program-model";
import { capitalized } from "./property-texts";

const quoted = (value: unknown) => JSON.stringify(value);
const indented = (text: string, unit: string) => text.replace(/^(?=.)/gm, unit);

/** Items between brackets: on one line if they fit, else each on a line. */
function block(open: string, items: readonly string[], close: string, unit = "    "): string {
    const flat = open + items.join(", ") + close;
    if (flat.length <= 80 && !flat.includes("\n")) return flat;
    return `${open}\n${items.map((item) => `${indented(item, unit)},\n`).join("")}${close}`;
}

/** Whether YAML reads a text as it is, without quotes. */
const isPlain = (text: string) =>
    /^[\w$/][\w$/{}.: -]*$/.test(text) && !/: |:$|^(true|false|null|[\d.e+-]+)$/i.test(text);

function yaml(value: unknown): string {
    if (value instanceof Reference) return `\${${value.property ? `${value.name}.${value.property}` : value.name}}`;
    if (value instanceof Text) return yaml({ "fn::stringAsset": value.text });
    if (Array.isArray(value)) return value.map((item) => `- ${indented(yaml(item), "  ").trim()}`).join("\n");
    if (typeof value === "string" && isPlain(value)) return value;
    // YAML joins the lines of a text between single quotes.
    if (typeof value === "string" && !value.includes("\n")) return `'${value.replaceAll("'", "''")}'`;
    if (!isRecord(value)) return quoted(value);
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    const lines = entries.map(([key, inner]) => {
        const text = yaml(inner);
        const isBlock = /^(- |[\w:]+:( |\n|$))/.test(text) && typeof inner === "object";
        return isBlock ? `${key}:\n${indented(text, "  ")}` : `${key}: ${text}`;
    });
    return lines.join("\n") || "{}";
}

/** An object, or undefined without entries. */
const section = (entries: readonly (readonly [string, unknown])[]) =>
    entries.length === 0 ? undefined : Object.fromEntries(entries);

export function yamlProgram({ secrets, steps, exports }: Program): string {
    return yaml({
        config: section(secrets.map((name) => [name, { type: "string", secret: true }])),
        variables: section(
            steps.flatMap(({ name, of, args, options }) =>
                options ? [] : [[name, { "fn::invoke": { function: `statecraft:${of}`, arguments: args } }]],
            ),
        ),
        resources: section(
            steps.flatMap(({ name, of, args, options }) => {
                const { dependsOn = [], ...others } = options ?? {};
                const more = section(Object.entries(dependsOn.length > 0 ? { dependsOn, ...others } : others));
                return options ? [[name, { type: `statecraft:${of}`, properties: args, options: more }]] : [];
            }),
        ),
        outputs: section(Object.entries(exports)),
    });
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function python(value: unknown): string {
    if (value instanceof Reference) return snake(value.property ? `${value.name}.${value.property}` : value.name);
    if (value instanceof Text) return `pulumi.StringAsset(${quoted(value.text)})`;
    if (Array.isArray(value)) return block("[", value.map(python), "]");
    if (!isRecord(value)) return typeof value === "boolean" ? capitalized(String(value)) : quoted(value);
    // Pulumi does not rename the keys of an object whose type is one of several.
    const entries = Object.entries(value).map(([key, inner]) => `${quoted(key)}: ${python(inner)}`);
    return block("{", entries, "}");
}

export function pythonProgram({ secrets, steps, exports }: Program): string {
    const lines = [
        ...(secrets.length > 0 ? ["config = pulumi.Config()"] : []),
        ...secrets.map((name) => `${snake(name)} = config.require_secret(${quoted(name)})`),
        ...steps.map(({ name, of, args, options }) => {
            const given = Object.entries(args).map(([key, value]) => `${snake(key)}=${python(value)}`);
            if (options === undefined) return block(`${snake(name)} = statecraft.${snake(of)}_output(`, given, ")");
            const { dependsOn = [], protect } = options;
            const after = dependsOn.length > 0 ? [`depends_on=${python(dependsOn)}`] : [];
            const set = [...after, ...(protect ? ["protect=True"] : [])].join(", ");
            const opts = set && [`opts=pulumi.ResourceOptions(${set})`];
            return block(`${snake(name)} = statecraft.${of}(`, [quoted(name), ...given, ...opts], ")");
        }),
        ...Object.entries(exports).map(([name, value]) => `pulumi.export(${quoted(name)}, ${python(value)})`),
    ].join("\n");
    return `${lines.includes("pulumi.") ? "import pulumi\n" : ""}import pulumi_statecraft as statecraft\n\n${lines}`;
}

const kinds: Readonly<Record<string, string>> = {
    string: "String",
    integer: "Int",
    number: "Float64",
    boolean: "Bool",
};
const types: Types = {};
const specAt = (spec: unknown, name: string): Spec => Object(Object(spec)[name]);
const typeOf = (spec: Spec) => types[String(spec["$ref"]).slice("#/types/".length)];
const nameOf = (spec: Spec) => String(spec["$ref"]).slice(`#/types/${token("")}`.length);

/** The name of a type in Pulumi's SDK for Go, such as `StringMapArray`. Any value has none. */
function goName(spec: Spec): string {
    if (spec["type"] === "array") return `${goName(specAt(spec, "items"))}Array`;
    if (spec["type"] === "object") return `${goName(specAt(spec, "additionalProperties"))}Map`;
    return kinds[String(spec["type"])] ?? "";
}

function go(value: unknown, spec: Spec = {}): string {
    if (value instanceof Reference) {
        const { name, property = "", isResult } = value;
        if (property === "id" && !isResult) return `${name}.ID()`;
        return property === "" ? name : `${name}.${capitalized(property)}${isResult ? "()" : ""}`;
    }
    if (value instanceof Text) return `pulumi.NewStringAsset(${quoted(value.text)})`;
    if (Array.isArray(value)) {
        const items = specAt(spec, "items");
        const open = typeOf(items) ? `statecraft.${nameOf(items)}Array{` : `pulumi.${goName(spec)}{`;
        return block(
            open,
            value.map((item) => go(item, items)),
            "}",
            "\t",
        );
    }
    if (isRecord(value)) {
        const forms = [spec["oneOf"] ?? spec].flat().map((one) => Object(one));
        const form = specAt(specAt(spec, "discriminator"), "mapping")[String(value["type"])];
        const object = form ? { $ref: form } : forms.find(typeOf);
        if (object) return goArgs(`&statecraft.${nameOf(object)}Args`, value, typeOf(object)?.["properties"]);
        const inner = specAt(spec, "additionalProperties");
        return block(
            `pulumi.${goName(spec)}{`,
            Object.entries(value).map(([key, one]) => `${quoted(key)}: ${go(one, inner)}`),
            "}",
            "\t",
        );
    }
    if (typeOf(spec)) return `statecraft.${nameOf(spec)}${memberOf(String(value))}`;
    return `pulumi.${kinds[String(spec["type"])] ?? "Any"}(${quoted(value)})`;
}

/** The arguments of a resource, of a function or of an object inside. Lines in a row are aligned, as by `gofmt`. */
function goArgs(open: string, values: Readonly<Record<string, unknown>>, properties: unknown): string {
    const entries = Object.entries(values).map(
        ([key, value]) => [`${capitalized(key)}:`, go(value, specAt(properties, key))] as const,
    );
    const isLine = (index: number) => entries[index]?.[1].includes("\n") === false;
    const lines = entries.map(([key, value], index) => {
        let [from, to] = [index, index];
        while (isLine(index) && isLine(from - 1)) from--;
        while (isLine(index) && isLine(to + 1)) to++;
        const width = Math.max(...entries.slice(from, to + 1).map(([{ length }]) => length));
        return `\t${key.padEnd(width)} ${indented(value, "\t").trimStart()},\n`;
    });
    return lines.length === 0 ? `${open}{}` : `${open}{\n${lines.join("")}}`;
}

function goStep({ name, of, args, options }: Program["steps"][number], isUsed: boolean, isFirst: boolean): string {
    const inputs = definitionOf(of)?.inputs;
    const properties = inputs && objectSpec(types, capitalized(of), inputs, "args")["properties"];
    if (options === undefined) {
        // The function that reads a resource has a name of its own in Go.
        const called = definitionOf(of.slice(3)) ? of.replace("get", "Lookup") : capitalized(of);
        return `${name} := ${goArgs(`statecraft.${called}Output(ctx, statecraft.${called}OutputArgs`, args, properties)}, nil)`;
    }
    const after = options.dependsOn ?? [];
    const settings = [
        ...(after.length > 0 ? [`pulumi.DependsOn([]pulumi.Resource{${after.map((one) => go(one)).join(", ")}})`] : []),
        ...(options.protect ? ["pulumi.Protect(true)"] : []),
    ];
    const made = goArgs(`statecraft.New${of}(ctx, ${quoted(name)}, &statecraft.${of}Args`, args, properties);
    const left = isUsed ? `${name}, err :=` : `_, err ${isFirst ? ":" : ""}=`;
    return `${left} ${[made, ...settings].join(", ")})\nif err != nil {\n\treturn err\n}`;
}

export function goProgram({ secrets, steps, exports }: Program): string {
    const used = JSON.stringify([steps.map(({ args, options }) => [args, options]), exports]);
    const first = steps.find(({ options }) => options);
    const body = [
        ...(secrets.length > 0 ? ['cfg := config.New(ctx, "")'] : []),
        ...secrets.map((name) => `${name} := cfg.RequireSecret(${quoted(name)})`),
        ...steps.map((step) => goStep(step, used.includes(`"name":${quoted(step.name)},"isResult"`), step === first)),
        ...Object.entries(exports).map(([name, value]) => `ctx.Export(${quoted(name)}, ${go(value)})`),
        "return nil",
    ].join("\n");
    const sdk = "github.com/pulumi/pulumi/sdk/v3/go/pulumi";
    const imports = ["pulumi-statecraft/go/statecraft", "", sdk, ...(secrets.length > 0 ? [`${sdk}/config`] : [])];
    const run = `pulumi.Run(func(ctx *pulumi.Context) error {\n${indented(body, "\t")}\n})`;
    return `package main\n\nimport (\n${imports.map((path) => (path ? `\t"${path}"\n` : "\n")).join("")})\n\nfunc main() {\n${indented(run, "\t")}\n}`;
}
