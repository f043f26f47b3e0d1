/** The documentation is what the definitions say, is complete, and leads somewhere. */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { leftovers, pages } from "../scripts/docs";
import { kebabCase, programTexts, sampleArguments } from "../scripts/program-texts";
import { check } from "../src/schema/check";
import { objectNode } from "../src/schema/property";
import { definitions, functions } from "./support/definitions";

const root = join(__dirname, "..");
const textOf = (file: string) => readFileSync(join(root, file), "utf8");
const below = (folder: string, ending: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(ending) && !file.includes("node_modules"))
        .map((file) => `${folder}/${file}`);

describe("the generated pages", () => {
    it("are what the definitions, the examples and the facts in `test/resources` say; `npm run docs` writes them", () => {
        const stale = Object.entries(pages()).filter(([file, text]) => {
            return !existsSync(join(root, file)) || textOf(file) !== text;
        });
        assert.deepEqual(
            stale.map(([file]) => file),
            [],
        );
        assert.deepEqual(leftovers(), []);
    });

    it("are there for every resource and function, and the index leads to each", () => {
        const names = [...definitions.map(({ type }) => type), ...functions.map(({ name }) => name)];
        const index = textOf("docs/README.md");
        const missing = names.filter((name) => {
            const page = `reference/${kebabCase(name)}.md`;
            return !existsSync(join(root, "docs", page)) || !index.includes(`(${page})`);
        });
        assert.deepEqual(missing, []);
    });

    it("stand in the README as its tables of resources and functions", () => {
        assert.match(textOf("README.md"), /<!-- resources -->\n\n\| resource[\s\S]*<!-- functions -->\n\n\[/);
    });

    it("tell each type whole, and each object inside it", () => {
        const types = Object.values(pages()).flatMap((page) =>
            [...page.matchAll(/^\| `[^|]+\| `((?:\\\||[^|])+)` +\|/gm)].map(([, type = ""]) => type),
        );
        assert(types.length > 300);
        assert.deepEqual(
            types.filter((type) => /\|\s*(\\|$)|Args\b/.test(type)),
            [],
        );
        assert.match(pages()["docs/reference/state-version.md"] ?? "", /^### `lock`\n\n.*\n.*\n\| `reason` /m);
    });

    it("tell of an argument inside an object that a change does what it does to the whole", () => {
        const rows = (page: string, name: string) =>
            [...page.matchAll(new RegExp(`^\\| \`${name}\`.*$`, "gm"))].map(([row]) => row);
        const page = pages()["docs/reference/csi-volume.md"] ?? "";
        assert.match(rows(page, "preferred").join(), /\| replaces +\|/);
        assert.match(rows(page, "create").join(), /\| is stored, nothing is sent +\|/);
        assert.match(rows(page, "fsType").join(), /\| in place +\|/);
    });

    it("hold an example of every resource and function in each language", () => {
        for (const definition of [...definitions, ...functions]) {
            const languages = programTexts(definition).map(({ language }) => language);
            const name = "type" in definition ? definition.type : definition.name;
            assert.deepEqual(languages, ["TypeScript", "TypeScript, native", "Python", "Go", "YAML"], name);
        }
    });

    it("call every function as it wants to be called", () => {
        for (const lookup of functions) {
            const args = Object.entries(sampleArguments(lookup)).map(([name, code]) => {
                return [name, code.startsWith('"') ? JSON.parse(code) : "from the configuration"] as const;
            });
            const { failures } = check(objectNode(lookup.inputs), Object.fromEntries(args));
            assert.deepEqual(failures, [], lookup.name);
            assert(
                !args.some(([, value]) => value === "…"),
                `${lookup.name} needs a sample in scripts/program-texts.ts`,
            );
        }
    });
});

describe("the documentation", () => {
    const documents = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", ...below("docs", ".md")];

    it("has no link that leads nowhere", () => {
        const broken = documents.flatMap((file) => {
            const links = [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
            return links
                .filter((link) => !/^(https?|mailto):/.test(link))
                .filter((link) => !leads(file, link))
                .map((link) => `${file}: ${link}`);
        });
        assert.deepEqual(broken, []);
    });
});

/** Whether a link from a page leads to a file, and its fragment to a heading there. */
function leads(file: string, link: string): boolean {
    const [path = "", fragment] = link.split("#");
    const target = path === "" ? file : normalize(join(dirname(file), path));
    if (!existsSync(join(root, target))) return false;
    if (fragment === undefined) return true;
    const headings = [...textOf(target).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
        heading
            .toLowerCase()
            .replace(/[^\w\s-]/g, "")
            .replace(/\s/g, "-"),
    );
    return headings.includes(fragment);
}
