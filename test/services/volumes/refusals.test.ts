import assert from "node:assert/strict";
import { ConflictError, connect, DeniedError, ServiceError } from "../../../src/client";
import { canaryToken } from "../../support/canaries";
import { failureOf } from "../../support/failures";
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
        [500, "EOF", ServiceError, "service"],
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
});
