/**
 * Writes what follows from the definitions, the examples and the facts in `test/resources`: the reference pages, `test/documents/coverage.md`,
 * `llms.txt`, and the blocks between comments in other pages, such as `<!-- settings -->`.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import type { AnyFunction } from "../src/core/functions";
import { type AnyResource, sharedOutputs } from "../src/core/resource";
import type { ServiceName } from "../src/core/service";
import { allFunctions, allResources } from "../src/generated/registry";
import { asType, type Facts, factsOf, factsOrNone, objectNode, required, wordsOf } from "../src/schema/property";
import { serviceKeys } from "../src/settings/config-keys";
import { productPlaces } from "../src/settings/product-settings";
import { serviceFields } from "../src/settings/settings-schema";
import { type Endpoint, endpoints, fieldsOf, otherRequests } from "../test/support/endpoints";
import { resourceFacts, sendsOf } from "../test/support/resource-facts";
import { typeOf } from "./interfaces";
import { inProductWords } from "./product-words";
import { importCommand, kebabCase, type ProgramText, programTexts, translatedPrograms } from "./program-texts";
import { defaultTextOf, type Form, isAlwaysThere, publicProperties } from "./property-texts";

const root = join(__dirname, "..");
const definitions = allResources();
const lookups = allFunctions();
const note = "<!-- Generated from the definitions by `npm run docs`: change them there. -->";

/** The text of every generated file, by its path from the repository's root. */
export function pages(): Record<string, string> {
    const reference = (name: string, text: string) => [`docs/reference/${kebabCase(name)}.md`, text] as const;
    const written = Object.fromEntries([
        ...definitions.map((definition) => reference(definition.type, resourcePage(definition))),
        ...lookups.map((lookup) => reference(lookup.name, functionPage(lookup))),
        ["test/documents/coverage.md", coveragePage()],
        ...["README", "settings", "performance"].map(
            (name) => [`docs/${name}.md`, withBlocks(`docs/${name}.md`)] as const,
        ),
    ]);
    const examples = translatedPrograms([...definitions, ...lookups]);
    return { ...written, ...examples, "llms.txt": pageList(written) };
}

/** The pages that Pulumi's registry shows. `--registry`, which the release calls, writes them. */
export const registryPages = () =>
    Object.fromEntries(
        ["_index.md", "installation-configuration.md"].map((name) => [
            `docs/${name}`,
            withBlocks(`.github/registry/${name}`),
        ]),
    );

/** One line for each page: its title and its first sentence, without the sentence's links. */
function pageList(written: Record<string, string>): string {
    const files = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
    const names = files.filter((file) => file.endsWith(".md")).map((file) => `docs/${file}`);
    const lines = [...new Set([...names, ...Object.keys(written)])].sort().map((file) => {
        const text = written[file] ?? readFileSync(join(root, file), "utf8");
        const start = /^(?:# |title: )(.+)\n+(?:<!--.*\n+)?(?:meta_desc: )?([\s\S]+?\.)\s/m;
        const [, title = "", sentence = ""] = start.exec(text) ?? [];
        return `- [${title}](${file}): ${sentence.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\s+/g, " ")}`;
    });
    return `# pulumi-statecraft\n\n${lines.join("\n")}\n`;
}

function resourcePage(resource: AnyResource): string {
    const { type, description, inputs, outputs, identity } = resource;
    return page([
        `# ${type}`,
        description,
        chooser(programTexts(resource)),
        `Id: ${code(identity.form)}. \`${type}.get(name, id)\` reads an existing object without managing it. Messages end in a [code](../errors.md).`,
        `## Import\n\n\`\`\`sh\n${importCommand(resource)}\n\`\`\`\n\nWith the [native plugin](../native.md#import).`,
        `## Inputs\n\n${propertyTable(inputs, "resource")}`,
        ...sections(inputs, "resource"),
        `## Outputs\n\nEvery input, in the form you wrote while the server's value is equivalent, and:\n\n${propertyTable(z.strictObject({ ...outputs.shape, ...sharedOutputs.shape }), "result")}`,
        ...sections(outputs, "result"),
        endpointSection(type),
    ]);
}

function functionPage(lookup: AnyFunction): string {
    const { name, description, inputs, result } = lookup;
    return page([
        `# ${name}`,
        description,
        chooser(programTexts(lookup)),
        `\`${name}\` returns a promise. \`${name}Output\` takes and returns outputs, and has the option \`dependsOn\`.`,
        `## Arguments\n\n${propertyTable(inputs, "function")}`,
        `## Result\n\n${propertyTable(result, "result")}`,
        ...sections(result, "result"),
        endpointSection(name),
    ]);
}

/** The example in each language. The first one is expanded. */
function chooser(programs: readonly ProgramText[]): string {
    const blocks = programs.map(({ language, tag, text }, index) => {
        const block = `\`\`\`${tag}\n${text}\n\`\`\``;
        return index === 0 ? block : `<details>\n<summary>${language}</summary>\n\n${block}\n\n</details>`;
    });
    return ["## Example", ...blocks].join("\n\n");
}

/** The subject of a table: arguments of a resource or of a function, or results. */
type Subject = "resource" | "function" | "result";

const formOf = (of: Subject): Form => (of === "result" ? "result" : "plain");

/** @param whole the effect of a change of the object that contains these properties */
function propertyTable(schema: z.ZodObject, of: Subject, whole = inPlace): string {
    const isResult = of === "result";
    const rows = publicProperties(schema).map(([name, type, facts]) => {
        const isThere = isAlwaysThere(type, facts, formOf(of));
        const mark = isResult ? (isThere ? "" : " (may be absent)") : isThere ? " (required)" : "";
        return {
            name: `\`${name}\`${mark}`,
            type: code(typeText(required(type), formOf(of))),
            ...(!isResult && { default: isThere ? "" : leftOut(facts) }),
            ...(of === "resource" && { "a change": changeText(facts, whole) }),
            meaning: meaning(facts),
        };
    });
    const [first] = rows;
    return first === undefined ? "None." : table(Object.keys(first), rows.map(Object.values));
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

/** The value of an omitted property. */
function leftOut(facts: Facts): string {
    if (facts.chosen) return /settings/.test(facts.description) ? "from the settings" : "";
    return defaultTextOf(facts);
}

const inPlace = "in place";

function changeText(facts: Facts, whole: string): string {
    const { immutable, option } = facts;
    if (whole !== inPlace) return whole;
    if (immutable === true) return "replaces";
    if (immutable !== undefined) return "may replace";
    return option ? "no API call" : inPlace;
}

/** Tables of nested objects, at every depth. */
function sections(schema: z.ZodObject, of: Subject, path = "", whole = inPlace): string[] {
    return publicProperties(schema).flatMap(([name, type, facts]) =>
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
            const text = factsOrNone(form)?.description ?? "";
            return [
                `### \`${path}\` of type \`${word}\`\n\n${text}\n\n${propertyTable(form, of, whole)}`,
                ...sections(form, of, `${path}.`, whole),
            ];
        });
    }
    if (type instanceof z.ZodUnion)
        return type.options.flatMap((option) => sectionsOf(asType(option), of, path, whole));
    if (!(type instanceof z.ZodObject)) return [];
    return [`### \`${path}\`\n\n${propertyTable(type, of, whole)}`, ...sections(type, of, `${path}.`, whole)];
}

/** The endpoints of a resource or function. */
function endpointSection(name: string): string {
    const lines = endpoints.filter(({ by }) => by.includes(name)).map((endpoint) => `- ${line(endpoint)}`);
    return `## Endpoints\n\n${lines.join("\n")}`;
}

/** The fields of the requests and answers of a resource or function, by property. */
function fieldRows(name: string, ...schemas: readonly z.ZodObject[]): string[][] {
    const fields = schemas.flatMap((schema) => fieldsOf(objectNode(schema)));
    return [...new Set(fields.map(([field]) => field))].map((field) => {
        const paths = fields.filter((each) => each[0] === field).map(([, path]) => code(path));
        return [name, code(field), [...new Set(paths)].join(", ")];
    });
}

function line({ method, path }: Endpoint): string {
    return code(`${method} ${path}`);
}

const link = (name: string) => `[\`${name}\`](reference/${kebabCase(name)}.md)`;

/** The generated blocks of written pages, by the names in their comments. */
function blocks(): Record<string, string> {
    const [first] = definitions.filter(({ type }) => type === "AuthRole").map((definition) => programTexts(definition));
    return {
        resources: table(
            ["resource", "what it is"],
            definitions.map(({ type, description }) => [link(type), description]),
        ),
        functions: table(
            ["function", "what it returns"],
            lookups.map(({ name, description }) => [link(name), description]),
        ),
        settings: settingsTable(),
        requests: requestsTable(),
        example: registryChooser(first ?? []),
    };
}

/** Each setting, with the variables and files of the products' own tools. */
function settingsTable(): string {
    const services = Object.entries(serviceKeys) as [ServiceName, (typeof serviceKeys)[ServiceName]][];
    const rows = Object.entries(serviceFields).map(([field, type]) => [
        code(field),
        meaning(factsOf(type)),
        ...services.map(([service]) =>
            productPlaces(service, field, "https://app.terraform.io", {}).map(code).join(", "),
        ),
    ]);
    return table(["setting", "meaning", ...services.map(([, { product }]) => code(`statecraft:${product.key}`))], rows);
}

/** Programs as Pulumi's registry shows them. */
function registryChooser(programs: readonly ProgramText[]): string {
    const languages = programs.map(({ tag, text }) => ({ name: tag === "ts" ? "typescript" : tag, text }));
    return [
        `{{< chooser language "${languages.map(({ name }) => name).join(",")}" >}}`,
        ...languages.map(
            ({ name, text }) =>
                `{{% choosable language ${name} %}}\n\n\`\`\`${name}\n${text}\n\`\`\`\n\n{{% /choosable %}}`,
        ),
        "{{< /chooser >}}",
    ].join("\n\n");
}

/** How many requests the operations of each resource send. */
function requestsTable(): string {
    const count = (methods: string) => String(methods === "" ? 0 : methods.split(" ").length);
    const rows = resourceFacts.flatMap((facts) => {
        const sends = sendsOf(facts);
        if (sends === undefined) return [];
        return [[facts.type, ...[sends.create, "", sends.refresh, sends.update, sends.delete].map(count)]];
    });
    return table(["resource", "create", "preview or `up` without a change", "refresh", "update", "delete"], rows);
}

/** A page with its generated blocks. */
function withBlocks(file: string): string {
    return Object.entries(blocks()).reduce(
        (text, [name, block]) =>
            text.replace(
                new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`),
                (_, begin: string, end: string) => `${begin}\n${inProductWords(block)}\n\n${end}`,
            ),
        readFileSync(join(root, file), "utf8"),
    );
}

const productOf = { "Secrets Manager": "Vault", Volumes: "Nomad", "State Versions": "HCP Terraform" };

function coveragePage(): string {
    return page([
        "# API coverage",
        "Every request that this package can send to Vault, Nomad and HCP Terraform: first those of the resources and functions, then all others.",
        table(
            ["product", "endpoint", "resources and functions"],
            endpoints.map((endpoint) => [
                productOf[endpoint.document],
                line(endpoint),
                endpoint.by.map(code).join(", "),
            ]),
        ),
        "## Other requests\n\nThose of locks, logins and commands. A command also sends requests of the table above: `history` those of `getStateVersions`, " +
            "`downloadState` and `getWorkspace`, `doctor` those of the functions.",
        table(
            ["product", "request", "who sends it", "when"],
            otherRequests.map(({ document, line, who, when }) => [productOf[document], code(line), who, when]),
        ),
        "## Fields",
        table(
            ["of", "field", "property"],
            [
                ...definitions.flatMap(({ type, inputs, outputs }) => fieldRows(type, inputs, outputs)),
                ...lookups.flatMap(({ name, inputs, result }) => fieldRows(name, inputs, result)),
            ],
        ),
        "A login with `githubAudience` also sends `GET` to the address in `ACTIONS_ID_TOKEN_REQUEST_URL`.",
    ]);
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
    const [title, ...rest] = parts.filter((part) => part !== "").map(inProductWords);
    return `${[title, note, ...rest].join("\n\n")}\n`;
}

/** Files of the reference without a resource or function. */
export function leftovers(): string[] {
    const folder = "docs/reference";
    const known = new Set(Object.keys(pages()));
    const there = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
    return there.map((file) => `${folder}/${file}`).filter((file) => !known.has(file));
}

if (require.main === module) {
    const wanted = process.argv.includes("--registry") ? registryPages() : pages();
    for (const [file, text] of Object.entries(wanted)) {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), text);
    }
    for (const file of leftovers()) rmSync(join(root, file));
}
