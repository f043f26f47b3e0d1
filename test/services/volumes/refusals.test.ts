import assert from "node:assert/strict";
import { ConflictError, connect, DeniedError, ServiceError, StatecraftError } from "../../../src/client";
import { putBack } from "../../../src/services/volumes/failures";
import { canaryToken } from "../../support/canaries";
import { failureOf } from "../../support/failures";
import { wordsOf } from "../../support/messages";
import { withSimulator } from "../../support/simulator";

const seed = { plugins: [{ id: "disks", nodes: ["node-1"] }] };

describe("refusals of volumes", () => {
    const simulator = withSimulator(seed);

    const client = () => connect({ volumes: { address: simulator.url, token: canaryToken }, environment: {} });
    const volume = { volumeId: "data", pluginId: "disks" };
    const refusedAs = async (status: number, body: string, script = client()) => {
        await simulator.fault({ method: "PUT", status, body });
        return failureOf(script.csiVolume.create(volume), ServiceError);
    };

    for (const [status, body, Family, code, toldCode = code] of [
        [403, "Permission denied", DeniedError, "denied"],
        [409, "volume exists: data", ConflictError, "conflict", "exists"],
        [500, "no CSI plugin named: disks could be found", ServiceError, "service"],
    ] as const) {
        it(`${status} stays what it is when it is told what to do about it`, async () => {
            const plain = await refusedAs(status, "something new");
            const told = await refusedAs(status, body);
            for (const error of [plain, told]) {
                assert(error instanceof Family);
                assert.equal(error.status, status);
            }
            assert.deepEqual([plain.code, told.code], [code, toldCode]);
            assert.notEqual(told.message.replace(body, "something new"), plain.message, "what to do is told");
        });
    }

    it("stays what it is when it is told how to put the former registration back", async () => {
        const script = client();
        const { id } = await script.csiVolume.create(volume);
        await script.csiVolume.delete(id);
        const error = await refusedAs(403, "Permission denied", script);
        assert(error instanceof DeniedError);
        assert.match(error.message, wordsOf(putBack));
    });

    it("is told nothing of a registration that was seen to be there again", async () => {
        const script = client();
        const { id } = await script.csiVolume.create(volume);
        await script.csiVolume.delete(id);
        await simulator.outside("PUT", "/v1/volume/csi/data", { Volumes: [{ ID: "data", PluginID: "disks" }] });
        await script.csiVolume.read(id);
        const { message } = await failureOf(script.csiVolume.create(volume), StatecraftError);
        assert.doesNotMatch(message, wordsOf(putBack));
    });
});
