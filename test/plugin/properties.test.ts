/** Tests properties in Pulumi's protocol: resource references in requests, and detailed differences in responses. */

import assert from "node:assert/strict";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { createBackend } from "../../src/plugin/backend";
import { canaryToken } from "../support/canaries";
import { type Connection, call, propsOf, serveBackend, struct } from "../support/native";
import { reference, sealed } from "../support/pulumi-values";
import { withSimulator } from "../support/simulator";

const { Kind } = messages.PropertyDiff;
const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;

const urn = (type: string) => `urn:pulumi:dev::app::statecraft:index:${type}::x`;
const storage = { type: "local", pathPrefix: "/var/snapshots", maxSpace: 1000 };
const hourly = { name: "hourly", interval: "1h", storage };

describe("properties in the plugin's protocol", () => {
    const simulator = withSimulator({}, { vocabulary: "documented" });
    let plugin: Connection;
    let configuration: messages.ConfigureRequest;

    beforeEach(async () => {
        plugin = await serveBackend(createBackend(undefined, { environment: {}, say: () => undefined }));
        const manager = { address: simulator.url, token: canaryToken, maxRetries: 0 };
        configuration = new messages.ConfigureRequest().setArgs(struct({ manager, volumes: manager }));
        await ask("configure", configuration);
    });
    afterEach(() => plugin.close());

    const ask = <Response>(method: Parameters<typeof call>[1], request: object) =>
        call<Response>(plugin.client, method, request);
    const create = (type: string, props: object) =>
        ask<messages.CreateResponse>(
            "create",
            new messages.CreateRequest().setUrn(urn(type)).setProperties(struct({ ...props })),
        );
    const diff = (type: string, olds: object, news: object, id = "x") =>
        ask<messages.DiffResponse>(
            "diff",
            new messages.DiffRequest()
                .setUrn(urn(type))
                .setId(id)
                .setOlds(struct({ ...olds }))
                .setNews(struct({ ...news })),
        );
    const detailsOf = (response: messages.DiffResponse) =>
        Object.fromEntries(
            response
                .getDetaileddiffMap()
                .toObject(false, (_, value) => [value.getKind(), value.getInputdiff()])
                .map(([path, kind]) => [path, kind]),
        );

    it("leaves the marking of secrets to the engine, and accepts resource references", async () => {
        const request = new messages.ProviderHandshakeRequest().setEngineAddress("127.0.0.1:1");
        const handshake = await ask<messages.ProviderHandshakeResponse>("handshake", request);
        const configured = await ask<messages.ConfigureResponse>("configure", configuration);
        assert.deepEqual([handshake.getAcceptSecrets(), configured.getAcceptsecrets()], [false, false]);
        assert.deepEqual([handshake.getAcceptResources(), configured.getAcceptresources()], [true, true]);
        assert.deepEqual([handshake.getAcceptOutputs(), configured.getAcceptoutputs()], [false, false]);
        assert.equal(configured.getSupportspreview(), true);
        // Every resource requires its name as an input.
        assert.equal(handshake.getSupportsAutonamingConfiguration(), false);
        assert.equal(configured.getSupportsAutonamingConfiguration(), false);
    });

    it("reads a resource reference as the id of the resource", async () => {
        const made = reference({ urn: urn("Other"), id: "web" });
        assert.equal((await create("AuthRole", { name: made })).getId(), "auth/clouda/role/web");
        const component = reference({ urn: "urn:pulumi:dev::app::my:Component::c" });
        const role = propsOf((await create("AuthRole", { name: "other", boundGroupIds: [component] })).getProperties());
        assert.deepEqual(role["boundGroupIds"], ["urn:pulumi:dev::app::my:Component::c"]);
    });

    it("returns the path and the kind of each difference, and whether the resource is replaced", async () => {
        const olds = { ...hourly, retain: 3, server: "there" };
        const news = { ...hourly, name: "daily", storage: { ...storage, maxSpace: 2000 }, filePrefix: "x" };
        const found = await diff("SnapshotConfig", olds, news);
        assert.equal(found.getChanges(), DIFF_SOME);
        assert.equal(found.getHasdetaileddiff(), true);
        assert.deepEqual(detailsOf(found), {
            name: [Kind.UPDATE_REPLACE, true],
            retain: [Kind.DELETE, true],
            filePrefix: [Kind.ADD, true],
            "storage.maxSpace": [Kind.UPDATE, true],
        });
        assert.deepEqual(found.getDiffsList().sort(), ["filePrefix", "name", "retain", "storage"]);
        assert.deepEqual([found.getReplacesList(), found.getDeletebeforereplace()], [["name"], false]);

        const same = await diff("SnapshotConfig", { ...hourly, interval: sealed("60m") }, hourly);
        assert.deepEqual([same.getChanges(), detailsOf(same), same.getDiffsList()], [DIFF_NONE, {}, []]);

        const unfinished = await diff("SnapshotConfig", { ...hourly, unfinished: ["readBack"] }, hourly);
        assert.deepEqual(detailsOf(unfinished), { unfinished: [Kind.UPDATE, false] });
        assert.deepEqual(unfinished.getDiffsList(), ["unfinished"]);

        const volume = { volumeId: "data", externalId: "vol-1", pluginId: "disks" };
        const moved = await diff("CsiVolume", volume, { ...volume, externalId: "vol-2" }, "default/data");
        assert.deepEqual([moved.getReplacesList(), moved.getDeletebeforereplace()], [["externalId"], true]);
    });
});
