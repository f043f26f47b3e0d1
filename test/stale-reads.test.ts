/** Tests the read after a write on a server that answers for a moment from a copy, such as a standby of Vault. */

import assert from "node:assert/strict";
import { withSimulator } from "./support/simulator";

const hourly = {
    ...{ name: "hourly", interval: "1h", retain: 3 },
    storage: { type: "local", pathPrefix: "/var", maxSpace: 1_000_000 },
};
const show = { method: "GET", path: "/config/hourly$" } as const;

describe("the read after a write", () => {
    const simulator = withSimulator({});
    const path = "/v1/sys/storage/raft/snapshot-auto/config/hourly";
    const reads = async () => (await simulator.requests()).filter(({ method }) => method === "GET").length;
    /** A configuration whose next reads show what the server showed before the next write. */
    const life = async (times: number, change: Record<string, unknown> = {}) => {
        const config = await simulator.resource("SnapshotConfig").deployed(hourly);
        const { data } = (await simulator.outside("GET", path)) as { data: Record<string, unknown> };
        await simulator.forget();
        const body = JSON.stringify({ data: { ...data, ...change } });
        if (times > 0) await simulator.fault({ ...show, times, status: 200, body });
        return config;
    };

    it("is repeated while each changed value is the one from before", async () => {
        const config = await life(2);
        await config.up({ ...hourly, retain: 5 });
        assert.equal(await reads(), 3);
        assert.equal(config.outputs()["retain"], 5);
        assert.deepEqual(config.warnings, []);
    });

    it("is repeated so too after a write that could not be read back", async () => {
        const config = await life(0);
        await simulator.fault({ ...show, times: 9, status: 500, body: "planted" });
        await assert.rejects(config.up({ ...hourly, retain: 5 }));
        await simulator.heal();
        const old = JSON.stringify(await simulator.outside("GET", path));
        await simulator.forget();
        await simulator.fault({ ...show, skip: 1, times: 2, status: 200, body: old });
        await config.up({ ...hourly, retain: 7 });
        assert.equal(await reads(), 4);
        assert.equal(config.outputs()["retain"], 7);
        assert.deepEqual(config.warnings, []);
    });

    it("is repeated at most twice, and then says that the server does not show the value", async () => {
        const config = await life(9);
        await config.up({ ...hourly, retain: 5 });
        assert.equal(await reads(), 3);
        assert.match(config.warnings.join("\n"), /^.*retain: .*\[dropped\]$/);
    });

    it("is not repeated if a value is neither the written one nor that from before", async () => {
        const config = await life(9, { retain: 4 });
        await config.up({ ...hourly, retain: 5 });
        assert.equal(await reads(), 1);
        assert.match(config.warnings.join("\n"), /\[dropped\]/);
    });
});
