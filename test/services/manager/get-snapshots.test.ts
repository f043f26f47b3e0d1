import assert from "node:assert/strict";
import { type Connection, connect } from "../../../src/client";
import { canaryToken } from "../../support/canaries";
import { withSimulator } from "../../support/simulator";

describe("getSnapshotStatus and getSnapshotConfig", () => {
    const simulator = withSimulator();
    let client: Connection;
    before(() => {
        client = connect({ vault: { address: simulator.url, token: canaryToken }, environment: {} });
    });

    const answerWith = (data: object) =>
        simulator.fault({ method: "GET", status: 200, body: JSON.stringify({ data }) });

    it("returns each field of the status", async () => {
        await answerWith({
            last_snapshot_start: "2026-01-01T00:00:01+00:00",
            last_snapshot_end: "2026-01-01T00:00:02+00:00",
            last_snapshot_error: "no space left",
            last_snapshot_url: "file:///last.snap",
            snapshot_start: "2026-01-01T00:00:03+00:00",
            snapshot_url: "file:///this.snap",
            consecutive_errors: 4,
            next_snapshot_start: "2026-01-01T00:00:05+00:00",
        });
        assert.deepEqual(await client.getSnapshotStatus({ name: "hourly" }), {
            lastSnapshotStart: "2026-01-01T00:00:01+00:00",
            lastSnapshotEnd: "2026-01-01T00:00:02+00:00",
            lastSnapshotError: "no space left",
            lastSnapshotUrl: "file:///last.snap",
            snapshotStart: "2026-01-01T00:00:03+00:00",
            snapshotUrl: "file:///this.snap",
            consecutiveErrors: 4,
            nextSnapshotStart: "2026-01-01T00:00:05+00:00",
        });
    });

    it("omit a `consecutiveErrors` that is null", async () => {
        await answerWith({ last_snapshot_error: "no space left", consecutive_errors: null });
        const status = await client.getSnapshotStatus({ name: "hourly" });
        assert.equal(status.lastSnapshotError, "no space left");
        assert(!("consecutiveErrors" in status));
    });

    it("omit `storage`, or the parts of it that the server does not return", async () => {
        const common = { interval: 60, retain: 2, path_prefix: "p", file_prefix: "f" };
        const shown = { name: "hourly", interval: 60, retain: 2, filePrefix: "f" };
        await answerWith(common);
        assert.deepEqual(await client.getSnapshotConfig({ name: "hourly" }), shown);
        await answerWith({
            ...common,
            storage_type: "google-gcs",
            google_gcs_bucket: "b",
            google_service_account_key: null,
        });
        assert.deepEqual(await client.getSnapshotConfig({ name: "hourly" }), {
            ...shown,
            storage: { type: "cloudc-gcs", pathPrefix: "p", bucket: "b" },
        });
    });
});
