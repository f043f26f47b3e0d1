/** Tests resources on a server of the API documents, with the settings `manager`, `volumes` and `stateVersions`: the documents' names, and differences from the products. */

import assert from "node:assert/strict";
import { authConfig } from "../resources/auth-config";
import { authRole, unset as unsetRole } from "../resources/auth-role";
import { csiVolume, leastVolume, plugins, unset } from "../resources/csi-volume";
import { local, s3, snapshotConfig } from "../resources/snapshot-config";
import { describePromises } from "../support/conformance";
import { sealedPaths } from "../support/managed-resource";
import { withSimulator } from "../support/simulator";
import { workspaces } from "../support/workspaces";

const vocabulary = "documented";
const { aliasMetadata: _unknown, ...role } = authRole.full;
const { alias_metadata: _unsent, ...sentRole } = Object(authRole.requests.full);

describePromises({
    ...authRole,
    vocabulary,
    seed: {},
    id: "auth/clouda/role/dev",
    path: "/v1/auth/clouda/role/dev",
    minimal: { name: "dev" },
    full: role,
    requests: {
        method: "POST",
        minimal: unsetRole,
        full: sentRole,
        adopted: { alias_metadata: {} },
    },
    changes: [{ tokenPolicies: undefined, tokenTtl: undefined }],
    replaces: [{ name: "other" }],
    spellings: [{ mount: "/clouda/" }],
    drifted: { token_policies: ["admin"], bound_locations: [] },
    drift: ["tokenPolicies", "boundLocations"],
    driftWithoutEmpty: ["tokenPolicies"],
    refused: [],
});

describePromises({
    ...authConfig,
    vocabulary,
    id: "team@auth/clouda/config",
    path: "/v1/auth/clouda/config",
    full: { ...authConfig.full, mount: "clouda" },
    headers: { "x-secrets-namespace": "team" },
    requests: {
        method: "POST",
        minimal: { ...authConfig.requests.minimal, environment: "CloudAPublicCloud" },
        full: { ...authConfig.requests.full, environment: "CloudAChinaCloud" },
    },
    changes: [{ environment: "CloudAGermanCloud" }],
    spellings: [{ environment: "CloudAChinaCloud", mount: undefined }],
    refused: [],
});

const bucket = { ...s3, type: "cloudb-s3" };

describePromises({
    ...snapshotConfig,
    vocabulary,
    full: { name: "hourly", interval: "1h", retain: 24, filePrefix: "team", storage: bucket },
    requests: {
        method: "POST",
        minimal: {
            interval: 3600,
            retain: 1,
            file_prefix: "secrets-snapshot",
            autoload_enabled: false,
            path_prefix: "/var/snapshots",
            storage_type: "local",
            local_max_space: 10_000_000_000,
        },
        full: {
            interval: 3600,
            retain: 24,
            file_prefix: "team",
            autoload_enabled: false,
            path_prefix: "hourly",
            storage_type: "cloudb-s3",
            cloudb_s3_bucket: "snapshots",
            cloudb_s3_region: "north-1",
            cloudb_access_key_id: "planted-key-id",
            cloudb_secret_access_key: "planted-secret-key",
            cloudb_session_token: "planted-session",
            cloudb_s3_endpoint: "https://store.example",
            cloudb_s3_disable_tls: true,
            cloudb_s3_force_path_style: true,
            cloudb_s3_enable_kms: true,
            cloudb_s3_server_side_encryption: false,
            cloudb_s3_kms_key: "key-1",
        },
    },
    changes: [
        { filePrefix: undefined },
        { storage: local },
        { storage: { type: "cloudc-gcs", pathPrefix: "a/", bucket: "b" } },
        { storage: { type: "clouda-blob", pathPrefix: "a/", container: "c", environment: "CloudAUSGovernmentCloud" } },
    ],
    spellings: [{ storage: s3 }],
    drifted: { retain: 2, cloudb_s3_bucket: "elsewhere" },
    refused: [],
});

describePromises({
    ...csiVolume,
    vocabulary,
    requests: {
        method: "PUT",
        minimal: { Volumes: [leastVolume] },
        full: {
            Volumes: [
                {
                    ID: "data",
                    Name: "Data",
                    Namespace: "prod",
                    ExternalID: "vol-0a1b",
                    PluginID: "disks",
                    Topologies: [{ rack: "r1", zone: "a" }, { rack: "r2" }],
                    AccessMode: "single-node-writer",
                    AttachmentMode: "file-system",
                    RequestedCapabilities: [{ AccessMode: "single-node-writer", AttachmentMode: "file-system" }],
                    ...unset,
                },
            ],
        },
    },
    full: {
        ...{ volumeId: "data", name: "Data", namespace: "prod", externalId: "vol-0a1b", pluginId: "disks" },
        topologies: [{ rack: "r1", zone: "a" }, { rack: "r2" }],
        ...{ accessMode: "single-node-writer", attachmentMode: "file-system" },
    },
    // A server of the API document refuses a second registration.
    changes: [],
    replaces: [{ externalId: "vol-2" }, { accessMode: "multi-node-multi-writer" }],
    spellings: [{ topologies: [{ rack: "r2" }, { zone: "a", rack: "r1" }] }],
    isWrittenOnce: true,
    drifted: { Volumes: [{ ...leastVolume, Name: "Data", ExternalID: "vol-9" }] },
    drift: ["externalId", "topologies"],
    secrets: [],
    unseen: [],
    refused: [],
});

describe("a server of the API documents", () => {
    const simulator = withSimulator({ plugins, workspaces }, { vocabulary });

    it("gets the token of each service in the document's header", async () => {
        await simulator.resource("SnapshotConfig").up(snapshotConfig.minimal);
        await simulator.resource("CsiVolume").up(csiVolume.minimal);
        await simulator.resource("StateVersionBackingData").up({ stateVersionId: "sv-11", state: "softDeleted" });
        for (const { path, headers } of await simulator.requests()) {
            const header = path.startsWith("/v1/sys/") ? "x-secrets-token" : "authorization";
            assert.equal(headers[header], "***", path);
            assert.equal("x-vault-token" in headers, false, path);
        }
    });

    it("refuses to change a volume in place, and the message contains the command that replaces it", async () => {
        const volume = simulator.resource("CsiVolume");
        await volume.up(csiVolume.minimal);
        const change = { ...csiVolume.minimal, context: { pool: "p1" } };
        await assert.rejects(volume.up(change), { code: "exists", message: /`pulumi up --replace/ });
        assert.equal(await volume.up(csiVolume.minimal), "same");
        const other = simulator.resource("CsiVolume");
        await assert.rejects(other.up({ ...change, externalId: "vol-2", adopt: true }), { code: "exists" });
    });

    it("does not return properties that its document lacks, which causes no change and no warning", async () => {
        const volume = simulator.resource("CsiVolume");
        const { capabilities: _capabilities, ...whole } = { ...csiVolume.full, ...csiVolume.minimal };
        await volume.up(whole);
        assert.deepEqual(await volume.refresh(), []);
        assert.equal(await volume.up(whole), "same");
        assert.deepEqual(volume.warnings, []);
    });

    describe("returns the `clientSecret` of an `AuthConfig`", () => {
        const required = { tenantId: "tenant-1", resource: "https://secrets.example/" };
        const ours = { ...required, clientSecret: "planted-secret-1" };
        const identical = { environment: { STATECRAFT_ADOPT: "identical" } };

        it("so that the secret is encrypted in state, and not sent again", async () => {
            await simulator.resource("AuthConfig").up(ours);
            await simulator.forget();
            const found = simulator.resource("AuthConfig");
            await found.get("auth/clouda/config");
            assert.deepEqual(sealedPaths(found.state?.outputs), ["clientSecret"]);
            assert.equal(await found.up(ours), "same");
            const adopted = simulator.resource("AuthConfig", identical);
            assert.equal(await adopted.up(ours), "created");
            assert.deepEqual(await simulator.writes(), []);
        });

        it('so that another secret is not identical for `adopt: "identical"`', async () => {
            await simulator.resource("AuthConfig").up({ ...ours, clientSecret: "theirs" });
            await assert.rejects(simulator.resource("AuthConfig", identical).up(ours), { code: "exists" });
        });
    });
});
