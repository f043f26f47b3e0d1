import assert from "node:assert/strict";
import { csiVolumeDetachment } from "../../../src/services/volumes/csi-volume-detachment";
import { detachesByItself } from "../../../src/services/volumes/failures";
import type { Seed } from "../../../src/simulator/seed";
import { failureOf } from "../../support/failures";
import { CheckFailed, Shown } from "../../support/managed-resource";
import { wordsOf } from "../../support/messages";
import { withSimulator } from "../../support/simulator";

const volume = (fields: object) => ({ ID: "data", Name: "Data", ExternalID: "vol-1", PluginID: "disks", ...fields });
const seed: Seed = {
    plugins: [{ id: "disks", nodes: ["node-1", "node-2"] }],
    volumes: [volume({}), volume({ Namespace: "prod" }), volume({ ID: "free" })],
};
const inputs = { volumeId: "data", node: "node-1" };
const detachPath = "/v1/volume/csi/data/detach";

describe("CsiVolumeDetachment", () => {
    const simulator = withSimulator(seed);

    const detachment = (settings: Record<string, unknown> = {}) =>
        simulator.resource("CsiVolumeDetachment", { settings: { "statecraft:volumes": settings } });
    const made = async (given: Record<string, unknown> = inputs) => {
        const resource = detachment();
        assert.equal(await resource.up(given), "created");
        return resource;
    };
    const claim = (fields: object) =>
        simulator.control("POST", "/simulator/claims", { volume: "data", node: "node-1", ...fields });
    const failure = async (command: Promise<unknown>) => (await failureOf(command, Shown)).message;

    describe("check", () => {
        for (const given of [
            { volumeId: undefined },
            { node: undefined },
            { volumeId: "a/b" },
            { node: "a b" },
            { namespace: "*" },
            { triggers: "x" },
            { force: true },
        ]) {
            it(`refuses ${JSON.stringify(given)}`, async () => {
                const check = detachment().check(JSON.parse(JSON.stringify({ ...inputs, ...given })));
                await assert.rejects(check, { paths: Object.keys(given) });
            });
        }

        it("says what a node is", async () => {
            const { reasons } = await failureOf(detachment().check({ ...inputs, node: "" }), CheckFailed);
            assert.deepEqual(reasons, ["node: must be the id of a node"]);
        });
    });

    describe("create", () => {
        it("asks the service to detach the volume from the node, and tells how it is afterwards", async () => {
            await claim({ status: "complete" });
            const resource = await made();
            assert.equal(resource.state?.id, "default/data/node-1");
            const { server, __provider, ...outputs } = resource.outputs();
            assert.deepEqual(outputs, { ...inputs, namespace: "default", detached: true });
            const seen = (await simulator.requests()).map(({ method, path, query }) => [method, path, query]);
            assert.deepEqual(seen, [
                ["GET", "/v1/volume/csi/data", { namespace: "default" }],
                ["DELETE", detachPath, { namespace: "default", node: "node-1" }],
                ["GET", "/v1/volume/csi/data", { namespace: "default" }],
            ]);
            assert.deepEqual(resource.warnings, []);
        });

        it("takes the namespace of the settings, and stores it", async () => {
            const resource = detachment({ namespace: "prod" });
            await resource.up(inputs);
            assert.equal(resource.state?.id, "prod/data/node-1");
            assert.equal(resource.outputs()["namespace"], "prod");
            assert.equal((await simulator.writes())[0]?.query["namespace"], "prod");
        });

        it("is refused while allocations run on the node, and names them", async () => {
            await claim({ allocation: "alloc-1", job: "web" });
            await claim({ allocation: "alloc-2", job: "api", write: true });
            await claim({ allocation: "alloc-3", job: "far", node: "node-2" });
            const message = await failure(detachment().up(inputs));
            assert.equal(
                message,
                "CsiVolumeDetachment data: the volume data is in use by allocation alloc-1 of job web; allocation alloc-2 of job api, " +
                    "so it was not detached from node node-1. Stop these jobs, or drain the node, and run `pulumi up` again.",
            );
            assert.deepEqual(await simulator.writes(), []);
        });

        it("explains a use that begins just then", async () => {
            await claim({ allocation: "alloc-1", job: "web", status: "complete" });
            await simulator.fault({ method: "DELETE", status: 500, body: "volume in use: data" });
            const message = await failure(detachment().up(inputs));
            assert.match(message, /in use by allocation alloc-1 of job web, which has ended, so it was not detached/);
        });

        it("names whoever else holds it when the service says that it is in use", async () => {
            await claim({ allocation: "alloc-3", job: "far", node: "node-2" });
            await simulator.fault({ method: "DELETE", status: 500, body: "volume in use: data" });
            assert.match(
                await failure(detachment().up(inputs)),
                /in use by allocation alloc-3 of job far on node node-2, so/,
            );
        });

        it("passes on the service's words when nobody is seen to hold it", async () => {
            await simulator.fault({ method: "DELETE", status: 500, body: "volume in use: data" });
            await assert.rejects(detachment().up(inputs), { code: "service", status: 500 });
        });

        it("minds no allocation on another node", async () => {
            await claim({ node: "node-2" });
            assert.equal((await made()).outputs()["detached"], true);
        });

        it("fails for a volume that is absent, before and while it is asked", async () => {
            await assert.rejects(detachment().up({ ...inputs, volumeId: "none" }), {
                code: "absent",
                message: /the volume none in namespace default does not exist\. Check `volumeId` and `namespace`/,
            });
            assert.deepEqual(await simulator.writes(), []);
            await simulator.fault({ method: "DELETE", status: 500, body: "no such volume" });
            await assert.rejects(detachment().up(inputs), { code: "absent" });
        });

        it("tells that the node still holds it when the service has only begun", async () => {
            await claim({ status: "complete" });
            await simulator.fault({ method: "DELETE", status: 200 });
            assert.equal((await made()).outputs()["detached"], false);
        });

        it("takes the refusal that some versions always give for no failure", async () => {
            await claim({ status: "complete" });
            await simulator.fault({ method: "DELETE", status: 500, body: "Unknown allocation" });
            const resource = await made();
            assert.equal(resource.outputs()["detached"], false);
            assert.equal(resource.warnings.length, 1);
            assert.match(resource.warnings[0] ?? "", wordsOf(detachesByItself));
        });

        it("asks again after an answer that was lost: twice is as good as once", async () => {
            await simulator.fault({ method: "DELETE", drop: "after" });
            assert.equal((await made()).outputs()["detached"], true);
            assert.equal((await simulator.writes()).length, 2);
        });

        it("fails without the right, and keeps nothing", async () => {
            // Who claims the volume has nothing to do with it.
            await claim({ status: "complete" });
            await simulator.fault({ method: "DELETE", status: 403, body: "Permission denied" });
            const resource = detachment();
            await assert.rejects(resource.up(inputs), { code: "denied", status: 403 });
            assert.equal(resource.state, undefined);
        });

        it("takes JSON of something else for no volume that is free", async () => {
            await simulator.fault({ method: "GET", status: 200, body: '{"data":{}}' });
            await assert.rejects(detachment().up(inputs), { code: "answer" });
            assert.deepEqual(await simulator.writes(), []);
        });

        it("is kept as half-made when the volume cannot be read afterwards; the next up looks again", async () => {
            await simulator.fault({ method: "GET", path: "/v1/volume/", skip: 1, times: 3, status: 503 });
            const resource = detachment();
            assert.match(await failure(resource.up(inputs)), /but the volume could not be read afterwards/);
            assert.deepEqual(resource.outputs()["unfinished"], ["readBack"]);
            await simulator.heal();
            await simulator.forget();
            assert.deepEqual(await resource.refresh(), []);
            assert.equal(await resource.up(inputs), "updated");
            assert.deepEqual(await simulator.writes(), []);
            assert.equal(resource.outputs()["detached"], true);
            assert.equal(await resource.up(inputs), "same");
        });
    });

    describe("afterwards", () => {
        it("there is nothing to do, nor to refresh", async () => {
            const resource = await made();
            await simulator.forget();
            assert.equal(await resource.up(inputs), "same");
            assert.equal(await resource.up({ ...inputs, triggers: [] }), "same");
            assert.equal(await resource.up({ ...inputs, namespace: "default" }), "same");
            assert.deepEqual(await resource.refresh(), []);
            assert.equal(await resource.up(inputs), "same");
            assert.deepEqual(await simulator.requests(), []);
        });

        it("it is never gone, whatever became of the volume", async () => {
            const resource = await made();
            await simulator.outside("DELETE", "/v1/volume/csi/data");
            assert.deepEqual(await resource.refresh(), []);
            assert.equal(await resource.up(inputs), "same");
        });

        it("new triggers detach again", async () => {
            const resource = await made({ ...inputs, triggers: ["1"] });
            await claim({ status: "failed" });
            await simulator.forget();
            assert.equal(await resource.up({ ...inputs, triggers: ["2"] }), "updated");
            assert.deepEqual(
                (await simulator.writes()).map(({ method, path, query }) => [method, path, query]),
                [["DELETE", detachPath, { namespace: "default", node: "node-1" }]],
            );
            assert.deepEqual(resource.outputs()["triggers"], ["2"]);
            assert.equal(await resource.up({ ...inputs, triggers: ["2"] }), "same");
        });

        it("new triggers are refused like the first time, and tried again by the next up", async () => {
            const resource = await made({ ...inputs, triggers: ["1"] });
            await claim({ allocation: "alloc-1", job: "web" });
            const again = { ...inputs, triggers: ["2"] };
            await assert.rejects(resource.up(again), { code: "in-use" });
            await simulator.control("PATCH", "/simulator/claims/alloc-1", { status: "complete" });
            assert.equal(await resource.up(again), "updated");
        });

        it("another connection to the same server sends nothing", async () => {
            const resource = simulator.resource("CsiVolumeDetachment", {
                settings: { "statecraft:connections": { same: { volumes: { address: simulator.url, token: "any" } } } },
            });
            await resource.up(inputs);
            await simulator.forget();
            assert.equal(await resource.up({ ...inputs, connection: "same" }), "updated");
            assert.deepEqual(await simulator.requests(), []);
            assert.equal(resource.outputs()["detached"], true);
        });

        for (const change of [{ volumeId: "free" }, { namespace: "prod" }, { node: "node-2" }]) {
            it(`another ${Object.keys(change)} is another detachment`, async () => {
                const resource = await made();
                assert.deepEqual((await resource.diff({ ...inputs, ...change })).replaces, Object.keys(change));
                assert.equal(await resource.up({ ...inputs, ...change }), "replaced");
            });
        }

        it("deleting it does nothing", async () => {
            const resource = await made();
            await simulator.forget();
            await resource.destroy();
            assert.deepEqual(await simulator.requests(), []);
        });

        it("it refuses to act on another server", async () => {
            const resource = await made();
            assert.ok(resource.state);
            resource.state.outputs = { ...resource.state.outputs, server: "https://elsewhere.example" };
            await assert.rejects(resource.up({ ...inputs, triggers: [1] }), { code: "server" });
        });
    });

    describe("by its id", () => {
        it("tells whether the node holds the volume now", async () => {
            const resource = detachment();
            await resource.get("default/data/node-1");
            assert.deepEqual(
                ["volumeId", "namespace", "node", "detached"].map((name) => resource.outputs()[name]),
                ["data", "default", "node-1", true],
            );
            await claim({});
            await resource.get("default/data/node-1");
            assert.equal(resource.outputs()["detached"], false);
        });

        it("needs a volume that is there, and an id of the right form", async () => {
            await assert.rejects(detachment().get("default/none/node-1"), { code: "absent" });
            for (const id of ["data/node-1", "*/data/node-1"]) {
                await assert.rejects(detachment().get(id), { code: "id" });
            }
        });
    });

    it("is described", () => {
        assert.deepEqual(Object.keys(csiVolumeDetachment.outputs.shape), ["detached"]);
        assert.deepEqual(Object.keys(csiVolumeDetachment.inputs.shape), [
            "volumeId",
            "namespace",
            "node",
            "triggers",
            "connection",
        ]);
    });
});
