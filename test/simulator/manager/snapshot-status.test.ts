/** Snapshots as they are taken, on order and as time passes on the simulator's clock, and their status. */
import assert from "node:assert/strict";
import { withSimulator } from "../../support/simulator";
import { section } from "../exchanges";
import { at } from "../requests";

const below = "/v1/sys/storage/raft/snapshot-auto/";
const headers = { "x-secrets-token": "any" };
const local = { interval: "1h", path_prefix: "/var", storage_type: "local", local_max_space: 10_000 };
const config = (fields: object, name = "hourly") => ({ name, fields: { ...local, ...fields } });
const place = (...snapshotConfigs: ReturnType<typeof config>[]) => ({ below, headers, seed: { snapshotConfigs } });
/** A request whose answer shows that so many snapshots are kept. */
const keeps = (snapshots: readonly unknown[] | number, name = "hourly") => {
    const kept = typeof snapshots === "number" ? Array(snapshots).fill({}) : snapshots;
    const snapshotConfigs = { [`sys/storage/raft/snapshot-auto/config/${name}`]: { snapshots: kept } };
    return `GET /simulator/state -> 200 ${JSON.stringify({ manager: { snapshotConfigs } })}`;
};
const advance = (seconds: number) => `POST /simulator/clock {"advance": ${seconds}} -> 204`;
const never = { last_snapshot_end: "", last_snapshot_error: "", last_snapshot_start: "", last_snapshot_url: "" };
const time = "~ ^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00$";
const url = "~ ^file:///var/mine-\\d+\\.snap$";

section("Secrets Manager, Automated snapshot status", place(config({ file_prefix: "mine" })))`
    it is empty before the first snapshot, and absent without a configuration
        GET status/hourly -> 200 {"data=": ${{ ...never, snapshot_start: "", snapshot_url: "" }}, "mount_type": "system"}
        GET status/none -> 404 = {"errors": []}
        POST status/hourly -> 405
        POST /simulator/snapshots/none -> 404
    it tells times with an offset, and a URL of the directory, the prefix and a number
        POST config/hourly {"path_prefix": "/var/"} -> 204
        POST /simulator/snapshots/hourly -> 200
        GET status/hourly -> 200 ${{
            "data=": {
                ...{ last_snapshot_start: time, last_snapshot_end: time, snapshot_start: time },
                ...{ last_snapshot_url: url, snapshot_url: url, last_snapshot_error: "" },
            },
        }}
    another store is named by its type and container
        POST config/s3 ${{
            ...{ interval: 60, path_prefix: "backups", storage_type: "cloudb-s3" },
            ...{ cloudb_s3_bucket: "b", cloudb_s3_region: "r" },
        }} -> 204
        POST /simulator/snapshots/s3 -> 200 {"snapshot_url": "~ ^cloudb-s3://b/backups/secrets-snapshot-\\d+\\.snap$"}
    a failed attempt tells its reason, and the newest snapshot that there is
        POST /simulator/snapshots/hourly -> 200 {"last_snapshot_url": "<first>", "snapshot_url": "<first>"}
        POST /simulator/snapshots/hourly {"error": "disk on fire"} -> 200 {"last_snapshot_url": "<first>", "snapshot_url": "<second>"}
        GET status/hourly -> 200 {"data": {"last_snapshot_error": "disk on fire", "last_snapshot_url": "<first>"}}
        ${keeps(1)}
        POST /simulator/snapshots/hourly -> 200 {"last_snapshot_error": ""}
    it begins anew with a new configuration, and goes on with a changed one
        POST /simulator/snapshots/hourly -> 200
        POST config/hourly {"interval": 60} -> 204
        GET status/hourly -> 200 {"data": {"last_snapshot_url": ${JSON.stringify(url)}}}
        DELETE config/hourly -> 204
        POST config/hourly ${local} -> 204
        GET status/hourly -> 200 {"data": {"last_snapshot_url": ""}}
    an order that cannot be read takes none
        ${["{", "[1", '{"error": 5}', '{"size": "1"}', "null"].map(
            (body) => `POST /simulator/snapshots/hourly ${body} -> 400`,
        )}
        ${keeps(0)}
`;

section(
    "Secrets Manager, Automated snapshot configuration: retain, the oldest are deleted",
    place(config({ retain: 2 })),
)`
    the newest are kept
        ${["a", "b", "c", "d"].map((name) => `POST /simulator/snapshots/hourly -> 200 {"snapshot_url": "<${name}>"}`)}
        ${keeps([{ url: "<c>" }, { url: "<d>" }])}
    as time passes too
        ${advance(3600)}
        ${keeps([{ url: "<a>" }])}
        ${advance(2 * 3600)}
        ${keeps([{ url: "<b>" }, { url: "<c>" }])}
`;

section(
    "Secrets Manager, Automated snapshot configuration: local_max_space for all of a file_prefix in the directory",
    place(
        config({ retain: 3, local_max_space: 100 }),
        config({ retain: 3, local_max_space: 100, file_prefix: "other" }, "other"),
    ),
)`
    an attempt fails where not enough space is left
        POST /simulator/snapshots/hourly {"size": 60} -> 200
        POST /simulator/snapshots/hourly {"size": 60}
            -> 200 {"last_snapshot_error": "not enough space left: 60 of 100 bytes are used, 60 are needed"}
        POST /simulator/snapshots/hourly {"size": 40} -> 200 {"last_snapshot_error": ""}
        POST /simulator/snapshots/other {"size": 100} -> 200 {"last_snapshot_error": ""}
    of two that share the directory, the first one has the space
        DELETE config/other -> 204
        POST config/slow ${{ ...local, interval: "2h", local_max_space: 1500, file_prefix: "shared" }} -> 204
        POST config/fast ${{ ...local, local_max_space: 1500, file_prefix: "shared" }} -> 204
        ${advance(2 * 3600)}
        GET status/slow -> 200 {"data": {"last_snapshot_error": "~ ^not enough space left"}}
        ${keeps(1, "fast")}
    there is space again when the configuration allows more
        POST config/hourly {"retain": 10, "local_max_space": 2500} -> 204
        ${advance(2 * 3600)}
        GET status/hourly -> 200 {"data": {"last_snapshot_error": "", "last_snapshot_url": "<newest>"}}
        ${advance(3600)}
        GET status/hourly -> 200 {"data": {"last_snapshot_error": "~ ^not enough space left: 2048 of 2500 bytes are used",
            "last_snapshot_url": "<newest>"}}
        ${keeps(2)}
        POST config/hourly {"local_max_space": 5000} -> 204
        ${advance(3600)}
        GET status/hourly -> 200 {"data": {"last_snapshot_error": ""}}
`;

section(
    "Secrets Manager, Automated snapshot configuration: interval, time between snapshots",
    place(config({ retain: 10 })),
)`
    none is taken before the interval is over, one after it, and one for each interval
        ${advance(3590)}
        GET status/hourly -> 200 {"data": {"last_snapshot_end": ""}}
        ${advance(10)}
        ${keeps([{ url: "<a>" }])}
        ${advance(3 * 3600)}
        ${keeps([{ url: "<a>" }, { url: "<b>" }, { url: "<c>" }, { url: "<d>" }])}
    another interval begins now, any other change does not
        ${advance(3000)}
        POST config/hourly {"retain": 5} -> 204
        ${advance(600)}
        ${keeps(1)}
        ${advance(3000)}
        POST config/hourly {"interval": "2h"} -> 204
        ${advance(7190)}
        ${keeps(1)}
        ${advance(10)}
        ${keeps(2)}
    a snapshot on order moves no other
        ${advance(1800)}
        POST /simulator/snapshots/hourly -> 200
        ${advance(1800)}
        ${keeps(2)}
    a very long time is no trouble
        POST config/hourly {"interval": "1s", "retain": 3} -> 204
        ${advance(10 * 365 * 86_400)}
        ${keeps(3)}
    the next one is no further away than the interval when the clock is set back
        ${advance(3600)}
        ${advance(-86_400)}
        ${advance(3600)}
        ${keeps(2)}
    a configuration that was deleted takes none
        DELETE config/hourly -> 204
        ${advance(7200)}
        GET status/hourly -> 404
`;

describe("simulator: Secrets Manager, Automated snapshot status: timestamps", () => {
    const simulator = withSimulator({ snapshotConfigs: [config({})] });

    it("a snapshot tells when it fell due, not when the clock was moved", async () => {
        await simulator.control("POST", "/simulator/clock", { advance: 5400 });
        const { status, due } = at(
            await simulator.control("GET", "/simulator/state"),
            ...["manager", "snapshotConfigs", "sys/storage/raft/snapshot-auto/config/hourly"],
        ) as { status: Record<string, string>; due: number };
        assert.equal(Date.parse(String(status["last_snapshot_end"])), Math.floor(due / 1000) * 1000 - 3_600_000);
    });
});
