/** The documentation matches the definitions, is complete, and has no broken links. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { leftovers, pages, registryPages } from "../scripts/docs";
import { sampleArguments } from "../scripts/program-texts";
import { check } from "../src/schema/check";
import { Declared } from "../src/schema/declared";
import { objectNode } from "../src/schema/property";
import { definitions, functions } from "./support/definitions";
import { filesIn, root, textOf } from "./support/repository";

const below = (folder: string, ending: string) => filesIn(folder).filter((file) => file.endsWith(ending));

describe("the generated pages", () => {
    it("equal the output of `npm run docs`", () => {
        const stale = Object.entries(pages()).filter(([file, text]) => {
            return !existsSync(join(root, file)) || textOf(file) !== text;
        });
        const files = stale.map(([file]) => file);
        assert.deepEqual(files, [], "run `npm run docs`");
        assert.deepEqual(leftovers(), [], "run `npm run docs`");
    });

    it("have a form for the registry, with all languages and settings", () => {
        const [overview = "", settings = ""] = Object.values(registryPages());
        assert.match(overview, /language typescript[\s\S]*language python[\s\S]*language go[\s\S]*language yaml/);
        assert.match(settings, /\| `otherAddresses` /);
    });

    it("have a program in the languages for every resource", () => {
        const program = textOf("test/languages/every-resource.ts");
        assert.deepEqual(
            definitions.map(({ type }) => type).filter((type) => !program.includes(`new statecraft.${type}(`)),
            [],
            "not in test/languages/every-resource.ts",
        );
    });

    it("call every function with valid arguments", () => {
        for (const lookup of functions) {
            const args = Object.entries(sampleArguments(lookup)).map(([name, code]) => {
                return [name, code.startsWith('"') ? JSON.parse(code) : "from the configuration"] as const;
            });
            const { failures } = check(new Declared(objectNode(lookup.inputs), Object.fromEntries(args)));
            assert.deepEqual(failures, [], lookup.name);
            assert(
                !args.some(([, value]) => value === "…"),
                `${lookup.name} needs a sample in scripts/program-texts.ts`,
            );
        }
    });
});

describe("the documentation", () => {
    const documents = [
        "README.md",
        "SECURITY.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "examples/README.md",
        ...below("docs", ".md"),
    ];

    it("links to every page from its index", () => {
        const index = textOf("docs/README.md");
        const missing = below("docs", ".md").filter((file) => !index.includes(`(${file.slice("docs/".length)})`));
        assert.deepEqual(missing, ["docs/README.md", "docs/tasks/README.md"]);
    });

    it("uses the products' names instead of those of the API documents", () => {
        const examples = [".ts", ".py", ".go", ".yaml"].flatMap((ending) => below("examples", ending));
        const types = ["src/index.ts", ...below("src/generated", ".ts")];
        const neutral = ["README.md", ...below("docs", ".md"), ...examples, ...types].filter((file) =>
            // Types of programs list the documents' words too.
            /cloud[abc]|secrets manager|workload scheduler/i.test(textOf(file).replace(/"cloud[abc][\w-]*"/gi, "")),
        );
        assert.deepEqual(neutral, []);
    });

    it("says which versions the service keeps, and which can be downloaded as JSON", () => {
        for (const page of ["reference/state-version-rollback", "tasks/which-version"])
            assert.match(textOf(`docs/${page}.md`), /last 100 states[\s\S]*six months/);
        assert.match(textOf("docs/reference/download-state.md"), /Terraform 1\.3 or newer/);
    });

    it("has no broken link", () => {
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

/** Whether a link from a page leads to a file, and its fragment to a heading of the file. */
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
