/** Imports a full server, and runs the program that `pulumi import` prints. Of the hosts that the tests build, only that of YAML prints one. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { statecraft } from "../command/support";
import { done, onStage, productVariables, type Stage } from "../support/stack";

const count = (length: number) => [...Array(length).keys()];
const login = { tenant_id: "t", resource: "r", client_id: "c", client_secret: "planted-client" };
const schedule = { interval: 60, path_prefix: "p/" };
const s3 = { storage_type: "cloudb-s3", cloudb_s3_region: "r" };
const storages = [
    { storage_type: "local", local_max_space: 10_000_000_000 },
    { ...s3, cloudb_s3_bucket: "b1", cloudb_secret_access_key: "planted-s3" },
    { ...s3, cloudb_s3_bucket: "b2" },
    { storage_type: "cloudc-gcs", cloudc_gcs_bucket: "b3", cloudc_service_account_key: '{"k":"planted-google"}' },
    { storage_type: "clouda-blob", clouda_container_name: "c4", clouda_account_key: "planted-blob" },
];
/** Names that collide or begin with a digit, and words of Pulumi's importer. */
const names = ["1web", "web-1", "web_1", "web.1", "123", "true", "local", "app"];
const capability = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };
const secret = { Secrets: { k: "planted-key" }, MountOptions: { FSType: "ext4", MountFlags: ["planted-flag"] } };
const seed = {
    // The policies have the names of other resources, for which the importer prints references.
    roles: names.flatMap((name, index) => {
        const fields = { bound_group_ids: ["g"], token_policies: [name, names[index - 1] ?? "x"], token_ttl: index };
        return ["azure", "2nd"].map((mount) => ({ name, fields, mount }));
    }),
    loginConfigs: [{ fields: login }, { fields: { resource: "r" }, mount: "2nd" }],
    ...{ mounts: ["azure", "2nd"], loginSurroundings: { tenant_id: "t" }, plugins: [{ id: "disks", nodes: ["n"] }] },
    snapshotConfigs: storages.map((storage, index) => ({ name: `${index}.x`, fields: { ...schedule, ...storage } })),
    volumes: count(7).map((index) => {
        const place = { ID: index < 3 ? "shared" : `${index}.disk`, Namespace: ["default", "team", "2nd"][index % 3] };
        return { ...place, PluginID: "disks", RequestedCapabilities: [capability], ...(index === 0 && secret) };
    }),
};

/** A line of the printed program, and the secrets beside it. The server shows the first three. */
const secrets = [
    ["bucket: b1", "        secretAccessKey: planted-s3"],
    ["bucket: b3", "        serviceAccountKey: {k: planted-google}"],
    ["container: c4", "        accountKey: planted-blob"],
    ["clientId: c", "      clientSecret: planted-client"],
    ["fsType: ext4", "        mountFlags: [planted-flag]\n      secrets: {k: planted-key}"],
];
const declaring = (program: string, some: typeof secrets) =>
    some.reduce((text, [line, more]) => text.replace(`${line}\n`, `${line}\n${more}\n`), program);

const importsAll = async ({ simulator, stack }: Stage) => {
    const [file, out] = [`${stack.folder}/import.json`, `${stack.folder}/imported.yaml`];
    const args = ["import", "--mount", "azure", "--mount", "2nd", "--out", file];
    const report = await statecraft(args, productVariables(simulator));
    assert.deepEqual([report.code, (await simulator.requests()).length], [0, 11], report.out);
    const steps = Object.values(done(await stack.import("--file", file, "--out", out)));
    assert.deepEqual([steps, (await simulator.requests()).length], [Array(30).fill("import"), 11 + 30]);
    const program = `name: test\nruntime: yaml\n${readFileSync(out, "utf8")}`;
    assert.doesNotMatch(report.out + readFileSync(file, "utf8") + program, /planted/);
    const changesOf = async (text: string) => {
        writeFileSync(`${stack.folder}/Pulumi.yaml`, text);
        const outcome = await stack.preview();
        done(outcome);
        return outcome.steps.filter(({ op }) => op !== "same");
    };
    const removed = await changesOf(program);
    assert.equal(removed.length, 3);
    for (const { name, details } of removed) {
        const sources = Object.keys(details).map((path) => `${path}From`);
        assert(report.out.includes(`SnapshotConfig: ${sources.sort().join(", ")}: ${name}`));
    }
    assert.deepEqual(await changesOf(declaring(program, secrets.slice(0, 3))), []);
    const kept = () => JSON.stringify(simulator.store).match(/planted-\w+/g);
    const before = kept();
    const changed = declaring(program, secrets).replaceAll("interval: 60", "interval: 120");
    writeFileSync(`${stack.folder}/Pulumi.yaml`, changed);
    const updates = Object.values(done(await stack.up())).filter((step) => step === "update");
    assert.deepEqual([updates.length, kept()], [7, before]);
};

describe("statecraft import", () => {
    it("leads to a program without changes but secrets, and `up` with the secrets empties none", () =>
        onStage(seed, { yaml: {} }, importsAll, {}, { names: "product" }));
});
