/** Snapshots that happen by themselves, as time passes on the simulator's clock. */
import assert from "node:assert/strict";
import { type RunningSimulator, startSimulator } from "../../../src/simulator/server";
import { at, call } from "../requests";

const headers = { "x-secrets-token": "any" };
const local = { interval: "1h", path_prefix: "/var", storage_type: "local", local_max_space: 10_000 };

describe("simulator: snapshots that fall due", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator();
    });
    beforeEach(() => call("POST", `${simulator.url}/simulator/reset`));
    after(() => simulator.close());

    const base = () => `${simulator.url}/v1/sys/storage/raft/snapshot-auto`;
    const write = async (fields: object, name = "hourly") => {
        const answer = await call("POST", `${base()}/config/${name}`, { headers, body: { ...local, ...fields } });
        assert.equal(answer.status, 204, answer.text);
    };
    const advance = (seconds: number) =>
        call("POST", `${simulator.url}/simulator/clock`, { body: { advance: seconds } });
    const status = async (name = "hourly") =>
        at((await call("GET", `${base()}/status/${name}`, { headers })).json, "data");
    const kept = async (name = "hourly") => {
        const state = await call("GET", `${simulator.url}/simulator/state`);
        return at(
            state.json,
            "manager",
            "snapshotConfigs",
            `sys/storage/raft/snapshot-auto/config/${name}`,
            "snapshots",
        ) as { url: string }[];
    };

    it("none before the interval is over, one after it, and one for each interval", async () => {
        await write({ retain: 10, local_max_space: 1_000_000 });
        await advance(3590);
        assert.equal(at(await status(), "last_snapshot_end"), "");
        await advance(10);
        assert.equal((await kept()).length, 1);
        await advance(3 * 3600);
        assert.equal((await kept()).length, 4);
        assert.equal(new Set((await kept()).map(({ url }) => url)).size, 4);
    });

    it("they tell the time when they fell due, and where they are", async () => {
        await write({ retain: 10 });
        await advance(3600);
        const first = Date.parse(String(at(await status(), "last_snapshot_end")));
        await advance(3600);
        const second = await status();
        assert.equal(Date.parse(String(at(second, "last_snapshot_end"))) - first, 3_600_000);
        assert.equal(at(second, "last_snapshot_error"), "");
        assert.match(String(at(second, "last_snapshot_url")), /^file:\/\/\/var\/secrets-snapshot-\d+\.snap$/);
    });

    it("only as many are kept as the configuration says, the newest", async () => {
        await write({ retain: 2 });
        await advance(3600);
        const [oldest] = await kept();
        await advance(2 * 3600);
        assert.equal((await kept()).length, 2);
        assert((await kept()).every(({ url }) => url !== oldest?.url));
    });

    it("one fails when too little space is left, and the status says so", async () => {
        await write({ retain: 10, local_max_space: 2500 });
        await advance(2 * 3600);
        assert.equal(at(await status(), "last_snapshot_error"), "");
        const url = at(await status(), "last_snapshot_url");
        await advance(3600);
        const failed = await status();
        assert.match(String(at(failed, "last_snapshot_error")), /^not enough space left: 2048 of 2500 bytes are used/);
        assert.equal(at(failed, "last_snapshot_url"), url, "the newest that there is");
        assert.equal((await kept()).length, 2);
        await write({ retain: 10, local_max_space: 5000 });
        await advance(3600);
        assert.equal(at(await status(), "last_snapshot_error"), "");
    });

    it("another interval begins anew, any other change does not", async () => {
        await write({});
        await advance(3000);
        await write({ retain: 5 });
        await advance(600);
        assert.equal((await kept()).length, 1);
        await advance(3000);
        await write({ retain: 5, interval: "2h" });
        await advance(7190);
        assert.equal((await kept()).length, 1);
        await advance(10);
        assert.equal((await kept()).length, 2);
    });

    it("several configurations take turns in the order of time", async () => {
        // They share one directory, so that who comes first has the space.
        await write({ interval: "2h", local_max_space: 1500 }, "slow");
        await write({ interval: "1h", local_max_space: 1500 }, "fast");
        await advance(2 * 3600);
        assert.match(String(at(await status("slow"), "last_snapshot_error")), /^not enough space left/);
        assert.equal((await kept("fast")).length, 1);
    });

    it("those that the control API takes do not move the others", async () => {
        await write({ retain: 10 });
        await advance(1800);
        await call("POST", `${simulator.url}/simulator/snapshots/hourly`);
        await advance(1800);
        assert.equal((await kept()).length, 2);
    });

    it("a very long time is no trouble", async () => {
        await write({ interval: "1s", retain: 3 });
        await advance(10 * 365 * 86_400);
        assert.equal((await kept()).length, 3);
    });

    it("the next one is no further away than the interval when the clock is set back", async () => {
        await write({ retain: 10 });
        await advance(3600);
        await advance(-86_400);
        await advance(3600);
        assert.equal((await kept()).length, 2);
    });

    it("a configuration that was deleted takes none", async () => {
        await write({});
        await call("DELETE", `${base()}/config/hourly`, { headers });
        await advance(7200);
        assert.equal((await call("GET", `${base()}/status/hourly`, { headers })).status, 404);
    });
});
