/** Tests which folders of `src` import each other, by the table in CONTRIBUTING.md, and which may import a library. */

import assert from "node:assert/strict";
import { dirname, posix } from "node:path";
import { filesIn, textOf } from "./support/repository";

const sources = filesIn("src").filter((file) => file.endsWith(".ts"));

interface Import {
    readonly file: string;
    readonly name: string;
    readonly typeOnly: boolean;
}

const importPatterns = [
    /^\s*(?:import|export)\s+(?<type>type\s)?(?:[^"';]*?\sfrom\s+)?["'](?<name>[^"']+)["']/gm,
    /(?<type>typeof\s+)?\bimport\(\s*["'](?<name>[^"']+)["']\s*\)/g,
    /(?<type>\0)?\brequire(?:\.resolve)?\(\s*["'](?<name>[^"']+)["']\s*\)/g,
];

function importsOf(file: string): Import[] {
    // Comments and the text of a dynamic provider may contain a `require`.
    const lines = textOf(file).split("\n");
    const text = lines.filter((line) => !/exports\.handler|^\s*(\/\*\*|\*|\/\/)/.test(line)).join("\n");
    return importPatterns.flatMap((pattern) =>
        [...text.matchAll(pattern)].map(({ groups }) => {
            return { file, name: groups?.["name"] ?? "", typeOnly: groups?.["type"] !== undefined };
        }),
    );
}

const imports = sources.flatMap(importsOf);

/** The folder of a file in `src`, or the name of a file that is in no folder. */
const folderOf = (path: string) => path.split("/")[1]?.replace(/\.ts$/, "") ?? "";

const [, house = ""] = /^## The house\n([\s\S]*?)^## /m.exec(textOf("CONTRIBUTING.md")) ?? [];
const [, map = ""] = /^```\n([\s\S]*?)^```$/m.exec(house) ?? [];
/** The rows of the table in CONTRIBUTING.md: folders and files of `src`, and what they import. */
const rows = [...house.matchAll(/^\| `([\w-]+)(?:\.ts)?` \| .* \| ([^|]*) \|$/gm)].map(
    ([, folder = "", imported = ""]) => [folder, imported.match(/[\w-]+(?=`)/g) ?? []] as const,
);

/** The folders that may import a library. */
const homes: readonly (readonly [library: RegExp, folders: readonly string[]])[] = [
    [/^(axios|p-limit|proxy-from-env|https-proxy-agent)$/, ["http"]],
    [/^(node:)?(https?|http2|tls|dgram)$/, ["http", "simulator"]],
    // `schema` and `simulator` parse IP addresses with `node:net`.
    [/^(node:)?net$/, ["http", "schema", "simulator"]],
    [/^(@pulumi|@grpc)\//, ["plugin", "pulumi"]],
    [/^zod/, ["client", "core", "http", "schema", "services", "settings", "simulator"]],
    [
        /^node:(?!(util|net)$)/,
        ["client", "command", "http", "plugin", "pulumi", "runtime", "services", "settings", "simulator"],
    ],
    [/^(hono|@hono\/.*)$/, ["simulator"]],
    [/^commander$/, ["command"]],
];

describe("imports", () => {
    for (const [folder, imported] of rows) {
        it(`${folder} imports what the table of CONTRIBUTING.md says`, () => {
            const targets = imports
                .filter(({ file, name }) => folderOf(file) === folder && name.startsWith("."))
                .map(({ file, name }) => folderOf(posix.join(dirname(file), name)))
                .filter((target) => target !== folder && target !== "");
            assert.deepEqual([...new Set(targets)].sort(), [...imported].sort());
        });
    }

    it("the table and the map of CONTRIBUTING.md have every folder and file of `src`", () => {
        const folders = [...new Set(sources.map(folderOf))].sort();
        assert.deepEqual(rows.map(([folder]) => folder).sort(), folders);
        assert.deepEqual(
            folders.filter((folder) => !new RegExp(`\\b${folder}\\b`).test(map)),
            [],
        );
    });

    for (const [library, folders] of homes) {
        it(`${library.source} is imported only in ${folders.join(", ")}`, () => {
            const isTypeOf = ({ file, typeOnly }: Import) =>
                typeOnly && ["client", "generated", "native", "runtime"].includes(folderOf(file));
            const wrong = imports.filter((each) => library.test(each.name) && !isTypeOf(each));
            assert.deepEqual(
                wrong.filter(({ file }) => !folders.includes(folderOf(file))).map(({ file }) => file),
                [],
            );
        });
    }

    it("package.json names exactly the libraries that are imported", () => {
        const { name: own, dependencies, peerDependencies } = JSON.parse(textOf("package.json"));
        const packageOf = (name: string) => name.split("/", name.startsWith("@") ? 2 : 1).join("/");
        // A bundle contains the libraries of the simulator.
        const used = new Set(
            imports
                .filter(({ file, name }) => folderOf(file) !== "simulator" && !/^(node:|\.)/.test(name))
                .map(({ name }) => packageOf(name)),
        );
        // The bundle of the command contains commander. Pulumi's SDK depends on @grpc/grpc-js and google-protobuf.
        const others = ["commander", "@grpc/grpc-js", "google-protobuf"];
        for (const name of [own, ...Object.keys(peerDependencies), ...others]) used.delete(name);
        assert.deepEqual([...used].sort(), Object.keys(dependencies).sort());
    });
});

describe("files", () => {
    for (const folder of ["core", "http"]) {
        it(`of \`${folder}\` contain no word of a product`, () => {
            const words = /vault|nomad|terraform|hashi|azure|x-secrets/i;
            assert.deepEqual(
                filesIn(`src/${folder}`).filter((file) => words.test(textOf(file))),
                [],
            );
        });
    }

    it("contain no path of a developer's machine", () => {
        const pattern = new RegExp(
            `(?<![\\w.*])/(?:${["ro:ot\\b", "wo:rk/", "ho:me/"].join("|").replaceAll(":", "")})`,
        );
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
