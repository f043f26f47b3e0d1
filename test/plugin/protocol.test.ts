/** Tests over gRPC what Pulumi requires of a provider plugin, independent of its resources. */

import assert from "node:assert/strict";
import type { ServiceError } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { OwnedObjects } from "../../src/core/owned-objects";
import { type Backend, createBackend } from "../../src/plugin/backend";
import type { Seed } from "../../src/simulator/seed";
import { canaryToken } from "../support/canaries";
import { sealedPaths, unsealed } from "../support/managed-resource";
import { withCode } from "../support/messages";
import { type Connection, call, propsOf, serveBackend, struct } from "../support/native";
import { type Props, reference, sealed, unknown } from "../support/pulumi-values";
import { withSimulator } from "../support/simulator";

const { Kind } = messages.PropertyDiff;
const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;

const unknownNumber = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";
const provider = "urn:pulumi:dev::app::pulumi:providers:statecraft::x";
const urn = (name: string, type = "AuthRole") => `urn:pulumi:dev::app::statecraft:index:${type}::${name}`;

const volume = (ID: string, Namespace: string, PluginID: string, Name = "") => ({ ID, Name, Namespace, PluginID });
const stateVersions = ["sv-1", "sv-2", "sv-3"].map((id) => ({ id, state: { version: 4, serial: 1, lineage: "a" } }));
const storage = { type: "local", pathPrefix: "/var/snapshots", maxSpace: 1000 };
const hourly = { name: "hourly", interval: "1h", storage };
const config = { interval: "1h", storage_type: "local", path_prefix: "/s", local_max_space: 1000 };
const seed: Seed = {
    mounts: ["clouda", "edge"],
    roles: [...["api", "vpn"].map((name) => ({ name, fields: {} })), { name: "cam", mount: "edge", fields: {} }],
    snapshotConfigs: [{ name: "daily", fields: config }],
    volumes: [volume("a", "default", "d1"), volume("a", "prod", "d1", "A"), volume("b", "prod", "disks")],
    workspaces: [{ id: "ws-1", name: "app", organization: "example", stateVersions }],
};

describe("the plugin's protocol", () => {
    const simulator = withSimulator(seed, { vocabulary: "documented" });
    let plugin: Connection;
    let backend: Backend;
    let said: string[];

    beforeEach(async () => {
        said = [];
        backend = createBackend(new OwnedObjects(), {
            environment: {},
            say: (severity, message, where) => {
                said.push(`${severity} ${where ?? ""} ${message}`);
            },
        });
        plugin = await serveBackend(backend);
        await configure();
    });
    afterEach(() => plugin.close());

    const ask = <Response>(method: Parameters<typeof call>[1], request: object) =>
        call<Response>(plugin.client, method, request);
    const refused = (answer: Promise<unknown>): Promise<ServiceError> =>
        answer.then(
            () => assert.fail("it should have failed"),
            (error: ServiceError) => error,
        );
    const configure = (address = simulator.url) =>
        ask<messages.ConfigureResponse>(
            "configure",
            new messages.ConfigureRequest().setArgs(
                struct({
                    manager: { address, token: canaryToken, maxRetries: 0 },
                    volumes: { address, token: canaryToken, maxRetries: 0 },
                    stateVersions: { address, token: canaryToken, maxRetries: 0 },
                }),
            ),
        );
    const create = (name: string, props: object = {}) =>
        ask<messages.CreateResponse>(
            "create",
            new messages.CreateRequest().setUrn(urn(name)).setProperties(struct({ name, ...props })),
        );

    /** Returns the outputs in the preview of an update. */
    const previewed = async (of: string, olds: Props, news: Props) => {
        const request = new messages.UpdateRequest().setUrn(of).setId("x").setOlds(struct(olds)).setNews(struct(news));
        const response = await ask<messages.UpdateResponse>("update", request.setPreview(true));
        return propsOf(response.getProperties());
    };

    /** Calls `check` or `checkConfig`. Returns the checked inputs and the reasons of failures. */
    const checked = async (method: "check" | "checkConfig", of: string, news: Props) => {
        const request = new messages.CheckRequest().setUrn(of).setOlds(struct({})).setNews(struct(news));
        const response = await ask<messages.CheckResponse>(method, request);
        const failures = response.getFailuresList().map((failure) => failure.getReason());
        return { inputs: propsOf(response.getInputs()), failures };
    };
    const checkConfig = (news: Props, of = provider) => checked("checkConfig", of, news);
    const readAndDelete = (id: string, state: Struct | undefined) => [
        ask("read", new messages.ReadRequest().setUrn(urn("web")).setId(id).setProperties(state)),
        ask("delete", new messages.DeleteRequest().setUrn(urn("web")).setId(id).setProperties(state)),
    ];
    /** The responses to `List`, each as `<id> <name>`, `<continuation token>` or `computed`. */
    const list = async (type: string, query: object, limit = 0, size = 0, token = "") => {
        const request = new messages.ListRequest().setToken(`statecraft:index:${type}`).setQuery(struct({ ...query }));
        const found: string[] = [];
        const responses = plugin.client.list(request.setLimit(limit).setPageSize(size).setContinuationToken(token));
        for await (const response of responses as AsyncIterable<messages.ListResponse>) {
            const { result, continuation } = response.toObject();
            const next = continuation?.continuationToken ?? "computed";
            found.push(result ? `${result.id} ${result.name}`.trim() : next);
        }
        return found;
    };
    const diff = (type: string, olds: object, news: object, id = "x") =>
        ask<messages.DiffResponse>(
            "diff",
            new messages.DiffRequest()
                .setUrn(urn("x", type))
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
    const versions = { organization: "example", workspaceName: "app" };

    it("refuses unknown types and functions", async () => {
        const nothing = checked("check", urn("x", "Nothing"), {});
        assert.match((await refused(nothing)).details, /no resource type statecraft:index:Nothing/);
        const invoke = new messages.InvokeRequest().setTok("statecraft:index:getNothing");
        assert.match((await refused(ask("invoke", invoke))).details, /no function statecraft:index:getNothing/);
    });

    it("sends messages to the engine that started it, and to an engine that attaches later", async () => {
        await ask("handshake", new messages.ProviderHandshakeRequest().setEngineAddress("127.0.0.1:1"));
        await ask("attach", new PluginAttach().setAddress("127.0.0.1:2"));
        assert.deepEqual(plugin.engines, ["127.0.0.1:1", "127.0.0.1:2"]);
    });

    it("refuses other settings than the first ones, until an engine attaches to a process of a user", async () => {
        await configure();
        const { details } = await refused(configure("http://127.0.0.1:9"));
        assert.match(details, /other settings already.*\[config\]/);
        await create("web");
        assert.notEqual(await simulator.outside("GET", "/v1/auth/clouda/role/web"), undefined);
        backend.release();
        await configure("http://127.0.0.1:9");
        await refused(create("elsewhere"));
    });

    it("names the place of a missing setting: the stack's configuration, or the arguments of an explicit provider", async () => {
        const says = async (name: string, maxRetries: number) => {
            const args = struct({ manager: { address: simulator.url, maxRetries } });
            const its = `urn:pulumi:dev::project::pulumi:providers:statecraft::${name}`;
            backend.release();
            await ask("configure", new messages.ConfigureRequest().setArgs(args).setUrn(its));
            return (await refused(create("web"))).details;
        };
        assert.match(await says("default_0_1_0", 0), /`pulumi config set --path 'statecraft:manager\.token' --secret`/);
        assert.match(await says("other", 1), /`manager\.token` in the arguments/);
    });

    it("previews known outputs as known and the others as unknown", async () => {
        const props = struct({ name: unknown, tokenTtl: unknownNumber, boundGroupIds: ["g"] });
        const request = new messages.CreateRequest().setUrn(urn("web")).setProperties(props).setPreview(true);
        const created = await ask<messages.CreateResponse>("create", request);
        const { server, ...outputs } = propsOf(created.getProperties());
        const place = { mount: unknown, namespace: unknown };
        assert.deepEqual(outputs, { ...place, name: unknown, tokenTtl: unknown, boundGroupIds: ["g"] });
        assert.equal(server, unknown);
        assert.equal(created.getId(), "");

        const olds = { name: "web", tokenTtl: "1h", server: "there" };
        const news = { name: "web", tokenTtl: "2h" };
        assert.deepEqual(await previewed(urn("web"), olds, news), { ...news, server: "there" });
        assert.deepEqual(await simulator.writes(), []);
    });

    it("previews outputs unchanged if only an option changes, and as unknown if an update would send something", async () => {
        const status = { snapshots: 3 };
        const preview = async (change: object, more: object = {}) => {
            const olds = { ...hourly, status, server: "there", ...more };
            const outputs = await previewed(urn("hourly", "SnapshotConfig"), olds, { ...hourly, ...change });
            return outputs["status"];
        };
        assert.deepEqual(await preview({ adopt: true }), status);
        assert.equal(await preview({ adopt: true }, { unfinished: ["readBack"] }), unknown);
        assert.equal(await preview({ interval: "2h" }), unknown);
    });

    it("warns of an unknown key of the configuration, unless the project is called `statecraft`", async () => {
        const news = { version: "1.0.0", manager: {}, managr: {} };
        await checkConfig(news, "urn:pulumi:dev::statecraft::pulumi:providers:x::default");
        assert.deepEqual(said, []);
        await checkConfig(news);
        assert.equal(said.length, 1);
        assert.match(said[0] ?? "", withCode("config"));
    });

    it("accepts an unknown address and token, and refuses both keys of one service", async () => {
        const { failures } = await checkConfig({ vault: { address: unknown, token: unknown }, nomad: unknown });
        assert.deepEqual(failures, []);
        const both = await checkConfig({ vault: { address: unknown }, manager: { address: simulator.url } });
        assert.match(both.failures.join(), withCode("config"));
    });

    it("accepts settings as JSON text that contains secrets, as the Java SDK writes them, and marks the whole as secret", async () => {
        const manager = JSON.stringify({ address: simulator.url, token: sealed(canaryToken) });
        const { inputs, failures } = await checkConfig({ manager });
        assert.deepEqual(failures, []);
        assert.deepEqual(sealedPaths(inputs), ["manager"]);
        assert.deepEqual(unsealed(inputs), { manager: { address: simulator.url, token: canaryToken } });
    });

    it("accepts `strict` as a secret and as text", async () => {
        for (const strict of [sealed(true), JSON.stringify(sealed("true"))]) {
            const { inputs, failures } = await checkConfig({ strict });
            assert.deepEqual(failures, []);
            backend.release();
            await ask("configure", new messages.ConfigureRequest().setArgs(struct(inputs)));
            const warned = await checked("check", urn("web"), { name: "web" });
            assert.equal(warned.failures.length, 1, "a warning is a failure");
        }
        const { failures } = await checkConfig({ strict: JSON.stringify(sealed("perhaps")) });
        assert.equal(failures.length, 1);
    });

    it("marks a token as secret that the program does not mark, also beside an unknown value", async () => {
        const { inputs } = await checkConfig({ manager: { address: unknown, token: canaryToken } });
        assert.deepEqual(sealedPaths(inputs), ["manager"]);
    });

    it("finds functions by their tokens", async () => {
        await create("web", { tokenTtl: "1h" });
        const invoke = new messages.InvokeRequest().setTok("statecraft:index:getAuthRole");
        const found = await ask<messages.InvokeResponse>("invoke", invoke.setArgs(struct({ name: "web" })));
        assert.equal(propsOf(found.getReturn())["tokenTtl"], 3600);
        const wrong = new messages.InvokeRequest().setTok("statecraft:index:getAuthRole").setArgs(struct({ nam: "x" }));
        assert.match((await refused(ask("invoke", wrong))).details, /^getAuthRole: nam: /);
    });

    it("lists objects by their import ids and names, narrowed by the query", async () => {
        for (const [type, query, ...expected] of [
            ["AuthRole", {}, "auth/clouda/role/api api", "auth/clouda/role/vpn vpn"],
            ["AuthRole", { mount: "edge" }, "auth/edge/role/cam cam"],
            ["SnapshotConfig", {}, "daily daily"],
            ["CsiVolume", {}, "default/a a"],
            ["CsiVolume", { namespace: "*", pluginId: "d1" }, "default/a a", "prod/a A"],
            ["StateVersion", versions, "sv-3", "sv-2", "sv-1"],
        ] as const)
            assert.deepEqual(await list(type, query), expected);
        const requests = await simulator.requests();
        assert(!requests.some(({ query }) => "plugin_id" in query), "Nomad would return an empty list");
    });

    it("sends the objects of a list up to its limit, and takes no token, because it gives none", async () => {
        assert.deepEqual(await list("StateVersion", versions, 0, 2), ["sv-3", "sv-2", "sv-1"]);
        assert.deepEqual(await list("StateVersion", versions, 2), ["sv-3", "sv-2"]);
        await assert.rejects(list("StateVersion", versions, 0, 2, "2"), /continuation_token/);
    });

    it("answers an unknown query of a list without a request, and refuses a type that cannot be listed", async () => {
        assert.deepEqual(await list("AuthRole", { mount: unknown }), ["computed"]);
        await assert.rejects(list("RootRotation", {}), /no list of statecraft:index:RootRotation/);
        assert.deepEqual(await simulator.requests(), []);
        await simulator.fault({ status: 403, times: 0, body: '{"errors":["planted"]}' });
        await assert.rejects(list("AuthRole", {}), /list of AuthRole: .*403: planted.*\[denied\]/);
    });

    it("names `--run-program` if a refresh or a destroy is denied", async () => {
        const made = await create("web");
        await simulator.fault({ status: 403, times: 0, body: '{"errors":["planted"]}' });
        for (const response of readAndDelete(made.getId(), made.getProperties())) {
            assert.match((await refused(response)).details, / 403: planted.*`--run-program`/);
        }
        assert.doesNotMatch((await refused(create("other"))).details, /--run-program/);
    });

    it("goes on after a `Cancel` while nothing is under way, with which the engine ends every command", async () => {
        await ask("cancel", new Empty());
        await create("web");
    });

    it("ends a request when Pulumi cancels, and keeps an object that may exist in state", async () => {
        simulator.gate.set(async ({ moment, request }) => {
            if (moment === "before" && request.method === "POST") await ask("cancel", new Empty());
        });
        const error = await refused(create("web"));
        assert.match(error.details, withCode("cancelled"));
        assert.equal(error.metadata.get("grpc-status-details-bin").length, 1);
        const state = struct({ name: "web" });
        const list = ask("invoke", new messages.InvokeRequest().setTok("statecraft:index:getAuthRoles"));
        for (const later of [create("other"), list, ...readAndDelete("auth/clouda/role/web", state)])
            assert.match((await refused(later)).details, withCode("cancelled"));
    });

    it("leaves the marking of secrets to the engine, and accepts resource references", async () => {
        const request = new messages.ProviderHandshakeRequest().setEngineAddress("127.0.0.1:1");
        const handshake = await ask<messages.ProviderHandshakeResponse>("handshake", request);
        const configured = await configure();
        assert.deepEqual([handshake.getAcceptSecrets(), configured.getAcceptsecrets()], [false, false]);
        assert.deepEqual([handshake.getAcceptResources(), configured.getAcceptresources()], [true, true]);
        assert.deepEqual([handshake.getAcceptOutputs(), configured.getAcceptoutputs()], [false, false]);
        assert.equal(configured.getSupportspreview(), true);
        // Every resource requires its name as an input.
        assert.equal(handshake.getSupportsAutonamingConfiguration(), false);
        assert.equal(configured.getSupportsAutonamingConfiguration(), false);
    });

    it("reads a resource reference as the id of the resource", async () => {
        const made = reference({ urn: urn("x", "Other"), id: "web" });
        assert.equal((await create("x", { name: made })).getId(), "auth/clouda/role/web");
        const component = reference({ urn: "urn:pulumi:dev::app::my:Component::c" });
        const role = propsOf((await create("other", { boundGroupIds: [component] })).getProperties());
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
