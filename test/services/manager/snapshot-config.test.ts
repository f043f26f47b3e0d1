import assert from "node:assert/strict";
import { local, snapshotConfig } from "../../resources/snapshot-config";
import { describeResource } from "../../support/conformance";
import { pathsOf, sealedPaths } from "../../support/managed-resource";
import { withSimulator } from "../../support/simulator";

const { path } = snapshotConfig;

describeResource(snapshotConfig);

describe("SnapshotConfig", () => {
    const simulator = withSimulator();

    const stored = async () => ((await simulator.outside("GET", path)) as { data: Record<string, unknown> }).data;
    const base = { name: "hourly", interval: "1h" };
    const container = { type: "azure-blob", pathPrefix: "p/", container: "c" };
    const bucket = { type: "aws-s3", pathPrefix: "a", bucket: "b", region: "r" };
    const gcs = { type: "google-gcs", pathPrefix: "p/", bucket: "b" };

    it("accepts `serviceAccountKey` as a text or as an equal object", async () => {
        const inputs = (serviceAccountKey: unknown) => ({ ...base, storage: { ...gcs, serviceAccountKey } });
        const config = await simulator.resource("SnapshotConfig").deployed(inputs('{ "b": "x\\ny", "a": 1 }'));
        assert.equal(await config.up(inputs({ a: 1, b: "x\ny" })), "same");
        assert.deepEqual(await config.refresh(), []);
        assert.deepEqual(sealedPaths(config.state?.outputs), ["storage.serviceAccountKey"]);
    });

    it("sends the `environment` of a storage account unchanged, and each other one is a change", async () => {
        const config = simulator.resource("SnapshotConfig");
        const inputs = (environment: string) => ({ ...base, storage: { ...container, environment } });
        for (const environment of ["AZURECHINACLOUD", "AzurePublicCloud", "mine", "yours"]) {
            assert.notEqual(await config.up(inputs(environment)), "same");
            assert.equal((await stored())["azure_blob_environment"], environment);
            await config.isQuiet(inputs(environment));
        }
    });

    it("sends the public cloud for an omitted `environment`, and an empty text for an omitted `clientId`", async () => {
        await simulator.resource("SnapshotConfig").deployed({ ...base, storage: container });
        const { azure_blob_environment, azure_client_id } = Object((await simulator.writes())[0]?.body);
        assert.deepEqual([azure_blob_environment, azure_client_id], ["AZUREPUBLICCLOUD", ""]);
    });

    it("warns in the preview that a lower `retain` deletes snapshots, and not of the same or a higher one", async () => {
        const config = simulator.resource("SnapshotConfig");
        const preview = (change: object) => config.preview({ ...base, storage: local, ...change });
        await config.up({ ...base, retain: 24, storage: local });
        const [warning = ""] = await preview({ retain: 3 });
        assert.match(warning, /^retain: .*\b3\b.*\b24\b/);
        assert.deepEqual(pathsOf(await preview({})), ["retain"]);
        for (const retain of [24, 25]) assert.deepEqual(await preview({ retain, interval: "2h" }), []);
    });

    it("sends no namespace, because configurations are in the root namespace", async () => {
        const config = simulator.resource("SnapshotConfig", {
            settings: { "statecraft:vault": { namespace: "team" } },
        });
        await config.up({ ...base, storage: local });
        assert((await simulator.requests()).every(({ headers }) => !("x-vault-namespace" in headers)));
    });

    describe("waitForSnapshot", () => {
        const waiting = { ...base, storage: local, waitForSnapshot: "5m" };
        const waiter = () => simulator.resource("SnapshotConfig", { slowness: 10 });

        const statusPath = "/status/hourly$";
        /** Lets the next reads of the status return these bodies in order, and all later reads the last one. */
        const statuses = (...bodies: readonly object[]) =>
            simulator.fault(
                ...bodies.map((data, index) => ({
                    ...{ method: "GET", path: statusPath, times: index === bodies.length - 1 ? 0 : 1, status: 200 },
                    body: JSON.stringify({ data }),
                })),
            );

        it("waits for a snapshot that begins after the write", async () => {
            const short = { ...waiting, interval: "1m" };
            const config = await waiter().deployed(short);
            assert.match(config.said, /waiting for a snapshot, \d+ s left: there is none yet/);
            const full = { ...short, storage: { ...local, pathPrefix: "/var/other", maxSpace: 1 } };
            await assert.rejects(config.up(full), { code: "snapshot" });
            assert.deepEqual(config.outputs()["unfinished"], ["wait"]);
            await config.up(short);
            const status = config.outputs()["status"] as Record<string, string>;
            assert.match(status["lastSnapshotUrl"] ?? "", /^file:\/\/\/var\/snapshots\//);
        });

        it("fails after its time-out, keeps the object in state, and waits again in the next `up`", async () => {
            const config = waiter();
            await assert.rejects(config.up(waiting), { code: "timeout" });
            assert.deepEqual(config.outputs()["unfinished"], ["wait"]);
            assert(config.messages.some(({ severity }) => severity === "progress"));
            await config.refresh();
            await statuses({}, { last_snapshot_end: "2030-01-01T00:00:00Z" });
            await simulator.forget();
            assert.equal(await config.up(waiting), "updated");
            assert.deepEqual(await simulator.writes(), []);
            assert.equal(config.outputs()["unfinished"], undefined);
            assert.equal(await config.up(waiting), "same");
        });

        it("waits if the server has no status before the first snapshot", async () => {
            const absent = { status: 404, body: '{"errors":[]}' };
            await simulator.fault({ method: "GET", path: statusPath, times: 2, ...absent });
            const config = waiter();
            const short = { ...waiting, interval: "1m" };
            await config.up(short);
            assert.match(Object(config.outputs()["status"]).lastSnapshotUrl, /\.snap$/);
            await simulator.fault({ method: "GET", path: statusPath, ...absent });
            assert.equal(await config.up({ ...short, retain: 2 }), "updated");
        });

        for (const [what, code, ...shown] of [
            ["the error of a snapshot without an end time", "snapshot", {}, { last_snapshot_error: "no space left" }],
            ["`answer` for a status of another form", "answer", { last_snapshot_error: ["no space left"] }],
        ] as const) {
            it(`fails with ${what}, and keeps the object in state`, async () => {
                await statuses(...shown);
                const config = waiter();
                await assert.rejects(config.up(waiting), { code });
                assert.deepEqual(config.outputs()["unfinished"], ["wait"]);
            });
        }

        it("waits for another snapshot after one that failed", async () => {
            const failed = { last_snapshot_end: "2030-01-01T00:00:00Z", last_snapshot_error: "no space left" };
            const good = { last_snapshot_end: "2030-01-02T00:00:00Z", last_snapshot_error: "" };
            const config = waiter();
            await statuses({}, failed);
            await assert.rejects(config.up(waiting), { code: "snapshot" });
            await assert.rejects(config.up(waiting), { code: "timeout" });
            await simulator.heal();
            await statuses(failed, failed, good);
            assert.equal(await config.up(waiting), "updated");
            assert.equal(Object(config.outputs()["status"]).lastSnapshotEnd, good.last_snapshot_end);
        });

        it("does not wait after a change of only options", async () => {
            const config = await waiter().deployed({ ...base, storage: local });
            assert.equal(await config.up(waiting), "updated");
        });
    });

    it("reads an empty `pathPrefix` as `/`, which a program can deploy", async () => {
        const inputs = { ...base, storage: { ...bucket, pathPrefix: "/" } };
        const config = await simulator.resource("SnapshotConfig").deployed(inputs);
        await config.isQuiet(inputs);
        assert.deepEqual(config.warnings, []);
        const found = await simulator.resource("SnapshotConfig").imported("hourly");
        const { name, storage } = found.outputs();
        assert.equal(await found.up({ name, storage, interval: "1h" }), "same");
        assert.equal(await found.up({ name, storage, interval: "2h" }), "updated");
    });

    it("sends the server's default for an omitted `filePrefix`, and a written one unchanged", async () => {
        const config = simulator.resource("SnapshotConfig");
        const inputs = { ...base, storage: local };
        const prefix = async () => (await stored())["file_prefix"];
        await config.up(inputs);
        assert.equal(await prefix(), "vault-snapshot");
        assert.equal(config.outputs()["filePrefix"], undefined);
        assert.equal(await config.up({ ...inputs, filePrefix: "vault-snapshot" }), "same");
        assert.equal(await config.up({ ...inputs, filePrefix: "nightly" }), "updated");
        assert.equal(await prefix(), "nightly");
        assert.equal(await config.up(inputs), "updated");
        assert.equal(await prefix(), "vault-snapshot");
        await simulator
            .resource("SnapshotConfig")
            .deployed({ ...inputs, adopt: true, interval: "2h", filePrefix: "vault-snapshot" });
        assert.equal(await prefix(), "vault-snapshot");
    });

    it("shows drift of the type of `storage`, and repairs it in place", async () => {
        const inputs = { ...base, storage: bucket };
        const config = await simulator.resource("SnapshotConfig").deployed(inputs);
        await simulator.outside("POST", path, { storage_type: "local", local_max_space: 5, path_prefix: "/s" });
        assert.deepEqual(await config.refresh(), ["storage"]);
        assert.equal((config.outputs()["storage"] as { type: string }).type, "local");
        assert.equal(await config.up(inputs), "updated");
        const body = JSON.stringify({ data: { interval: 3600, storage_type: "type-of-a-newer-server" } });
        await simulator.fault({ method: "GET", status: 200, body });
        assert.deepEqual(await config.refresh(), ["storage"]);
    });
});
