/** Collects the commands that messages, pages, examples, issue templates and workflows print. npx takes each only from this package. */

import assert from "node:assert/strict";
import { commandNames } from "../src/command/names";
import { printedCommands, wayOf } from "./documents/commands";
import { filesIn, textOf } from "./support/repository";

const places = ["src", "docs", "examples", ".github", "README.md", "llms.txt", "CHANGELOG.md", "SECURITY.md"];
const commands = [...commandNames, "simulator"];

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
                textOf(file)
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

    it("that another test runs are in that test", () => {
        const rows = printedCommands().flatMap((command) => {
            const { by } = wayOf(command) ?? {};
            return by === undefined ? [] : [{ by, verb: command.split(" ").slice(1, 3) }];
        });
        for (const { by, verb } of rows) assert.match(textOf(by), new RegExp(`"${verb.join('",\\s*"')}"`));
        assert(rows.length > 0);
    });

    it("have a way in test/documents/commands.ts in which `npm run test:nightly` runs them", () => {
        const commands = printedCommands();
        assert.deepEqual(
            commands.filter((command) => wayOf(command) === undefined),
            [],
        );
        assert(commands.length > 140);
    });
});
