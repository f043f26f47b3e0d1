/** Collects the commands that messages, pages, examples, issue templates and workflows print. npx takes each only from this package. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { commandNames } from "../src/command/names";

const root = join(__dirname, "..");
const places = ["src", "docs", "examples", ".github", "README.md", "llms.txt", "CHANGELOG.md", "SECURITY.md"];
const commands = [...commandNames, "simulator"];

function filesIn(path: string): string[] {
    if (!statSync(join(root, path)).isDirectory()) return [path];
    return readdirSync(join(root, path))
        .filter((name) => name !== "node_modules")
        .flatMap((name) => filesIn(`${path}/${name}`));
}

/** npx with anything that ends in the name of an executable of this package, and that executable with a command; and the word behind it. */
const printed = new RegExp(
    `(?<npx>npx (?:-\\S+ )*)(?<name>[\\w@./-]*statecraft)(?: (?<word>[\\w-]+))?|(?<![\\w./[-])statecraft (?:${commands.join("|")})\\b`,
    "g",
);

function strange({ groups }: RegExpMatchArray): boolean {
    const { npx = "", name, word } = groups ?? {};
    return `${npx}${name}` !== "npx pulumi-statecraft" || (word !== undefined && !commands.includes(word));
}

describe("the printed commands", () => {
    for (const place of places)
        it(`of ${place} can only be those of this package`, () => {
            const lines = filesIn(place).flatMap((file) =>
                readFileSync(join(root, file), "utf8")
                    .split("\n")
                    .map((line) => `${file}: ${line}`),
            );
            const found = lines.flatMap((line) => [...line.matchAll(printed)].map((match) => [line, match] as const));
            assert.deepEqual(
                found.filter(([, match]) => strange(match)).map(([line]) => line),
                [],
            );
            assert(found.length > 0 || place === "SECURITY.md");
        });
});
