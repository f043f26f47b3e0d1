/**
 * `npm run examples`: writes the examples in the other languages, from the one in TypeScript.
 *
 * | step | what happens                                                                                                |
 * | ---- | ----------------------------------------------------------------------------------------------------------- |
 * | 1    | the example runs with Pulumi's mocks, which tell its resources; outputs and secrets are references such as `${web.id}` |
 * | 2    | that is a program in YAML                                                                                   |
 * | 3    | Pulumi's generators write it in other languages, once all have succeeded                             |
 */

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { DefinedFunction } from "../src/core/defined-function";
import { definitions } from "../src/services/definitions";
import { functions } from "../src/services/functions";
import { generatedLanguages, kebabCase, sampleArguments } from "./program-texts";

const root = join(__dirname, "..");

/** A program in YAML. */
interface Template {
    readonly config?: Readonly<Record<string, object>>;
    readonly variables?: Readonly<Record<string, object>>;
    readonly resources?: Readonly<Record<string, ResourceTemplate>>;
    readonly outputs: unknown;
}

interface ResourceTemplate {
    readonly type: string;
    readonly properties: object;
    readonly options?: object;
}

/** What the SDK tells an engine of a resource. */
interface Registration {
    getName(): string;
    getDependenciesList(): string[];
    getProtect(): boolean;
}

const reference = (path: string) => `$\{${path}}`;

/** All programs, by the names of their files. */
export async function programs(): Promise<Record<string, Template>> {
    const all: Record<string, Template> = {};
    for (const { type } of definitions) {
        const name = kebabCase(type);
        if (existsSync(join(root, "examples", `${name}.ts`))) all[name] = await programOf(name);
    }
    for (const lookup of Object.values<DefinedFunction>(functions)) all[kebabCase(lookup.name)] = callOf(lookup);
    return all;
}

/** What a program in TypeScript declares. */
async function programOf(name: string): Promise<Template> {
    const file = join(root, "examples", `${name}.ts`);
    const source = readFileSync(file, "utf8");
    const secrets = [...source.matchAll(/\.getSecret\("(\w+)"\)/g)].map(([, secret = ""]) => secret);
    const resources: Record<string, ResourceTemplate> = {};
    await pulumi.runtime.setMocks({
        newResource({ type, name: logical, inputs }) {
            const [, ours] = /statecraft:(\w+)$/.exec(type) ?? [];
            if (ours === undefined) return { id: undefined, state: inputs };
            resources[logical] = { type: `statecraft:${ours}`, properties: given(inputs) };
            return { id: reference(`${logical}.id`), state: { ...inputs, ...references(ours, logical) } };
        },
        call: () => ({}),
    });
    const key = (secret: string) => `project:${secret}`;
    const config = Object.fromEntries(secrets.map((secret) => [key(secret), reference(secret)]));
    pulumi.runtime.setAllConfig(config, Object.keys(config));
    const registrations = watched();
    const exported = await pulumi.runtime.runInPulumiStack(async () => require(file));
    for (const registration of registrations) {
        const resource = resources[registration.getName()];
        if (resource !== undefined)
            resources[registration.getName()] = { ...resource, ...optionsOf(registration, resource) };
    }
    const place = ([logical]: [string, unknown]) => source.indexOf(`"${logical}"`);
    return {
        ...(secrets.length > 0
            ? { config: Object.fromEntries(secrets.map((secret) => [secret, { type: "string", secret: true }])) }
            : {}),
        resources: Object.fromEntries(Object.entries(resources).sort((one, other) => place(one) - place(other))),
        outputs: flat(plain(exported)),
    };
}

/** The registrations that the mocked engine gets. */
function watched(): readonly Registration[] {
    const told: Registration[] = [];
    const monitor = pulumi.runtime.getMonitor() ?? {};
    const register = Reflect.get(monitor, "registerResource").bind(monitor);
    Reflect.set(monitor, "registerResource", (registration: Registration, done: unknown) => {
        told.push(registration);
        return register(registration, done);
    });
    return told;
}

/** The options of a resource. It depends on what its properties refer to anyway. */
function optionsOf(registration: Registration, { properties }: ResourceTemplate): { options?: object } {
    const text = JSON.stringify(properties);
    const names = registration.getDependenciesList().map((urn) => urn.split("::").at(-1) ?? "");
    const dependsOn = names.filter((name) => !text.includes(`$\{${name}.`)).map(reference);
    const options = {
        ...(dependsOn.length > 0 ? { dependsOn } : {}),
        ...(registration.getProtect() ? { protect: true } : {}),
    };
    return Object.keys(options).length === 0 ? {} : { options };
}

interface PackageSchema {
    readonly resources: Readonly<
        Record<string, { readonly properties: Readonly<Record<string, { readonly type?: string }>> }>
    >;
}

/** What a program may refer to: outputs that are texts, numbers and booleans. */
function references(type: string, name: string): Record<string, string> {
    const { resources } = JSON.parse(readFileSync(join(root, "schema.json"), "utf8")) as PackageSchema;
    const properties = Object.entries(resources[`statecraft:index:${type}`]?.properties ?? {});
    const plainOnes = properties.filter(([, { type: shape }]) => /^(string|number|integer|boolean)$/.test(shape ?? ""));
    return Object.fromEntries(plainOnes.map(([property]) => [property, reference(`${name}.${property}`)]));
}

/** A short call of a function. */
function callOf(lookup: DefinedFunction): Template {
    const secrets: Record<string, object> = {};
    const args = Object.entries(sampleArguments(lookup)).map(([name, code]): [string, unknown] => {
        const [, secret] = /^config\.requireSecret\("(\w+)"\)$/.exec(code) ?? [];
        if (secret === undefined) return [name, JSON.parse(code)];
        secrets[secret] = { type: "string", secret: true };
        return [name, reference(secret)];
    });
    const [told] = Object.keys(lookup.result.shape).filter((name) => !(name in lookup.inputs.shape));
    const found = { "fn::invoke": { function: `statecraft:${lookup.name}`, arguments: Object.fromEntries(args) } };
    return {
        ...(Object.keys(secrets).length > 0 ? { config: secrets } : {}),
        variables: { result: found },
        outputs: { found: reference(`result.${told}`) },
    };
}

/** Exports, those inside a list or an object by names of their own: the generator of Go cannot write others. */
function flat(exported: unknown): Record<string, unknown> {
    const told = Object.entries(exported ?? {}).flatMap(([name, value]): [string, unknown][] =>
        typeof value === "object"
            ? Object.values<string>(value).map((inner) => [nameOf(inner), inner])
            : [[name, value]],
    );
    return Object.fromEntries(told);
}

/** `${web.id}` as one word. */
const nameOf = (text: string) =>
    text
        .replace(/\W/g, " ")
        .trim()
        .replace(/ +(.)/g, (_, letter: string) => letter.toUpperCase());

/** What a program gave: nothing that our classes add. */
function given(inputs: object): Record<string, unknown> {
    const own = Object.entries(inputs).filter(([name]) => !name.startsWith("__"));
    return Object.fromEntries(own.map(([name, value]) => [name, plain(value)]));
}

/** A value without the envelopes of secrets, and without what is undefined or empty. */
function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    if ("4dabf18193072939515e22adb298388d" in value && "value" in value) return plain(value.value);
    const told = Object.entries(value).map(([name, inner]): [string, unknown] => [name, plain(inner)]);
    return Object.fromEntries(told.filter(([, inner]) => inner !== undefined && JSON.stringify(inner) !== "{}"));
}

/** Writes all of them below a folder. */
export async function writeExamples(folder: string): Promise<void> {
    const { generatePrograms } = await import("./sdk.mjs");
    const templates = mkdtempSync(join(tmpdir(), "statecraft-examples-"));
    try {
        for (const [name, program] of Object.entries(await programs())) {
            const text = JSON.stringify({ name: "example", runtime: "yaml", ...program });
            writeFileSync(join(templates, `${name}.yaml`), text);
        }
        await generatePrograms(templates, folder);
        // The generator writes Python's names into a dictionary of several forms, which the SDK sends as they are.
        const storage = join(folder, "python", "snapshot-config.py");
        const camelCase = (text: string) => text.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
        writeFileSync(storage, readFileSync(storage, "utf8").replace(/^ {8}"\w+":/gm, camelCase));
    } finally {
        rmSync(templates, { recursive: true, force: true });
    }
}

/** Writes them anew. Where one fails, those that are there stay. */
async function replaceExamples(): Promise<void> {
    // The examples import the package by its name, which means the build.
    const { ensureBuilt } = await import("./prepare.mjs");
    await ensureBuilt();
    const fresh = mkdtempSync(join(tmpdir(), "statecraft-examples-"));
    try {
        await writeExamples(fresh);
        for (const { tag } of generatedLanguages) {
            const folder = join(root, "examples", tag);
            rmSync(folder, { recursive: true, force: true });
            cpSync(join(fresh, tag), folder, { recursive: true });
        }
    } finally {
        rmSync(fresh, { recursive: true, force: true });
    }
}

if (require.main === module) {
    replaceExamples().catch((error: unknown) => {
        console.error(error);
        process.exitCode = 1;
    });
}
