/** Where a program may stand: everywhere the provider's text in state must find its code again. */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi/automation";
import * as statecraft from "pulumi-statecraft";
import { environmentOf } from "../support/pulumi-cli";
import { livesIn, onStage, roleProgram, type Stage, settings, tokens } from "../support/stack";
import { World } from "../support/world";

const repository = resolve(__dirname, "..", "..");

describe("programs in every place", () => {
    it("in plain JavaScript, in a subfolder of the project", async () => {
        const test = async (stage: Stage) => {
            const sub = join(stage.stack.folder, "deploy", "programs");
            mkdirSync(sub, { recursive: true });
            writeFileSync(join(sub, "index.js"), roleProgram);
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
        };
        await onStage({}, roleProgram, test, {}, true);
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
});
