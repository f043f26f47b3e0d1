import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import { done, onStage } from "../support/stack";

const rolePath = "/v1/auth/clouda/role/web";
const volumePath = "/v1/volume/csi/data";
const snapshotPath = "/v1/sys/storage/raft/snapshot-auto/config/hourly";

describe("the four resources under the real engine", () => {
    it("are created, updated, repaired after drift and deleted by a TypeScript program", async () => {
        await onStage(demonstration, { folder: "examples" }, async ({ simulator, stack }) => {
            const created = { web: "create", hourly: "create", data: "create", undo: "create" };
            assert.deepEqual(done(await stack.up()), created);
            const role = (await simulator.outside("GET", rolePath)) as { data: Record<string, unknown> };
            assert.deepEqual([role.data["token_policies"], role.data["token_ttl"]], [["web"], 3600]);

            const changes = ["tokenTtl=2h", "interval=2h", "force=true", "stateVersionId=sv-2"];
            const set = ["config", "set-all", ...changes.flatMap((change) => ["--plaintext", change])];
            assert.equal((await stack.pulumi(...set)).code, 0);
            const snapshots = async () => ((await simulator.outside("GET", snapshotPath)) as { data: object }).data;
            const declared = await snapshots();
            await simulator.outside("POST", snapshotPath, { retain: 1 });
            assert.notDeepEqual(await snapshots(), declared);
            await simulator.forget();
            const changed = { web: "update", hourly: "update", data: "update", undo: "update" };
            assert.deepEqual(done(await stack.up("--refresh")), changed);
            assert.deepEqual(await snapshots(), { ...declared, interval: 7200 });
            // A change of a volume's `force` sends no request, because only the deletion uses it.
            const writes = await simulator.writes();
            assert.deepEqual(writes.map(({ method, path }) => `${method} ${path}`).sort(), [
                "PATCH /api/v2/workspaces/ws-1/state-versions",
                "POST /api/v2/workspaces/ws-1/actions/lock",
                "POST /api/v2/workspaces/ws-1/actions/unlock",
                `POST ${rolePath}`,
                `POST ${snapshotPath}`,
            ]);
            assert.equal(Object.values(done(await stack.destroy())).filter((op) => op === "delete").length, 4);
            assert.equal(await simulator.outside("GET", rolePath), undefined);
            assert.equal(await simulator.outside("GET", volumePath), undefined);
        });
    });
});
