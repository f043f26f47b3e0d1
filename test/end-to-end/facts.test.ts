/** The facts about the engine that our promises rest on: each has a promise here that would break with it. */

import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import type { Diagnostic, Outcome } from "../support/pulumi-cli";
import { isReadable, onStage } from "../support/stack";

const role = (args: string, before = "") => `
    const s = require("pulumi-statecraft");
    ${before}
    new s.AuthRole("web", ${args});`;

const saying = (outcome: Outcome, text: RegExp): readonly Diagnostic[] =>
    outcome.diagnostics.filter(({ message }) => text.test(message));

describe("facts about the engine", () => {
    it("a half-made object is kept, shown with its whole reason, finished by the next up, and can be destroyed", async () => {
        await onStage({}, role('{ name: "web", tokenTtl: "1h" }'), async ({ world, stack }) => {
            await world.fault({
                method: "GET",
                path: "/role/web$",
                skip: 1,
                times: 0,
                status: 500,
                body: '{"errors":["planted"]}',
                contentType: "application/json",
            });
            const broken = await stack.up();
            assert.notEqual(broken.code, 0);
            isReadable(broken);
            assert.equal(
                saying(
                    broken,
                    /AuthRole web: it was written, but could not be read back: GET \/v1\/auth\/clouda\/role\/web: 500: planted/,
                ).length,
                1,
            );
            const [kept] = await stack.resources();
            assert.deepEqual(kept?.outputs?.["unfinished"], ["readBack"]);
            assert.equal(kept?.id, "auth/clouda/role/web");

            await world.heal();
            await world.forget();
            // A refresh makes the engine forget that the object was half-made; its outputs remember.
            assert.equal((await stack.refresh()).code, 0);
            const finished = await stack.up();
            assert.deepEqual(
                finished.steps.map(({ op }) => op),
                ["update"],
            );
            assert.deepEqual(await world.writes(), []);
            assert.equal((await stack.up("--expect-no-changes")).code, 0);
            assert.equal((await stack.destroy()).code, 0);
            assert.equal(await world.outside("GET", "/v1/auth/clouda/role/web"), undefined);
        });
    });

    it("secrets are encrypted in state and hidden on screen, from create, from refresh, and when they change", async () => {
        const program = (key: string) => `
            const s = require("pulumi-statecraft");
            new s.SnapshotConfig("hourly", { name: "hourly", interval: "1h", storage: {
                type: "cloudb-s3", bucket: "b", region: "r", pathPrefix: "p", accessKeyId: "AKPLANTED1", secretAccessKey: "${key}" } });`;
        const path = "/v1/sys/storage/raft/snapshot-auto/config/hourly";
        await onStage({}, program("planted-secret-1"), async ({ world, stack }) => {
            const hidden = async (outcome: Outcome) => {
                assert.equal(outcome.code, 0, outcome.stderr + outcome.stdout);
                for (const text of [outcome.stdout, outcome.stderr, JSON.stringify(await stack.export())]) {
                    assert(!/planted-secret|AKPLANTED/.test(text), "a secret is in clear");
                }
            };
            await hidden(await stack.preview("--diff"));
            await hidden(await stack.up("--diff"));
            await hidden(await stack.refresh("--diff"));
            assert.equal((await stack.up("--expect-no-changes")).code, 0);
            await world.outside("POST", path, { cloudb_secret_access_key: "planted-secret-2" });
            await hidden(await stack.refresh("--diff"));
            stack.write(program("planted-secret-3"));
            await hidden(await stack.up("--diff"));
            const stored = (await world.outside("GET", path)) as { data: Record<string, unknown> };
            assert.equal(stored.data["cloudb_secret_access_key"], "planted-secret-3");
            // The type of the storage and the bucket stay readable: only credentials are secret.
            const [config] = await stack.resources();
            assert.match(JSON.stringify(config?.outputs?.["storage"]), /"bucket":"b"/);
        });
    });

    it("options at delete are those of the last up", async () => {
        const program = (options: string) => `
            const s = require("pulumi-statecraft");
            new s.CsiVolume("data", { volumeId: "data", pluginId: "disks", ${options} });`;
        await onStage(demonstration, program(""), async ({ world, stack }) => {
            assert.equal((await stack.up()).code, 0);
            await world.control("POST", "/simulator/claims", {
                volume: "data",
                node: "node-1",
                allocation: "alloc-1",
                job: "web",
                status: "running",
            });
            const refused = await stack.destroy();
            assert.notEqual(refused.code, 0);
            isReadable(refused);
            assert.equal(
                saying(refused, /in use by allocation alloc-1 of job web on node node-1/).length > 0,
                true,
                refused.stdout,
            );
            await world.control("PATCH", "/simulator/claims/alloc-1", { status: "complete" });
            stack.write(program("force: true, detachOnDelete: true"));
            await world.forget();
            assert.deepEqual(
                (await stack.up()).steps.map(({ op }) => op),
                ["update"],
            );
            assert.deepEqual(await world.writes(), []);
            assert.equal((await stack.destroy()).code, 0);
            assert.deepEqual(
                (await world.writes()).map(({ path, query }) => [path, query["force"]]),
                [
                    ["/v1/volume/csi/data/detach", undefined],
                    ["/v1/volume/csi/data", "true"],
                ],
            );
        });
    });

    it("get of something absent is an error, not an empty resource", async () => {
        const program = `
            const s = require("pulumi-statecraft");
            exports.ttl = s.AuthRole.get("found", "auth/clouda/role/nobody").tokenTtl;`;
        await onStage({}, program, async ({ stack }) => {
            const outcome = await stack.up();
            assert.notEqual(outcome.code, 0);
            isReadable(outcome);
            assert(
                saying(
                    outcome,
                    /AuthRole auth\/clouda\/role\/nobody: it does not exist, or may not be seen with this token/,
                ).length > 0,
            );
        });
    });

    it("a warning is shown once in a preview and once in an update, at the resource", async () => {
        await onStage({}, role('{ name: "web", policies: "web" }'), async ({ stack }) => {
            for (const outcome of [await stack.preview(), await stack.up()]) {
                const warnings = saying(outcome, /policies: is deprecated: use tokenPolicies/);
                assert.equal(warnings.length, 1);
                assert.match(warnings[0]?.urn ?? "", /::web$/);
                assert.equal(warnings[0]?.severity, "warning");
            }
        });
    });

    it("check failures are shown all at once at the resource, secrets never among them", async () => {
        const program = `
            const s = require("pulumi-statecraft");
            new s.SnapshotConfig("hourly", { name: "hourly", interval: "x", storage: {
                type: "cloudc-gcs", pathPrefix: "p", serviceAccountKey: "planted-secret-key" } });`;
        await onStage({}, program, async ({ stack }) => {
            const outcome = await stack.preview();
            assert.notEqual(outcome.code, 0);
            isReadable(outcome);
            for (const reason of [
                /interval: must be a duration/,
                /storage\.pathPrefix: must end in \//,
                /storage\.bucket: is required/,
                /storage\.serviceAccountKey: must be a JSON object/,
            ]) {
                assert.equal(saying(outcome, reason).length, 1, String(reason));
            }
            assert(!(outcome.stdout + outcome.stderr).includes("planted-secret"));
        });
    });

    it("an error of refresh or destroy is one paragraph, keeps the state, and says whose configuration was used", async () => {
        await onStage({}, role('{ name: "web" }'), async ({ world, stack }) => {
            assert.equal((await stack.up()).code, 0);
            await world.fault({
                status: 403,
                times: 0,
                body: '{"errors":["permission denied"]}',
                contentType: "application/json",
            });
            for (const outcome of [await stack.refresh(), await stack.destroy()]) {
                assert.notEqual(outcome.code, 0);
                isReadable(outcome);
                assert(
                    saying(outcome, /AuthRole auth\/clouda\/role\/web: GET|AuthRole auth\/clouda\/role\/web: DELETE/)
                        .length > 0,
                );
                assert(saying(outcome, /permission denied.*stack configuration of the last `pulumi up`/s).length > 0);
            }
            assert.equal((await stack.resources()).length, 1);
        });
    });

    it("an object that is gone is made again; one that may not be seen is not", async () => {
        await onStage({}, role('{ name: "web" }'), async ({ world, stack }) => {
            assert.equal((await stack.up()).code, 0);
            await world.outside("DELETE", "/v1/auth/clouda/role/web");
            assert.deepEqual(
                (await stack.refresh()).steps.map(({ op }) => op),
                ["delete"],
            );
            assert.deepEqual(
                (await stack.up()).steps.map(({ op }) => op),
                ["create"],
            );
        });
    });

    it("ignoreChanges keeps what the server has", async () => {
        const program = (ttl: string) => `
            const s = require("pulumi-statecraft");
            new s.AuthRole("web", { name: "web", tokenTtl: "${ttl}" }, { ignoreChanges: ["tokenTtl"] });`;
        await onStage({}, program("1h"), async ({ stack }) => {
            assert.equal((await stack.up()).code, 0);
            stack.write(program("2h"));
            assert.equal((await stack.up("--expect-no-changes")).code, 0);
        });
    });
});
