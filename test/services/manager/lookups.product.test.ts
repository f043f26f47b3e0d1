import assert from "node:assert/strict";
import { connect } from "../../../src/client";
import { productName } from "../../../src/vocabulary";
import { clouda } from "../../support/product-words";
import { withSimulator } from "../../support/simulator";

describe("the client (product)", () => {
    const simulator = withSimulator(
        { plugins: [{ id: "disks", version: "1.2.3", nodes: ["node-1"] }] },
        { vocabulary: "product" },
    );

    const warnings: string[] = [];
    const connection = () => {
        const settings = { address: simulator.url, token: "any", vocabulary: "product" } as const;
        return connect({
            manager: settings,
            volumes: settings,
            environment: {},
            warn: (text) => void warnings.push(text),
        });
    };

    it("looks a role up at the method's own mount", async () => {
        const { authRole, getAuthRole, getAuthRoles } = connection();
        await authRole.create({
            name: "web",
            boundGroupIds: ["g"],
            boundLocations: ["north"],
            aliasMetadata: { team: "web" },
        });
        const role = await getAuthRole({ name: "WEB" });
        assert.deepEqual([role.mount, role.boundLocations, role.aliasMetadata], [clouda, ["north"], { team: "web" }]);
        assert.deepEqual((await getAuthRoles({})).names, ["web"]);
    });

    it("writes and reads the method's configuration: no secret in the answer, delays in nanoseconds", async () => {
        const { authConfig, getAuthConfig } = connection();
        const args = {
            tenantId: "t",
            resource: "r",
            environment: productName("CloudAChinaCloud"),
            clientSecret: "planted-client-secret",
            retryDelay: "9s",
        } as const;
        const { id, outputs } = await authConfig.create({ ...args });
        assert.equal(id, `auth/${clouda}/config`);
        assert.deepEqual([outputs.environment, outputs.retryDelay], [args.environment, "9s"]);
        const seen = await getAuthConfig({});
        assert.deepEqual(
            [seen.environment, seen.retryDelay, seen.maxRetryDelay, seen.clientSecret],
            ["CloudAChinaCloud", "9s", "60s", undefined],
        );
    });

    it("keeps what it does not know of the configuration, and a write resets", async () => {
        const { authConfig } = connection();
        const path = `/v1/auth/${clouda}/config`;
        const args = { tenantId: "t", resource: "r" };
        const { id } = await authConfig.create(args);
        await simulator.outside("POST", path, { root_password_ttl: "24h" });
        await authConfig.update(id, { ...args, retryDelay: "9s" });
        const { data } = Object(await simulator.outside("GET", path));
        assert.deepEqual([data.retry_delay, data.root_password_ttl], [9e9, 86_400]);
    });

    it("sets to nothing what a server then leaves out of its answer", async () => {
        const { authConfig } = connection();
        await simulator.behave({ manager: ["tells-nothing-empty"] });
        await authConfig.create({ tenantId: "t", resource: "r", maxRetries: 0, retryDelay: 0 });
        await simulator.behave({});
    });

    it("refuses the German cloud, which the documents still have", async () => {
        const args = { tenantId: "t", resource: "r", environment: "CloudAGermanCloud" } as const;
        await assert.rejects(connection().authConfig.create(args), {
            code: "input",
            message: new RegExp(
                `: environment: must be one of "${productName("CloudAPublicCloud")}".*: the German cloud is closed`,
            ),
        });
    });

    it("shows a snapshot configuration in the documents' words", async () => {
        const { snapshotConfig, getSnapshotConfig } = connection();
        const storage = { type: productName("cloudc-gcs"), pathPrefix: "p", bucket: "b" };
        await snapshotConfig.create({ name: "hourly", interval: 60, storage });
        const seen = await getSnapshotConfig({ name: "hourly" });
        assert.deepEqual(seen.storage, {
            type: "cloudc-gcs",
            pathPrefix: "p",
            bucket: "b",
            serviceAccountKey: "",
            endpoint: "",
            disableTls: false,
        });
    });

    it("lists volumes with flat topologies, and waits by the server's own index", async () => {
        const { csiVolume, getCsiVolume, getCsiVolumes } = connection();
        await csiVolume.create({
            volumeId: "data",
            pluginId: "disks",
            accessMode: "single-node-writer",
            attachmentMode: "file-system",
            topologies: [{ rack: "r1" }],
        });
        const { volumes, index } = await getCsiVolumes({ pluginId: "disks" });
        assert.deepEqual(
            volumes.map(({ volumeId, topologies }) => [volumeId, topologies]),
            [["data", [{ rack: "r1" }]]],
        );
        assert.ok(index > 0);
        const { version } = await getCsiVolume({ volumeId: "data", index: index - 1 });
        assert.equal(version, "1.2.3");
    });

    it("gives no warning in all of that", () => {
        assert.deepEqual(warnings, []);
    });
});
