/** Where a program may stand: everywhere the provider's text in state must find its code again. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi/automation";
import * as statecraft from "pulumi-statecraft";
import { environmentOf, type Workspace } from "../support/pulumi-cli";
import { onStage, settings, tokens } from "../support/stack";
import { World } from "../support/world";

const repository = resolve(__dirname, "..", "..");
const javascript = `
    const { AuthRole } = require("pulumi-statecraft");
    new AuthRole("web", { name: "web", tokenTtl: process.env.TTL ?? "1h" });`;
const typescript = `
    import * as statecraft from "pulumi-statecraft";
    const web = new statecraft.AuthRole("web", { name: "web", tokenTtl: process.env.TTL ?? "1h" });
    export const role = web.id;`;

async function livesIn({ stack, world }: { stack: Workspace; world: World }): Promise<void> {
    for (const [outcome, ops] of [
        [await stack.up(), ["create"]],
        [await stack.refresh(), []],
        [await stack.up("--expect-no-changes"), ["same"]],
        [await stack.destroy(), ["delete"]],
    ] as const) {
        assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr);
        assert.deepEqual(
            outcome.steps.map(({ op }) => op).filter((op) => ops.length > 0 || op !== "same"),
            ops,
        );
    }
    assert.equal(await world.outside("GET", "/v1/auth/clouda/role/web"), undefined);
}

/** The package as it would be published, made once. */
let packed: string | undefined;
function tarball(into: string): string {
    packed ??= (() => {
        const said = execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", into], {
            cwd: repository,
            encoding: "utf8",
            stdio: ["ignore", "pipe", "ignore"],
        });
        const told: unknown = JSON.parse(said);
        assert(Array.isArray(told) && typeof told[0].filename === "string");
        return join(into, told[0].filename);
    })();
    return packed;
}

/** Gives a program a folder of packages of its own, with this package as it is published. */
function installInto(folder: string, sdk: string, packs: string): void {
    unlinkSync(join(folder, "node_modules"));
    const dependencies = {
        "@pulumi/pulumi": sdk,
        "pulumi-statecraft": `file:${tarball(packs)}`,
        "ts-node": "10.9.2",
        typescript: "5.9.3",
    };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "a-program", private: true, dependencies }));
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--silent"], {
        cwd: folder,
        stdio: "ignore",
    });
}

describe("programs in every place", () => {
    let packs: string;
    before(() => {
        packs = mkdtempSync(join(tmpdir(), "statecraft-packs-"));
    });
    after(() => rmSync(packs, { recursive: true, force: true }));

    it("with the packed tarball in a fresh folder, in TypeScript with types checked", async () => {
        await onStage(
            {},
            { source: typescript, language: "typescript" },
            async (stage) => {
                installInto(stage.stack.folder, sdkVersion(), packs);
                await livesIn(stage);
            },
            { PULUMI_NODEJS_TRANSPILE_ONLY: "false" },
        );
    });

    it("with the oldest SDK of the declared range", async () => {
        const range = /"@pulumi\/pulumi": ">=(\d+\.\d+\.\d+) <4"/.exec(
            readFileSync(join(repository, "package.json"), "utf8"),
        );
        assert(range?.[1]);
        const oldest = range[1];
        await onStage({}, javascript, async (stage) => {
            installInto(stage.stack.folder, oldest, packs);
            await livesIn(stage);
        });
    });

    it("in a subfolder of the project", async () => {
        await onStage({}, javascript, async (stage) => {
            const sub = join(stage.stack.folder, "deploy", "programs");
            mkdirSync(sub, { recursive: true });
            writeFileSync(join(sub, "index.js"), javascript);
            unlinkSync(join(stage.stack.folder, "index.js"));
            writeFileSync(
                join(stage.stack.folder, "Pulumi.yaml"),
                JSON.stringify({
                    name: "test",
                    runtime: { name: "nodejs", options: { typescript: false } },
                    main: "deploy/programs",
                }),
            );
            await livesIn(stage);
        });
    });

    it("in a plain JavaScript program", async () => {
        await onStage({}, javascript, livesIn);
    });

    it("in an inline program of the Automation API, given a workDir from which the package is found", async () => {
        const world = await World.start({});
        const root = mkdtempSync(join(tmpdir(), "statecraft-inline-"));
        const environment = await environmentOf(root);
        const path = process.env["PATH"];
        try {
            // The Automation API looks for the CLI on its own process's path.
            process.env["PATH"] = environment["PATH"];
            symlinkSync(join(repository, "node_modules"), join(root, "node_modules"), "dir");
            const stack = await pulumi.LocalWorkspace.createOrSelectStack(
                {
                    stackName: "dev",
                    projectName: "inline",
                    program: async () => {
                        const web = new statecraft.AuthRole("web", { name: "web", tokenTtl: "1h" });
                        return { role: web.id };
                    },
                },
                { workDir: root, envVars: { ...environment, ...tokens } },
            );
            for (const [key, value] of Object.entries(settings(world))) {
                await stack.setConfig(key, { value: JSON.stringify(value) });
            }
            const up = await stack.up();
            assert.equal(up.outputs["role"]?.value, "auth/clouda/role/web");
            assert.equal((await stack.refresh()).summary.resourceChanges?.["update"], undefined);
            await stack.up({ expectNoChanges: true });
            await stack.destroy();
            assert.equal(await world.outside("GET", "/v1/auth/clouda/role/web"), undefined);
        } finally {
            process.env["PATH"] = path;
            rmSync(root, { recursive: true, force: true });
            await world.close();
        }
    });

    it("holds in its tarball what it should, and nothing else", () => {
        const listed = execFileSync("tar", ["-tzf", tarball(packs)], { encoding: "utf8" })
            .trim()
            .split("\n");
        const strange = listed.filter(
            (file) => !/^package\/(dist\/.*\.(js|d\.ts)|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(file),
        );
        assert.deepEqual(strange, []);
        for (const file of [
            "dist/index.js",
            "dist/index.d.ts",
            "dist/runtime.js",
            "dist/simulator/main.js",
            "README.md",
            "LICENSE",
        ]) {
            assert(listed.includes(`package/${file}`), file);
        }
    });
});

function sdkVersion(): string {
    const told: unknown = JSON.parse(
        readFileSync(join(repository, "node_modules", "@pulumi", "pulumi", "package.json"), "utf8"),
    );
    return (told as { version: string }).version;
}
