/** Manners of the simulator: how they are set, and what the secrets manager does with them. */
import assert from "node:assert/strict";
import { main } from "../../src/simulator/main";
import { type RunningSimulator, startSimulator } from "../../src/simulator/server";
import { at, call } from "./manager-support";

describe("simulator: manners", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator();
    });
    after(() => simulator.close());

    const kept = async ({ url }: { url: string }) => at((await call("GET", `${url}/simulator/state`)).json, "manners");
    const set = (body: unknown) => call("PUT", `${simulator.url}/simulator/manners`, { body });

    it("are set at the control door, all at once, and stay after a reset", async () => {
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
