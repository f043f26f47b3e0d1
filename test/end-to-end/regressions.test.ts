/** Regressions: what was reported elsewhere where the engine is part of the story. */

import assert from "node:assert/strict";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { demonstration } from "../../src/simulator/demonstration";
import { Simulator } from "../support/simulator";
import { done, failed, onStage, saying, settings } from "../support/stack";

const rolePath = "/v1/auth/clouda/role/web";
const snapshotPath = "/v1/sys/storage/raft/snapshot-auto/config/hourly";
const volumePath = "/v1/volume/csi/data";

describe("regressions under the real engine", () => {
    it("another storage type or letter case replaces by making first and deleting the same thing then", async () => {
        const local = '{ type: "local", pathPrefix: "/a", maxSpace: 1000000 }';
        const s3 = '{ type: "cloudb-s3", pathPrefix: "a", bucket: "b", region: "r" }';
        const program = (name: string, policies: string, storage: string, externalId: string, protect: boolean) => `
            const s = require("pulumi-statecraft");
            const pulumi = require("@pulumi/pulumi");
            const web = new s.AuthRole("web", { name: "${name}", boundLocations: ["north"], tokenPolicies: ${policies}, tokenTtl: "1h" });
            new s.SnapshotConfig("hourly", { name: "hourly", interval: "1h", retain: 2, storage: ${storage} });
            new s.CsiVolume("data", { volumeId: "data", pluginId: "disks", externalId: "${externalId}" }, { protect: ${protect} });
            // What is known after the first of them was made only.
            new s.AuthRole("next", { name: pulumi.interpolate\`\${web.name}-next\`, tokenPolicies: [web.id], boundGroupIds: web.id.apply((id) => [id]), tokenTtl: web.tokenTtl });
            new s.SnapshotConfig("other", { name: "other", interval: "1h", storage: { type: "cloudc-gcs", bucket: web.server, pathPrefix: pulumi.interpolate\`\${web.mount}/\` } });
            new s.CsiVolume("late", { volumeId: web.id.apply((id) => id.toLowerCase().replace(/\\//g, "-")), pluginId: "disks", topologies: [{ rack: web.mount }] });
            exports.found = s.AuthRole.get("found", web.id).tokenTtl;
            // Its name is known before it is there.
            exports.locations = s.getAuthRoleOutput({ name: web.name }).boundLocations;
            // Nothing in the arguments tells that it is to be made.
            const team = new pulumi.ComponentResource("test:index:Team", "team");
            new s.AuthRole("member", { name: "member", boundLocations: ["south"] }, { parent: team });
            exports.within = s.getAuthRoleOutput({ name: "member" }, { dependsOn: team }).boundLocations;`;
        await onStage(
            demonstration,
            program("Web", '["b", "a"]', local, "vol-1", true),
            async ({ simulator, stack }) => {
                done(await stack.up("--skip-preview=false"));
                const next = (await simulator.outside("GET", `${rolePath}-next`)) as { data: Record<string, unknown> };
                assert.deepEqual(
                    [next.data["token_policies"], next.data["token_ttl"]],
                    [["auth/clouda/role/web"], 3600],
                );
                assert.notEqual(await simulator.outside("GET", "/v1/volume/csi/auth-clouda-role-web"), undefined);
                const { found, locations, within } = await stack.outputs();
                assert.deepEqual([found, locations, within], [3600, ["north"], ["south"]]);

                stack.write(program("Web", '["b", "a"]', local, "vol-2", true));
                assert.match(failed(await stack.preview()), /protect/);
                stack.write(program("web", '["a", "b"]', s3, "vol-2", false));
                await simulator.forget();
                const changed = await stack.up();
                const { data, next: after, ...rest } = done(changed);
                assert.deepEqual(rest, {
                    ...{ web: "same", team: "same", member: "same" },
                    ...{ hourly: "update", other: "same", late: "same", found: "read" },
                });
                const ops = changed.steps.filter(({ name }) => name === "data").map(({ op }) => op);
                assert.deepEqual(ops.sort(), ["create-replacement", "delete-replaced", "replace"]);
                assert.deepEqual(
                    (await simulator.writes()).map(({ method, path }) => [method, path]).sort(),
                    [
                        ["DELETE", volumePath],
                        ["POST", snapshotPath],
                        ["PUT", volumePath],
                    ],
                    "the id of a volume is taken: it is deleted first; nothing else is",
                );
                assert.equal(after, "same");
            },
        );
    });

    it("a refused refresh empties the stack, and a volume that is gone stops its destroy", async () => {
        const program = (options: string) => `
            const s = require("pulumi-statecraft");
            new s.AuthRole("web", { name: "web", boundLocations: ["north"] });
            new s.SnapshotConfig("hourly", { name: "hourly", interval: "1h", retain: 2, storage: { type: "local", pathPrefix: "/a", maxSpace: 1000000 } });
            new s.CsiVolume("data", { volumeId: "data", pluginId: "disks", ${options} });
            new s.CsiVolume("gone", { volumeId: "gone", pluginId: "disks" });`;
        await onStage(demonstration, program(""), async ({ simulator, stack }) => {
            done(await stack.up());
            for (const [status, verb] of [
                [403, "refresh"],
                [500, "destroy"],
            ] as const) {
                const body = '{"errors":["planted"]}';
                await simulator.fault({ status, times: 0, body });
                const outcome = await stack[verb]();
                assert.match(failed(outcome), new RegExp(`: ${status}: planted`));
                assert.deepEqual(saying(outcome, /^statecraft:/), [], "the host's own line is shown");
                if (status === 403) {
                    const hint = /planted.*settings of the last `pulumi up`/s;
                    assert(saying(outcome, hint).length > 0, "it does not say whose configuration was used");
                }
                await simulator.heal();
                assert.equal((await stack.resources()).length, 4);
            }

            await simulator.control("POST", "/simulator/claims", {
                volume: "data",
                node: "node-1",
                allocation: "alloc-1",
                job: "web",
                status: "running",
            });
            const data = (await stack.resources()).find(({ id }) => id === "default/data");
            assert(data);
            assert.match(
                failed(await stack.destroy("--target", data.urn)),
                /in use by allocation alloc-1 of job web on node node-1/,
            );
            await simulator.control("PATCH", "/simulator/claims/alloc-1", { status: "complete" });
            stack.write(program("force: true"));
            await simulator.forget();
            assert.equal(done(await stack.up())["data"], "update");
            assert.deepEqual(await simulator.writes(), [], "options are sent to nobody");

            await simulator.outside("DELETE", "/v1/volume/csi/gone");
            await simulator.forget();
            const destroyed = { web: "delete", hourly: "delete", data: "delete", gone: "delete" };
            assert.deepEqual(done(await stack.destroy()), destroyed);
            assert.deepEqual(
                (await simulator.writes())
                    .filter(({ path }) => path.startsWith(volumePath))
                    .map(({ path, query }) => [path, query["force"]]),
                [[volumePath, "true"]],
                "options at delete are those of the last up",
            );
        });
    });

    it("a copied stack takes over what another one made, and its destroy deletes it", async () => {
        const program = `
            const { AuthRole } = require("pulumi-statecraft");
            new AuthRole("web", { name: "web", boundLocations: ["north"] });`;
        const leftover = { bound_locations: ["north"] };
        await onStage(
            {},
            program,
            async ({ simulator, stack }) => {
                await simulator.outside("POST", rolePath, { ...leftover, token_policies: ["admin"] });
                await simulator.forget();
                assert.match(failed(await stack.up()), /tokenPolicies.*`adopt: true`.*\[exists\]/s);
                done(await stack.destroy());
                assert.deepEqual(await simulator.writes(), []);

                await simulator.outside("POST", rolePath, { ...leftover, token_policies: [] });
                await simulator.forget();
                done(await stack.up());
                assert.deepEqual(await simulator.writes(), [], "what is exactly as declared is taken over as it is");

                const other = await Simulator.start({});
                try {
                    const { address = "" } = settings(other)["statecraft:manager"] ?? {};
                    await stack.config("statecraft:manager.address", address);
                    assert.match(
                        failed(await stack.refresh("--run-program")),
                        /AuthRole .* http:\S+, .* http:\S+: .*otherAddresses.*\[server\]/s,
                    );
                    assert.deepEqual(await other.requests(), []);
                } finally {
                    await other.close();
                }
            },
            { STATECRAFT_ADOPT: "identical" },
        );
    });

    it("a resource that is renamed, or replaced because the user wants it, deletes what the new one took over", async () => {
        const program = (role: string) => `
            const s = require("pulumi-statecraft");
            new s.AuthRole("${role}", { name: "web", boundLocations: ["north"], adopt: true });
            new s.CsiVolume("data", { volumeId: "data", pluginId: "disks" });
            const { CsiVolume } = require("pulumi-statecraft/native");
            new CsiVolume("native", { volumeId: "native", pluginId: "disks" });`;
        await onStage(demonstration, program("web"), async ({ simulator, stack }) => {
            done(await stack.up());
            const resources = await stack.resources();
            const urnOf = (id: string) => resources.find((resource) => resource.id === id)?.urn ?? "";
            await simulator.forget();
            stack.write(program("renamed"));
            const forced = await stack.up("--replace", urnOf("default/data"), "--replace", urnOf("default/native"));
            assert.equal(done(forced)["renamed"], "create");
            const writes = await simulator.writes();
            const writesOf = (path: string) => writes.flatMap((write) => (write.path === path ? write.method : []));
            assert.equal(writes.length, 4);
            assert.deepEqual(
                [writesOf(volumePath), writesOf("/v1/volume/csi/native")],
                [
                    ["DELETE", "PUT"],
                    ["DELETE", "PUT"],
                ],
                "the id of a volume is taken: it is deleted first; a role that is as declared stays as it is",
            );
            assert.equal(saying(forced, /\[renamed\]/).length, 1);
            assert.deepEqual((await stack.resources()).map(({ id }) => id).sort(), [
                "auth/clouda/role/web",
                "default/data",
                "default/native",
            ]);
        });
    });

    it("an argument that a transform adds is sent, and the output of its name stays empty; a misspelt key of the configuration is left out without a word", async () => {
        const program = `
            const s = require("pulumi-statecraft");
            const transforms = [({ props, opts }) => ({ props: { ...props, tokenMaxTtl: "2h" }, opts })];
            exports.most = new s.AuthRole("web", { name: "web", boundLocations: ["north"] }, { transforms }).tokenMaxTtl;`;
        await onStage({}, program, async ({ stack }) => {
            await stack.config("statecraft:managr.address", "http://127.0.0.1:1");
            const up = await stack.up();
            assert.deepEqual(done(up), { web: "create" });
            assert.deepEqual(await stack.outputs(), { most: "2h" });
            assert.equal(saying(up, /statecraft:managr .*statecraft:manager,.*\[config\]/).length, 1);
        });
    });

    it("a component's package that alone has the provider's leads to a module that is not found, with a stack of calls", async () => {
        await onStage({}, 'exports.role = require("component").role;', async ({ stack }) => {
            const packages = join(stack.folder, "node_modules");
            const own = join(packages, "component", "node_modules");
            mkdirSync(own, { recursive: true });
            renameSync(join(packages, "pulumi-statecraft"), join(own, "pulumi-statecraft"));
            const component = 'exports.role = new (require("pulumi-statecraft").AuthRole)("web", { name: "web" }).id;';
            writeFileSync(join(packages, "component", "index.js"), component);
            const said = failed(await stack.preview());
            assert.match(said, /dependencies of the program/);
            assert.doesNotMatch(said, /\n +at /);

            symlinkSync(join(own, "pulumi-statecraft"), join(packages, "pulumi-statecraft"), "dir");
            assert.deepEqual(done(await stack.up()), { web: "create" });
        });
    });
});
