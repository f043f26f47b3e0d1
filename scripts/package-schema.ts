/** The Pulumi package schema, from the definitions: types, descriptions, enums, unions, secrets, defaults in words, functions, configuration. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyFunction } from "../src/core/functions";
import { type AnyResource, sharedOutputs } from "../src/core/resource";
import { settingsSchema } from "../src/settings/settings-schema";
import { any, objectSpec, type Spec, type Types, token } from "./package-types";
import { importCommand, programTexts } from "./program-texts";
import { capitalized } from "./property-texts";

/** The schema of the whole package. */
export function packageSchema(resources: readonly AnyResource[], functions: readonly AnyFunction[]): Spec {
    const types: Types = {};
    const settings = settingsSpec(types);
    const manifest: Manifest = JSON.parse(readFileSync(join(__dirname, "..", "package.json"), "utf8"));
    const { version, description, keywords, license, homepage } = manifest;
    return {
        name: "statecraft",
        displayName: "Statecraft",
        publisher: "Statecraft",
        version,
        description,
        keywords: [...keywords, "category/infrastructure", "kind/native"],
        license,
        ...(homepage && placeOf(homepage)),
        // SDKs are packages of their own, with this version.
        meta: { supportPack: true },
        language: languages(homepage),
        // Pulumi's generator for Java writes no class for a type that is used only inside another type of the configuration.
        config: { variables: { ...settings, connections: { ...settings["connections"], additionalProperties: any } } },
        provider: { description: "The settings of the services.", inputProperties: settings },
        resources: Object.fromEntries(
            resources.map((resource) => [token(resource.type), resourceSpec(types, resource)]),
        ),
        functions: Object.fromEntries(
            functions.map((definition) => [token(definition.name), functionSpec(types, definition)]),
        ),
        types,
    };
}

/** Where the repository is, as `scripts/set-repository.mjs` writes it into package.json: the address of a page on GitHub. */
const placeOf = (page: string): Spec => ({
    homepage: page,
    repository: page,
    pluginDownloadURL: `github://api.github.com${new URL(page).pathname}`,
});

/** The names of the package in each language: that of Node is this package itself. Go and Java name packages by the repository. */
function languages(page: string | undefined): Spec {
    const go = page === undefined ? "pulumi-statecraft" : `${new URL(page).host}${new URL(page).pathname}/sdk`;
    const owner = page && new URL(page).pathname.split("/")[1]?.toLowerCase().replaceAll("-", "_");
    return {
        nodejs: { packageName: "pulumi-statecraft/native" },
        python: { packageName: "pulumi_statecraft", pyproject: { enabled: true } },
        go: { importBasePath: `${go}/go/statecraft` },
        csharp: { rootNamespace: "Statecraft" },
        ...(owner && { java: { basePackage: `io.github.${owner}` } }),
    };
}

interface Manifest extends Readonly<Record<"version" | "description" | "license", string>> {
    readonly keywords: readonly string[];
    readonly homepage?: string;
}

/** The configuration. The environment may set the fields of each key too. */
function settingsSpec(types: Types): Readonly<Record<string, Spec>> {
    const { strict, ...services } = record(objectSpec(types, "Config", settingsSchema(), "args")["properties"]);
    return { ...services, strict: { ...strict, defaultInfo: { environment: ["STATECRAFT_STRICT"] } } };
}

/** A resource's part of the schema; types that it needs are added to `types`. */
export function resourceSpec(types: Types, resource: AnyResource): Spec {
    const { type, inputs, outputs, list } = resource;
    const given = objectSpec(types, type, inputs, "args");
    const stored = objectSpec(types, type, inputs, "state");
    const more = objectSpec(types, type, outputs, "output");
    const shared = objectSpec(types, type, sharedOutputs, "output");
    return {
        description: withExamples(resource, `## Import\n\n\`\`\`sh\n${importCommand(resource)}\n\`\`\``),
        inputProperties: given["properties"],
        requiredInputs: given["required"],
        ...(list && { listInputs: { type: "object", ...objectSpec(types, `${type}List`, list.inputs, "plain") } }),
        properties: { ...record(stored["properties"]), ...record(more["properties"]), ...record(shared["properties"]) },
        required: [stored, more, shared].flatMap((spec) => spec["required"] ?? []),
    };
}

const record = (value: unknown) => value as Record<string, Spec>;

/** A description with the example of each language that has an SDK. Pulumi knows that of TypeScript by another name than pages do. */
function withExamples(definition: AnyResource | AnyFunction, ...more: readonly string[]): string {
    const blocks = programTexts(definition, "pulumi-statecraft/native").map(
        ({ tag, text }) => `\`\`\`${tag === "ts" ? "typescript" : tag}\n${text}\n\`\`\``,
    );
    const examples = [
        "{{% examples %}}",
        "## Example Usage",
        "{{% example %}}",
        ...blocks,
        "{{% /example %}}",
        "{{% /examples %}}",
    ];
    return [definition.description, ...examples, ...more].join("\n\n");
}

/** A function's part of the schema. */
export function functionSpec(types: Types, lookup: AnyFunction): Spec {
    const { name, inputs, result } = lookup;
    const stem = capitalized(name);
    return {
        description: withExamples(lookup),
        inputs: { type: "object", ...objectSpec(types, stem, inputs, "args") },
        outputs: { type: "object", ...objectSpec(types, stem, result, "result") },
    };
}
