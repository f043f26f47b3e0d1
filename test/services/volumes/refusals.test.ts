import assert from "node:assert/strict";
import { ConflictError, type Connection, connect, DeniedError, ServiceError } from "../../../src/client";
import { plantedToken, World } from "../../support/world";

const seed = { plugins: [{ id: "disks", nodes: ["node-1"] }] };

describe("refusals of volumes", () => {
    let world: World;
    let client: Connection;
    before(async () => {
        world = await World.start(seed);
        client = connect({ volumes: { address: world.url, token: plantedToken }, environment: {} });
    });
    beforeEach(() => world.reset());
    after(() => world.close());

    const volume = { volumeId: "data", pluginId: "disks" };
    const refusedAs = async (status: number, body: string) => {
        await world.fault({ method: "PUT", status, body, contentType: "text/plain" });
        return client.csiVolume.create(volume).then(
            () => assert.fail("it should have failed"),
            (error: unknown) => error,
        );
    };

    for (const [status, body, Family, code] of [
        [403, "Permission denied", DeniedError, "denied"],
        [409, "volume exists: data", ConflictError, "conflict"],
        [500, "no CSI plugin named: disks could be found", ServiceError, "service"],
    ] as const) {
        it(`${status} stays what it is when it is told what to do about it`, async () => {
            const plain = await refusedAs(status, "something new");
            const told = await refusedAs(status, body);
            for (const error of [plain, told]) {
                assert(error instanceof Family);
                assert.deepEqual([error.status, error.code], [status, code]);
            }
            assert(told instanceof Family && plain instanceof Family);
            assert.notEqual(told.message.replace(body, "something new"), plain.message, "what to do is told");
        });
    }

    it("stays what it is when it is told how to put the former registration back", async () => {
        const { id } = await client.csiVolume.create(volume);
        await client.csiVolume.delete(id);
        const error = await refusedAs(403, "Permission denied");
        assert(error instanceof DeniedError);
        assert.match(error.message, /PUT this to \/v1\/volume\/csi\/data: \{/);
    });
});
