/** Tests resources on a server of the API documents, with the settings `manager`, `volumes` and `stateVersions`: the documents' names, and differences from the products. */

import assert from "node:assert/strict";
import { authConfig } from "../resources/auth-config";
import { authRole, unset as unsetRole } from "../resources/auth-role";
import { csiVolume, plugins } from "../resources/csi-volume";
import { snapshotConfig } from "../resources/snapshot-config";
import { describePromises } from "../support/conformance";
import { sealedPaths } from "../support/managed-resource";
import type { Props } from "../support/pulumi-values";
import { withSimulator } from "../support/simulator";
import { workspaces } from "../support/workspaces";

const vocabulary = "documented";
/** Names of the API documents, by those of the products. */
const names: readonly (readonly [product: RegExp, document: string])[] = [
    [/azure/g, "clouda"],
    [/Azure/g, "CloudA"],
    [/aws/g, "cloudb"],
    [/google/g, "cloudc"],
    [/vault/g, "secrets"],
];

/** Returns a value in which the document's names stand for those of the product. */
function documented<Value>(value: Value): Value;
function documented(value: unknown): unknown {
    if (typeof value === "string") return names.reduce((text, [product, name]) => text.replace(product, name), value);
    if (Array.isArray(value)) return value.map(documented);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map((entry) => entry.map(documented)));
}

/** Leaves out the changes and spellings of a property that the document lacks. */
const lacking = (property: string, rows: readonly Props[] = []) => rows.filter((row) => !(property in row));

const { aliasMetadata: _unknown, ...role } = authRole.full;
const { alias_metadata: _unsent, ...sentRole } = Object(authRole.requests.full);
const { alias_metadata: _unread, ...driftedRole } = authRole.drifted;
const ofRole = (outputs: readonly string[] = []) => outputs.filter((name) => name !== "aliasMetadata");

describePromises({
    ...documented(authRole),
    vocabulary,
    minimal: { name: "dev" },
    full: role,
    requests: { method: "POST", minimal: unsetRole, full: sentRole, adopted: { alias_metadata: {} } },
    changes: lacking("aliasMetadata", authRole.changes),
    spellings: documented(lacking("aliasMetadata", authRole.spellings)),
    drifted: driftedRole,
    drift: ofRole(authRole.drift),
    driftWithoutEmpty: ofRole(authRole.driftWithoutEmpty),
    refused: [],
    warned: [],
    shown: [],
});

describePromises({ ...documented(authConfig), vocabulary, refused: [], warned: [], shown: [] });

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
        const volume = await simulator.resource("CsiVolume").deployed(csiVolume.minimal);
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
        await volume.isQuiet(whole);
        assert.deepEqual(volume.warnings, []);
    });

    for (const [given, sent] of [
        [{}, {}],
        [{ environment: "CloudAPublicCloud" }, { clouda_blob_environment: "CloudAPublicCloud" }],
        [
            { clientId: "c-1", authMode: "managed" },
            { clouda_client_id: "c-1", clouda_auth_mode: "managed" },
        ],
    ] as const) {
        it(`gets no default that its document does not have, from a blob storage with ${JSON.stringify(given)}`, async () => {
            const storage = { type: "clouda-blob", pathPrefix: "a/", container: "c", ...given };
            const config = await simulator.resource("SnapshotConfig").deployed({ name: "blob", interval: 60, storage });
            const [{ body } = assert.fail()] = await simulator.writes();
            const unsure = /autoload_enabled|environment|client_id|auth_mode/;
            assert.deepEqual(
                Object.fromEntries(Object.entries(Object(body)).filter(([name]) => unsure.test(name))),
                sent,
            );
            assert.equal(await config.up({ name: "blob", interval: 60, storage }), "same");
        });
    }

    describe("returns the `clientSecret` of an `AuthConfig`", () => {
        const required = { tenantId: "tenant-1", resource: "https://secrets.example/" };
        const ours = { ...required, clientSecret: "planted-secret-1" };
        const identical = { environment: { STATECRAFT_ADOPT: "identical" } };

        it("so that the secret is encrypted in state, and not sent again", async () => {
            await simulator.resource("AuthConfig").up(ours);
            await simulator.forget();
            const found = await simulator.resource("AuthConfig").imported("auth/clouda/config");
            assert.deepEqual(sealedPaths(found.state?.outputs), ["clientSecret"]);
            assert.equal(await found.up(ours), "same");
            await simulator.resource("AuthConfig", identical).deployed(ours);
            assert.deepEqual(await simulator.writes(), []);
        });

        it('so that another secret is not identical for `adopt: "identical"`', async () => {
            await simulator.resource("AuthConfig").up({ ...ours, clientSecret: "theirs" });
            await assert.rejects(simulator.resource("AuthConfig", identical).up(ours), { code: "exists" });
        });
    });
});
