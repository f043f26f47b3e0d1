import assert from "node:assert/strict";
import { connect } from "../../../src/client";
import { OwnedObjects } from "../../../src/core/owned-objects";
import { csiVolume, plugins } from "../../resources/csi-volume";
import { describeResource } from "../../support/conformance";
import { withSimulator } from "../../support/simulator";

const { path } = csiVolume;

describeResource(csiVolume);

describe("CsiVolume", () => {
    const simulator = withSimulator({ plugins });

    const modes = { accessMode: "single-node-writer", attachmentMode: "file-system" };
    const inputs = { volumeId: "data", externalId: "vol-1", pluginId: "disks", ...modes };
    const volume = () => simulator.resource("CsiVolume");
    const stored = async () => (await simulator.outside("GET", path)) as Record<string, unknown> | undefined;
    const claim = (body: object = {}) =>
        simulator.control("POST", "/simulator/claims", {
            volume: "data",
            node: "node-1",
            allocation: "alloc-1",
            job: "web",
            ...body,
        });

    it("shows the plugin's health as last read, and never takes it for a change", async () => {
        const data = volume();
        await data.up(inputs);
        const { providerName, providerVersion, schedulable, controllersHealthy, nodesHealthy, nodesExpected } =
            data.outputs();
        assert.deepEqual(
            [providerName, providerVersion, schedulable, controllersHealthy, nodesHealthy, nodesExpected],
            ["disks.example", "1.2.3", true, 1, 2, 2],
        );
        await simulator.control("PATCH", "/simulator/plugins/disks", { healthy: false });
        const changed = await data.refresh();
        assert(Array.isArray(changed) && changed.includes("schedulable"));
        assert.equal(await data.up(inputs), "same");
    });

    it("takes modes that no document forbids, and warns of those that no scheduler is known to act on", async () => {
        const data = volume();
        const strange = { ...inputs, accessMode: "read-write-once", attachmentMode: "filesystem" };
        await data.up(strange);
        assert.deepEqual(
            [(await stored())?.["AccessMode"], data.outputs()["attachmentMode"]],
            ["read-write-once", "filesystem"],
        );
        assert.deepEqual(
            data.warnings.map((warning) => warning.replace(/:.*/, "")),
            ["accessMode", "attachmentMode"],
        );
        assert.deepEqual(await data.refresh(), []);
        assert.equal(await data.up(strange), "same");
        const usual = volume();
        await usual.check({ ...inputs, accessMode: "multi-node-single-writer" });
        assert.deepEqual(usual.warnings, []);
    });

    it("keeps no allocation records in state", async () => {
        const data = volume();
        await data.up(inputs);
        await claim();
        await data.refresh();
        assert(!JSON.stringify(data.state).includes("alloc-1"));
    });

    it("makes nothing whose id could not be read again", async () => {
        const data = simulator.resource("CsiVolume", { settings: { "statecraft:volumes": { namespace: "a/b" } } });
        await assert.rejects(
            data.up({ volumeId: "data", pluginId: "disks" }),
            /the id would be "a\/b\/data", which does not have the form <namespace>\/<volumeId>/,
        );
        assert.deepEqual(await simulator.requests(), []);
    });

    it("is found in one namespace, and not in all of them", async () => {
        const { csiVolume: volumes } = connect({ volumes: { address: simulator.url, token: "any" }, environment: {} });
        await volumes.create({ volumeId: "data", pluginId: "disks" });
        await assert.rejects(volumes.read("*/data"), { code: "id" });
    });

    it("takes the namespace from the settings, and says so in the id, the query and the registration", async () => {
        const data = simulator.resource("CsiVolume", { settings: { "statecraft:volumes": { namespace: "team" } } });
        await data.up(inputs);
        assert.equal(data.state?.id, "team/data");
        const other = volume();
        other.state = data.state;
        assert.equal(await other.up(inputs), "same");
        assert.deepEqual(await other.refresh(), []);
        await other.destroy();
        const writes = await simulator.writes();
        assert.deepEqual(
            writes.map(({ method, query }) => [method, query]),
            [
                ["PUT", { namespace: "team" }],
                ["DELETE", { namespace: "team" }],
            ],
        );
    });

    it("sends the token as a bearer", async () => {
        await volume().up(inputs);
        assert((await simulator.requests()).every(({ headers }) => headers["authorization"] === "***"));
    });

    it("passes on why the service refuses: the plugin is unknown, or has no healthy controller", async () => {
        await assert.rejects(
            volume().up({ ...inputs, pluginId: "nope" }),
            /: 500: no CSI plugin named: nope could be found/,
        );
        await simulator.control("PATCH", "/simulator/plugins/disks", { healthy: false });
        await assert.rejects(volume().up(inputs), { code: "service", status: 500 });
    });

    it("leaves a volume in use registered, and names allocations, jobs and nodes", async () => {
        const data = volume();
        await data.up(inputs);
        await claim();
        await claim({ allocation: "alloc-2", node: "node-2", job: "batch", write: true });
        await assert.rejects(data.destroy(), {
            code: "in-use",
            message: /allocation alloc-1 of job web on node node-1, allocation alloc-2 of job batch on node node-2/,
        });
        assert.notEqual(await stored(), undefined);
    });

    it("leaves a volume in use registered that was to be replaced", async () => {
        const data = volume();
        await data.up(inputs);
        await claim();
        await assert.rejects(data.up({ ...inputs, externalId: "vol-2" }), { code: "in-use" });
        assert.equal((await stored())?.["ExternalID"], "vol-1");
    });

    it("drops claims of ended allocations with force, which delete knows from state", async () => {
        const data = volume();
        await data.up(inputs);
        await claim({ status: "complete" });
        await assert.rejects(data.destroy(), { code: "in-use", message: /set `force: true`/ });
        assert.equal(await data.up({ ...inputs, force: true }), "updated");
        await simulator.forget();
        await data.destroy();
        assert.deepEqual(
            (await simulator.writes()).map(({ query }) => query),
            [{ namespace: "default", force: "true" }],
        );
        assert.equal(await stored(), undefined);
    });

    it("does not touch running allocations, not even with force", async () => {
        const data = volume();
        await data.up({ ...inputs, force: true });
        await claim();
        await assert.rejects(data.destroy(), { code: "in-use" });
        assert.notEqual(await stored(), undefined);
    });

    it("waits a little where the server still holds claims of a job that has just stopped", async () => {
        const data = volume();
        await data.up(inputs);
        await simulator.fault({ method: "DELETE", status: 500, times: 2, body: "volume in use: data" });
        await data.destroy();
        assert.equal(await stored(), undefined);
    });

    it("tells a refusal as it came where the server calls a volume in use and shows no claims", async () => {
        const data = volume();
        await data.up(inputs);
        await simulator.fault({ method: "DELETE", status: 500, times: 0, body: "volume in use: data" });
        await assert.rejects(data.destroy(), { code: "service", status: 500 });
    });

    it("reads what a follower or an agent hands on from the leader", async () => {
        const data = volume();
        const relayed = { status: 500 };
        await simulator.fault({ ...relayed, method: "GET", body: "rpc error: No cluster leader" });
        await data.up(inputs);
        await simulator.fault({ ...relayed, method: "DELETE", body: "rpc error: rpc error: volume in use: data" });
        await data.destroy();
        assert.equal(await stored(), undefined);

        await data.up(inputs);
        await simulator.fault({ ...relayed, method: "DELETE", body: "rpc error: volume not found: data" });
        await data.destroy();
        await simulator.fault({ ...relayed, method: "PUT", body: "rpc error: volume exists: data" });
        await assert.rejects(volume().up({ ...inputs, volumeId: "new" }), { code: "exists", status: 500 });
    });

    it("takes health that the service does not tell for none", async () => {
        await simulator.fault({ method: "GET", status: 200, body: '{"ID":"data"}' });
        const found = volume();
        await found.get("default/data");
        const { controllersHealthy, nodesExpected, schedulable } = found.outputs();
        assert.deepEqual([controllersHealthy, nodesExpected, schedulable], [0, 0, false]);
    });

    it("fails to change a volume in place, and says that this server does not and what to type", async () => {
        const data = volume();
        await data.up(inputs);
        await assert.rejects(data.up({ ...inputs, context: { pool: "p1" } }), {
            code: "exists",
            message: /This server does not change a registered volume: to change it, replace it \(`pulumi up --replace/,
        });
        assert.equal(await data.up(inputs), "same");
    });

    it("takes over a volume only as it is: the service does not change one", async () => {
        await volume().up(inputs);
        await assert.rejects(volume().up({ ...inputs, externalId: "vol-2", adopt: true }), { code: "exists" });
    });

    it("waits until the volume is schedulable, says what it waits for, and goes on at the next up", async () => {
        const files = { volumeId: "data", pluginId: "files", waitUntilSchedulable: "30s" };
        await simulator.control("PATCH", "/simulator/plugins/files", { healthy: false });
        const data = volume();
        await assert.rejects(data.up(files), {
            code: "timeout",
            message: /not schedulable after 30 s: 0 of 1 nodes healthy/,
        });
        assert.deepEqual(data.outputs()["unfinished"], ["waitUntilSchedulable"]);
        assert(
            data.messages.some(
                ({ severity, message }) => severity === "progress" && /0 of 1 nodes healthy/.test(message),
            ),
        );
        await simulator.control("PATCH", "/simulator/plugins/files", { healthy: true });
        await data.refresh();
        assert.equal(await data.up(files), "updated");
        assert.equal(data.outputs()["schedulable"], true);
        assert.equal(await data.up(files), "same");
    });

    it("keeps the health that the wait saw last", async () => {
        const unhealthy = {
            ID: "data",
            Namespace: "default",
            ExternalID: "vol-1",
            PluginID: "disks",
            NodesExpected: 2,
        };
        const body = JSON.stringify(unhealthy);
        await simulator.fault({ method: "GET", skip: 1, times: 2, status: 200, body });
        const data = volume();
        await data.up({ ...inputs, waitUntilSchedulable: "30s" });
        const { schedulable, controllersHealthy, nodesHealthy } = data.outputs();
        assert.deepEqual([schedulable, controllersHealthy, nodesHealthy], [true, 1, 2]);
        assert.deepEqual(await data.refresh(), []);
    });

    it("waits no longer than customTimeouts allow, of each verb on its own", async () => {
        const files = {
            volumeId: "data",
            pluginId: "files",
            waitUntilSchedulable: "10m",
            timeouts: { create: "5s", update: 8 },
        };
        await simulator.control("PATCH", "/simulator/plugins/files", { healthy: false });
        const data = volume();
        await assert.rejects(data.up(files), { code: "timeout", message: / after 5 s/ });
        await assert.rejects(data.up(files), { code: "timeout", message: / after 8 s/ });
        await assert.rejects(data.check({ ...files, timeouts: { create: "soon" } }), { paths: ["timeouts.create"] });
    });

    it("warns in the preview that a volume in use cannot be replaced, unless its allocations have ended", async () => {
        const data = volume();
        await data.up(inputs);
        const change = { ...inputs, externalId: "vol-2" };
        assert.deepEqual(await data.preview(change), []);
        await claim();
        assert.match(
            (await data.preview(change)).join(),
            /^externalId: cannot change now, because the volume data is in use by allocation .*: stop these jobs first$/,
        );
        await simulator.forget();
        assert.deepEqual(await data.preview(inputs), []);
        assert.deepEqual(await simulator.requests(), [], "an unchanged volume is not looked at");
        for (const status of ["complete", "failed", "lost"]) {
            await simulator.control("DELETE", "/simulator/claims/alloc-1");
            await claim({ status });
            assert.deepEqual(await data.preview(change), []);
        }
    });

    it("warns in the preview of the native plugin too, which is asked for the new volume alone", async () => {
        const data = volume();
        await data.up(inputs);
        await claim();
        const native = simulator.resource("CsiVolume", { isNative: true, run: new OwnedObjects() });
        native.state = data.state;
        const change = { ...inputs, externalId: "vol-2" };
        assert.deepEqual((await native.diff(change)).replaces, ["externalId"]);
        assert.match((await native.preview(change)).join(), /^externalId: cannot change now/);
    });

    it("keeps to its path whatever the id is", async () => {
        for (const volumeId of ["a b", "a?b", "a#b", "a%2fb", "ä"]) {
            const data = volume();
            await data.up({ ...inputs, volumeId });
            assert.equal(data.state?.id, `default/${volumeId}`);
            assert.deepEqual(await data.refresh(), []);
            await data.destroy();
        }
    });

    it("repeats a request that met no leader", async () => {
        const data = volume();
        await data.up(inputs);
        await simulator.fault({ method: "GET", status: 500, body: "No cluster leader" });
        assert.deepEqual(await data.refresh(), []);
    });

    it("registers again what met no leader", async () => {
        const data = volume();
        await simulator.fault({ method: "PUT", status: 500, body: "No cluster leader" });
        await data.up(inputs);
        assert.equal(data.state?.id, "default/data");
    });
});
