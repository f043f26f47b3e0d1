/** Tests the registrations that resource classes send to the engine, and their outputs. */

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import * as pulumi from "@pulumi/pulumi";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { ReadResourceRequest, RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import type { StackFrame } from "@pulumi/pulumi/proto/source_pb";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";

import { AuthConfig, AuthRole, CsiVolume, SnapshotConfig, StateVersionRollback } from "../../src";
import * as native from "../../src/native";
import { providerText } from "../../src/pulumi/dynamic-class";
import { withEnvironment } from "../http/support";
import { withCode } from "../support/messages";
import { type Props, sealed } from "../support/pulumi-values";
import { temporaryFolder } from "../support/temporary-folder";

const valueIn = <Value>(output: pulumi.Output<Value>) =>
    new Promise<Value>((resolve) => output.apply((value) => resolve(value as Value)));

const propsOf = (request: RegisterResourceRequest): Props => request.getObject()?.toJavaScript() ?? {};

/** Returns the inputs in a registration, without those that the class adds for the provider. */
function inputsIn(request: RegisterResourceRequest): Props {
    const { __statecraft: _, __provider: __, ...inputs } = propsOf(request);
    return inputs;
}

const aliasesIn = (request: RegisterResourceRequest) =>
    request.getAliasesList().map((alias: Alias) => alias.getUrn() || alias.getSpec()?.getType());

describe("the class of a resource", () => {
    const { registerResource, readResource } = MockMonitor.prototype;
    const registrations: RegisterResourceRequest[] = [];
    const reads: ReadResourceRequest[] = [];
    /** Outputs that the engine returns in addition to the inputs. */
    let answer: Props = {};

    before(async () => {
        // The mocks' `newResource` does not get the marks of secrets, so the test reads the requests.
        MockMonitor.prototype.registerResource = function (request, callback) {
            registrations.push(request);
            return registerResource.call(this, request, callback);
        };
        MockMonitor.prototype.readResource = function (request, callback) {
            reads.push(request);
            return readResource.call(this, request, callback);
        };
        const newResource = ({ id, name, inputs }: pulumi.runtime.MockResourceArgs) => ({
            id: id || `${name}-id`,
            state: { ...inputs, ...answer },
        });
        await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "project", "stack", false, "organisation");
    });
    after(() => Object.assign(MockMonitor.prototype, { registerResource, readResource }));
    beforeEach(() => {
        registrations.length = 0;
        reads.length = 0;
        answer = {};
    });

    async function registered(resource: pulumi.CustomResource): Promise<RegisterResourceRequest> {
        await valueIn(resource.urn);
        return registrations.at(-1) ?? assert.fail();
    }

    it("registers its arguments under the type of dynamic resources, with the provider's text", async () => {
        const request = await registered(new AuthRole("web", { name: "web", tokenTtl: "1h" }));
        assert.equal(request.getType(), "pulumi-nodejs:dynamic/statecraft:AuthRole");
        assert.deepEqual(inputsIn(request), { name: "web", tokenTtl: "1h" });
        assert.equal(propsOf(request)["__provider"], providerText("AuthRole"));
        assert.deepEqual(aliasesIn(request), ["statecraft:index:AuthRole"]);
    });

    it("registers no inputs without arguments, so that `check` names those that are missing", async () => {
        const careless = undefined as never;
        for (const none of [new AuthRole("none", careless), new AuthConfig("none", careless)])
            assert.deepEqual(inputsIn(await registered(none)), {});
    });

    it("sends the stack trace from the line that declares the resource, without the frames of Node", async () => {
        const { prepareStackTrace, stackTraceLimit } = Error;
        const role = await new Promise<AuthRole>((resolve) => {
            setImmediate(() => resolve(new AuthRole("web", { name: "web" })));
        });
        const frames = (await registered(role)).getStacktrace()?.getFramesList() ?? [];
        const files = frames.map((frame: StackFrame) => frame.getPc()?.getUri());
        assert.deepEqual(files, [pathToFileURL(__filename).toString()]);
        assert.deepEqual([Error.prepareStackTrace, Error.stackTraceLimit], [prepareStackTrace, stackTraceLimit]);
    });

    it("sends `customTimeouts` as an input", async () => {
        const customTimeouts = { create: "5m", update: "6m", delete: "7m" };
        const args = { volumeId: "data", pluginId: "disks" };
        const volume = await registered(new CsiVolume("data", args, { customTimeouts }));
        assert.deepEqual(inputsIn(volume)["timeouts"], customTimeouts);
        const last = await registered(new CsiVolume("last", args, { customTimeouts: { delete: "7m" } }));
        assert.deepEqual(inputsIn(last)["timeouts"], { delete: "7m" });
        const role = await registered(new AuthRole("web", { name: "web" }, { customTimeouts }));
        assert.deepEqual(inputsIn(role), { name: "web" });
    });

    it("tells that `retainOnDelete` leaves the workspace of `keepLocked` locked", async () => {
        const said: string[] = [];
        const { info } = pulumi.log;
        Object.assign(pulumi.log, { info: async (text: string) => void said.push(text) });
        const args = { workspaceId: "ws-1", stateVersionId: "sv-1" };
        for (const [keepLocked, retainOnDelete] of [
            [true, true],
            [true, false],
            [false, true],
        ] as const) {
            await registered(
                new StateVersionRollback(
                    `${keepLocked} ${retainOnDelete}`,
                    { ...args, keepLocked },
                    { retainOnDelete },
                ),
            );
        }
        Object.assign(pulumi.log, { info });
        assert.equal(said.length, 1);
        assert.match(said.join(), withCode("lock-kept"));
    });

    it("sends its URN for messages, and the mark of its locks", async () => {
        const parent = new pulumi.ComponentResource("my:own:Part", "part");
        const args = { workspaceId: "ws-1", stateVersionId: "sv-1" };
        const request = await registered(new StateVersionRollback("undo", args, { parent }));
        assert.deepEqual(propsOf(request)["__statecraft"], {
            urn: "urn:pulumi:stack::project::my:own:Part$pulumi-nodejs:dynamic/statecraft:StateVersionRollback::undo",
            owner: "organisation/project/stack undo",
            isPreview: false,
        });
    });

    it("does not wait for a sibling in the same component", async () => {
        const parent = new pulumi.ComponentResource("my:own:Part", "part");
        const roles = ["one", "two"].map((name) => new AuthRole(name, { name }, { parent }));
        await Promise.all(roles.map(({ urn }) => valueIn(urn)));
        assert.deepEqual(registrations.map((request) => request.getName()).sort(), ["one", "part", "two"]);
    });

    const flags = { fsType: "ext4", mountFlags: ["credentials=key"] };
    const volume = { volumeId: "data", pluginId: "disks" };
    const s3 = { type: "aws-s3", pathPrefix: "p", bucket: "b", region: "r" } as const;
    const snapshots = { name: "hourly", interval: "1h" };
    const marked: Readonly<
        Record<string, [make: () => pulumi.CustomResource, input: string, sent: unknown, secretOutputs?: string[]]>
    > = {
        "a credential inside an object": [
            () =>
                new SnapshotConfig("hourly", {
                    ...snapshots,
                    storage: { ...s3, accessKeyId: "id", secretAccessKey: pulumi.output("key") },
                }),
            "storage",
            { ...s3, accessKeyId: sealed("id"), secretAccessKey: sealed("key") },
        ],
        "a list inside an object": [
            () => new CsiVolume("data", { ...volume, mountOptions: flags }),
            "mountOptions",
            { fsType: "ext4", mountFlags: sealed(["credentials=key"]) },
            ["secrets"],
        ],
        "no part of an object output, which `check` marks,": [
            () => new CsiVolume("data", { ...volume, mountOptions: Promise.resolve(flags) }),
            "mountOptions",
            flags,
            ["secrets"],
        ],
        "a secret input and the output with the same name": [
            () => new AuthConfig("config", { clientSecret: "s3cret" }, { additionalSecretOutputs: ["tenantId"] }),
            "clientSecret",
            sealed("s3cret"),
            ["clientSecret", "tenantId"],
        ],
    };
    for (const [what, [make, input, sent, secretOutputs = []]] of Object.entries(marked)) {
        it(`marks ${what} as secret in the registration`, async () => {
            const request = await registered(make());
            assert.deepEqual(inputsIn(request)[input], sent);
            assert.deepEqual(request.getAdditionalsecretoutputsList(), secretOutputs);
        });
    }

    it("has an output for each property, also for properties that are not inputs, and none for internal inputs", async () => {
        answer = { schedulable: true, nodesHealthy: 2, server: "https://one.example" };
        const data = new CsiVolume("data", volume);
        const { id, namespace, nodesHealthy, schedulable, server, unfinished, volumeId } = data;
        const outputs = pulumi.output({ id, namespace, nodesHealthy, schedulable, server, unfinished, volumeId });
        const none = { namespace: undefined, unfinished: undefined };
        assert.deepEqual(await valueIn(outputs), { ...answer, ...none, id: "data-id", volumeId: "data" });
        assert.ok(!("lockMarks" in data));
    });

    it("has an output for an input that the program omits, in both kinds of classes", async () => {
        answer = { tokenMaxTtl: 60 };
        await withEnvironment({ PULUMI_HOME: temporaryFolder() }, async () => {
            for (const role of [new AuthRole("web", { name: "web" }), new native.AuthRole("web", { name: "web" })]) {
                assert.equal(await valueIn(role.tokenMaxTtl), 60);
                assert.equal(await valueIn(role.tokenPolicies), undefined);
            }
        });
    });

    it("reads an object that exists by its id, and sends no other input", async () => {
        answer = { name: "web", tokenTtl: 3600 };
        const role = AuthRole.get("web", "auth/clouda/role/web");
        assert.ok(role instanceof AuthRole);
        assert.equal(await valueIn(role.tokenTtl), 3600);
        assert.equal(reads[0]?.getId(), "auth/clouda/role/web");
        assert.deepEqual(reads[0]?.getProperties()?.toJavaScript(), { __provider: providerText("AuthRole") });
    });

    it("refuses `import` and a native provider, which the dynamic host cannot use", async () => {
        const refused = (opts: pulumi.CustomResourceOptions) => {
            assert.throws(() => new AuthRole("web", { name: "web" }, opts), pulumi.RunError);
            assert.throws(() => AuthRole.get("web", "auth/clouda/role/web", opts), pulumi.RunError);
        };
        refused({ import: "auth/clouda/role/web" });
        const provider = new native.Provider("other", {});
        refused({ provider });
        const role = new native.AuthRole("web", { name: "web" }, { provider });
        assert.equal((await registered(role)).getType(), "statecraft:index:AuthRole");
    });

    it("recognizes its instances with `isInstance`", () => {
        const role = new AuthRole("web", { name: "web" });
        assert.ok(AuthRole.isInstance(role) && pulumi.CustomResource.isInstance(role));
        // In a policy pack, an object has only `__pulumiType`.
        const typed = { __pulumiType: "pulumi-nodejs:dynamic/statecraft:AuthRole" };
        assert.ok(AuthRole.isInstance(typed) && !CsiVolume.isInstance(typed));
        assert.ok(!CsiVolume.isInstance(role) && !AuthRole.isInstance({}) && !AuthRole.isInstance(undefined));
    });
});
