import assert from "node:assert/strict";
import { connect } from "../../../src/client";
import { OwnedObjects } from "../../../src/core/owned-objects";
import { csiVolume, leastVolume, plugins } from "../../resources/csi-volume";
import { describeResource } from "../../support/conformance";
import { failureOf } from "../../support/failures";
import { pathsOf, Shown, unsealed } from "../../support/managed-resource";
import { withCode } from "../../support/messages";
import { withSimulator } from "../../support/simulator";

const { path } = csiVolume;

describeResource(csiVolume);

const modes = { accessMode: "single-node-writer", attachmentMode: "file-system" };
const inputs = { volumeId: "data", externalId: "vol-1", pluginId: "disks", ...modes };
/** Inputs of a volume whose plugin has no controller. */
const files = { volumeId: "data", pluginId: "files", ...modes };
/** Starts a simulator for a `describe` block. */
function withPlugins() {
    const simulator = withSimulator({ plugins });
    return {
        simulator,
        volume: () => simulator.resource("CsiVolume"),
        stored: async () => Object(await simulator.outside("GET", path)),
        isStored: async () => (await simulator.outside("GET", path)) !== undefined,
        /** Lets the next deregistrations fail as those of a volume in use. */
        refuse: (times: number, prefix = "") =>
            simulator.fault({ method: "DELETE", status: 500, times, body: `${prefix}volume in use: data` }),
        /** Adds a claim of an allocation on the volume. */
        claim: (body: object = {}) => {
            const claim = { volume: "data", node: "node-1", allocation: "alloc-1", job: "web" };
            return simulator.control("POST", "/simulator/claims", { ...claim, ...body });
        },
    };
}
const pair = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };

describe("CsiVolume", () => {
    const { simulator, volume, stored, isStored, claim, refuse } = withPlugins();

    it("has the plugin's health at the last read as outputs, which are never a change", async () => {
        const data = await volume().deployed(inputs);
        const health = { providerName: "disks.example", providerVersion: "1.2.3", schedulable: true };
        const counts = { controllersHealthy: 1, nodesHealthy: 2, nodesExpected: 2 };
        assert.deepEqual({ ...data.outputs(), ...health, ...counts }, data.outputs());
        await simulator.control("PATCH", "/simulator/plugins/disks", { healthy: false });
        const changed = await data.refresh();
        assert(Array.isArray(changed) && changed.includes("schedulable"));
        assert.equal(await data.up(inputs), "same");
    });

    it("sends any mode, and warns about modes that Nomad does not know", async () => {
        const data = volume();
        const strange = { ...inputs, accessMode: "read-write-once", attachmentMode: "filesystem" };
        await assert.rejects(data.up(strange), { status: 500, message: /unknown volume attachment mode/ });
        // A plugin without a controller checks no modes.
        strange.pluginId = "files";
        await data.up(strange);
        assert.deepEqual(
            [(await stored()).AccessMode, data.outputs()["attachmentMode"]],
            ["read-write-once", "filesystem"],
        );
        assert.deepEqual(pathsOf(data.warnings), ["accessMode", "attachmentMode", "accessMode", "attachmentMode"]);
        await data.isQuiet(strange);
    });

    it("refuses to create an object with a malformed id", async () => {
        const data = simulator.resource("CsiVolume", { settings: { "statecraft:nomad": { namespace: "a/b" } } });
        await assert.rejects(data.up({ volumeId: "data", pluginId: "disks" }), { code: "id" });
        assert.deepEqual(await simulator.requests(), []);
    });

    it("says in the preview of `force`, once, that the volume is not detached from client nodes", async () => {
        const data = volume();
        const said = () => data.messages.filter(({ message }) => /not detached from client nodes/.test(message)).length;
        await data.preview(inputs);
        assert.equal(said(), 0);
        await data.preview({ ...inputs, force: true });
        await data.up({ ...inputs, force: true });
        const shown = said();
        assert(shown > 0);
        await data.preview({ ...inputs, force: true });
        assert.equal(said(), shown);
    });

    it("refuses to deregister a volume in use, and names allocations, jobs, nodes and the commands that stop the jobs", async () => {
        const data = await volume().deployed(inputs);
        await claim();
        await claim({ allocation: "alloc-2", node: "node-2", job: "batch", write: true });
        await assert.rejects(data.destroy(), {
            code: "in-use",
            message:
                /allocation alloc-1 of job web on node node-1, allocation alloc-2 of job batch on node node-2.*`nomad job stop web` and `nomad job stop batch`/,
        });
        assert.equal(await isStored(), true);
    });

    it("waits for claims to end no longer than `timeouts.delete`", async () => {
        const deletions = async (timeouts: object) => {
            const data = await volume().deployed({ ...inputs, adopt: true, timeouts });
            await claim();
            await simulator.forget();
            await assert.rejects(data.destroy(), { code: "in-use" });
            return (await simulator.writes()).length;
        };
        assert((await deletions({ create: 1, update: 1 })) > (await deletions({ delete: 1 })));
    });

    it("drops claims of ended allocations if `force` is in state", async () => {
        const data = await volume().deployed(inputs);
        await claim({ status: "complete" });
        await assert.rejects(data.destroy(), { code: "in-use", message: /`nomad volume deregister -force data`/ });
        assert.equal(await data.up({ ...inputs, force: true }), "updated");
        await simulator.forget();
        await data.destroy();
        assert.deepEqual((await simulator.writes())[0]?.query, { namespace: "default", force: "true" });
        assert.equal(await isStored(), false);
    });

    it("previews the replacement of a volume that is gone without a warning", async () => {
        const data = await volume().deployed(inputs);
        await simulator.outside("DELETE", path);
        assert.deepEqual(await data.preview({ ...inputs, externalId: "vol-2" }), []);
    });

    it("recognizes refusals that a follower or an agent forwards from the leader", async () => {
        const data = volume();
        const relayed = { status: 500 };
        await simulator.fault({ ...relayed, method: "GET", body: "rpc error: No cluster leader" });
        await data.up(inputs);
        await refuse(2, "rpc error: rpc error: ");
        await data.destroy();
        assert.equal(await isStored(), false);

        await data.up(inputs);
        await simulator.fault({ ...relayed, method: "DELETE", body: "rpc error: volume not found: data" });
        await data.destroy();
        await simulator.fault({ ...relayed, method: "PUT", body: "rpc error: volume exists: data" });
        await assert.rejects(volume().up({ ...inputs, volumeId: "new" }), { code: "exists", status: 500 });
    });

    it("waits until the volume is schedulable, shows the plugin's health as progress, and continues in the next `up`", async () => {
        const waiting = { ...files, waitUntilSchedulable: "30s" };
        await simulator.control("PATCH", "/simulator/plugins/files", { healthy: false });
        const data = simulator.resource("CsiVolume", { slowness: 5 });
        await assert.rejects(data.up(waiting), { code: "timeout" });
        assert.deepEqual(data.outputs()["unfinished"], ["wait"]);
        const progress = data.messages.filter(({ severity }) => severity === "progress");
        assert.match(progress.at(-1)?.message ?? "", /0 of 1 nodes healthy/);
        await simulator.control("PATCH", "/simulator/plugins/files", { healthy: true });
        await data.refresh();
        assert.equal(await data.up(waiting), "updated");
        assert.equal(data.outputs()["schedulable"], true);
        assert.equal(await data.up(waiting), "same");
    });

    it("says at the end of the wait that the volume is gone", async () => {
        await simulator.control("PATCH", "/simulator/plugins/files", { healthy: false });
        await simulator.fault({ method: "GET", skip: 2, times: 0, status: 404, body: "volume not found" });
        await assert.rejects(volume().up({ ...files, waitUntilSchedulable: "5s" }), {
            code: "timeout",
            message: /the volume is gone/,
        });
    });

    it("waits no longer than the `customTimeouts` of each operation", async () => {
        const timed = { ...files, waitUntilSchedulable: "10m", timeouts: { create: "5s", update: 8 } };
        await simulator.control("PATCH", "/simulator/plugins/files", { healthy: false });
        const data = volume();
        await assert.rejects(data.up(timed), { code: "timeout", message: / after 5 s/ });
        await assert.rejects(data.up(timed), { code: "timeout", message: / after 8 s/ });
        await assert.rejects(data.check({ ...timed, timeouts: { create: "soon" } }), { paths: ["timeouts.create"] });
    });

    it("needs a namespace of its own if that of the settings is all namespaces, and says so in the preview", async () => {
        const everywhere = (environment: NodeJS.ProcessEnv = {}) =>
            simulator.resource("CsiVolume", { environment, settings: { "statecraft:nomad": { namespace: "*" } } });
        await assert.rejects(everywhere().preview(inputs), /namespace: is required.*\[config\]/);
        await assert.rejects(everywhere().up(inputs), { code: "config" });
        assert.equal(await everywhere().up({ ...inputs, namespace: "default" }), "created");
        const role = simulator.resource("AuthRole", { settings: { "statecraft:vault": { namespace: "*" } } });
        await assert.rejects(role.preview({ name: "web", boundGroupIds: ["g"] }), /must name one namespace/);
    });

    it("says at an import that the storage of a volume that Nomad created stays", async () => {
        await volume().up({ ...inputs, capacityMin: "1GiB" });
        const imported = volume();
        await imported.imported("default/data");
        assert.match(imported.said, /Nomad created the volume: .*its storage stays/);
    });

    it("warns in the preview that a volume in use cannot be replaced, unless its allocations have ended", async () => {
        const data = await volume().deployed(inputs);
        const change = { ...inputs, externalId: "vol-2" };
        assert.deepEqual(await data.preview(change), []);
        await claim();
        const [warning = ""] = await data.preview(change);
        assert.match(warning, withCode("in-use"));
        assert.match(warning, /allocation alloc-1 of job web on node node-1/);
        await simulator.forget();
        assert.deepEqual(await data.preview(inputs), []);
        assert.deepEqual(await simulator.requests(), [], "an unchanged volume is not looked at");
        for (const status of ["complete", "failed", "lost"]) {
            await simulator.control("DELETE", "/simulator/claims/alloc-1");
            await claim({ status });
            assert.deepEqual(await data.preview(change), []);
        }
    });

    it("warns in the preview of the native plugin too, although Pulumi passes only the new volume", async () => {
        const data = await volume().deployed(inputs);
        await claim();
        const native = simulator.resource("CsiVolume", { isNative: true, run: new OwnedObjects() });
        native.state = data.state;
        const change = { ...inputs, externalId: "vol-2" };
        assert.deepEqual((await native.diff(change)).replaces, ["externalId"]);
        assert.match((await native.preview(change)).join(), withCode("in-use"));
    });
});

describe("CsiVolume: Nomad's additions to the document", () => {
    const { simulator, volume, stored, claim } = withPlugins();
    const modeless = { AccessMode: "", AttachmentMode: "" };
    const registered = (fields: object = {}) =>
        simulator.outside("PUT", path, {
            Volumes: [{ ...leastVolume, ...modeless, Namespace: "default", ExternalID: "vol-1", ...fields }],
        });

    it("shows the server's own words about a first and a second registration", async () => {
        const body = JSON.stringify({ Index: 1, Volumes: [], Warnings: "1 warning:\n\n* the size is odd\n" });
        const warned = () => simulator.fault({ method: "PUT", after: true, status: 200, body });
        const resource = volume();
        await warned();
        await resource.up(inputs);
        assert.match(resource.said, /^CsiVolume data: Nomad says: 1 warning: \* the size is odd \[server-warning\]$/);
        await resource.up({ ...inputs, context: { a: "b" } });
        assert.equal(resource.messages.length, 1);
        await warned();
        await resource.up({ ...inputs, context: { a: "c" } });
        assert.equal(resource.messages.length, 2);
    });

    it("changes a volume without a name, adopted or imported", async () => {
        await registered({ Name: "" });
        const adopted = await volume().deployed({ ...inputs, adopt: true, context: { a: "b" } });
        assert.equal(await adopted.up({ ...inputs, adopt: true, context: { a: "c" } }), "updated");
        const imported = await volume().imported("default/data");
        const { accessMode: _, attachmentMode: __, ...modeless } = inputs;
        assert.equal(await imported.up({ ...modeless, capabilities: [modes], context: { a: "d" } }), "updated");
        assert.deepEqual([(await stored()).Name, (await stored()).Context], ["", { a: "d" }]);
        const warnings = [...adopted.warnings, ...imported.warnings];
        const wrong = warnings.filter((warning) => !withCode("import").test(warning));
        assert.deepEqual(wrong, []);
    });

    for (const [name, there, declared] of [
        ["parameters", { Parameters: { tier: "fast" } }, {}],
        ["externalId", { ExternalID: "vol-2" }, {}],
        ["topologies", { Topologies: [{ Segments: { rack: "r1" } }] }, { topologies: [{ rack: "r2" }] }],
    ] as const) {
        it(`refuses to adopt a volume with another \`${name}\`, because no write can change that`, async () => {
            await registered(there);
            await simulator.forget();
            const refused = { code: "exists", message: new RegExp(name) };
            await assert.rejects(volume().up({ ...inputs, ...declared, adopt: true }), refused);
            assert.deepEqual(await simulator.writes(), []);
        });
    }

    for (const [what, requestedTopologies, given] of [
        ["that are omitted", { required: [{ rack: "r1", row: "2" }, { rack: "r2" }], preferred: [{ rack: "r2" }] }, {}],
        ["that are empty", { required: [{ region: "north" }] }, { topologies: [] }],
    ] as const) {
        it(`takes over from Nomad \`topologies\` ${what}, and finds no change`, async () => {
            const program = { ...inputs, ...given, requestedTopologies };
            const data = await volume().deployed(program);
            assert.deepEqual(
                (await stored()).Topologies,
                requestedTopologies.required.map((Segments) => ({ Segments })),
            );
            await data.isQuiet(program);
            assert.equal(await data.up({ ...program, context: { a: "b" } }), "updated");
            await data.isQuiet({ ...program, context: { a: "b" } });
            assert.deepEqual(data.warnings, []);
            await volume().deployed({ ...program, context: { a: "b" }, adopt: "identical" });
            const imported = await volume().imported("default/data");
            assert.deepEqual((await imported.diff({ ...program, context: { a: "b" } })).replaces, []);
        });
    }

    it("is not registered again after a failed read back for a difference that only a replacement removes", async () => {
        await simulator.fault({ method: "GET", skip: 1, times: 0, status: 500, body: "planted" });
        const data = volume();
        await assert.rejects(data.up(inputs), { status: 500 });
        await simulator.heal();
        await simulator.outside("DELETE", path);
        await registered({ ...pair, Name: "theirs" });
        await simulator.forget();
        assert.equal(await data.up(inputs), "updated");
        assert.deepEqual(await simulator.writes(), []);
        assert.match(data.warnings.join(), withCode("dropped"));
    });

    for (const [title, capabilities, isNative] of [
        ["one capability", [pair], false],
        ["several, native", [pair, { ...pair, AccessMode: "multi-node-reader-only" }], true],
    ] as const) {
        it(`imports a volume with ${title} as inputs that \`check\` accepts`, async () => {
            const options = { FSType: "ext4", MountFlags: ["noatime"] };
            await registered({ RequestedCapabilities: capabilities, MountOptions: options });
            const data = await simulator.resource("CsiVolume", { isNative }).imported("default/data");
            const { __provider: _, server: __, ...found } = Object(unsealed(data.state?.inputs));
            assert.equal(found.capabilities.length, capabilities.length);
            assert.deepEqual(found.mountOptions, { fsType: "ext4" }, "without the mask");
            assert.equal(await data.up(found), "same");
        });
    }

    it("reads empty modes beside `capabilities` as omitted inputs, because Nomad returns them for a volume without claims", async () => {
        await registered();
        const { getCsiVolume } = simulator.connect();
        const { accessMode, attachmentMode, capabilities } = await getCsiVolume({ volumeId: "data" });
        assert.deepEqual([accessMode, attachmentMode], ["", ""]);
        const data = volume();
        const likeThat = { volumeId: "like", pluginId: "disks", accessMode, attachmentMode, capabilities };
        await data.up(likeThat);
        await data.isQuiet(likeThat);
        assert.deepEqual(data.warnings, []);
    });

    it("shows no drift when Nomad empties the modes after the last claim", async () => {
        await registered(pair);
        const data = await volume().deployed({ ...inputs, adopt: true });
        await claim();
        assert.deepEqual(await data.refresh(), []);
        await simulator.control("DELETE", "/simulator/claims/alloc-1");
        assert.equal((await stored()).AccessMode, "");
        await data.isQuiet({ ...inputs, adopt: true });
    });

    it("keeps mount flags if Nomad shows none, which it may do although there are some", async () => {
        const mounted = { ...inputs, mountOptions: { fsType: "ext4", mountFlags: ["noatime"] } };
        const data = await volume().deployed(mounted);
        await registered({ MountOptions: { FSType: "ext4" } });
        assert.equal((await stored()).MountOptions.MountFlags, null);
        await data.isQuiet(mounted);
    });

    it("stores no mask of mount flags that another program set, and shows no drift", async () => {
        const data = await volume().deployed(inputs);
        await registered({ MountOptions: { MountFlags: ["ro"] } });
        assert.deepEqual((await stored()).MountOptions.MountFlags, ["[REDACTED]"]);
        assert.deepEqual(await data.refresh(), []);
        assert.equal(data.outputs()["mountOptions"], undefined);
        assert.equal(await data.up(inputs), "same");
        assert.equal(await data.up({ ...inputs, mountOptions: { mountFlags: ["rw"] } }), "updated");
        const imported = await volume().imported("default/data");
        assert(!JSON.stringify(imported.state).includes("REDACTED"));
    });

    it("is replaced for another order of requested topologies, because Nomad compares their order", async () => {
        const data = volume();
        const [one, two] = [{ rack: "r1" }, { rack: "r2" }];
        const requested = (required: object[], preferred: object[]) => ({
            ...inputs,
            requestedTopologies: { required, preferred },
        });
        await data.up(requested([one, two], [one, two]));
        for (const other of [requested([two, one], [one, two]), requested([one, two], [two, one])])
            assert.deepEqual((await data.diff(other)).replaces, ["requestedTopologies"]);
    });

    it("needs no token on a cluster without ACLs", async () => {
        const { csiVolume: script, getCsiVolumes } = connect({ environment: { NOMAD_ADDR: simulator.url } });
        await script.create(inputs);
        assert.equal((await getCsiVolumes()).volumes.length, 1);
    });

    it("warns in the preview of changes that Nomad refuses while the volume is in use", async () => {
        const data = volume();
        const mounted = { ...inputs, mountOptions: { fsType: "ext4" } };
        await data.up(mounted);
        for (const [change, reason] of [
            [{ mountOptions: { fsType: "xfs" } }, /can not update mount options while volume is in use/],
            [{ capabilities: [{ ...modes, accessMode: "multi-node-reader-only" }] }, /capability in use/],
            [{ requestedTopologies: { required: [{ rack: "r1" }] } }, /stays registered/],
        ] as const) {
            assert.deepEqual(await data.preview({ ...mounted, ...change }), []);
            await claim();
            const [warning = ""] = await data.preview({ ...mounted, ...change });
            const [name] = Object.keys(change);
            assert(warning.startsWith(`${name}: `) && withCode("in-use").test(warning), warning);
            const { code, message: text } = await failureOf(data.up({ ...mounted, ...change }), Shown);
            assert.equal(code, "in-use", text);
            assert.match(text, reason);
            assert.match(text, /allocation alloc-1 of job web on node node-1.*`nomad job stop web`/);
            assert.doesNotMatch(text, /occurred/);
            assert.deepEqual(await data.refresh(), []);
            await simulator.control("DELETE", "/simulator/claims/alloc-1");
        }
        await claim();
        const further = { ...mounted, capabilities: [modes, { ...modes, accessMode: "multi-node-reader-only" }] };
        assert.deepEqual(await data.preview(further), []);
        assert.equal(await data.up(further), "updated");
    });

    it("warns of a requested topology without a segment, which Nomad refuses", async () => {
        for (const requestedTopologies of [{ required: [{ rack: "r1" }, {}] }, { preferred: [{}] }]) {
            const data = volume();
            await assert.rejects(data.up({ ...inputs, requestedTopologies }), { status: 500 });
            assert.deepEqual(pathsOf(data.warnings), ["requestedTopologies"]);
        }
    });

    for (const [status, text, code, message] of [
        [500, "rpc error: EOF", "service", /plugin "disks"/],
        [500, "No path to region", "service", /`region`/],
        [409, "volume exists: data", "exists", /`pulumi up --replace <urn>`/],
        [403, "Permission denied", "denied", /csi-write-volume.*plugin \{ policy = "read" \}/],
    ] as const) {
        it(`adds advice to ${JSON.stringify(text)}, and has the status ${status}`, async () => {
            await simulator.fault({ method: "PUT", status, body: text });
            await assert.rejects(volume().up(inputs), { code, status, message });
        });
    }

    it("warns at an import of what Nomad does not show", async () => {
        await registered(pair);
        const data = await volume().imported("default/data");
        assert.match(data.warnings.join(), withCode("import"));
        assert.match(data.warnings.join(), /`secrets` and mount flags/);
        await data.refresh();
        assert.equal(data.warnings.length, 1, "no warning at a refresh");
        const adopted = await volume().deployed({ ...inputs, adopt: true });
        assert.deepEqual(adopted.warnings, []);
    });

    it("accepts a minimum size that the server rounds up, and no smaller one", async () => {
        const data = volume();
        const sized = { ...inputs, capacityMin: 2 ** 20, capacityMax: 2 ** 22 };
        await data.up(sized);
        await registered({ RequestedCapacityMin: 2 ** 21, RequestedCapacityMax: 2 ** 22 });
        await data.isQuiet(sized);
        await registered({ RequestedCapacityMin: 2 ** 19, RequestedCapacityMax: 2 ** 23 });
        assert.deepEqual(await data.refresh(), ["capacityMax", "capacityMin"]);
    });

    describe("`context`", () => {
        const declared = { ...inputs, context: { share: "a", server: "one" } };
        const withKeys = (Context: object) => registered({ Context });

        it("ignores keys that only the server has, and sends none of them", async () => {
            const data = await volume().deployed(declared);
            await withKeys({ ...declared.context, "plugin/revision": "7" });
            await data.isQuiet(declared);
            assert.equal(await volume().up({ ...declared, adopt: "identical" }), "created");
            await simulator.forget();
            const changed = { share: "a", server: "two" };
            assert.equal(await data.up({ ...declared, context: changed }), "updated");
            assert.deepEqual(Object((await simulator.writes())[0]?.body).Volumes[0].Context, changed);
        });

        it("shows another value of a declared key, or its absence, as drift", async () => {
            const data = await volume().deployed(declared);
            for (const other of [{ share: "b", server: "one" }, { share: "a" }]) {
                await withKeys({ ...other, "plugin/revision": "7" });
                assert.deepEqual(await data.refresh(), ["context"]);
                assert.equal(await data.up(declared), "updated");
            }
        });

        it("is neither compared nor changed if the program has none, but is imported", async () => {
            const data = await volume().deployed(inputs);
            await withKeys({ "plugin/revision": "7" });
            assert.deepEqual(await data.refresh(), []);
            assert.equal(await data.up({ ...inputs, triggers: ["again"] }), "updated");
            assert.deepEqual((await stored()).Context, { "plugin/revision": "7" });
            const imported = await volume().imported("default/data");
            assert.deepEqual(imported.outputs()["context"], { "plugin/revision": "7" });
        });
    });
});

describe("CsiVolume: a plugin that is not healthy yet", () => {
    const { simulator, volume } = withPlugins();
    const refuse = (body: string, times = 0) => simulator.fault({ method: "PUT", status: 500, body, times });
    const unhealthy = "rpc error: no healthy controllers for CSI plugin: disks";

    for (const body of [
        "no CSI plugin named: disks could be found",
        unhealthy,
        'controller validate volume: failed to find clients running controller plugin "disks": node is not ready',
    ]) {
        it(`registers again within \`waitUntilSchedulable\` after ${JSON.stringify(body)}`, async () => {
            await refuse(body, 3);
            const data = await volume().deployed({ ...inputs, waitUntilSchedulable: "20s" });
            assert.equal((await simulator.writes()).length, 4);
            const progress = data.messages.filter(({ severity }) => severity === "progress");
            assert.match(progress[0]?.message ?? "", /the plugin disks/);
        });
    }

    it("does not register again after another refusal, or without `waitUntilSchedulable`", async () => {
        for (const [body, more] of [
            ["controller validate volume: volume could not be found", { waitUntilSchedulable: "20s" }],
            [unhealthy, {}],
        ] as const) {
            await simulator.reset();
            await refuse(body);
            await assert.rejects(volume().up({ ...inputs, ...more }), { code: "service", status: 500 });
            assert.equal((await simulator.writes()).length, 1);
        }
    });

    it("says what to wait for", async () => {
        await assert.rejects(volume().up({ ...inputs, pluginId: "my disks" }), {
            code: "service",
            message: /`nomad plugin status 'my disks'`.*`waitUntilSchedulable`/,
        });
    });

    it("waits no longer for registration and health together than `waitUntilSchedulable`, or the time-out", async () => {
        await refuse(unhealthy, 20);
        const late = volume();
        await simulator.control("PATCH", "/simulator/plugins/files", { healthy: false });
        await assert.rejects(late.up({ ...inputs, pluginId: "files", waitUntilSchedulable: "30s" }), {
            code: "timeout",
            message: / after 30 s/,
        });
        const reads = (await simulator.requests()).filter(({ method }) => method === "GET");
        assert(reads.length < 15, `${reads.length} reads`);
        await refuse(unhealthy);
        await simulator.forget();
        const never = { ...inputs, volumeId: "other", waitUntilSchedulable: "1h", timeouts: { create: 5 } };
        await assert.rejects(volume().up(never), { code: "service" });
        assert((await simulator.writes()).length < 10);
    });
});

describe("CsiVolume: claims", () => {
    const { simulator, volume, claim, refuse } = withPlugins();
    afterEach(() => simulator.answerWith());

    /** Changes the records of volumes in answers, as Nomad shows them. */
    const shown = (change: (record: Record<string, unknown>) => object) =>
        simulator.answerWith(async ({ method }, act) => {
            const answer = await act();
            if (method !== "GET" || answer.status !== 200) return answer;
            const record = JSON.parse(answer.body.toString());
            return { ...answer, body: Buffer.from(JSON.stringify({ ...record, ...change(record) })) };
        });
    const withStatus = (ClientStatus: string) =>
        shown(({ Allocations }) => ({
            Allocations: Object(Allocations).map((one: object) => ({ ...one, ClientStatus })),
        }));
    const replaced = { ...inputs, externalId: "vol-2" };
    const reader = { AccessMode: "multi-node-reader-only", AttachmentMode: "block-device" };

    it("takes no modes from answers about a claimed volume, and those of an unclaimed volume", async () => {
        for (const [written, title] of [
            [inputs, "declared"],
            [{ ...inputs, accessMode: undefined, attachmentMode: undefined, capabilities: [modes] }, "omitted"],
        ] as const) {
            await simulator.reset();
            const program = JSON.parse(JSON.stringify(written));
            const data = await volume().deployed(program);
            await claim();
            shown(() => reader);
            assert.deepEqual(await data.refresh(), [], title);
            assert.equal(await data.up(program), "same");
            const imported = await volume().imported("default/data");
            assert.equal(imported.outputs()["accessMode"], undefined);
            await simulator.control("DELETE", "/simulator/claims/alloc-1");
            const free = await volume().imported("default/data");
            assert.deepEqual(
                [free.outputs()["accessMode"], free.outputs()["attachmentMode"]],
                [reader.AccessMode, reader.AttachmentMode],
            );
            simulator.answerWith();
        }
    });

    it("have ended if an answer with allocations does not describe theirs", async () => {
        const data = await volume().deployed(inputs);
        await claim();
        await claim({ allocation: "b", status: "complete" });
        shown(({ Allocations }) => ({ Allocations: Object(Allocations).slice(1) }));
        assert.deepEqual(await data.preview(replaced), []);
        await assert.rejects(data.destroy(), {
            code: "in-use",
            message: /allocation alloc-1, .*`force: true`.*`nomad volume deregister -force data`/,
        });
        shown(() => ({ Allocations: undefined }));
        await assert.rejects(data.destroy(), { code: "in-use", message: /`nomad job stop <job>`/ });
        assert.match((await data.preview(replaced)).join(), withCode("in-use"));
    });

    it("are not read from an answer of another form", async () => {
        const data = await volume().deployed(inputs);
        await claim();
        shown(() => ({ Allocations: "alloc-1" }));
        assert.match((await data.preview(replaced)).join(), withCode("answer"));
    });

    it("of disconnected nodes last until Nomad marks them as lost", async () => {
        const data = await volume().deployed(inputs);
        await claim();
        withStatus("unknown");
        const failed = await failureOf(data.destroy(), Shown);
        assert.match(failed.message, /disconnected.*lost/);
        assert.doesNotMatch(failed.message, /nomad job stop/);
        assert.match((await data.preview(replaced)).join(), /disconnected/);
        withStatus("lost");
        assert.deepEqual(await data.preview(replaced), []);
    });

    it("that Nomad keeps in spite of `force` need its garbage collection", async () => {
        const data = await volume().deployed({ ...inputs, force: true });
        await claim({ status: "failed" });
        await refuse(0);
        await assert.rejects(data.destroy(), { code: "in-use", message: /`nomad system gc`/ });
    });

    it("are named in commands as words of a shell", async () => {
        const data = volume();
        const odd = { ...inputs, volumeId: "it's $(here)", namespace: "a&b" };
        await simulator.control("POST", "/simulator/seed", { namespaces: [odd.namespace] });
        await data.up(odd);
        await claim({ volume: odd.volumeId, namespace: odd.namespace, job: "one;two|`three`" });
        await assert.rejects(data.destroy(), { message: /`nomad job stop -namespace='a&b' 'one;two\|`three`'`/ });
        withStatus("complete");
        const command = "`nomad volume deregister -namespace='a&b' -force 'it'\\''s $(here)'`";
        const failed = await failureOf(data.destroy(), Shown);
        assert(failed.message.includes(command), failed.message);
    });
});
