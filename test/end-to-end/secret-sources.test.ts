/** Runs the real engine with secrets from variables and files: the decrypted state, plans, event logs and all output contain none of them. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canary, holdsNone } from "../support/canaries";
import type { Outcome } from "../support/pulumi-cli";
import { done, withStage } from "../support/stack";

const hosts = { dynamic: "pulumi-statecraft", native: "pulumi-statecraft/native" };
const names = ["CLIENT", "ACCESS_ID", "SESSION", "GOOGLE", "ACCOUNT", "CSI_USER", "CSI_PASSWORD"];
const values: Record<string, string> = Object.fromEntries(names.map((name) => [name, canary(name)]));
values["GOOGLE"] = JSON.stringify({ type: "service_account", private_key: canary("GOOGLE") });
const rotated = { file: canary("file"), rotatedFile: canary("rotated file"), rotated: canary("rotated") };
const all = { ...values, ...rotated };

/** Every secret of every resource, by a variable or the file `key`. */
const program = `
    for (const [kind, from] of Object.entries(${JSON.stringify(hosts)})) {
        const s = require(from);
        const variable = (name) => ({ variable: name });
        new s.AuthConfig(kind + "-method", { mount: kind, tenantId: "t", resource: "r", clientSecretFrom: variable("CLIENT") });
        const snapshots = (name, storage) =>
            new s.SnapshotConfig(kind + "-" + name, { name: kind + "-" + name, interval: "1h", storage });
        snapshots("s3", { type: "cloudb-s3", pathPrefix: "p", bucket: "b", region: "r", accessKeyIdFrom: variable("ACCESS_ID"),
            secretAccessKeyFrom: { file: "key" }, sessionTokenFrom: variable("SESSION") });
        snapshots("gcs", { type: "cloudc-gcs", pathPrefix: "p/", bucket: "b", serviceAccountKeyFrom: variable("GOOGLE") });
        snapshots("blob", { type: "clouda-blob", pathPrefix: "p/", container: "c", accountKeyFrom: variable("ACCOUNT") });
        new s.CsiVolume(kind + "-data", { volumeId: kind, pluginId: "disks", accessMode: "single-node-writer", attachmentMode: "file-system",
            secretsFrom: { user: variable("CSI_USER"), password: variable("CSI_PASSWORD") } });
    }`;

const seed = { mounts: Object.keys(hosts), plugins: [{ id: "disks", nodes: ["node-1"] }] };

describe("secrets from variables and files under the real engine", () => {
    const shared = withStage(seed, program, async ({ simulator, stack }) => {
        const shown: string[] = [];
        const look = async (outcome: Outcome) => {
            shown.push(outcome.stdout + outcome.stderr, JSON.stringify(await stack.export({ showSecrets: true })));
            return outcome;
        };
        const writeKey = (text: string) => writeFileSync(join(stack.folder, "key"), text);
        const writes = async (...args: string[]) => {
            await simulator.forget();
            done(await look(await stack.up("--diff", ...args)));
            return (await simulator.writes()).length;
        };
        Object.assign(stack.environment, values);
        writeKey(`${rotated.file}\n`);
        const plan = join(stack.folder, "plan.json");
        done(await look(await stack.preview("--save-plan", plan, "--diff")));
        const first = await writes("--plan", plan, "--debug", "--logtostderr", "-v=9");
        const second = await writes();
        writeKey(rotated.rotatedFile);
        const rotation = await writes("--skip-preview=false");
        const counts = [first, second, rotation, await writes()];
        stack.environment["CLIENT"] = rotated.rotated;
        const body = JSON.stringify({ errors: [rotated.rotated] });
        await simulator.fault({ method: "GET", path: "/auth/", times: 0, status: 500, body });
        assert.notEqual((await look(await stack.up("--diff"))).code, 0);
        await simulator.heal();
        done(await look(await stack.up("--diff")));
        for (const name of names) Reflect.deleteProperty(stack.environment, name);
        done(await look(await stack.refresh("--diff")));
        done(await look(await stack.destroy()));
        const logs = readdirSync(stack.root).filter((file) => file.endsWith(".jsonl"));
        const files = [plan, ...logs.map((file) => join(stack.root, file))].map((file) => readFileSync(file, "utf8"));
        return { shown: [...shown, ...files].join("\n"), counts };
    });

    it("no value is in the decrypted state, plans, event logs and any output", () => {
        assert.match(shared.shown, /"unfinished":\["readBack"\]/);
        holdsNone(all, shared.shown, "everything that the engine wrote");
    });

    it("a rotation of a file is one update with one write for each resource, and none follows", () => {
        assert.deepEqual(shared.counts, [10, 0, 2, 0]);
    });
});
