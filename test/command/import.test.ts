import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canaryToken } from "../support/canaries";
import { withSimulator } from "../support/simulator";
import { productVariables } from "../support/stack";
import { temporaryFolder } from "../support/temporary-folder";
import { statecraft } from "./support";

const role = { name: "web", fields: { bound_locations: ["north"] } };
const volume = { ID: "data", PluginID: "disks", RequestedCapabilities: [{ AccessMode: "a", AttachmentMode: "b" }] };
const [web, volumes, earlier] = ["auth/azure/role/web", ["2nd/data", "default/data"], ["of an earlier run"]];

describe("statecraft import", () => {
    const simulator = withSimulator({
        tokens: [canaryToken, "plain"].map((token) => ({ token, kind: "user", id: "me", sudo: token !== "plain" })),
        roles: [role, { ...role, namespace: "admin" }],
        volumes: [volume, { ...volume, Namespace: "2nd" }],
        // A Vault that is not Enterprise refuses to list snapshot configurations.
        ...{ plugins: [{ id: "disks", nodes: ["node-1"] }], licensed: false },
    });
    const licensed = withSimulator({});
    const configs = "/v1/sys/storage/raft/snapshot-auto/config";
    const file = join(temporaryFolder(), "import.json");

    for (const [args, changes, code, ids, text] of [
        [[], {}, 0, [web, ...volumes], /^Resources found: 3$/m],
        [[], { VAULT_ADDR: "" }, 0, volumes, /^ {2}pulumi import --file \S+\/import\.json --out imported\.ts$/m],
        [["nomad", "--namespace", "2nd"], {}, 0, ["2nd/data"], /CsiVolume: secretsFrom, .*: CsiVolume-2nd-data$/m],
        [["vault", "--namespace", "admin"], {}, 0, [`admin@${web}`], /./],
        [[], { VAULT_TOKEN: "plain" }, 1, [web, ...volumes], /^Not listed: LIST .*"list", "sudo".*\[denied\]$/m],
        [["vault"], { VAULT_TOKEN: "unknown" }, 1, earlier, /^Not listed: .*\[denied\]$/m],
        [["vault", "nomad"], { NOMAD_ADDR: "" }, 1, earlier, /^$/],
        [["--namespace", "admin"], {}, 2, earlier, /^$/],
    ] as const) {
        it(`${args.join(" ")} with ${JSON.stringify(changes)} ends with ${code}, and the file has ${ids}`, async () => {
            const former = { type: "statecraft:index:AuthRole", name: "web", id: "of an earlier run" };
            writeFileSync(file, JSON.stringify({ resources: [former] }, undefined, 1));
            const variables = { ...productVariables(simulator), ...changes };
            const run = await statecraft(["import", "--out", file, ...args], variables);
            const written = [...readFileSync(file, "utf8").matchAll(/"id": "(.+)"/g)].map(([, id]) => id);
            assert.deepEqual([run.code, written], [code, ids], run.out);
            assert.match(run.out, text);
        });
    }

    it("lists what there is of a Vault that does not know snapshots, and says that the storage of volumes stays", async () => {
        const body = JSON.stringify({ errors: ["1 error occurred:\n\t* unsupported path\n\n"] });
        await simulator.fault({ path: "/snapshot-auto/", times: 0, status: 404, body });
        writeFileSync(file, JSON.stringify({ resources: [] }));
        const { code, out } = await statecraft(["import", "--out", file], productVariables(simulator));
        assert.equal(code, 0, out);
        assert.match(out, /^Resources found: 3$/m);
        assert.match(out, /deregisters it: the storage .*stays/);
        await simulator.fault({ path: "/role", times: 0, status: 404, body });
        assert.equal((await statecraft(["import", "--out", file], productVariables(simulator))).code, 1);
    });

    it("names the sources of the credentials that a storage of snapshots has, and no others", async () => {
        const storage = { storage_type: "aws-s3", path_prefix: "p", aws_s3_bucket: "b", aws_s3_region: "r" };
        const keys = { aws_access_key_id: "id", aws_secret_access_key: "key" };
        await licensed.outside("POST", `${configs}/keys`, { interval: "1h", ...storage, ...keys });
        await licensed.outside("POST", `${configs}/role`, { interval: "1h", ...storage });
        const { out } = await statecraft(["import", "vault", "--out", file], productVariables(licensed));
        const report = out.split("\n").filter((line) => line.includes("SnapshotConfig: "));
        const names = "storage.accessKeyIdFrom, storage.secretAccessKeyFrom";
        assert.deepEqual(report, [`  SnapshotConfig: ${names}: snapshots-keys`]);
    });

    const bucket = { type: "aws:s3/bucket:Bucket", name: "b", id: "b" };
    for (const [what, content] of Object.entries({
        "a file of other resources": JSON.stringify({ resources: [bucket] }),
        "a file with a table of names": JSON.stringify({ nameTable: {}, resources: [] }),
        "no JSON": "text",
        "a link": undefined,
        "a folder": null,
    })) {
        it(`keeps ${what}, and asks no server`, async () => {
            await simulator.forget();
            const file = join(temporaryFolder(), "import.json");
            const absent = `${file}-absent`;
            if (content === null) mkdirSync(file);
            else if (content === undefined) symlinkSync(absent, file);
            else writeFileSync(file, content);
            const run = await statecraft(["import", "--out", file], productVariables(simulator));
            assert.deepEqual([run.code, await simulator.requests()], [1, []], run.complaints);
            assert.match(run.complaints, /--out.*\[input\]$/);
            if (content) assert.equal(readFileSync(file, "utf8"), content);
            else assert.equal(existsSync(absent), false);
        });
    }
});
