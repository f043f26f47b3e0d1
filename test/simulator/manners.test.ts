/** Manners of the simulator: how they are set, and what the secrets manager does with them. */
import assert from "node:assert/strict";
import { main } from "../../src/simulator/main";
import { type RunningSimulator, startSimulator } from "../../src/simulator/server";
import { at, call } from "./requests";

describe("simulator: manners", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator();
    });
    after(() => simulator.close());

    const kept = async ({ url }: { url: string }) => at((await call("GET", `${url}/simulator/state`)).json, "manners");
    const set = (body: unknown) => call("PUT", `${simulator.url}/simulator/manners`, { body });

    it("are set by the control API, all at once, and stay after a reset", async () => {
        assert.deepEqual(await kept(simulator), {});
        assert.equal(
            (await set({ manager: ["replaces", "masks-secrets"], volumes: ["tells-documented"] })).status,
            204,
        );
        await call("POST", `${simulator.url}/simulator/reset`);
        assert.deepEqual(await kept(simulator), {
            manager: ["replaces", "masks-secrets"],
            volumes: ["tells-documented"],
        });
        assert.equal((await set({ volumes: ["merges"] })).status, 204);
        assert.deepEqual(await kept(simulator), { volumes: ["merges"] });
        await set({});
    });

    for (const wrong of [
        undefined,
        [1],
        { manager: "replaces" },
        { manager: ["polite"] },
        { manager: ["merges", "replaces"] },
        { stateVersions: ["merges"] },
    ]) {
        it(`refuses ${JSON.stringify(wrong)}, and keeps what was`, async () => {
            assert.equal((await set(wrong)).status, 400);
            assert.deepEqual(await kept(simulator), {});
        });
    }

    describe("of the secrets manager", () => {
        beforeEach(async () => {
            await set({});
            await call("POST", `${simulator.url}/simulator/reset`);
        });
        after(() => set({}));
        const headers = { "x-secrets-token": "any" };
        const write = (path: string, body: unknown) => call("POST", `${simulator.url}/v1/${path}`, { headers, body });
        const read = async (path: string) => {
            const { json } = await call("GET", `${simulator.url}/v1/${path}`, { headers });
            return Object.entries(at(json, "data") ?? {});
        };
        const told = async (path: string) => Object.fromEntries(await read(path));
        const role = "auth/clouda/role/web";
        const config = "auth/clouda/config";
        const snapshots = "sys/storage/raft/snapshot-auto/config/hourly";
        const s3 = {
            interval: 60,
            path_prefix: "p",
            storage_type: "cloudb-s3",
            cloudb_s3_bucket: "b",
            cloudb_s3_region: "r",
            cloudb_secret_access_key: "k",
        };

        it("replaces: what a write leaves out is gone", async () => {
            await write(role, { token_ttl: 60, bound_locations: "a" });
            await write(config, { tenant_id: "t", resource: "r", client_id: "c" });
            await write(snapshots, { ...s3, retain: 7 });
            await set({ manager: ["replaces"] });
            await write(role, { token_ttl: 61 });
            assert.deepEqual((await told(role))["bound_locations"], null);
            await write(config, { tenant_id: "t", resource: "r" });
            assert.equal((await told(config))["client_id"], "");
            assert.equal((await write(config, { tenant_id: "t" })).status, 500);
            await write(snapshots, s3);
            assert.equal((await told(snapshots))["retain"], 1);
        });

        it("tells what is documented, and nothing else", async () => {
            await set({ manager: ["tells-documented"] });
            await write(config, { tenant_id: "t", resource: "r", environment: "CloudAChinaCloud" });
            const shown = { tenant_id: "t", resource: "r", client_id: "", client_secret: "" };
            assert.deepEqual(await told(config), shown);
            await write(snapshots, s3);
            const names = Object.keys(await told(snapshots));
            assert(names.includes("cloudb_s3_bucket") && names.includes("file_prefix"));
            assert(!names.includes("storage_type") && !names.includes("cloudb_secret_access_key"));
            await write(snapshots, { storage_type: "local", local_max_space: 1 });
            assert.deepEqual(Object.keys(await told(snapshots)), [
                "file_prefix",
                "interval",
                "local_max_space",
                "path_prefix",
                "retain",
                "storage_type",
            ]);
        });

        it("tells nothing empty", async () => {
            await set({ manager: ["tells-nothing-empty"] });
            await write(role, { token_ttl: 60, bound_locations: "a", token_no_default_policy: false });
            assert.deepEqual(await told(role), { bound_locations: ["a"], token_ttl: 60, token_type: "default" });
        });

        it("masks secrets that are set, and no others", async () => {
            await set({ manager: ["masks-secrets"] });
            await write(config, { tenant_id: "t", resource: "r", client_secret: "s" });
            assert.equal((await told(config))["client_secret"], "****");
            await write(snapshots, s3);
            const shown = await told(snapshots);
            assert.equal(shown["cloudb_secret_access_key"], "****");
            assert.equal(shown["cloudb_session_token"], "");
            assert.equal(shown["cloudb_s3_bucket"], "b");
        });
    });

    it("are set on the command line, some at a time", async () => {
        const flags = ["--manners", "manager=replaces,tells-documented", "--manners", "manager=masks-secrets"];
        const started = await main(["--port", "0", "--empty", ...flags], { print: () => {} });
        try {
            assert.deepEqual(await kept(started), { manager: ["replaces", "tells-documented", "masks-secrets"] });
        } finally {
            await started.close();
        }
        const polite = main(["--port", "0", "--manners", "manager=polite"], { print: () => {} });
        await assert.rejects(polite, { exitCode: 2 });
    });
});
