import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as pulumi from "@pulumi/pulumi";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { StackFrame } from "@pulumi/pulumi/proto/source_pb";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";

import { AuthConfig, AuthRole, CsiVolume, SnapshotConfig, StateVersionRollback } from "../../src";
import * as native from "../../src/native";
import { providerText } from "../../src/pulumi/dynamic-class";
import { definitions } from "../support/definitions";

type Props = Record<string, unknown>;

/** A registration as it travels to the engine. */
interface Request {
    readonly verb: "register" | "read";
    readonly type: string;
    readonly name: string;
    readonly id: string;
    readonly props: Props;
    readonly secretOutputs: string[];
    /** By URN, or by the type alone where the rest is the resource's own. */
    readonly aliases?: readonly (string | undefined)[];
    readonly deleteBeforeReplace?: boolean;
    /** The files of the stack trace that the engine stores. */
    readonly stackTrace?: readonly (string | undefined)[];
}

const sealed = (value: unknown) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    value,
});

const valueIn = <Value>(output: pulumi.Output<Value>) =>
    new Promise<Value>((resolve) => output.apply((value) => resolve(value as Value)));

describe("the class of a resource", () => {
    const { registerResource, readResource } = MockMonitor.prototype;
    const requests: Request[] = [];
    /** What the engine answers beside the inputs. */
    let answer: Props = {};

    before(async () => {
        // What the mocks hand on has lost where exactly a secret stood.
        MockMonitor.prototype.registerResource = function (request, callback) {
            const [type, name, id] = [request.getType(), request.getName(), request.getImportid()];
            const secretOutputs = request.getAdditionalsecretoutputsList();
            requests.push({
                verb: "register",
                type,
                name,
                id,
                props: request.getObject().toJavaScript(),
                secretOutputs,
                aliases: request.getAliasesList().map((alias: Alias) => alias.getUrn() || alias.getSpec()?.getType()),
                deleteBeforeReplace: request.getDeletebeforereplace(),
                stackTrace: request
                    .getStacktrace()
                    ?.getFramesList()
                    .map((frame: StackFrame) => frame.getPc()?.getUri()),
            });
            return registerResource.call(this, request, callback);
        };
        MockMonitor.prototype.readResource = function (request, callback) {
            const [type, name, id] = [request.getType(), request.getName(), request.getId()];
            const secretOutputs = request.getAdditionalsecretoutputsList();
            requests.push({
                verb: "read",
                type,
                name,
                id,
                props: request.getProperties().toJavaScript(),
                secretOutputs,
            });
            return readResource.call(this, request, callback);
        };
        await pulumi.runtime.setMocks(
            {
                newResource: ({ id, name, inputs }) => ({ id: id || `${name}-id`, state: { ...inputs, ...answer } }),
                call: () => ({}),
            },
            "project",
            "stack",
            false,
            "organisation",
        );
    });
    after(() => Object.assign(MockMonitor.prototype, { registerResource, readResource }));
    beforeEach(() => {
        requests.length = 0;
        answer = {};
    });

    async function registered(resource: pulumi.CustomResource): Promise<Request> {
        await valueIn(resource.urn);
        const [request] = requests;
        assert.ok(request);
        return request;
    }

    it("registers its arguments under the type of dynamic resources, with the provider's text", async () => {
        const { __statecraft: _, ...props } = (await registered(new AuthRole("web", { name: "web", tokenTtl: "1h" })))
            .props;
        assert.equal(requests[0]?.type, "pulumi-nodejs:dynamic/statecraft:AuthRole");
        assert.equal(requests[0]?.name, "web");
        assert.deepEqual(props, { name: "web", tokenTtl: "1h", __provider: providerText("AuthRole") });
    });

    it("sends the stack trace from the line that declares the resource, without the frames of Node", async () => {
        const { prepareStackTrace, stackTraceLimit } = Error;
        const role = await new Promise<AuthRole>((resolve) => {
            setImmediate(() => resolve(new AuthRole("web", { name: "web" })));
        });
        assert.deepEqual((await registered(role)).stackTrace, [pathToFileURL(__filename).toString()]);
        assert.deepEqual([Error.prepareStackTrace, Error.stackTraceLimit], [prepareStackTrace, stackTraceLimit]);
    });

    it("hands on how long each verb may take, and whether a replacement deletes first", async () => {
        const customTimeouts = { create: "5m", update: "6m", delete: "7m" };
        const args = { volumeId: "data", pluginId: "disks" };
        const { props, deleteBeforeReplace } = await registered(new CsiVolume("data", args, { customTimeouts }));
        assert.deepEqual(props["timeouts"], customTimeouts);
        // The id of a volume is taken until it is deleted, also where the user forces a replacement.
        assert.equal(deleteBeforeReplace, true);
        requests.length = 0;
        const last = await registered(new CsiVolume("last", args, { customTimeouts: { delete: "7m" } }));
        assert.deepEqual(last.props["timeouts"], { delete: "7m" });
        requests.length = 0;
        const hasNoWait = await registered(new AuthRole("web", { name: "web" }, { customTimeouts }));
        assert.equal("timeouts" in hasNoWait.props, false);
        assert.equal(hasNoWait.deleteBeforeReplace, false);
    });

    it("hands on outputs of other resources", async () => {
        const first = new AuthRole("first", { name: "first" });
        const second = new AuthRole("second", {
            name: pulumi.interpolate`${first.name}-2`,
            boundGroupIds: [first.name, "b"],
        });
        await valueIn(second.urn);
        const { name, boundGroupIds } = requests.find((request) => request.name === "second")?.props ?? {};
        assert.deepEqual({ name, boundGroupIds }, { name: "first-2", boundGroupIds: ["first", "b"] });
    });

    it("tells where it is: for messages, and for the mark of its locks", async () => {
        const parent = new pulumi.ComponentResource("my:own:Part", "part");
        const args = { workspaceId: "ws-1", stateVersionId: "sv-1" };
        const resource = new StateVersionRollback("undo", args, { parent });
        await valueIn(resource.urn);
        assert.deepEqual(requests.find(({ name }) => name === "undo")?.props["__statecraft"], {
            urn: "urn:pulumi:stack::project::my:own:Part$pulumi-nodejs:dynamic/statecraft:StateVersionRollback::undo",
            lockMark: "[statecraft organisation/project/stack undo]",
            isPreview: false,
        });
        assert.deepEqual(requests.find(({ name }) => name === "undo")?.aliases, [
            "statecraft:index:StateVersionRollback",
        ]);
    });

    it("does not wait for a sibling in the same component, as a URN that is an output would", async () => {
        const parent = new pulumi.ComponentResource("my:own:Part", "part");
        const roles = ["one", "two"].map((name) => new AuthRole(name, { name }, { parent }));
        await Promise.all(roles.map(({ urn }) => valueIn(urn)));
        assert.deepEqual(requests.map(({ name }) => name).sort(), ["one", "part", "two"]);
    });

    it("tells the URN that the engine gives what has no parent", async () => {
        const role = new AuthRole("a::web", { name: "web" });
        const urn = await valueIn(role.urn);
        const { props, aliases } = await registered(role);
        assert.equal((props["__statecraft"] as Props)["urn"], urn);
        assert.deepEqual(aliases, ["statecraft:index:AuthRole"]);
    });

    it("marks secrets inside storage before they leave the program, and nothing else", async () => {
        const resource = new SnapshotConfig("hourly", {
            name: "hourly",
            interval: "1h",
            storage: {
                ...{ type: "cloudb-s3", pathPrefix: "p", bucket: "b", region: "r", accessKeyId: "id" },
                secretAccessKey: pulumi.output("key"),
            },
        });
        const { name, interval, storage } = (await registered(resource)).props;
        assert.deepEqual(
            { name, interval, storage },
            {
                name: "hourly",
                interval: "1h",
                storage: {
                    ...{ type: "cloudb-s3", pathPrefix: "p", bucket: "b", region: "r" },
                    accessKeyId: sealed("id"),
                    secretAccessKey: sealed("key"),
                },
            },
        );
    });

    it("marks a whole document that is a secret", async () => {
        const document = { type: "service_account", private_key: pulumi.output("key") };
        const resource = new SnapshotConfig("hourly", {
            name: "hourly",
            interval: 60,
            storage: { type: "cloudc-gcs", pathPrefix: "p/", bucket: "b", serviceAccountKey: document },
        });
        const storage = (await registered(resource)).props["storage"] as Props;
        assert.deepEqual(storage["serviceAccountKey"], sealed({ type: "service_account", private_key: "key" }));
        assert.equal(storage["bucket"], "b");
    });

    it("marks the part of an object that is secret, and leaves the rest readable", async () => {
        const mountOptions = { fsType: "ext4", mountFlags: ["credentials=key"] };
        const volume = new CsiVolume("data", { volumeId: "data", pluginId: "disks", mountOptions });
        const request = await registered(volume);
        assert.deepEqual(request.props["mountOptions"], { fsType: "ext4", mountFlags: sealed(["credentials=key"]) });
        assert.deepEqual(request.secretOutputs, ["secrets"]);
    });

    it("leaves an object that comes later to check, whole", async () => {
        const mountOptions = { fsType: "ext4", mountFlags: ["credentials=key"] };
        const later = { volumeId: "data", pluginId: "disks", mountOptions: Promise.resolve(mountOptions) };
        assert.deepEqual((await registered(new CsiVolume("data", later))).props["mountOptions"], mountOptions);
    });

    it("marks secrets at the top, and the outputs named like them", async () => {
        const args = { clientId: "c", clientSecret: "s3cret" };
        const resource = new AuthConfig("config", args, { additionalSecretOutputs: ["tenantId"] });
        const request = await registered(resource);
        assert.deepEqual(request.props["clientSecret"], sealed("s3cret"));
        assert.deepEqual([...request.secretOutputs].sort(), ["clientSecret", "tenantId"]);
        assert.ok(await pulumi.isSecret(resource.clientSecret));
    });

    it("has every output, also those that are no arguments", async () => {
        answer = { provider: "p", version: "1", schedulable: true, nodesHealthy: 2, server: "https://one.example" };
        const volume = new CsiVolume("data", { volumeId: "data", pluginId: "disks" });
        assert.equal(await valueIn(volume.volumeId), "data");
        assert.equal(await valueIn(volume.schedulable), true);
        assert.equal(await valueIn(volume.nodesHealthy), 2);
        assert.equal(await valueIn(volume.server), "https://one.example");
        assert.equal(await valueIn(volume.unfinished), undefined);
        assert.equal(await valueIn(volume.namespace), undefined);
        assert.equal(await valueIn(volume.id), "data-id");
    });

    it("has the value of an input that the program leaves out, in both kinds of classes", async () => {
        const home = mkdtempSync(join(tmpdir(), "statecraft-"));
        const { PULUMI_HOME: before } = process.env;
        process.env["PULUMI_HOME"] = home;
        try {
            answer = { tokenMaxTtl: 60 };
            for (const role of [new AuthRole("web", { name: "web" }), new native.AuthRole("web", { name: "web" })]) {
                assert.equal(await valueIn(role.tokenMaxTtl), 60);
                assert.equal(await valueIn(role.tokenPolicies), undefined);
            }
        } finally {
            if (before === undefined) delete process.env["PULUMI_HOME"];
            else process.env["PULUMI_HOME"] = before;
            rmSync(home, { recursive: true });
        }
    });

    it("has no output of the frame's own", async () => {
        const rollback = new StateVersionRollback("undo", { workspaceId: "ws-1", stateVersionId: "sv-1" });
        await registered(rollback);
        assert.ok(!("lockMark" in rollback));
    });

    it("reads an object that exists by its id, and tells the provider nothing else", async () => {
        answer = { name: "web", tokenTtl: 3600 };
        const role = AuthRole.get("web", "auth/clouda/role/web");
        assert.ok(role instanceof AuthRole);
        const request = await registered(role);
        assert.deepEqual([request.verb, request.id], ["read", "auth/clouda/role/web"]);
        assert.deepEqual(request.props, { __provider: providerText("AuthRole") });
        assert.equal(await valueIn(role.tokenTtl), 3600);
    });

    it("says that it imports nothing, where Pulumi's dynamic host would break", () => {
        const options = { import: "auth/clouda/role/web" };
        assert.throws(() => new AuthRole("web", { name: "web" }, options), pulumi.RunError);
        assert.deepEqual(requests, []);
    });

    it("says that it takes no provider of the native plugin, which knows no dynamic type", async () => {
        const provider = new native.Provider("other", {});
        await valueIn(provider.urn);
        requests.length = 0;
        assert.throws(() => new AuthRole("web", { name: "web" }, { provider }), pulumi.RunError);
        assert.throws(() => AuthRole.get("web", "auth/clouda/role/web", { provider }), pulumi.RunError);
        assert.deepEqual(requests, []);
        const role = new native.AuthRole("web", { name: "web" }, { provider });
        assert.equal((await registered(role)).type, "statecraft:index:AuthRole");
    });

    it("knows its instances, and no others", async () => {
        const role = new AuthRole("web", { name: "web" });
        await registered(role);
        assert.ok(AuthRole.isInstance(role) && pulumi.CustomResource.isInstance(role));
        // So ask policy packs, which know the type alone.
        const asked = { __pulumiType: "pulumi-nodejs:dynamic/statecraft:AuthRole" };
        assert.ok(AuthRole.isInstance(asked) && !CsiVolume.isInstance(asked));
        assert.ok(!CsiVolume.isInstance(role) && !AuthRole.isInstance({}) && !AuthRole.isInstance(undefined));
    });

    it("leaves it to check to say what is missing", async () => {
        const careless = undefined as unknown as { name: string };
        const { __statecraft: _, ...props } = (await registered(new AuthRole("web", careless))).props;
        assert.deepEqual(props, { __provider: providerText("AuthRole") });
    });

    describe("stores a provider's text, not its code", () => {
        for (const { type } of definitions) {
            it(`for ${type} that is short, holds no path, and leads to the provider by name`, () => {
                const text = providerText(type);
                assert.ok(Buffer.byteLength(text) <= 120, text);
                assert.ok(!text.includes(process.cwd()) && !/["'( ]\/|\.\/|\\|node_modules/.test(text), text);
                const module: { handler?: () => unknown } = {};
                const lookUp = (name: string) => ({ provider: (wanted: string) => `${name} ${wanted}` });
                new Function("exports", "require", text)(module, lookUp);
                assert.equal(module.handler?.(), `pulumi-statecraft/runtime ${type}`);
            });
        }
    });
});
