import assert from "node:assert/strict";
import { withCode } from "../../support/messages";
import { withSimulator } from "../../support/simulator";

const volume = { ID: "data", Name: "Data", ExternalID: "vol-1", PluginID: "disks" };
const inputs = { volumeId: "data", node: "node-1" };
const detachPath = "/v1/volume/csi/data/detach";

describe("CsiVolumeDetachment", () => {
    const simulator = withSimulator({ plugins: [{ id: "disks", nodes: ["node-1"] }], volumes: [volume] });

    const detachment = () => simulator.resource("CsiVolumeDetachment");
    const made = async (given: Record<string, unknown> = inputs) => {
        const resource = await detachment().deployed(given);
        return resource;
    };
    const sent = async () => (await simulator.requests()).map(({ method, path, query }) => [method, path, query]);

    describe("check", () => {
        for (const given of [
            { volumeId: undefined },
            { node: undefined },
            { volumeId: "a/b" },
            { node: "a b" },
            { node: "" },
            { namespace: "*" },
            { triggers: "x" },
            { force: true },
        ]) {
            it(`refuses ${JSON.stringify(given)}`, async () => {
                const check = detachment().check(JSON.parse(JSON.stringify({ ...inputs, ...given })));
                await assert.rejects(check, { paths: Object.keys(given) });
            });
        }
    });

    describe("create", () => {
        it("sends one request to detach the volume from the node", async () => {
            const resource = await made();
            assert.equal(resource.state?.id, "default/data/node-1");
            const { server, __provider, ...outputs } = resource.outputs();
            assert.deepEqual(outputs, { ...inputs, namespace: "default" });
            assert.deepEqual(await sent(), [["DELETE", detachPath, { namespace: "default", node: "node-1" }]]);
            assert.equal(resource.warnings.length, 1, "Nomad refuses every detachment since 1.4");
            assert.match(resource.warnings.join(), withCode("server-warning"));
        });

        it("fails if the volume is in use, and stores no state", async () => {
            await simulator.fault({ method: "DELETE", status: 500, body: "volume in use: data" });
            const resource = detachment();
            await assert.rejects(resource.up(inputs), { code: "service", message: /volume in use: data/ });
            assert.equal(resource.state, undefined);
        });

        it("names the allocation, job and node that use the volume, and the command that stops the job", async () => {
            const { claims } = simulator.store.volumes;
            await simulator.control("POST", "/simulator/claims", {
                volume: "data",
                node: "node-1",
                allocation: "alloc-1",
                job: "web",
            });
            assert.equal(claims.length, 1);
            await simulator.fault({ method: "DELETE", status: 500, body: "volume in use: data" });
            await assert.rejects(detachment().up(inputs), {
                code: "in-use",
                message: /allocation alloc-1 of job web on node node-1.*`nomad job stop web`/,
            });
        });

        it("fails for a volume that is absent", async () => {
            await assert.rejects(detachment().up({ ...inputs, volumeId: "none" }), { code: "absent" });
        });

        it("fails for a node that is gone, and says what to do", async () => {
            await simulator.fault({ method: "DELETE", status: 500, body: 'rpc error: Unknown node "node-1"' });
            await assert.rejects(made(), { code: "service", message: /`nomad node status`.*remove this resource/ });
        });
    });

    describe("afterwards", () => {
        it("shows no change, and sends nothing", async () => {
            const resource = await made();
            await simulator.forget();
            assert.equal(await resource.up(inputs), "same");
            assert.equal(await resource.up({ ...inputs, triggers: [] }), "same");
            assert.equal(await resource.up({ ...inputs, namespace: "default" }), "same");
            assert.deepEqual(await resource.refresh(), []);
            assert.equal(await resource.up(inputs), "same");
            assert.deepEqual(await simulator.requests(), []);
        });

        it("detaches again for new `triggers`", async () => {
            const resource = await made({ ...inputs, triggers: ["1"] });
            await simulator.forget();
            assert.equal(await resource.up({ ...inputs, triggers: ["2"] }), "updated");
            assert.deepEqual(await sent(), [["DELETE", detachPath, { namespace: "default", node: "node-1" }]]);
            assert.deepEqual(resource.outputs()["triggers"], ["2"]);
            assert.equal(await resource.up({ ...inputs, triggers: ["2"] }), "same");
        });
    });

    it("is imported by its id, and refuses a malformed id", async () => {
        const resource = await detachment().imported("default/data/node-1");
        assert.deepEqual(
            ["volumeId", "namespace", "node"].map((name) => resource.outputs()[name]),
            ["data", "default", "node-1"],
        );
        for (const id of ["data/node-1", "*/data/node-1"]) {
            await assert.rejects(detachment().get(id), { code: "id" });
        }
    });
});
