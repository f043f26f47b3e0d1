/**
 * Writes what follows from the definitions, the examples and the facts in `test/resources`: the reference pages in `docs/reference`,
 * the index `docs/README.md`, `docs/coverage.md`, the resources and functions in the README, and the requests in `docs/performance.md`.
 * `--check` only compares.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as z from "zod";

import type { AnyFunction } from "../src/core/functions";
import { type AnyResource, sharedOutputs } from "../src/core/resource";
import { asType, type Facts, factsOf, factsOrNone, required, wordsOf } from "../src/schema/property";
import { allFunctions, allResources } from "../src/services/registry";
import { type Endpoint, prefixes, type Ways } from "../test/support/endpoints";
import { endpoints, resourceFacts, sendsOf } from "../test/support/resource-facts";
import { typeOf } from "./interfaces";
import { importCommand, kebabCase, type ProgramText, programTexts } from "./program-texts";
import { defaultTextOf, type Form, isAlwaysThere, isTold } from "./property-texts";

const root = join(__dirname, "..");
const definitions = allResources();
const lookups = allFunctions();
const note = "<!-- Generated from the definitions by `npm run docs`: change them there. -->";

/** The text of every generated file, by its path from the repository's root. */
export function pages(): Record<string, string> {
    const reference = (name: string, text: string) => [`docs/reference/${kebabCase(name)}.md`, text] as const;
    return Object.fromEntries([
        ...definitions.map((definition) => reference(definition.type, resourcePage(definition))),
        ...lookups.map((lookup) => reference(lookup.name, functionPage(lookup))),
        ["docs/coverage.md", coveragePage()],
        ["docs/README.md", indexPage()],
        ["README.md", withBlocks("README.md", readmeBlocks())],
        ["docs/performance.md", withBlocks("docs/performance.md", { requests: requestsTable() })],
    ]);
}

function resourcePage(resource: AnyResource): string {
    const { type, description, inputs, outputs, deletesFirst, idForm } = resource;
    return page([
        `# ${type}`,
        description,
        `Id: ${code(idForm)}. \`${type}.get(name, id)\` reads one without managing it.`,
        chooser(programTexts(resource)),
        "Each message ends in a code in brackets, which [errors](../errors.md) explains.",
        `## Import\n\n\`\`\`sh\n${importCommand(resource)}\n\`\`\`\n\nWith the [native plugin](../native.md#import).`,
        `## Inputs\n\n${propertyTable(inputs, "resource")}`,
        ...sections(inputs, "resource"),
        deletesFirst ? "A replacement deletes the old object before it makes the new one: the id is taken." : "",
        resource.node.rules.length > 0
            ? "What cannot go together is refused in the preview already, every problem at once; the message begins with the argument."
            : "",
        `## Outputs\n\nEvery input is an output too, as the program wrote it while the server means the same. Beside them:\n\n${propertyTable(z.strictObject({ ...outputs.shape, ...sharedOutputs.shape }), "result")}`,
        ...sections(outputs, "result"),
        endpointSection(type),
    ]);
}

function functionPage(lookup: AnyFunction): string {
    const { name, description, inputs, result } = lookup;
    return page([
        `# ${name}`,
        description,
        `\`${name}\` takes plain values and returns a promise; \`${name}Output\` takes and returns outputs, and waits for what its option \`dependsOn\` names. Scripts find it on \`connect()\` of \`pulumi-statecraft/client\`.`,
        chooser(programTexts(lookup)),
        `## Arguments\n\n${propertyTable(inputs, "function")}`,
        `## Result\n\n${propertyTable(result, "result")}`,
        ...sections(result, "result"),
        endpointSection(name),
    ]);
}

/** The example in each language, from which a reader chooses: the first is open. */
function chooser(programs: readonly ProgramText[]): string {
    const blocks = programs.map(({ language, tag, text }, index) => {
        const block = `\`\`\`${tag}\n${text}\n\`\`\``;
        return index === 0 ? block : `<details>\n<summary>${language}</summary>\n\n${block}\n\n</details>`;
    });
    return blocks.length === 0 ? "" : ["## Example", ...blocks].join("\n\n");
}

/** What a table is of: arguments of a resource or of a function, or what either returns. */
type Subject = "resource" | "function" | "result";

const formOf = (of: Subject): Form => (of === "result" ? "result" : "plain");

/** The properties that a table shows. */
function shown(schema: z.ZodObject): [name: string, type: z.ZodType, facts: Facts][] {
    return Object.entries(schema.shape)
        .map(([name, type]): [string, z.ZodType, Facts] => [name, asType(type), factsOf(asType(type))])
        .filter(([, , facts]) => isTold(facts));
}

/** `whole` is what a change does to the object that these are inside. */
function propertyTable(schema: z.ZodObject, of: Subject, whole = inPlace): string {
    const rows = shown(schema).map(([name, type, facts]) => {
        const isThere = isAlwaysThere(type, facts, formOf(of));
        const mark = of === "result" ? (isThere ? "" : " (may be absent)") : isThere ? " (required)" : "";
        const columns = of === "result" ? [] : [isThere ? "" : leftOut(facts)];
        return [
            `\`${name}\`${mark}`,
            code(typeText(required(type), formOf(of))),
            ...columns,
            ...(of === "resource" ? [changeText(facts, whole)] : []),
            meaning(facts),
        ];
    });
    if (rows.length === 0) return "None.";
    const heads = [
        "name",
        "type",
        ...(of === "result" ? [] : ["default"]),
        ...(of === "resource" ? ["a change"] : []),
        "meaning",
    ];
    return table(heads, rows);
}

const meaning = ({ description, secret }: Facts): string => (secret ? `**Secret.** ${description}` : description);

function typeText(type: z.ZodType, form: Form): string {
    if (type instanceof z.ZodObject) return "object, below";
    if (type instanceof z.ZodDiscriminatedUnion) return `one of ${type.options.length} forms, below`;
    if (type instanceof z.ZodArray && hasProperties(asType(type.element))) return "list of objects, below";
    if (type instanceof z.ZodRecord && hasProperties(asType(type.valueType))) return "objects by name, below";
    if (type instanceof z.ZodUnion && type.options.some((option) => hasProperties(asType(option))))
        return type.options.map((option) => typeText(asType(option), form)).join(" | ");
    return typeOf(type, form);
}

const hasProperties = (type: z.ZodType) => type instanceof z.ZodObject || type instanceof z.ZodDiscriminatedUnion;

/** What a property that is left out means. */
function leftOut(facts: Facts): string {
    if (facts.place) return /settings/.test(facts.description) ? "from the settings" : "";
    return defaultTextOf(facts);
}

const inPlace = "in place";

function changeText(facts: Facts, whole: string): string {
    const { immutable, option } = facts;
    if (whole !== inPlace) return whole;
    if (immutable === true) return "replaces";
    if (immutable !== undefined) return "may replace";
    return option ? "is stored, nothing is sent" : inPlace;
}

/** Tables of the objects inside an object, and of those inside them. */
function sections(schema: z.ZodObject, of: Subject, path = "", whole = inPlace): string[] {
    return shown(schema).flatMap(([name, type, facts]) =>
        sectionsOf(required(type), of, `${path}${name}`, changeText(facts, whole)),
    );
}

function sectionsOf(type: z.ZodType, of: Subject, path: string, whole: string): string[] {
    if (type instanceof z.ZodArray) return sectionsOf(asType(type.element), of, `${path}[]`, whole);
    if (type instanceof z.ZodRecord) return sectionsOf(asType(type.valueType), of, `${path}.<name>`, whole);
    if (type instanceof z.ZodDiscriminatedUnion) {
        return type.options.flatMap((option) => {
            const form = asType(option);
            if (!(form instanceof z.ZodObject)) return [];
            const [word] = wordsOf(asType(form.shape[type.def.discriminator]));
            const told = factsOrNone(form)?.description ?? "";
            return [
                `### \`${path}\` of type \`${word}\`\n\n${told}\n\n${propertyTable(form, of, whole)}`,
                ...sections(form, of, `${path}.`, whole),
            ];
        });
    }
    if (type instanceof z.ZodUnion)
        return type.options.flatMap((option) => sectionsOf(asType(option), of, path, whole));
    if (!(type instanceof z.ZodObject)) return [];
    return [`### \`${path}\`\n\n${propertyTable(type, of, whole)}`, ...sections(type, of, `${path}.`, whole)];
}

/** Which fields of which endpoint lead where, from the facts that the coverage test goes by. */
function endpointSection(name: string): string {
    const told = endpoints.flatMap((endpoint) => {
        const rows = [
            ...fieldRows(name, "query", endpoint.query),
            ...fieldRows(name, "sent", endpoint.request),
            ...fieldRows(name, "answered", endpoint.response),
        ];
        if (!endpoint.by.includes(name)) return [];
        return [
            `### ${line(endpoint)}`,
            ...(rows.length === 0 ? [] : [table(["in", "the document's name", "here"], rows)]),
        ];
    });
    const documents = unique(endpoints.filter(({ by }) => by.includes(name)).map(({ document }) => document));
    const words = documents.map((document) => `"${document}"`).join(", ");
    return ["## Endpoints", `What it sends, in the words of the service's document ${words}.`, ...told].join("\n\n");
}

function fieldRows(name: string, where: string, ways: Ways = {}): string[][] {
    return Object.entries(ways).flatMap(([field, all]) => {
        const ours = all.filter((way) => way.startsWith(name) && !/^\w/.test(way.slice(name.length)));
        const words = ours.map((way) => way.slice(name.length).replace(/^(?:\(\))?\.|^\((\w+)\)$/, "$1"));
        return ours.length === 0 ? [] : [[where, code(field), unique(words).map(reached).join(", ")]];
    });
}

/** A bare name sees to the field by itself. */
function reached(word: string): string {
    return word === "" ? "seen to by itself" : code(word);
}

function unique(texts: readonly string[]): string[] {
    return [...new Set(texts)];
}

function line({ document, method, path }: Endpoint): string {
    return code(`${method} ${path.startsWith("{") ? "" : prefixes[document]}${path}`);
}

function indexPage(): string {
    const entry = (name: string, description: string) => [
        `[\`${name}\`](reference/${kebabCase(name)}.md)`,
        description,
    ];
    const handmade = ["", "tasks/"].flatMap((folder) =>
        readdirSync(join(root, "docs", folder))
            .filter((file) => file.endsWith(".md") && file !== "README.md")
            .sort()
            .map((file) => {
                const path = join("docs", folder, file);
                return [`[${titleOf(path)}](${folder}${file})`, summaryOf(path)];
            }),
    );
    return page([
        "# statecraft: documentation",
        "What to install and how to begin stands in the [README](../README.md); programs that run are in [examples](../examples).",
        handmade.length === 0 ? "" : `## Pages\n\n${table(["page", "what it tells"], handmade)}`,
        `## Resources\n\n${table(
            ["resource", "what for"],
            definitions.map(({ type, description }) => entry(type, description)),
        )}`,
        `## Functions\n\n${table(
            ["function", "what for"],
            lookups.map(({ name, description }) => entry(name, description)),
        )}`,
    ]);
}

function titleOf(file: string): string {
    return /^# (.+)$/m.exec(readFileSync(join(root, file), "utf8"))?.[1] ?? basename(file, ".md");
}

/** The first sentence below the title. */
function summaryOf(file: string): string {
    const [, paragraph = ""] = /^# .+\n+((?:.+\n?)+)/m.exec(readFileSync(join(root, file), "utf8")) ?? [];
    const text = paragraph.replace(/\s+/g, " ").trim();
    return /^.+?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

function firstSentence(text: string): string {
    return /^.+?\.(?= |$)/.exec(text)?.[0] ?? text;
}

function readmeBlocks(): Record<string, string> {
    const link = (name: string) => `[\`${name}\`](docs/reference/${kebabCase(name)}.md)`;
    return {
        resources: table(
            ["resource", "what it is", "id"],
            definitions.map(({ type, description, idForm }) => [link(type), firstSentence(description), code(idForm)]),
        ),
        functions: `${lookups.map(({ name }) => link(name)).join(", ")}.`,
    };
}

/** How many requests the operations of each resource send. */
function requestsTable(): string {
    const count = (methods: string) => String(methods === "" ? 0 : methods.split(" ").length);
    const rows = resourceFacts.flatMap((facts) =>
        (["documented", "product"] as const).flatMap((vocabulary) => {
            const sends = sendsOf(facts, vocabulary);
            if (sends === undefined || (vocabulary === "product" && !facts.sendsAsProduct)) return [];
            const name = vocabulary === "product" ? `${facts.type} (product)` : facts.type;
            return [[name, ...[sends.create, "", sends.refresh, sends.update, sends.delete].map(count)]];
        }),
    );
    return table(["resource", "create", "preview or `up` without a change", "refresh", "update", "delete"], rows);
}

/** A file with what stands between `<!-- name -->` and `<!-- /name -->` written anew. */
function withBlocks(file: string, blocks: Readonly<Record<string, string>>): string {
    return Object.entries(blocks).reduce(
        (text, [name, block]) =>
            text.replace(
                new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*(\\n<!-- /${name} -->)`),
                (_, begin: string, end: string) => `${begin}\n${block}\n${end}`,
            ),
        readFileSync(join(root, file), "utf8"),
    );
}

function coveragePage(): string {
    const link = (name: string) => `[\`${name}\`](reference/${kebabCase(name)}.md)`;
    return `${[
        "# Every endpoint, and what reaches it",
        "Every endpoint of the three API documents, with the resources and functions that use it. A test holds the same list for each field.",
        table(
            ["document", "endpoint", "how to reach it"],
            endpoints.map((endpoint) => [endpoint.document, line(endpoint), endpoint.by.map(link).join(", ")]),
        ),
        note,
    ].join("\n\n")}\n`;
}

function code(text: string): string {
    return `\`${text}\``;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
    const all = [heads, ...rows].map((row) =>
        row.map((cell) => cell.replace(/\s+/g, " ").replace(/\|/g, "\\|").trim()),
    );
    const widths = heads.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
    // A wide column would make every line of the source as wide as its widest cell.
    const padded = (cell: string, column: number) =>
        (widths[column] ?? 0) > 60 ? cell : cell.padEnd(widths[column] ?? 0);
    const lines = all.map((row) => `| ${row.map(padded).join(" | ")} |`);
    const rule = `| ${widths.map((width) => "-".repeat(width > 60 ? 3 : Math.max(3, width))).join(" | ")} |`;
    return [lines[0], rule, ...lines.slice(1)].join("\n");
}

function page(parts: readonly string[]): string {
    const [title, ...rest] = parts.filter((part) => part !== "");
    return `${[title, note, ...rest].join("\n\n")}\n`;
}

/** Files of the reference that nothing stands for any more. */
export function leftovers(): string[] {
    const folder = "docs/reference";
    const known = new Set(Object.keys(pages()));
    const there = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
    return there.map((file) => `${folder}/${file}`).filter((file) => !known.has(file));
}

if (require.main === module) {
    const isCheck = process.argv.includes("--check");
    const stale = Object.entries(pages()).filter(([file, text]) => {
        const target = join(root, file);
        const isSame = existsSync(target) && readFileSync(target, "utf8") === text;
        if (!isSame && !isCheck) {
            mkdirSync(dirname(target), { recursive: true });
            writeFileSync(target, text);
        }
        return !isSame;
    });
    const extra = leftovers();
    if (!isCheck) for (const file of extra) rmSync(join(root, file));
    else if (stale.length + extra.length > 0) {
        console.error(`stale: ${[...stale.map(([file]) => file), ...extra].join(", ")}: run \`npm run docs\``);
        process.exitCode = 1;
    }
}
