/** Installs the packed package with the oldest and the newest supported SDK, and runs programs. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
    copyFileSync,
    existsSync,
    mkdirSync,
    readdirSync,
    readFileSync,
    symlinkSync,
    unlinkSync,
    writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { packed, packedFiles } from "../support/packed";
import { root } from "../support/repository";
import { done, isDeclaredByProgram, onStage } from "../support/stack";
import { temporaryFolder } from "../support/temporary-folder";

const sdkIn = (folder: string) => join(folder, "node_modules", "@pulumi", "pulumi");
const versionIn = (folder: string): unknown => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
const typescript = `
    import * as statecraft from "pulumi-statecraft";
    const web = new statecraft.AuthRole("web", { name: "web", tokenTtl: "1h" });
    export const role = web.id;`;
const javascript = `
    require("node:assert").equal(require("@pulumi/pulumi/package.json").version, "${versionIn(sdkIn(root))}");
    const statecraft = require("pulumi-statecraft");
    exports.role = new statecraft.AuthRole("web", { name: "web", tokenTtl: "1h" }).id;`;

/** Returns the oldest version of the SDK that package.json allows. */
function oldestSdk(): string {
    const declared: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const { peerDependencies } = declared as { peerDependencies: Record<string, string> };
    const [, oldest] = /^>=(\S+) <4$/.exec(peerDependencies["@pulumi/pulumi"] ?? "") ?? [];
    assert(oldest);
    return oldest;
}

/** Installs the package, an SDK and TypeScript into a folder that later runs reuse. */
async function installed(sdk: string, tarball: string): Promise<string> {
    const { cached, fingerprint } = await import("../../scripts/sdk.mjs");
    const packages = { "@pulumi/pulumi": sdk, "ts-node": "10.9.2", typescript: "5.9.3" };
    const own = readFileSync(join(root, "package.json"), "utf8");
    return cached("oldest-sdk", fingerprint(own, JSON.stringify(packages)), async (folder) => {
        const dependencies = { ...packages, "pulumi-statecraft": `file:${tarball}` };
        writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "a-program", private: true, dependencies }));
        execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--silent"], {
            cwd: folder,
            stdio: "ignore",
        });
    });
}

/** Links the installed packages into the folder of a program, and unpacks the tarball there. */
function linkInto(folder: string, from: string, tarball: string): void {
    const packages = join(folder, "node_modules");
    unlinkSync(packages);
    const own = join(packages, "pulumi-statecraft");
    for (const made of [own, join(packages, "@pulumi")]) mkdirSync(made, { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "--strip-components", "1", "-C", own]);
    for (const name of readdirSync(join(from, "node_modules"))) {
        if (!existsSync(join(packages, name))) symlinkSync(join(from, "node_modules", name), join(packages, name));
    }
    symlinkSync(sdkIn(from), sdkIn(folder), "dir");
    copyFileSync(join(from, "package.json"), join(folder, "package.json"));
}

/** Replaces the installed SDK by that of this repository. */
function exchangeSdk(folder: string): void {
    unlinkSync(sdkIn(folder));
    symlinkSync(sdkIn(root), sdkIn(folder), "dir");
}

describe("the packed package", () => {
    let tarball: string;
    let packages: string;
    // The packages may have to be packed and installed first.
    before(async function () {
        this.timeout(0);
        tarball = await packed();
        packages = await installed(oldestSdk(), tarball);
    });

    it("works with the oldest supported SDK in TypeScript, and with the newest in JavaScript in a subfolder", async () => {
        await onStage(
            {},
            { source: typescript, language: "typescript" },
            async ({ stack }) => {
                linkInto(stack.folder, packages, tarball);
                assert.deepEqual(done(await stack.up()), { web: "create" });
                await isDeclaredByProgram(stack);
                assert.deepEqual(done(await stack.refresh("--expect-no-changes")), { web: "same" });

                exchangeSdk(stack.folder);
                unlinkSync(join(stack.folder, "index.ts"));
                // `__provider` in state must find the package from this folder too.
                const main = join("deploy", "programs");
                mkdirSync(join(stack.folder, main), { recursive: true });
                writeFileSync(join(stack.folder, main, "index.js"), javascript);
                const runtime = { name: "nodejs", options: { typescript: false } };
                writeFileSync(
                    join(stack.folder, "Pulumi.yaml"),
                    JSON.stringify({ name: stack.project, runtime, main }),
                );
                assert.deepEqual(done(await stack.up("--expect-no-changes")), { web: "same" });
                await isDeclaredByProgram(stack);
            },
            { PULUMI_NODEJS_TRANSPILE_ONLY: "false" },
            { asUsersRun: true },
        );
    });

    it("runs its commands and the simulator by npx in an empty folder, without the SDK, and says there how a program gets it", () => {
        const folder = temporaryFolder();
        const options = { cwd: folder, encoding: "utf8", stdio: "pipe" } as const;
        const npx = ["--yes", "--prefer-offline", `--package=file:${tarball}`];
        const command = `npx ${npx.join(" ")} pulumi-statecraft history example/app --json`;
        const args = [...npx, "pulumi-statecraft", "simulator", "--port", "0", "--", "sh", "-c", command];
        assert.match(execFileSync("npx", args, options), /"sv-4"/);

        const found = execFileSync("npx", [...npx, "-c", "command -v pulumi-statecraft"], options);
        const packages = resolve(found.trim(), "..", "..");
        // Bundles contain the libraries of the simulator.
        const installed = ["axios", "@pulumi", "hono"].map((name) => existsSync(join(packages, name)));
        assert.deepEqual(installed, [true, false, false]);
        for (const name of ["pulumi-statecraft", "pulumi-statecraft/native"])
            assert.throws(
                () => execFileSync(process.execPath, ["-e", `require("${name}")`], { ...options, cwd: packages }),
                /StatecraftError: .*Run `npm install @pulumi\/pulumi`\. \[config\]/,
            );
    }).timeout(300_000);

    it("contains all compiled sources, and no other files", async () => {
        const listed = await packedFiles();
        const strange = listed.filter(
            (file) =>
                !/^(dist\/.*\.(js|d\.ts)|package\.json|schema\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md)$/.test(
                    file,
                ),
        );
        assert.deepEqual(strange, []);
        // The compiler does not delete the output of deleted sources.
        const compiled = listed.flatMap((file) => /^dist\/(.*?)(\.d)?\.[jt]s$/.exec(file)?.[1] ?? []);
        assert.deepEqual(
            compiled.filter(
                (file) =>
                    !/^runtime\/(bundle-|(axios|https-proxy-agent)$)/.test(file) &&
                    !existsSync(join(root, "src", `${file}.ts`)),
            ),
            [],
        );
    });
});
