import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import type { Outcome } from "../support/pulumi-cli";
import { isReadable, onStage } from "../support/stack";
import { plantedToken } from "../support/world";

const rolePath = "/v1/auth/clouda/role/web";

const done = (outcome: Outcome) => {
    isReadable(outcome);
    assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr);
    return Object.fromEntries(outcome.steps.map(({ name, op }) => [name, op]));
};

describe("the four resources under the real engine", () => {
    it("live from preview to destroy in a TypeScript program", async () => {
        await onStage(demonstration, { folder: "examples" }, async ({ world, stack }) => {
            const created = { web: "create", hourly: "create", data: "create", undo: "create" };
            assert.deepEqual(done(await stack.preview()), created);
            assert.deepEqual(await world.writes(), [], "a preview changes nothing");

            assert.deepEqual(done(await stack.up()), created);
            const role = (await world.outside("GET", rolePath)) as { data: Record<string, unknown> };
            assert.deepEqual([role.data["token_policies"], role.data["token_ttl"]], [["web"], 3600]);
            done(await stack.up("--expect-no-changes"));
            done(await stack.refresh("--expect-no-changes"));

            await stack.config("tokenTtl", "2h");
            await stack.config("interval", "30m");
            const changed = done(await stack.up());
            assert.deepEqual(
                [changed["web"], changed["hourly"], changed["data"], changed["undo"]],
                ["update", "update", "same", "same"],
            );

            await world.outside("POST", rolePath, { token_policies: ["admin"] });
            const drifted = await stack.refresh();
            assert.equal(done(drifted)["web"], "update");
            assert.equal(done(await stack.up())["web"], "update");
            done(await stack.up("--expect-no-changes"));

            assert.equal(Object.values(done(await stack.destroy())).filter((op) => op === "delete").length, 4);
            assert.equal(await world.outside("GET", rolePath), undefined);
            assert.equal(await world.outside("GET", "/v1/volume/csi/data"), undefined);
        });
    });

    it("keep at most 120 bytes of provider each, and no path, setting or token", async () => {
        const program = `
            const { AuthRole } = require("pulumi-statecraft");
            new AuthRole("web", { name: "web" });`;
        await onStage({}, program, async ({ world, stack }) => {
            done(await stack.up());
            const [web] = await stack.resources();
            assert(web);
            const text = String(web.inputs?.["__provider"]);
            assert(Buffer.byteLength(text) <= 120, text);
            assert.equal(text, web.outputs?.["__provider"]);
            const { __provider, ...outputs } = web.outputs ?? {};
            assert.deepEqual(Object.keys(outputs).sort(), ["mount", "name", "server"]);
            const exported = JSON.stringify(await stack.resources({ showSecrets: true }));
            assert(!exported.includes(plantedToken) && !exported.includes(world.url) && !text.includes("/dist/"));
            assert.equal(web.type, "pulumi-nodejs:dynamic/statecraft:AuthRole");
        });
    });

    it("pass outputs on to each other, unknown in the preview", async () => {
        const program = `
            const s = require("pulumi-statecraft");
            const pulumi = require("@pulumi/pulumi");
            const web = new s.AuthRole("web", { name: "web", tokenTtl: "1h" });
            new s.AuthRole("next", { name: pulumi.interpolate\`\${web.name}-next\`, tokenPolicies: [web.id], boundGroupIds: web.id.apply((id) => [id]), tokenTtl: web.tokenTtl });
            new s.SnapshotConfig("hourly", { name: "hourly", interval: "1h", storage: { type: "cloudc-gcs", bucket: web.server, pathPrefix: pulumi.interpolate\`\${web.name}/\` } });
            new s.CsiVolume("data", { volumeId: web.id.apply((id) => id.replace(/\\//g, "-")), pluginId: "disks", topologies: [{ rack: web.name }] });
            exports.found = s.AuthRole.get("found", web.id).tokenTtl;`;
        await onStage(demonstration, program, async ({ world, stack }) => {
            done(await stack.preview());
            done(await stack.up());
            const next = (await world.outside("GET", "/v1/auth/clouda/role/web-next")) as {
                data: Record<string, unknown>;
            };
            assert.deepEqual([next.data["token_policies"], next.data["token_ttl"]], [["auth/clouda/role/web"], 3600]);
            assert.notEqual(await world.outside("GET", "/v1/volume/csi/auth-clouda-role-web"), undefined);
            assert.equal((await stack.pulumi("stack", "output", "found")).stdout.trim(), "3600");
            done(await stack.up("--expect-no-changes"));
        });
    });

    it("are replaced where the id is taken by deleting first, and protect stops it", async () => {
        const program = (externalId: string, protect: boolean) => `
            const { CsiVolume } = require("pulumi-statecraft");
            new CsiVolume("data", { volumeId: "data", pluginId: "disks", externalId: "${externalId}" }, { protect: ${protect} });`;
        await onStage(demonstration, program("vol-1", true), async ({ world, stack }) => {
            done(await stack.up());
            stack.write(program("vol-2", true));
            const stopped = await stack.up();
            assert.notEqual(stopped.code, 0);
            isReadable(stopped);
            stack.write(program("vol-2", false));
            const preview = await stack.preview();
            assert.deepEqual(
                preview.steps
                    .map(({ op }) => op)
                    .filter((op) => op !== "same")
                    .sort(),
                ["create-replacement", "delete-replaced", "replace"],
            );
            await world.forget();
            done(await stack.up());
            assert.deepEqual(
                (await world.writes()).map(({ method }) => method),
                ["DELETE", "PUT"],
            );
        });
    });
});
