/** Directions of import, and what only a reader of the sources can check. Biome checks style. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import ts from "typescript";

const root = join(__dirname, "..");
const filesIn = (folder: string) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .filter((file) => !file.includes("node_modules/"));
const textOf = (file: string) => readFileSync(join(root, file), "utf8");
const sources = filesIn("src").filter((file) => file.endsWith(".ts"));

interface Import {
    readonly file: string;
    /** As the file writes it. */
    readonly name: string;
    readonly typeOnly: boolean;
    /** The path of the imported file without its ending, if it is one of this package: `src/core/diff`. */
    readonly target: string | undefined;
}

const importPatterns = [
    /^\s*(?:import|export)\s+(?<type>type\s)?(?:[^"';]*?\sfrom\s+)?["'](?<name>[^"']+)["']/gm,
    /(?<type>typeof\s+)?\bimport\(\s*["'](?<name>[^"']+)["']\s*\)/g,
    /(?<type>\0)?\brequire(?:\.resolve)?\(\s*["'](?<name>[^"']+)["']\s*\)/g,
];

function importsOf(file: string): Import[] {
    // Comments may hold a `require`, and the text of a dynamic provider does.
    const text = textOf(file)
        .split("\n")
        .filter((line) => !line.includes("exports.handler") && !/^\s*(\/\*\*|\*|\/\/)/.test(line))
        .join("\n");
    return importPatterns.flatMap((pattern) =>
        [...text.matchAll(pattern)].map(({ groups }) => {
            const name = groups?.["name"] ?? "";
            const target = name.startsWith(".") ? posix.join(dirname(file), name) : undefined;
            return { file, name, typeOnly: groups?.["type"] !== undefined, target };
        }),
    );
}

const imports = sources.flatMap(importsOf);

/** The room of a file: its folder in `src`, or its own name. */
const roomOf = (path: string) => path.split("/")[1]?.replace(/\.ts$/, "") ?? "";

/** Whom each room may import of ours. A room that is not listed has to be thought about first. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
    errors: [],
    catalogue: ["commands", "errors"],
    commands: [],
    "product-names": [],
    version: [],
    core: ["catalogue", "core", "errors", "schema"],
    http: ["core", "errors", "http", "product-names", "version"],
    services: ["catalogue", "core", "services", "errors", "product-names", "schema"],
    pulumi: ["core", "pulumi", "errors", "schema"],
    simulator: ["simulator"],
    schema: ["catalogue", "schema"],
    generated: ["generated", "pulumi", "runtime", "schema"],
    native: ["generated", "pulumi"],
    index: ["generated", "runtime"],
    plugin: ["commands", "core", "errors", "plugin", "pulumi", "runtime", "schema", "services", "version"],
    runtime: [
        "commands",
        "core",
        "errors",
        "generated",
        "http",
        "pulumi",
        "runtime",
        "schema",
        "services",
        "product-names",
    ],
    command: [
        "command",
        "commands",
        "core",
        "errors",
        "http",
        "runtime",
        "schema",
        "services",
        "simulator",
        "version",
        "product-names",
    ],
    client: ["commands", "core", "errors", "generated", "runtime", "schema", "services"],
};

describe("directions of import", () => {
    it("are read from all sources", () => {
        assert.ok(imports.length > 100);
        assert.ok(imports.some(({ file, name }) => file === "src/http/send.ts" && name === "axios"));
        assert.ok(imports.some(({ typeOnly }) => typeOnly) && imports.some(({ typeOnly }) => !typeOnly));
    });

    for (const room of new Set(sources.map(roomOf))) {
        const allowed = mayImport[room];
        it(`${room} imports ${allowed?.join(", ") || "nothing of ours"}`, () => {
            assert.ok(allowed, `say here whom ${room} may import`);
            const wrong = imports
                .filter(({ file, target }) => roomOf(file) === room && target !== undefined)
                .filter(({ target }) => target !== "package.json")
                .filter(({ target = "" }) => !allowed.includes(roomOf(target)));
            assert.deepEqual(
                wrong.map(({ file, target }) => `${file} imports ${target}`),
                [],
            );
        });
    }

    it("no file imports itself by way of others", () => {
        const targets = new Map(sources.map((file) => [file.replace(/\.ts$/, ""), new Set<string>()]));
        for (const { file, target, typeOnly } of imports)
            if (target && !typeOnly) targets.get(file.replace(/\.ts$/, ""))?.add(target);
        const isImported = (file: string) => [...targets.values()].some((all) => all.has(file));
        const importsSome = (all: ReadonlySet<string>) => [...all].some((target) => targets.has(target));
        // What imports nothing that is left, or is imported by nothing that is left, is in no circle.
        for (let size = 0; size !== targets.size; ) {
            size = targets.size;
            for (const [file, all] of targets) if (!importsSome(all) || !isImported(file)) targets.delete(file);
        }
        assert.deepEqual([...targets.keys()], []);
    });

    const homes: [library: RegExp, home: RegExp][] = [
        [/^axios/, /^src\/http\//],
        [/^https-proxy-agent$/, /^src\/http\//],
        [/^(node:)?(https?|http2|net|tls|dgram)$/, /^src\/(http|simulator)\//],
        [/^@pulumi\//, /^src\/(plugin|pulumi)\//],
        [/^@grpc\//, /^src\/(plugin|pulumi)\//],
        [/^zod/, /^src\/(core|schema|services|runtime|http|client|simulator)/],
        [/^node:(?!util$)/, /^src\/(?!core\/)/],
        [/^ipaddr\.js$/, /^src\/schema\//],
        [/^(hono|@hono\/)/, /^src\/simulator\//],
    ];
    for (const [library, home] of homes) {
        it(`${library.source} is imported only where ${home.source} says`, () => {
            const wrong = imports
                .filter(({ name, file }) => library.test(name) && !home.test(file))
                .filter(
                    ({ file, typeOnly }) => !(/^src\/(generated\/\w[\w-]*|client|native)\.ts$/.test(file) && typeOnly),
                );
            assert.deepEqual(
                wrong.map(({ file }) => file),
                [],
            );
        });
    }

    it("a service of the simulator imports no other one, and of them the rest of it imports routes and records alone", () => {
        const serviceOf = (path: string) => /^src\/simulator\/([^/]+)\//.exec(path)?.[1];
        const own = imports.filter(({ target }) => target !== undefined && serviceOf(target) !== undefined);
        const wrong = own.filter(
            ({ file, target = "" }) =>
                serviceOf(file) !== serviceOf(target) &&
                !(serviceOf(file) === undefined && /\/(routes|records)$/.test(target)),
        );
        assert.deepEqual(new Set(own.map(({ target = "" }) => serviceOf(target))).size, 3);
        assert.deepEqual(
            wrong.map(({ file, target }) => `${file} imports ${target}`),
            [],
        );
    });

    it("the libraries that are used are those that package.json names", () => {
        const { name: own, dependencies, peerDependencies } = JSON.parse(textOf("package.json"));
        // Both come with Pulumi's SDK, whose own copies are used.
        const named = new Set([
            own,
            ...Object.keys(dependencies),
            ...Object.keys(peerDependencies),
            "@grpc/grpc-js",
            "google-protobuf",
        ]);
        const packageOf = (name: string) =>
            name
                .split("/")
                .slice(0, name.startsWith("@") ? 2 : 1)
                .join("/");
        const used = new Set(
            imports.filter(({ name }) => !/^(node:|\.)/.test(name)).map(({ name }) => packageOf(name)),
        );
        assert.deepEqual(
            [...used].filter((name) => !named.has(name)),
            [],
        );
        assert.deepEqual(
            Object.keys(dependencies).filter((name) => !used.has(name)),
            [],
        );
    });
});

/** Where a source gets around its types: casts but `as const`, assertions that something is there, records of anything. */
function untypedIn(file: string, text: string): string[] {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const isUntyped = (node: ts.Node) =>
        (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) ||
        ts.isTypeAssertionExpression(node) ||
        ts.isNonNullExpression(node) ||
        (ts.isTypeReferenceNode(node) && /^Record<string, unknown>$/.test(node.getText(source)));
    const found: string[] = [];
    const visit = (node: ts.Node) => {
        const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
        if (isUntyped(node)) found.push(`${file}:${line}: ${node.getText(source)}`);
        ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
}

describe("sources", () => {
    it("of services hold no cast, no assertion and no record of anything", () => {
        assert.equal(untypedIn("x.ts", "const a = b as C; d!.e; type F = Record<string, unknown>;").length, 3);
        const services = sources.filter((file) => roomOf(file) === "services");
        assert.deepEqual(
            services.flatMap((file) => untypedIn(file, textOf(file))),
            [],
        );
    });

    it("are named after what is in them", () => {
        const vague = /^(utils?|helpers?|common|types|misc|shared)\.(d\.)?[cm]?[jt]s$/;
        const files = ["src", "test", "scripts", "bench"].flatMap(filesIn);
        assert.deepEqual(
            files.filter((file) => vague.test(basename(file))),
            [],
        );
    });

    it("name no folder of anybody's machine", () => {
        const places = ["ro/ot\\b", "wo/rk/", "ho/me/"].map((place) => place.replace("/", ""));
        const pattern = new RegExp(`(?<![\\w.*])/(?:${places.join("|")})`);
        assert.ok(pattern.test(`cd /${"ro"}ot`) && !pattern.test("networks/of/workers"));
        const files = [
            ...["src", "examples", "test", "scripts", "docs", "bench"].flatMap(filesIn),
            ...["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "package.json", "schema.json"],
        ];
        assert.deepEqual(
            files.filter((file) => pattern.test(textOf(file))),
            [],
        );
    });
});
