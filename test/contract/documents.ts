/** Tests of answers that no server of the tests gives: the client reads the samples that the tables of the API documents describe. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "../../src/client";
import { manager } from "../../src/services/manager/service";
import { stateVersions } from "../../src/services/state-versions/service";
import { Ground, type Target, titleOf } from "./target";

/** A test: what it does, the call, and what the result shows. */
type Row = readonly [title: string, call: (client: Connection) => Promise<unknown>, shows: object];

const workspaceId = "ws-1";
const fixtures = join(__dirname, "..", "fixtures", "recorded");
const content = readFileSync(join(fixtures, "terraform-document", "state.tfstate"), "utf8");
const provider = 'provider["registry.example/example"]';
const web = { name: "web", type: "example_server", count: 1, module: "root", provider };
const counted = { example_server: 1 };
const old = { stateVersionId: "sv-1" };
const storage = { type: "local", pathPrefix: "/snapshots", maxSpace: 1_000_000 } as const;

const ofStateVersions: readonly Row[] = [
    [
        "a page of a list",
        (client) => client.getStateVersions({ organization: "example", workspaceName: "app", page: 1, pageSize: 20 }),
        { totalCount: 2, totalPages: 1 },
    ],
    [
        "a version, and its run",
        (client) => client.getStateVersion({ id: "sv-1", include: ["run", "run.created_by"] }),
        {
            ...{ serial: 1, stateVersion: 4, toolVersion: "1.9.0", status: "finalized", size: 497, resources: [web] },
            ...{ intermediate: false, hasJson: true, isUploadPending: false, resourcesProcessed: true },
            ...{
                modules: { root: counted },
                providers: { [provider]: counted },
                createdAt: "2100-01-01T00:00:00.000Z",
            },
            ...{
                vcsCommitSha: "0a1b2c",
                vcsCommitUrl: "https://vcs.example/0a1b2c",
                workspaceId,
                outputIds: ["wsout-1"],
            },
            ...{ runId: "run-1", runType: "runs", createdById: "user-1", createdByType: "users" },
            createdByLinks: { self: "/api/v2/users/user-1", related: "/api/v2/state-versions/sv-1/created-by" },
            links: { self: "/api/v2/state-versions/sv-1" },
        },
    ],
    [
        "a soft deletion",
        (client) => client.stateVersionBackingData.create({ ...old, state: "softDeleted", deleteOlderThanNDays: 7 }),
        { status: "backing_data_soft_deleted", grantedDays: 7, serial: 1, workspaceId },
    ],
    [
        "a restoration",
        (client) => client.stateVersionBackingData.create({ ...old, state: "available" }),
        { status: "finalized" },
    ],
    [
        "a new version, whose content is uploaded as Terraform writes it",
        (client) => client.stateVersion.create({ workspaceId, content }),
        { serial: 3, status: "finalized", size: 379, lineage: "lineage-1", resourcesProcessed: false },
    ],
    [
        "a rollback, whose answer has no status",
        (client) => client.stateVersionRollback.create({ workspaceId, ...old }),
        { serial: 4, previousStateVersionId: "sv-1111111111111113", superseded: false },
    ],
    [
        "a permanent deletion",
        (client) =>
            client.stateVersionBackingData.create({
                ...old,
                state: "permanentlyDeleted",
                allowPermanentDeletion: true,
            }),
        { status: "backing_data_permanently_deleted" },
    ],
];

const ofManager: readonly Row[] = [
    [
        "a snapshot configuration is written",
        (client) => client.snapshotConfig.create({ name: "daily", interval: "24h", retain: 7, storage }),
        { interval: "24h", retain: 7, storage },
    ],
    ["a list of snapshot configurations", (client) => client.getSnapshotConfigs({}), { names: ["daily"] }],
    [
        "a snapshot configuration is read",
        (client) => client.getSnapshotConfig({ name: "daily" }),
        { interval: 86_400, retain: 7, filePrefix: "vault-snapshot", storage },
    ],
    [
        "the status of snapshots",
        (client) => client.getSnapshotStatus({ name: "daily" }),
        { lastSnapshotError: "", snapshotUrl: "file:///snapshots/vault-snapshot-2.snap" },
    ],
    ["a snapshot configuration is deleted", (client) => client.snapshotConfig.delete("daily"), {}],
];

/** Registers the tests of a document's samples. */
export function describeDocumentContract(target: Target): void {
    const isManager = target.name.startsWith("vault-");
    describe(titleOf("document", target), () => {
        const ground = new Ground(target, isManager ? manager : stateVersions);
        ground.itLogsIn((client) => client.getAuthRoles({}));
        for (const [title, call, shows] of isManager ? ofManager : ofStateVersions) {
            it(title, async () => {
                const result = Object(await call(ground.client));
                const { outputs = result } = result;
                assert.deepEqual(outputs, { ...outputs, ...shows });
            });
        }
    });
}
