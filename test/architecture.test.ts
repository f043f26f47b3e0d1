import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import ts from "typescript";
import { definitions } from "../src/services/definitions";

const root = join(__dirname, "..");

/** Every file below these folders and among these files, by its path from the repository's root. */
function filesIn(...paths: string[]): string[] {
    return paths.flatMap((path) => {
        const place = join(root, path);
        if (!existsSync(place)) return [];
        if (!/^\w+$/.test(basename(path))) return [path];
        return readdirSync(place, { withFileTypes: true, recursive: true })
            .filter((entry) => entry.isFile())
            .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
            .filter((file) => !file.includes("node_modules/") && !file.includes("/bin/"));
    });
}

const linesOf = (file: string) => readFileSync(join(root, file), "utf8").split("\n");
const sources = filesIn("src").filter((file) => file.endsWith(".ts"));
const everything = filesIn(
    ...["src", "examples", "test", "scripts", "docs", "bench"],
    ...["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "package.json", "schema.json", "Pulumi.yaml"],
);

/** Places in these sources, comments aside, that a pattern fits. */
function codeWith(pattern: RegExp, files: readonly string[]): string[] {
    return files.flatMap((file) =>
        linesOf(file).flatMap((line, number) =>
            !/^\s*(\/\*\*|\*|\/\/)/.test(line) && pattern.test(line) ? [`${file}:${number + 1}: ${line.trim()}`] : [],
        ),
    );
}

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

interface Import {
    readonly file: string;
    /** As it stands there. */
    readonly name: string;
    readonly typeOnly: boolean;
    /** The file of ours that it leads to, without ending: `src/core/diff`. */
    readonly target: string | undefined;
}

const importPatterns = [
    /^\s*(?:import|export)\s+(?<type>type\s)?(?:[^"';]*?\sfrom\s+)?["'](?<name>[^"']+)["']/gm,
    /(?<type>typeof\s+)?\bimport\(\s*["'](?<name>[^"']+)["']\s*\)/g,
    /(?<type>\0)?\brequire(?:\.resolve)?\(\s*["'](?<name>[^"']+)["']\s*\)/g,
];

function importsOf(file: string): Import[] {
    // The text of a provider holds a `require` that is none of the file's own, and so may comments.
    const text = linesOf(file)
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
    vocabulary: [],
    version: [],
    core: ["catalogue", "core", "errors", "schema"],
    http: ["core", "http", "errors", "version"],
    services: ["catalogue", "core", "services", "errors", "schema", "vocabulary"],
    pulumi: ["core", "pulumi", "errors", "schema"],
    simulator: ["simulator"],
    schema: ["catalogue", "schema"],
    generated: ["generated", "pulumi", "runtime", "schema", "vocabulary"],
    native: ["generated", "pulumi"],
    index: ["generated", "runtime"],
    plugin: ["commands", "core", "errors", "generated", "plugin", "pulumi", "runtime", "schema", "services", "version"],
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
        "vocabulary",
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
        "vocabulary",
    ],
    client: ["commands", "core", "errors", "generated", "runtime", "schema", "services"],
};

describe("the house", () => {
    it("is read as a whole", () => {
        assert.ok(sources.length > 30 && imports.length > 100);
        assert.ok(imports.some(({ file, name }) => file === "src/http/send.ts" && name === "axios"));
        assert.ok(
            imports.some(({ file, target }) => file === "src/runtime/runtime.ts" && target === "src/runtime/config"),
        );
        assert.ok(
            imports.some(
                ({ file, name, typeOnly }) => file === "src/generated/args.ts" && /pulumi/.test(name) && typeOnly,
            ),
        );
    });

    describe("directions of import", () => {
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
            [/^ipaddr\.js$/, /^src\/(schema|simulator)\//],
        ];
        for (const [library, home] of homes) {
            it(`${library.source} is imported only where ${home.source} says`, () => {
                const wrong = imports
                    .filter(({ name, file }) => library.test(name) && !home.test(file))
                    .filter(
                        ({ file, typeOnly }) =>
                            !(/^src\/(generated\/(args|functions)|client|native)\.ts$/.test(file) && typeOnly),
                    );
                assert.deepEqual(
                    wrong.map(({ file }) => file),
                    [],
                );
            });
        }

        it("schema knows zod, and of ours the catalogue alone", () => {
            const wrong = imports
                .filter(({ file, target }) => roomOf(file) === "schema" && roomOf(target ?? "") !== "schema")
                .filter(({ name }) => !/^(zod|node:util|ipaddr\.js|\.\.\/catalogue)$/.test(name));
            assert.deepEqual(
                wrong.map(({ file, name }) => `${file} imports ${name}`),
                [],
            );
        });

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

        it("no definition names a command of Pulumi's to a script: the host puts its own words there", () => {
            const inside = sources.filter((file) =>
                /^(core|schema|services|http|errors|catalogue)$/.test(roomOf(file)),
            );
            assert.deepEqual(codeWith(/`pulumi (up|refresh|destroy|preview|state)/, inside), []);
        });

        it("no module remembers anything, but for the doors of a process, a library that is loaded late and a file that is written once", () => {
            const states = /^(export )?(let|var) |^(export )?const \w+(: \w+<.*>)? = new (Map|WeakMap|Set<|Set\(\))/;
            assert.ok(states.test("const known = new Map<string, string>();"));
            const constant = /(new (Map|Set)\($)/;
            const found = codeWith(
                states,
                sources.filter((file) => roomOf(file) !== "simulator"),
            );
            assert.deepEqual(
                found.filter((line) => !constant.test(line)).map((line) => line.replace(/:\d+: .*/, "")),
                [
                    "src/http/send.ts",
                    "src/pulumi/native-class.ts",
                    "src/runtime/program-runtime.ts",
                    "src/runtime/providers.ts",
                ],
            );
        });

        it("requests are sent by axios alone, not by what the platform brings along", () => {
            const platform = /\b(fetch|XMLHttpRequest|WebSocket|EventSource)\b/;
            assert.ok(platform.test("await globalThis.fetch(url)") && !platform.test("prefetched"));
            assert.deepEqual(codeWith(platform, sources), []);
        });

        it("the core is pure: of Node it has `util` alone, and it knows no process, clock, chance or console", () => {
            const core = sources.filter((file) => roomOf(file) === "core");
            const outside =
                /\b(process|Date|performance|Math\.random|crypto|set(Timeout|Interval|Immediate)|console|global(This)?)\b/;
            assert.ok(core.length > 10 && outside.test("const begun = Date.now();"));
            assert.deepEqual(codeWith(outside, core), []);
            const modules = imports.filter(({ file, name }) => core.includes(file) && name.startsWith("node:"));
            assert.deepEqual([...new Set(modules.map(({ name }) => name))], ["node:util"]);
        });

        it("the libraries that are used are those that package.json names", () => {
            const { name: own, dependencies, peerDependencies } = JSON.parse(linesOf("package.json").join("\n"));
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

    describe("a resource", () => {
        const index = linesOf("src/generated/resources.ts").join("\n");

        it("is known by its type, once", () => {
            const types = definitions.map(({ type }) => type);
            assert.deepEqual([...new Set(types)], types);
        });

        it("has a class, with a line that says what it is and how its id looks", () => {
            const without = definitions.filter(
                ({ type }) =>
                    !new RegExp(`^/\\*\\* .* Id: \`.*\`\\. \\*/\\nexport class ${type} extends`, "m").test(index),
            );
            assert.deepEqual(
                without.map(({ type }) => type),
                [],
            );
        });
    });

    describe("words", () => {
        it("name no folder of anybody's machine", () => {
            const places = ["ro/ot\\b", "wo/rk/", "ho/me/"].map((place) => place.replace("/", ""));
            const pattern = new RegExp(`(?<![\\w.*])/(?:${places.join("|")})`);
            assert.ok(pattern.test(`cd /${"ro"}ot`) && !pattern.test("networks/of/workers"));
            const found = everything.flatMap((file) =>
                linesOf(file).flatMap((line, number) =>
                    pattern.test(line) ? [`${file}:${number + 1}: ${line.trim().slice(0, 100)}`] : [],
                ),
            );
            assert.deepEqual(found, []);
        });
    });

    describe("files", () => {
        const codeFiles = everything.filter((file) => /\.(ts|mts|mjs|cjs)$/.test(file));

        it("have names in kebab case", () => {
            const wrong = everything
                .filter((file) => /^(src|examples|test|scripts|docs|bench)\//.test(file))
                .filter((file) => !/^([a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*|README\.md)$/.test(basename(file)));
            assert.deepEqual(wrong, []);
        });

        it("are named after what is in them", () => {
            const wrong = codeFiles.filter((file) =>
                /^(utils?|helpers?|common|types|misc|shared)\.(d\.)?[cm]?[jt]s$/.test(basename(file)),
            );
            assert.deepEqual(wrong, []);
        });

        it("say in their first line what they are for", () => {
            assert.deepEqual(
                sources.filter(
                    (file) =>
                        !linesOf(file)
                            .find((line) => !line.startsWith("#!"))
                            ?.startsWith("/**"),
                ),
                [],
            );
        });

        it("leave the compiler no way around", () => {
            const ways = [
                /@ts-(ignore|expect-error|nocheck)/,
                /(:|\bas|\|)\s*any\b(?! \w)/,
                /\bany\[\]/,
                /<any>/,
                /,\s*any>/,
            ];
            const found = sources.flatMap((file) =>
                linesOf(file).flatMap((line, number, lines) => {
                    const isExplained = /biome-ignore lint\/suspicious\/noExplicitAny: \w+/.test(
                        lines[number - 1] ?? "",
                    );
                    const isComment = /^\s*(\/\*\*|\*|\/\/)/.test(line) && !line.includes("@ts-");
                    return !isExplained && !isComment && ways.some((way) => way.test(line))
                        ? [`${file}:${number + 1}: ${line.trim()}`]
                        : [];
                }),
            );
            assert.deepEqual(found, []);
        });

        it("of services say of everything what type it is: no cast, no assertion, no record of anything", () => {
            assert.deepEqual(untypedIn("x.ts", "const a = b as C; d!.e; type F = Record<string, unknown>;").length, 3);
            assert.deepEqual(untypedIn("x.ts", "const a = [1] as const; // b as C\nif (!d) e !== f;"), []);
            const services = sources.filter((file) => roomOf(file) === "services");
            assert.deepEqual(
                services.flatMap((file) => untypedIn(file, linesOf(file).join("\n"))),
                [],
            );
        });

        it("export by name", () => {
            const found = sources.filter((file) => linesOf(file).some((line) => /^export (default|=)/.test(line)));
            assert.deepEqual(found, []);
        });
    });
});
