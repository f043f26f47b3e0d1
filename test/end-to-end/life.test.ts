import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import { done, onStage } from "../support/stack";

const rolePath = "/v1/auth/clouda/role/web";
const snapshotPath = "/v1/sys/storage/raft/snapshot-auto/config/hourly";

describe("the four resources under the real engine", () => {
    it("are made, changed, mended after drift, and destroyed in a TypeScript program", async () => {
        await onStage(demonstration, { folder: "examples" }, async ({ world, stack }) => {
            const created = { web: "create", hourly: "create", data: "create", undo: "create" };
            assert.deepEqual(done(await stack.up()), created);
            const role = (await world.outside("GET", rolePath)) as { data: Record<string, unknown> };
            assert.deepEqual([role.data["token_policies"], role.data["token_ttl"]], [["web"], 3600]);

            await stack.config("tokenTtl", "2h");
            const snapshots = async () => ((await world.outside("GET", snapshotPath)) as { data: unknown }).data;
            const declared = await snapshots();
            await world.outside("POST", snapshotPath, { retain: 1 });
            assert.notDeepEqual(await snapshots(), declared);
            const changed = { web: "update", hourly: "update", data: "same", undo: "same" };
            assert.deepEqual(done(await stack.up("--refresh")), changed);
            assert.deepEqual(await snapshots(), declared);
            assert.equal(Object.values(done(await stack.destroy())).filter((op) => op === "delete").length, 4);
            assert.equal(await world.outside("GET", rolePath), undefined);
            assert.equal(await world.outside("GET", "/v1/volume/csi/data"), undefined);
        });
    });
});
