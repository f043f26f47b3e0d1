import assert from "node:assert/strict";
import { connect } from "../../../src/client";
import { notAdoptable } from "../../../src/core/failures";
import { noRegion } from "../../../src/core/request-failures";
import { noChangeInUse } from "../../../src/services/volumes/failures";
import { csiVolume } from "../../resources/csi-volume";
import { describeResource, without } from "../../support/conformance";
import { failureOf } from "../../support/failures";
import { CheckFailed, Shown, unsealed } from "../../support/managed-resource";
import { wordsOf } from "../../support/messages";
import { withSimulator } from "../../support/simulator";

const seed = {
    plugins: [
        { id: "disks", provider: "disks.example", version: "1.2.3", controllerRequired: true, nodes: ["node-1"] },
        { id: "files", nodes: ["node-1"] },
    ],
};
const path = "/v1/volume/csi/data";
const pair = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };
const modes = { accessMode: "single-node-writer", attachmentMode: "file-system" };
const bare = {
    ID: "data",
    Name: "",
    Namespace: "prod",
    ExternalID: "",
    PluginID: "disks",
    Topologies: [],
    RequestedCapabilities: [pair],
    MountOptions: {},
    Parameters: {},
    Context: {},
    Secrets: {},
    RequestedTopologies: null,
};
const full = {
    volumeId: "data",
    name: "Data",
    namespace: "prod",
    externalId: "vol-0a1b",
    pluginId: "disks",
    topologies: [{ rack: "r1", zone: "a" }, { rack: "r2" }],
    capabilities: [modes, { accessMode: "multi-node-reader-only", attachmentMode: "file-system" }],
    mountOptions: { fsType: "ext4", mountFlags: ["noatime"] },
    parameters: { tier: "fast" },
    context: { endpoint: "http://store" },
    secrets: { user: "planted-volume-user", password: "planted-volume-password" },
    requestedTopologies: { required: [{ rack: "r1" }], preferred: [{ rack: "r1", zone: "a" }] },
    capacityMin: 1000,
    capacityMax: 2000,
    triggers: ["may"],
};

describeResource({
    type: "CsiVolume",
    vocabulary: "product",
    seed,
    manners: [[], ["merges"], ["replaces"], ["tells-nothing-empty"], ["shows-secrets"], ["merges", "shows-secrets"]],
    id: "prod/data",
    minimal: { volumeId: "data", namespace: "prod", pluginId: "disks", ...modes },
    optional: ["namespace", "accessMode", "attachmentMode"],
    full,
    path,
    requests: {
        method: "PUT",
        minimal: { Volumes: [{ ...bare, ...pair }] },
        full: {
            Volumes: [
                {
                    ID: "data",
                    Name: "Data",
                    Namespace: "prod",
                    ExternalID: "vol-0a1b",
                    PluginID: "disks",
                    Topologies: [{ Segments: { rack: "r1", zone: "a" } }, { Segments: { rack: "r2" } }],
                    AccessMode: "",
                    AttachmentMode: "",
                    RequestedCapabilities: [
                        pair,
                        { AccessMode: "multi-node-reader-only", AttachmentMode: "file-system" },
                    ],
                    MountOptions: { FSType: "ext4", MountFlags: ["noatime"] },
                    Parameters: { tier: "fast" },
                    Context: { endpoint: "http://store" },
                    Secrets: { user: "planted-volume-user", password: "planted-volume-password" },
                    RequestedTopologies: {
                        Required: [{ Segments: { rack: "r1" } }],
                        Preferred: [{ Segments: { rack: "r1", zone: "a" } }],
                    },
                    RequestedCapacityMin: 1000,
                    RequestedCapacityMax: 2000,
                },
            ],
        },
    },
    changes: [
        { capabilities: [modes] },
        { mountOptions: { fsType: "xfs" } },
        { mountOptions: undefined },
        { secrets: undefined },
        { secrets: { user: "planted-volume-user" } },
        { context: { endpoint: "http://other" } },
        { capacityMax: 3000 },
        { triggers: ["june"] },
    ],
    replaces: [
        { volumeId: "other" },
        { name: "Other" },
        { namespace: "dev" },
        { externalId: "vol-2" },
        { pluginId: "files" },
        { topologies: [{ rack: "r1" }] },
        { parameters: { tier: "slow" } },
        { context: {} },
        { context: undefined },
        { requestedTopologies: undefined },
    ],
    deletesFirst: true,
    spellings: [
        { topologies: [{ rack: "r2" }, { zone: "a", rack: "r1" }] },
        { capabilities: [{ accessMode: "multi-node-reader-only", attachmentMode: "file-system" }, modes] },
        { secrets: { password: "planted-volume-password", user: "planted-volume-user" } },
        { capacityMin: undefined, capacityMax: undefined },
    ],
    options: [{ force: true }, { waitUntilSchedulable: 60 }],
    drifted: {
        Volumes: [
            {
                ...bare,
                MountOptions: { FSType: "xfs", MountFlags: ["ro"] },
                Context: { a: "b" },
                RequestedTopologies: {
                    Required: [{ Segments: { rack: "r1" } }],
                    Preferred: [{ Segments: { rack: "r1", zone: "a" } }],
                },
            },
        ],
    },
    drift: ["capabilities", "context", "mountOptions"],
    query: "?namespace=prod",
    refused: [
        [{ capabilities: [], accessMode: undefined, attachmentMode: undefined }, "capabilities"],
        [{ capabilities: ["writer"] }, "capabilities[0]"],
        [{ mountOptions: { flags: ["ro"] } }, "mountOptions.flags"],
        [{ requestedTopologies: { rack: "r1" } }, "requestedTopologies.rack"],
        [{ parameters: { tier: 1 } }, 'parameters["tier"]'],
        [{ capacityMin: 2, capacityMax: 1 }, "capacityMin"],
        [{ capacityMin: "10GiB" }, "capacityMin"],
    ],
    secrets: ["mountOptions.mountFlags", "secrets"],
    unseen: ["mountOptions", "secrets"],
    outputs: csiVolume.outputs ?? [],
});

describe("CsiVolume (product)", () => {
    const simulator = withSimulator(seed, { vocabulary: "product" });

    const inputs = { volumeId: "data", externalId: "vol-1", pluginId: "disks", ...modes };
    const volume = () => simulator.resource("CsiVolume");
    const stored = async () => Object(await simulator.outside("GET", path));
    const claim = () =>
        simulator.control("POST", "/simulator/claims", {
            volume: "data",
            node: "node-1",
            allocation: "alloc-1",
            job: "web",
        });
    const registered = (fields: object = {}) =>
        simulator.outside("PUT", path, {
            Volumes: [{ ...bare, Namespace: "default", ExternalID: "vol-1", ...fields }],
        });

    describe("on a server that tells only what is documented", () => {
        before(() => simulator.behave({ volumes: ["tells-documented"] }));
        after(() => simulator.behave({}));
        const { volumeId: _, namespace: __, ...rest } = full;
        const told = { volumeId: "data", ...rest };

        it("is quiet, and no field that is not told is warned of", async () => {
            const data = volume();
            assert.equal(await data.up(told), "created");
            assert.deepEqual(await data.refresh(), []);
            assert.equal(await data.up(told), "same");
            assert.equal(await data.up({ ...told, context: { endpoint: "http://other" } }), "updated");
            assert.equal(await data.up({ ...told, context: { endpoint: "http://other" } }), "same");
            assert.deepEqual(data.warnings, []);
        });

        it("a lost answer to a change that it does not tell is not taken for done", async () => {
            const data = volume();
            await data.up(told);
            const changed = { ...told, context: { endpoint: "http://other" } };
            await simulator.fault({ method: "PUT", drop: "before", times: 0 });
            await assert.rejects(data.up(changed), { code: "unreachable" });
            await simulator.heal();
            await simulator.forget();
            assert.equal(await data.up(changed), "updated");
            assert.equal((await simulator.writes()).length, 1);
        });
    });

    it("shows the server's warning with a registration, new or again, and none where it has none", async () => {
        const body = JSON.stringify({ Index: 1, Volumes: [], Warnings: "1 warning:\n\n* the size is odd\n" });
        const warned = () => simulator.fault({ method: "PUT", after: true, status: 200, body });
        const resource = volume();
        await warned();
        await resource.up(inputs);
        assert.deepEqual(resource.warnings, ["CsiVolume data: the volumes service says: 1 warning: * the size is odd"]);
        await resource.up({ ...inputs, context: { a: "b" } });
        assert.equal(resource.warnings.length, 1);
        await warned();
        await resource.up({ ...inputs, context: { a: "c" } });
        assert.equal(resource.warnings.length, 2);
    });

    it("changes a volume that was registered without a name, taken over or imported", async () => {
        await registered({ Name: "" });
        const adopted = volume();
        await adopted.up({ ...inputs, adopt: true, context: { a: "b" } });
        assert.equal(await adopted.up({ ...inputs, adopt: true, context: { a: "c" } }), "updated");
        const imported = volume();
        await imported.get("default/data");
        const { accessMode: _, attachmentMode: __, ...modeless } = inputs;
        assert.equal(await imported.up({ ...modeless, capabilities: [modes], context: { a: "d" } }), "updated");
        assert.deepEqual([(await stored()).Name, (await stored()).Context], ["", { a: "d" }]);
        assert.deepEqual([...adopted.warnings, ...imported.warnings], []);
    });

    it("never registers over an existing volume, though the server would update it", async () => {
        await registered();
        await simulator.forget();
        await assert.rejects(volume().up(inputs), { code: "exists" });
        assert.deepEqual(await simulator.writes(), []);
    });

    it("takes an existing one over in place when told to", async () => {
        await registered({ MountOptions: { FSType: "xfs" } });
        const data = volume();
        assert.equal(await data.up({ ...inputs, adopt: true }), "created");
        assert.equal((await stored()).MountOptions.FSType, "");
        assert.deepEqual(await data.refresh(), []);
    });

    for (const [name, there] of [
        ["parameters", { Parameters: { tier: "fast" } }],
        ["externalId", { ExternalID: "vol-2" }],
        ["topologies", { Topologies: [{ Segments: { rack: "r1" } }] }],
    ] as const) {
        it(`takes over none whose ${name} no write can change: the next up would replace it`, async () => {
            await registered(there);
            await simulator.forget();
            const failed = await failureOf(volume().up({ ...inputs, adopt: true }), Shown);
            assert.match(failed.message, wordsOf(notAdoptable));
            assert.match(failed.message, new RegExp(name));
            assert.deepEqual(await simulator.writes(), []);
        });
    }

    for (const isNative of [false, true]) {
        for (const [title, capabilities] of [
            ["one capability", [pair]],
            ["several", [pair, { ...pair, AccessMode: "multi-node-reader-only" }]],
        ] as const) {
            it(`imports a volume with ${title} as a program that check takes, ${isNative ? "native" : "dynamic"}`, async () => {
                const options = { FSType: "ext4", MountFlags: ["noatime"] };
                await registered({ RequestedCapabilities: capabilities, MountOptions: options });
                const data = simulator.resource("CsiVolume", { isNative });
                await data.get("default/data");
                const { __provider: _, server: __, ...found } = Object(unsealed(data.state?.inputs));
                assert.equal(found.capabilities.length, capabilities.length);
                assert.deepEqual(found.mountOptions, { fsType: "ext4" }, "without the mask");
                assert.equal(await data.up(found), "same");
            });
        }
    }

    it("takes empty modes beside capabilities for left out: a lookup says so of a volume that nobody claims", async () => {
        await registered();
        const client = connect({
            volumes: { address: simulator.url, token: "any", vocabulary: "product" },
            environment: {},
        });
        const { accessMode, attachmentMode, capabilities } = await client.getCsiVolume({ volumeId: "data" });
        assert.deepEqual([accessMode, attachmentMode], ["", ""]);
        const data = volume();
        const likeThat = { volumeId: "like", pluginId: "disks", accessMode, attachmentMode, capabilities };
        await data.up(likeThat);
        assert.equal(await data.up(likeThat), "same");
        assert.deepEqual(await data.refresh(), []);
        assert.equal(await data.up(likeThat), "same");
        assert.deepEqual(data.warnings, []);
    });

    it("does not take the modes that are forgotten with the last claim for drift", async () => {
        await registered({ ...pair });
        const data = volume();
        await data.up({ ...inputs, adopt: true });
        await claim();
        assert.deepEqual(await data.refresh(), []);
        await simulator.control("DELETE", "/simulator/claims/alloc-1");
        assert.equal((await stored()).AccessMode, "");
        assert.deepEqual(await data.refresh(), []);
        assert.equal(await data.up({ ...inputs, adopt: true }), "same");
    });

    it("takes hidden mount flags for those that were sent, and sends them again with every change", async () => {
        const data = volume();
        const mounted = {
            ...inputs,
            mountOptions: { fsType: "ext4", mountFlags: ["noatime"] },
            secrets: { key: "planted" },
        };
        await data.up(mounted);
        assert.deepEqual((await stored()).MountOptions, { FSType: "ext4", MountFlags: ["[REDACTED]"] });
        assert.equal((await stored()).Secrets, null);
        assert.deepEqual(await data.refresh(), []);
        await simulator.forget();
        assert.equal(await data.up({ ...mounted, context: { a: "b" } }), "updated");
        const [sent] = await simulator.writes();
        const [body] = Object(sent?.body).Volumes;
        assert.deepEqual([body.MountOptions.MountFlags, body.Secrets], [["noatime"], { key: "planted" }]);
    });

    for (const [name, before, after] of [
        ["secrets", { key: "planted-1" }, { key: "planted-2" }],
        ["secrets", { key: "planted-1" }, undefined],
        ["mountOptions", { mountFlags: ["user=planted-1"] }, { mountFlags: ["user=planted-2"] }],
    ] as const) {
        const title = `${JSON.stringify(before)} to ${JSON.stringify(after)}`;
        it(`a lost answer to a change of ${name} that nobody can see, ${title}: not taken for done, and the next up sends it`, async () => {
            const data = volume();
            await data.up({ ...inputs, [name]: before });
            await simulator.fault({ method: "PUT", drop: "before", times: 0 });
            await assert.rejects(data.up(without({ ...inputs, [name]: after })), { code: "unreachable" });
            await simulator.heal();
            await data.refresh();
            await simulator.forget();
            assert.equal(await data.up(without({ ...inputs, [name]: after })), "updated");
            assert.equal((await simulator.writes()).length, 1);
        });
    }

    it("sends secrets when taking over, since nobody can see whether they are the same", async () => {
        await registered({ Secrets: { key: "theirs" } });
        await simulator.forget();
        await volume().up({ ...inputs, secrets: { key: "planted" }, adopt: true });
        const [sent] = await simulator.writes();
        assert.deepEqual(Object(sent?.body).Volumes[0].Secrets, { key: "planted" });
    });

    it("shows mount flags that somebody else set, though not which, and clears them", async () => {
        const data = volume();
        await data.up(inputs);
        await registered({ MountOptions: { MountFlags: ["ro"] } });
        assert.deepEqual(await data.refresh(), ["mountOptions"]);
        assert.equal(await data.up(inputs), "updated");
        assert.equal((await stored()).MountOptions.MountFlags, null);
        assert.equal(await data.up(inputs), "same");
    });

    it("never sends the mask of mount flags as one: neither from a lookup, nor where `ignoreChanges` takes it from the state", async () => {
        const data = volume();
        await data.up(inputs);
        await registered({ MountOptions: { MountFlags: ["ro"] } });
        await data.refresh();
        const { mountOptions } = data.outputs();
        assert.deepEqual(mountOptions, { mountFlags: ["[REDACTED]"] });
        await assert.rejects(data.up({ ...inputs, mountOptions }), { paths: ["mountOptions.mountFlags"] });
        assert.equal(await data.up({ ...inputs, mountOptions: { mountFlags: ["ro"] } }), "updated");
    });

    it("shows other mount flags where a server shows them, and takes those that it hides for its own only if it set some", async () => {
        const data = volume();
        const mounted = { ...inputs, mountOptions: { mountFlags: ["noatime"] } };
        await data.up(mounted);
        await simulator.behave({ volumes: ["shows-secrets"] });
        assert.deepEqual(await data.refresh(), []);
        await registered({ MountOptions: { MountFlags: ["ro"] } });
        assert.deepEqual(await data.refresh(), ["mountOptions"]);
        assert.deepEqual(data.outputs()["mountOptions"], { mountFlags: ["ro"] });
        assert.equal(await data.up({ ...inputs, mountOptions: { mountFlags: [] } }), "updated");
        await registered({ MountOptions: { MountFlags: ["ro"] } });
        await simulator.behave({ volumes: ["masks-secrets"] });
        assert.deepEqual(await data.refresh(), ["mountOptions"]);
        await simulator.behave({});
    });

    it("takes another order of requested topologies for a change, as the server does", async () => {
        const data = volume();
        const [one, two] = [{ rack: "r1" }, { rack: "r2" }];
        const asked = (required: object[], preferred: object[]) => ({
            ...inputs,
            requestedTopologies: { required, preferred },
        });
        await data.up(asked([one, two], [one, two]));
        for (const other of [asked([two, one], [one, two]), asked([one, two], [two, one])])
            assert.deepEqual((await data.diff(other)).replaces, ["requestedTopologies"]);
    });

    it("keeps a size that is left out later", async () => {
        const data = volume();
        await data.up({ ...inputs, capacityMin: 5, capacityMax: 9 });
        assert.equal(await data.up(inputs), "same");
        assert.equal((await stored()).RequestedCapacityMin, 5);
    });

    it("says what is wrong with the arguments", async () => {
        const wrong = { volumeId: "a/b", namespace: "*", pluginId: "disks", capacityMin: 2, capacityMax: 1 };
        const { reasons } = await failureOf(volume().check(wrong), CheckFailed);
        assert.deepEqual(reasons, [
            "volumeId: must not be empty, nor . or .., nor hold / or control characters",
            "namespace: must be the name of one namespace",
            "capacityMin: must not be more than capacityMax",
        ]);
    });

    it("sends the region of the settings with every request, and none where there is none", async () => {
        const settings = { "statecraft:volumes": { region: "north" } };
        await simulator.resource("CsiVolume", { settings }).up(inputs);
        const regions = (await simulator.requests()).map(({ query }) => query["region"]);
        assert.deepEqual([...new Set(regions)], ["north"]);
        await simulator.forget();
        await assert.rejects(volume().up(inputs), { code: "exists" });
        assert.deepEqual(
            (await simulator.requests()).map(({ query }) => query["region"]),
            [undefined],
        );
    });

    it("tells in the preview what cannot change while the volume is in use", async () => {
        const data = volume();
        const mounted = { ...inputs, mountOptions: { fsType: "ext4" } };
        await data.up(mounted);
        for (const [change, code] of [
            [{ mountOptions: { fsType: "xfs" } }, "service"],
            [{ requestedTopologies: { required: [{ rack: "r1" }] } }, "in-use"],
        ] as const) {
            assert.deepEqual(await data.preview({ ...mounted, ...change }), []);
            await claim();
            const [warning = ""] = await data.preview({ ...mounted, ...change });
            const [name] = Object.keys(change);
            assert(warning.startsWith(`${name}: `) && wordsOf(noChangeInUse).test(warning), warning);
            await assert.rejects(data.up({ ...mounted, ...change }), { code });
            assert.deepEqual(await data.refresh(), []);
            await simulator.control("DELETE", "/simulator/claims/alloc-1");
        }
    });

    const refusals: [text: string, next: RegExp][] = [
        ["rpc error: EOF", /500: EOF.*plugin "disks"/],
        ["validation: must include at least one capability block", /give `accessMode` and `attachmentMode`/],
        ["unable to update volume: 1 error occurred:\n\t* volume name cannot be updated\n\n", /pulumi up --replace/],
        [
            "unable to update volume: 1 error occurred:\n\t* volume parameters cannot be updated\n\n",
            /pulumi up --replace/,
        ],
        ["volume exists: data", /`adopt: true` needs every field to match/],
    ];
    for (const [text, next] of refusals) {
        it(`says what to do about ${JSON.stringify(text.slice(0, 90))}`, async () => {
            await simulator.fault({ method: "PUT", status: 500, body: text });
            await assert.rejects(volume().up(inputs), next);
        });
    }

    it("lets capabilities that are not known yet pass, each and all", async () => {
        const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
        const rest = { volumeId: "data", pluginId: "disks" };
        for (const capabilities of [[unknown], [{ ...modes, accessMode: unknown }], [modes, unknown]])
            await simulator.resource("CsiVolume").check({ ...rest, capabilities });
    });

    it("says what to do about a region that the servers do not know, at any request", async () => {
        const data = volume();
        await data.up(inputs);
        await simulator.fault({ times: 0, status: 500, body: "No path to region" });
        for (const command of [() => volume().up(inputs), () => data.refresh(), () => data.destroy()])
            await assert.rejects(command, { status: 500, message: wordsOf(noRegion) });
    });

    it("says which rights registering needs", async () => {
        await simulator.fault({ method: "PUT", status: 403, body: "Permission denied" });
        await assert.rejects(volume().up(inputs), /403: Permission denied.*csi-write-volume.*read plugins/);
    });

    it("leaves a refusal that no text explains as it is", async () => {
        await simulator.fault({ method: "PUT", status: 500, body: "something new" });
        await assert.rejects(volume().up(inputs), { code: "service", message: /: 500: something new\.$/ });
    });
});
