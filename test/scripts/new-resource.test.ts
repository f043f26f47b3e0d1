/** The way of "Another resource" in CONTRIBUTING.md, gone in a scratch copy: a small resource, made from the skeletons, passes the suites. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { bases, serviceFolders, skeletonsOf } from "../../scripts/new-resource";
import { placesOf } from "../../scripts/places";

const root = join(__dirname, "..", "..");
const run = promisify(execFile);

type Changes = readonly (readonly [mark: string | RegExp, text: string])[];

/** What a person fills in: a request mark has a size, a tag that no read shows, and a place, which is an object. */
const filled: Readonly<Record<string, Changes>> = {
    "src/services/manager/request-mark.ts": [
        [
            /^ {8}\/\/ TODO each field.*\n.*\n/m,
            '        size: property(wholeNumber().optional(), { wire: "size", default: 1, description: "How large it is." }),\n' +
                '        tag: property(z.string().optional(), { wire: "tag", default: "", secret: true, writeOnly: true, description: "A tag." }),\n' +
                '        place: property(z.strictObject({ racks: property(names.optional(), { wire: "racks", default: [], description: "Racks." }) }).optional(), { wire: "place", default: {}, description: "Where it is." }),\n',
        ],
        ["{ stringOf }", "{ names, stringOf, wholeNumber }"],
        [/^ *\/\/ TODO what concerns.*\n.*\n/m, ""],
    ],
    "src/simulator/manager/request-mark.ts": [
        [/\/\/ TODO \{ name.*/, '{ name: "size", kind: "integer", preset: 1 }, { name: "tag", kind: "text" },'],
        [
            /^ *\/\/ TODO what else.*\n^ *\/\/ TODO what an unset.*\n^ *\/\/ TODO nested.*\n.*\n/m,
            '        hidden: ["tag"],\n        replaces: true,\n' +
                "        settle: (set, { body: { place } }) => ({ place: {}, ...set, ...(isObject(place) && { place }) }),\n",
        ],
        ["import type { Field }", 'import { isObject } from "../json";\nimport type { Field }'],
    ],
    "test/resources/request-mark.ts": [
        [/\/\/ TODO the fields.*\nconst fields = "";/, 'const fields = "size place place.racks";'],
        ['same("", "RequestMark.", fields)', 'same("", "RequestMark.", "size tag place place.racks")'],
        ['full: { name: "first" }', 'full: { name: "first", size: 7, tag: "t-1", place: { racks: ["r1"] } }'],
        ["edited: {},\n", "edited: { size: 8 },\n"],
        ["theirs: {}", "theirs: { size: 9 }"],
        [
            "minimal: {}, full: {}, edited: {}",
            'minimal: { size: 1, tag: "", place: { racks: [] } }, full: { size: 7, tag: "t-1", place: { racks: ["r1"] } }, edited: { size: 8 }',
        ],
        ["secrets: [],\n    unseen: []", 'secrets: ["tag"],\n    unseen: ["tag"]'],
        ["drifted: {},\n    drift: []", 'drifted: { size: 99, place: { racks: ["r1"] } },\n    drift: ["size"]'],
        ["changes: []", "changes: [{ size: undefined }, { tag: undefined }, { place: undefined }]"],
    ],
    "test/services/manager/request-mark.test.ts": [
        [/ *\/\/ TODO what only.*\n/, ""],
        ['it("TODO"', 'it("can be made"'],
    ],
    "examples/request-mark.ts": [],
    ...unchanged("state-versions", "request-nudge"),
    ...unchanged("volumes", "request-ticket"),
};

/** Resources that are their skeletons. */
function unchanged(service: string, name: string): Readonly<Record<string, Changes>> {
    const files = [
        `src/services/${service}/${name}.ts`,
        `src/simulator/${service}/${name}.ts`,
        `test/resources/${name}.ts`,
        `test/services/${service}/${name}.test.ts`,
        `examples/${name}.ts`,
    ];
    return Object.fromEntries(files.map((file) => [file, []]));
}

describe("another resource", () => {
    let copy: string;
    before(() => {
        copy = mkdtempSync(join(tmpdir(), "another-resource-"));
        const left = new Set([".git", ".work", "dist", "node_modules"]);
        for (const name of readdirSync(root).filter((each) => !left.has(each)))
            cpSync(join(root, name), join(copy, name), { recursive: true });
        symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
        // There is no build: the example runs on the sources.
        mkdirSync(join(copy, "dist"));
        writeFileSync(join(copy, "dist", "index.js"), 'module.exports = require("../src/index.ts");');
    });
    after(() => rmSync(copy, { recursive: true, force: true }));

    /** Runs a program in the copy, and returns what it says. */
    async function node(...args: string[]): Promise<{ code: number; said: string }> {
        const env = { ...process.env, STATECRAFT_RUNS: "0.1" };
        return run(process.execPath, args, { cwd: copy, env, maxBuffer: 1 << 26 }).then(
            ({ stdout }) => ({ code: 0, said: stdout }),
            ({ code, stdout, stderr }) => ({ code, said: `${stdout}${stderr}` }),
        );
    }
    const npx = (tool: string, ...args: string[]) => node(join("node_modules", tool), ...args);
    const scriptsOf = () => JSON.parse(readFileSync(join(copy, "package.json"), "utf8")).scripts;
    const npmRun = (script: string, ...args: string[]) => {
        const [command, ...own] = String(scriptsOf()[script]).split(" ");
        assert.equal(command, "node");
        return node(...own, ...args);
    };
    const succeeds = async (command: Promise<{ code: number; said: string }>) => {
        const { code, said } = await command;
        assert.equal(code, 0, said);
        return said;
    };

    it("is made from skeletons, lists its gaps, and passes what all resources pass", async () => {
        await succeeds(npmRun("new-resource", "RequestMark", "manager", "/v1/sys/request-marks"));
        await succeeds(npmRun("new-resource", "RequestNudge", "state-versions", "/request-nudges", "one-shot-action"));
        await succeeds(npmRun("new-resource", "RequestTicket", "volumes", "/request-tickets", "server-assigned"));
        const { code, said } = await npmRun("missing");
        assert.equal(code, 1);
        for (const file of Object.keys(filled))
            assert.match(said, new RegExp(`: ${file}:\\d+ -> .*TODO`), `${file}: ${said}`);
        assert.doesNotMatch(said, /no route/);
        assert.match(said, /schema\.json: stale -> npm run generate/);

        for (const [file, changes] of Object.entries(filled)) {
            const skeleton = readFileSync(join(copy, file), "utf8");
            const text = changes.reduce((all, [mark, words]) => {
                assert(
                    all.search(typeof mark === "string" ? mark.replace(/[{}[\]().]/g, "\\$&") : mark) >= 0,
                    `${mark}`,
                );
                return all.replace(mark, words);
            }, skeleton);
            writeFileSync(
                join(copy, file),
                text.replace(/TODO( what \w+ \w+| what \w+| section| where it lives)?/g, "a mark"),
            );
        }
        await succeeds(npmRun("generate"));
        await succeeds(npmRun("docs"));

        const all = ["paths", "other-server", "requests", "coverage", "examples"];
        const suites = [...all, "core/every-resource", "properties/objects"];
        const [tests, gaps] = await Promise.all([
            npx(
                "mocha/bin/mocha.js",
                ...Object.keys(filled).filter((file) => file.endsWith(".test.ts")),
                ...[...suites, "properties/fuzz"].map((name) => `test/${name}.test.ts`),
                // Servers that differ where the documents leave it open differ for all resources of this base alike.
                ...["--grep", "/^(?!.*(replaces|tells-|masks-)).*request-?(mark|nudge|ticket)/i", "--timeout", "60000"],
                ...["--reporter", "json"],
            ),
            npmRun("missing"),
            succeeds(npx("@biomejs/biome/bin/biome", "lint", ...Object.keys(filled))),
        ]);
        // The other languages need Go.
        assert.deepEqual(
            gaps.said
                .trim()
                .split("\n")
                .filter((gap) => !gap.endsWith("-> npm run examples")),
            [`${4 * 4} gaps.`],
        );
        const { passes, failures } = resultsIn(tests.said);
        assert.deepEqual(
            failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`),
            [],
        );
        const files = new Set(passes.map(({ file }) => basename(file, ".test.ts")));
        assert.deepEqual(
            [...files].sort(),
            [
                "coverage",
                "every-resource",
                "examples",
                "fuzz",
                "objects",
                "other-server",
                "paths",
                "request-mark",
                "request-nudge",
                "request-ticket",
                "requests",
            ],
            "each suite has tests of it",
        );
        // It runs six programs, beside all that `npm test` runs.
    }).timeout(300_000);

    for (const service of serviceFolders)
        for (const base of bases)
            it(`has a skeleton for a ${base} of ${service}`, () => {
                const files = skeletonsOf("RequestMark", service, "/request-marks", base);
                assert.deepEqual(Object.keys(files), Object.values(placesOf("RequestMark", service)));
                assert.doesNotMatch(Object.values(files).join(), /typeName|type-name|TypeName|PATH|SERVED|DOCUMENT/);
                const { [service]: constant = service } = { "state-versions": "stateVersions" };
                assert.match(Object.values(files)[0] ?? "", new RegExp(`service: ${constant},`));
            });

    it("writes over nothing", async () => {
        const { code, said } = await npmRun("new-resource", "AuthRole", "manager");
        assert.equal(code, 1);
        assert.match(said, /There is src\/services\/manager\/auth-role\.ts/);
    });
});

/** What mocha's reporter `json` tells, behind what tests print. */
function resultsIn(said: string) {
    const test = z.object({
        file: z.string(),
        fullTitle: z.string(),
        err: z.object({ message: z.string().optional() }),
    });
    const results = z.object({ passes: z.array(test), failures: z.array(test) });
    return results.parse(JSON.parse(said.slice(said.indexOf('{\n  "stats"'))));
}
