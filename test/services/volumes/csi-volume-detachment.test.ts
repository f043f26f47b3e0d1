import assert from "node:assert/strict";
import { withSimulator } from "../../support/simulator";
import { storiesOf } from "../../support/story";

const volume = { ID: "data", Name: "Data", ExternalID: "vol-1", PluginID: "disks" };
const inputs = { volumeId: "data", node: "node-1" };
const claim = { volume: "data", node: "node-1", allocation: "alloc-1", job: "web" };
const refusing = (body: string) => [{ method: "DELETE", status: 500, body }];

describe("CsiVolumeDetachment", () => {
    const simulator = withSimulator({ plugins: [{ id: "disks", nodes: ["node-1"] }], volumes: [volume] });

    const detachment = () => simulator.resource("CsiVolumeDetachment");
    const sent = async () => (await simulator.requests()).map(({ method, path, query }) => [method, path, query]);
    const detached = [["DELETE", "/v1/volume/csi/data/detach", { namespace: "default", node: "node-1" }]];
    const story = storiesOf({ simulator }, "CsiVolumeDetachment", inputs, { sent });

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

    // Nomad refuses every detachment since 1.4.
    story("sends one request to detach the volume from the node", {
        ends: "created",
        leaves: { id: "default/data/node-1", sent: detached },
        outputs: { ...inputs, namespace: "default", triggers: undefined },
        warns: /^CsiVolumeDetachment .*\[server-warning\]$/,
    });
    story("fails if the volume is in use, and stores no state", {
        faults: refusing("volume in use: data"),
        ends: { code: "service", message: /volume in use: data/ },
        leaves: { id: undefined },
    });
    story("names the allocation, job and node that use the volume, and the command that stops the job", {
        given: () => simulator.control("POST", "/simulator/claims", claim),
        faults: refusing("volume in use: data"),
        ends: { code: "in-use", message: /allocation alloc-1 of job web on node node-1.*`nomad job stop web`/ },
    });
    story("fails for a volume that is absent", { inputs: { volumeId: "none" }, ends: { code: "absent" } });
    story("fails for a node that is gone, and says what to do", {
        faults: refusing('rpc error: Unknown node "node-1"'),
        ends: { code: "service", message: /`nomad node status`.*remove this resource/ },
    });
    story("is the same with empty `triggers` and the `namespace` of the settings, and sends nothing", {
        deployed: [{}],
        inputs: { triggers: [], namespace: "default" },
        ends: "same",
        leaves: { sent: [] },
    });
    story("detaches again for new `triggers`", {
        deployed: [{ triggers: ["1"] }],
        inputs: { triggers: ["2"] },
        ends: "updated",
        leaves: { sent: detached },
        outputs: { triggers: ["2"] },
        next: ["same"],
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
