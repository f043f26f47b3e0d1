/** Automated snapshots of the simulated secrets manager. */
import assert from "node:assert/strict";
import { type RunningSimulator, startSimulator } from "../../../src/simulator/server";
import { secrets } from "../../support/product-words";
import { type Answer, at, call, type Parts } from "../requests";

const headerOfToken = `x-${secrets}-token`;
const token = { "x-secrets-token": "any" };
const local = { interval: 3600, path_prefix: "/var/snapshots", storage_type: "local", local_max_space: 1_000_000 };
const s3 = {
    interval: "24h",
    path_prefix: "backups",
    storage_type: "cloudb-s3",
    cloudb_s3_bucket: "b",
    cloudb_s3_region: "r",
};
const gcs = { interval: "1d", path_prefix: "backups/", storage_type: "cloudc-gcs", cloudc_gcs_bucket: "b" };
const blob = { interval: "90m", path_prefix: "backups/", storage_type: "clouda-blob", clouda_container_name: "c" };

describe("simulator: snapshots", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator();
    });
    beforeEach(async () => {
        await call("POST", `${simulator.url}/simulator/reset`);
    });
    after(() => simulator.close());

    const send = (method: string, path: string, parts: Parts = {}) =>
        call(method, `${simulator.url}/v1/sys/storage/raft/snapshot-auto/${path}`, { headers: token, ...parts });
    const write = (body: unknown, name = "hourly") => send("POST", `config/${name}`, { body });
    const read = async (name = "hourly") => at((await send("GET", `config/${name}`)).json, "data");
    const errors = (answer: Answer) => [answer.status, at(answer.json, "errors")];
    const refusal = async (body: unknown) => errors(await write(body));

    describe("configurations", () => {
        it("show the document's fields of a local one, interval in seconds, defaults filled in", async () => {
            const answer = await write({ ...local, interval: "1h" });
            assert.deepEqual([answer.status, answer.text], [204, ""]);
            const { json } = await send("GET", "config/hourly");
            assert.deepEqual(at(json, "data"), {
                file_prefix: "secrets-snapshot",
                interval: 3600,
                local_max_space: 1_000_000,
                path_prefix: "/var/snapshots",
                retain: 1,
                storage_type: "local",
            });
            assert.equal(at(json, "mount_type"), "system");
        });

        it("show all fields of their storage type, unset ones too", async () => {
            const common = { file_prefix: "secrets-snapshot", retain: 1 };
            await write(s3);
            assert.deepEqual(await read(), {
                ...common,
                ...s3,
                interval: 86_400,
                cloudb_access_key_id: "",
                cloudb_secret_access_key: "",
                cloudb_session_token: "",
                cloudb_s3_endpoint: "",
                cloudb_s3_disable_tls: false,
                cloudb_s3_force_path_style: false,
                cloudb_s3_enable_kms: false,
                cloudb_s3_server_side_encryption: false,
                cloudb_s3_kms_key: "",
            });
            await write(gcs, "gcs");
            assert.deepEqual(await read("gcs"), {
                ...common,
                ...gcs,
                interval: 86_400,
                cloudc_service_account_key: "",
                cloudc_endpoint: "",
                cloudc_disable_tls: false,
            });
            await write(blob, "blob");
            assert.deepEqual(await read("blob"), {
                ...common,
                ...blob,
                interval: 5400,
                clouda_account_name: "",
                clouda_account_key: "",
                clouda_blob_environment: "",
                clouda_endpoint: "",
            });
        });

        it("return credentials in full", async () => {
            const key = JSON.stringify({ type: "service_account", private_key: "a\nb" });
            await write({ ...gcs, cloudc_service_account_key: key });
            assert.equal(at(await read(), "cloudc_service_account_key"), key);
            await write({ ...s3, cloudb_secret_access_key: "s3cret", cloudb_session_token: "t" }, "s3");
            assert.equal(at(await read("s3"), "cloudb_secret_access_key"), "s3cret");
            assert.equal(at(await read("s3"), "cloudb_session_token"), "t");
        });

        it("keep what an update leaves out, and go back to defaults by what means them", async () => {
            await write({ ...local, retain: 24, file_prefix: "mine" });
            assert.equal((await write({ interval: "2h" })).status, 204);
            assert.deepEqual(await read(), { ...local, file_prefix: "mine", interval: 7200, retain: 24 });
            await write({ retain: null, file_prefix: "", interval: null });
            assert.deepEqual(await read(), { ...local, file_prefix: "secrets-snapshot", interval: 7200, retain: 1 });
        });

        it("keep the set fields of a former storage type, and show them", async () => {
            await write({ ...s3, cloudb_access_key_id: "id" });
            assert.equal((await write({ storage_type: "local", local_max_space: 5 })).status, 204);
            assert.deepEqual(await read(), {
                cloudb_access_key_id: "id",
                cloudb_s3_bucket: "b",
                cloudb_s3_region: "r",
                file_prefix: "secrets-snapshot",
                interval: 86_400,
                local_max_space: 5,
                path_prefix: "backups",
                retain: 1,
                storage_type: "local",
            });
            // And they are there again.
            assert.equal((await write({ storage_type: "cloudb-s3" })).status, 204);
            assert.equal(at(await read(), "cloudb_s3_bucket"), "b");
        });

        it("read values weakly, like roles", async () => {
            await write({ ...s3, interval: "1.5h", retain: "7", cloudb_s3_disable_tls: "true", cloudb_s3_kms_key: 5 });
            const data = await read();
            assert.deepEqual(
                ["interval", "retain", "cloudb_s3_disable_tls", "cloudb_s3_kms_key"].map((field) => at(data, field)),
                [5400, 7, true, "5"],
            );
            assert.deepEqual(await refusal({ interval: "soon" }), [
                400,
                ['error converting input for field "interval": time: invalid duration "soon"'],
            ]);
        });

        it("lose one slash before the path of an object store", async () => {
            await write({ ...s3, path_prefix: "/backups/daily" });
            assert.equal(at(await read(), "path_prefix"), "backups/daily");
        });

        it("drop what they do not know", async () => {
            assert.equal((await write({ ...local, name: "other", nonsense: true })).status, 204);
            assert.equal(at(await read(), "nonsense"), undefined);
            assert.equal((await send("GET", "config/other")).status, 404);
        });

        it("are listed, deleted, and absent without complaint", async () => {
            assert.deepEqual(errors(await send("LIST", "config")), [404, []]);
            assert.deepEqual(errors(await send("GET", "config/hourly")), [404, []]);
            assert.equal((await send("DELETE", "config/hourly")).status, 204);
            await write(local, "b");
            await write(local, "A");
            await send("PUT", "config/c", { body: local });
            assert.deepEqual(at((await send("LIST", "config")).json, "data"), { keys: ["A", "b", "c"] });
            assert.deepEqual(at((await send("GET", "config?list=true")).json, "data"), { keys: ["A", "b", "c"] });
            await send("DELETE", "config/b");
            assert.deepEqual(at((await send("LIST", "config/")).json, "data"), { keys: ["A", "c"] });
        });

        it("have names of the same form as roles, but with their case", async () => {
            await write(local, "Hourly");
            assert.equal((await send("GET", "config/hourly")).status, 404);
            assert.deepEqual(await errors(await write(local, "a%20b")), [
                404,
                ["1 error occurred:\n\t* unsupported path\n\n"],
            ]);
            assert.equal((await send("PATCH", "config/Hourly", { body: {} })).status, 405);
        });
    });

    describe("refusals", () => {
        it("what is required, of all and of each type", async () => {
            for (const [fields, missing] of [
                [local, ["interval", "path_prefix", "storage_type", "local_max_space"]],
                [s3, ["interval", "path_prefix", "storage_type", "cloudb_s3_bucket", "cloudb_s3_region"]],
                [gcs, ["cloudc_gcs_bucket"]],
                [blob, ["clouda_container_name"]],
            ] as const) {
                for (const field of missing) {
                    const reason = [400, [`${field} is required`]];
                    assert.deepEqual(await refusal({ ...fields, [field]: undefined }), reason);
                    const nothing = field === "interval" || field === "local_max_space" ? 0 : "";
                    assert.deepEqual(await refusal({ ...fields, [field]: nothing }), reason);
                }
            }
            assert.equal((await send("LIST", "config")).status, 404);
        });

        it("an unknown storage type", async () => {
            for (const type of ["tape", "s3", "constructor"]) {
                assert.deepEqual(await refusal({ ...local, storage_type: type }), [
                    400,
                    ["storage_type must be one of local, cloudb-s3, cloudc-gcs, clouda-blob"],
                ]);
            }
        });

        it("a path without slash at its end where one is demanded", async () => {
            for (const fields of [gcs, blob]) {
                assert.deepEqual(await refusal({ ...fields, path_prefix: "backups" }), [
                    400,
                    [`path_prefix must end with '/' for storage_type ${fields.storage_type}`],
                ]);
            }
            for (const fields of [local, s3]) {
                for (const path of ["backups", "backups/"]) {
                    assert.equal((await write({ ...fields, path_prefix: path })).status, 204);
                }
            }
            assert.equal((await refusal({ storage_type: "clouda-blob", clouda_container_name: "c" }))[0], 204);
        });

        it("both kinds of encryption at once, after merging too", async () => {
            const reason = [400, ["cloudb_s3_server_side_encryption cannot be combined with cloudb_s3_enable_kms"]];
            const both = { cloudb_s3_enable_kms: true, cloudb_s3_server_side_encryption: true };
            assert.deepEqual(await refusal({ ...s3, ...both }), reason);
            await write({ ...s3, cloudb_s3_enable_kms: true });
            assert.deepEqual(await refusal({ cloudb_s3_server_side_encryption: true }), reason);
            const other = { cloudb_s3_enable_kms: false, cloudb_s3_server_side_encryption: true };
            assert.equal((await write(other)).status, 204);
        });

        it("numbers that make no sense", async () => {
            assert.deepEqual(await refusal({ ...local, retain: -1 }), [400, ["retain cannot be negative"]]);
        });

        it("not what no document forbids: to keep none, slashes in names of files, the bare root", async () => {
            const odd = { ...local, retain: 0, file_prefix: "a/b", path_prefix: "/" };
            assert.equal((await write(odd)).status, 204);
            assert.deepEqual(await read(), odd);
            const taken = await call("POST", `${simulator.url}/simulator/snapshots/hourly`);
            assert.equal(at(taken.json, "last_snapshot_error"), "");
            const state = (await call("GET", `${simulator.url}/simulator/state`)).json;
            assert.deepEqual(
                at(state, "manager", "snapshotConfigs", "sys/storage/raft/snapshot-auto/config/hourly", "snapshots"),
                [],
            );
        });

        it("these as well where real servers' rules hold", async () => {
            const real = await startSimulator({ vocabulary: "product" });
            try {
                const url = `${real.url}/v1/sys/storage/raft/snapshot-auto/config/hourly`;
                for (const [odd, reason] of [
                    [{ retain: 0 }, "retain must be at least 1"],
                    [{ file_prefix: "a/b" }, "file_prefix cannot contain '/'"],
                    [{ path_prefix: "/" }, "path_prefix cannot be '/' for storage_type local"],
                ] as const) {
                    const headers = { [headerOfToken]: "any" };
                    assert.deepEqual(errors(await call("POST", url, { headers, body: { ...local, ...odd } })), [
                        400,
                        [reason],
                    ]);
                }
            } finally {
                await real.close();
            }
        });

        it("changes nothing", async () => {
            await write(local);
            const before = await read();
            assert.equal((await refusal({ retain: 5, storage_type: "cloudc-gcs" }))[0], 400);
            assert.deepEqual(await read(), before);
        });

        it("any call outside the root namespace", async () => {
            const headers = { ...token, "x-secrets-namespace": "team" };
            for (const [method, path] of [
                ["POST", "config/hourly"],
                ["GET", "config/hourly"],
                ["DELETE", "config/hourly"],
                ["LIST", "config"],
                ["GET", "status/hourly"],
            ] as const) {
                const answer = await send(method, path, { headers, ...(method === "POST" && { body: local }) });
                assert.deepEqual(errors(answer), [
                    400,
                    ["automated snapshots can only be managed in the root namespace"],
                ]);
            }
            for (const root of ["", "/", "root"]) {
                const answer = await send("POST", "config/hourly", {
                    headers: { ...token, "x-secrets-namespace": root },
                    body: local,
                });
                assert.equal(answer.status, 204);
            }
        });
    });

    describe("status and snapshots", () => {
        const status = async (name = "hourly") => at((await send("GET", `status/${name}`)).json, "data");
        const take = (body?: unknown, name = "hourly") =>
            call("POST", `${simulator.url}/simulator/snapshots/${name}`, body === undefined ? {} : { body });
        const kept = async (name = "hourly") => {
            const { json } = await call("GET", `${simulator.url}/simulator/state`);
            const snapshots = at(
                json,
                "manager",
                "snapshotConfigs",
                `sys/storage/raft/snapshot-auto/config/${name}`,
                "snapshots",
            );
            assert.ok(Array.isArray(snapshots));
            return snapshots.map((snapshot: unknown) => at(snapshot, "url"));
        };

        it("is empty before the first snapshot and absent without a configuration", async () => {
            assert.deepEqual(errors(await send("GET", "status/hourly")), [404, []]);
            await write(local);
            assert.deepEqual(await status(), {
                last_snapshot_end: "",
                last_snapshot_error: "",
                last_snapshot_start: "",
                last_snapshot_url: "",
                snapshot_start: "",
                snapshot_url: "",
            });
        });

        it("tells of a snapshot: times with an offset, and where it is", async () => {
            await write({ ...local, path_prefix: "/var/snapshots/", file_prefix: "mine" });
            assert.equal((await take()).status, 200);
            const now = await status();
            for (const field of ["last_snapshot_start", "last_snapshot_end", "snapshot_start"]) {
                assert.match(String(at(now, field)), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
            }
            for (const field of ["last_snapshot_url", "snapshot_url"]) {
                assert.match(String(at(now, field)), /^file:\/\/\/var\/snapshots\/mine-\d+\.snap$/);
            }
            assert.equal(at(now, "last_snapshot_error"), "");
        });

        it("names other stores by their type and container", async () => {
            await write(s3);
            await take();
            assert.match(
                String(at(await status(), "last_snapshot_url")),
                /^cloudb-s3:\/\/b\/backups\/secrets-snapshot-\d+\.snap$/,
            );
        });

        it("tells of a failure, and keeps the last snapshot that there is", async () => {
            await write(local);
            await take();
            const before = await status();
            await take({ error: "disk on fire" });
            const failed = await status();
            assert.equal(at(failed, "last_snapshot_error"), "disk on fire");
            assert.equal(at(failed, "last_snapshot_url"), at(before, "last_snapshot_url"));
            assert.equal((await kept()).length, 1);
            await take();
            assert.equal(at(await status(), "last_snapshot_error"), "");
        });

        it("keeps as many as it is told, the newest", async () => {
            await write({ ...local, retain: 2 });
            const urls: unknown[] = [];
            for (let count = 0; count < 4; count += 1) urls.push(at((await take()).json, "snapshot_url"));
            assert.equal(new Set(urls).size, 4);
            assert.deepEqual(await kept(), urls.slice(-2));
        });

        it("fails where too little space is left for all of that name in that directory", async () => {
            await write({ ...local, retain: 3, local_max_space: 100 });
            await write({ ...local, retain: 3, local_max_space: 100, file_prefix: "other" }, "other");
            await take({ size: 60 });
            const { json } = await take({ size: 60 });
            assert.equal(
                at(json, "last_snapshot_error"),
                "not enough space left: 60 of 100 bytes are used, 60 are needed",
            );
            assert.equal(at((await take({ size: 40 })).json, "last_snapshot_error"), "");
            assert.equal(at((await take({ size: 100 }, "other")).json, "last_snapshot_error"), "");
        });

        it("begins anew when the configuration was deleted in between, not when it was changed", async () => {
            await write(local);
            await take();
            await write({ interval: 60 });
            assert.notEqual(at(await status(), "last_snapshot_url"), "");
            await send("DELETE", "config/hourly");
            await write(local);
            assert.equal(at(await status(), "last_snapshot_url"), "");
        });

        it("is taken only as ordered, and only of what there is", async () => {
            assert.equal((await take()).status, 404);
            await write(local);
            for (const body of ["{", "[1", { error: 5 }, { size: "1" }, "null"]) {
                assert.equal((await take(body)).status, 400);
            }
            assert.deepEqual(await kept(), []);
        });
    });
});
