/** CONTRIBUTING.md names each file that a contributor changes by hand, and says of each main resource what its file does. */

import assert from "node:assert/strict";
import { pages, registryPages } from "../scripts/docs";
import { generated } from "../scripts/generate";
import { kebabCase } from "../scripts/program-texts";
import { objectNode } from "../src/schema/property";
import { definitionOf, definitions } from "./support/definitions";
import { fieldsOf } from "./support/endpoints";
import { filesIn, textOf } from "./support/repository";
import { factsOf } from "./support/resource-facts";

const page = textOf("CONTRIBUTING.md");

/** The files that a section names. */
function filesNamedIn(section: string): readonly string[] {
    const [, text = assert.fail(section)] = page.split(`\n## ${section}\n`);
    return [...(text.split("\n## ")[0] ?? "").matchAll(/`([\w./-]+\.(?:md|ts))`/g)].map(([, file = ""]) => file);
}

const writtenByScripts = new Set([generated(), pages(), registryPages()].flatMap((files) => Object.keys(files)));
const byHand = ["bench", "docs", "examples", "scripts", "src", "test", "CHANGELOG.md", "README.md", "SECURITY.md"]
    .flatMap(filesIn)
    .filter((file) => /\.(md|mjs|ts)$/.test(file) && !writtenByScripts.has(file));
/** The words of each file that is written by hand. */
const words = new Map(byHand.map((file) => [file, new Set(textOf(file).match(/\w+/g))] as const));
const naming = (all: readonly string[]) => byHand.filter((file) => all.every((word) => words.get(file)?.has(word)));
const missingIn = (section: string, files: readonly string[]) =>
    files.filter((file) => !filesNamedIn(section).includes(file));

describe("CONTRIBUTING.md", () => {
    it("names in `Add a resource` each file that names every resource, and each kind of file that a resource has", () => {
        const lists = naming(definitions.map(({ type }) => type));
        assert(lists.length > 1, "a resource is absent from files that `Add a resource` in CONTRIBUTING.md names");
        assert.deepEqual(missingIn("Add a resource", lists), []);
        const services = [...new Set(filesIn("src/services").map((file) => file.split("/")[2]))].join("|");
        const own = definitions.flatMap(({ type }) => {
            const name = kebabCase(type);
            return byHand
                .filter((file) => file.includes(`/${name}.`))
                .map((file) => file.replace(new RegExp(`/(${services})/`), "/manager/").replace(name, "auth-role"));
        });
        const kinds = [...new Set(own)].filter((kind) => own.filter((one) => one === kind).length > own.length / 10);
        assert(kinds.length > 3);
        assert.deepEqual(missingIn("Add a resource", kinds), []);
    });

    it("names in `Add a field` each file that names every field of `AuthRole`, the example of a resource", () => {
        const all = fieldsOf(objectNode(definitionOf("AuthRole").inputs));
        // The service ignores one of the fields, and its document does not have the other.
        const fields = all.filter(([field]) => field !== "max_jwt_exp" && field !== "alias_metadata");
        const files = [0, 1].flatMap((spelling) => naming(fields.map((names) => names[spelling] ?? "")));
        assert(files.length > 3, "a field is absent from files that `Add a field` in CONTRIBUTING.md names");
        assert.deepEqual(missingIn("Add a field", files), []);
    });

    for (const type of ["AuthRole", "SnapshotConfig", "CsiVolume", "StateVersionRollback"]) {
        it(`names the functions that create, read, update and delete a resource of type ${type}, and what replaces it`, () => {
            const row = page.split("\n").find((line) => line.startsWith(`| \`${type}\` |`));
            const cells = row?.split("|").map((cell) => cell.match(/[\w/.-]+/g) ?? []) ?? [];
            const [, , [file] = [], write = [], read = [], remove = [], immutable = []] = cells;
            const members = textOf(`src/services/${file}`).match(/(?<=^ +async )(act|read|remove|wait|write)(?=\()/gm);
            assert.deepEqual([...new Set([...write, ...read, ...remove])].sort(), members?.sort());
            assert.deepEqual([...immutable].sort(), [...factsOf(type).immutable].sort());
        });
    }
});
