/** Reading many volumes at the same time: the result of reading one by one, with fewer requests. */

import assert from "node:assert/strict";
import { createProviders, type Providers } from "../../../src/runtime/providers";
import type { Fault } from "../../../src/simulator/faults";
import { canaryToken } from "../../support/canaries";
import { unsealed } from "../../support/managed-resource";
import { type SeenRequest, withSimulator } from "../../support/simulator";

type Values = Record<string, unknown>;
type Provider = ReturnType<Providers["provider"]>;

const seed = {
    plugins: [
        { id: "disks", provider: "disks.example", version: "1.2.3", controllerRequired: true, nodes: ["n1", "n2"] },
        { id: "files", provider: "files.example", version: "7.0", nodes: ["n1"] },
    ],
};
const modes = { accessMode: "single-node-writer", attachmentMode: "file-system" };
const common = (number: number): Values => ({
    volumeId: `v${number}`,
    externalId: `vol-${number}`,
    pluginId: number % 2 === 0 ? "disks" : "files",
});
const programs: Readonly<Record<"documented" | "product", (number: number) => Values>> = {
    documented: (number) => ({
        ...common(number),
        ...(number % 3 === 0 ? modes : {}),
        topologies: number % 4 === 0 ? [{ rack: "r1" }, { rack: "r2" }] : undefined,
    }),
    product: (number) => ({
        ...common(number),
        ...(number % 3 === 0 ? { capabilities: [modes, { ...modes, accessMode: "multi-node-reader-only" }] } : modes),
        ...(number % 4 === 0 ? { parameters: { a: "1" }, context: { c: "2" } } : {}),
        ...(number % 5 === 0 ? { mountOptions: { fsType: "ext4", mountFlags: ["noatime"] }, secrets: { k: "v" } } : {}),
        ...(number % 7 === 0 ? { requestedTopologies: { required: [{ rack: "r1" }] } } : {}),
        ...(number % 6 === 0 ? { capacityMin: 1_000, capacityMax: 2_000 } : {}),
    }),
};

const count = 14;
const numbers = Array.from({ length: count }, (_, number) => number);
const bodyOf = (number: number) => ({
    Volumes: [
        {
            ID: `v${number}`,
            Name: `v${number}`,
            PluginID: number % 2 === 0 ? "disks" : "files",
            ExternalID: `vol-${number}`,
            AccessMode: modes.accessMode,
            AttachmentMode: modes.attachmentMode,
            RequestedCapabilities: [{ AccessMode: modes.accessMode, AttachmentMode: modes.attachmentMode }],
            Context: { c: "theirs" },
        },
    ],
});

/** All that a list tells of a volume, which has the same id in another namespace. */
const elsewhere = (number: number) => ({
    ...bodyOf(number).Volumes[0],
    Namespace: "other",
    ExternalID: "theirs",
    Topologies: [],
    Provider: "theirs.example",
    Version: "0",
    Schedulable: true,
    ControllersHealthy: 1,
    ControllersExpected: 1,
    NodesHealthy: 1,
    NodesExpected: 1,
    ModifyIndex: number,
});

for (const vocabulary of ["documented", "product"] as const) {
    describe(`volumes that are read at the same time (${vocabulary})`, () => {
        const simulator = withSimulator(seed, { vocabulary });

        /** The provider of a process of its own. */
        const volume = (token = canaryToken): Provider => {
            const provider = createProviders({}, () => undefined).provider("CsiVolume");
            const settings = JSON.stringify({ address: simulator.url, token, vocabulary, maxRetries: 0 });
            const get = (key: string) => (key === "statecraft:volumes" ? settings : undefined);
            void provider.configure?.({ config: { get, require: (key) => get(key) ?? assert.fail(key) } });
            return provider;
        };
        const madeAnew = async (): Promise<{ id: string; outs: Values }[]> => {
            const provider = volume();
            const all = await Promise.all(
                numbers.map(async (number) => {
                    const { inputs } = (await provider.check?.({}, programs[vocabulary](number))) ?? assert.fail();
                    return provider.create(unsealed(inputs));
                }),
            );
            return all.map(({ id, outs }) => ({ id, outs: unsealed(outs) as Values }));
        };
        type Made = Awaited<ReturnType<typeof madeAnew>>[number];
        let first: { readonly all: readonly Made[]; readonly writes: readonly SeenRequest[] } | undefined;
        /** The same volumes and the same state for each test: what made them first is sent again. */
        const made = async (): Promise<readonly Made[]> => {
            if (first === undefined) {
                first = { all: await madeAnew(), writes: await simulator.writes() };
                return first.all;
            }
            for (const { method, path, query, body } of first.writes)
                await simulator.outside(method, `${path}?${new URLSearchParams(query)}`, body);
            return first.all;
        };
        /** What a read told, or how it failed. */
        const read = async (provider: Provider, { id, outs }: Made) => {
            try {
                return await provider.read?.(id, structuredClone({ ...outs, __provider: "text" }));
            } catch (error) {
                return String((error as Error).message);
            }
        };
        const counted = async <Result>(run: () => Promise<Result>): Promise<[Result, SeenRequest[]]> => {
            await simulator.forget();
            const result = await run();
            return [result, await simulator.requests()];
        };
        const oneByOne = async (all: readonly Made[]) => {
            const told = [];
            const provider = volume();
            for (const one of all) told.push(await read(provider, one));
            return told;
        };
        const atOnce = (all: readonly Made[], provider = volume()) =>
            counted(() => Promise.all(all.map((one) => read(provider, one))));
        const listsIn = (requests: readonly SeenRequest[]) => requests.filter(({ path }) => path === "/v1/volumes");

        it("are read singly while few of them wait", async () => {
            const all = await made();
            const [, requests] = await counted(() => oneByOne(all));
            assert.equal(requests.length, count);
            const [, ofTwo] = await atOnce(all.slice(0, 2));
            assert.equal(ofTwo.length, 2);
            assert.deepEqual(listsIn([...requests, ...ofTwo]), []);
        });

        it("are told by a list for a few seconds, also to those that come alone", async () => {
            const all = await made();
            const provider = volume();
            await atOnce(all, provider);
            const [told, requests] = await atOnce(all.slice(0, 1), provider);
            assert.deepEqual(told, await oneByOne(all.slice(0, 1)));
            assert.deepEqual(requests, []);
        });

        const changes: [what: string, change: () => Promise<unknown>, most: number][] = [
            ["nothing", async () => undefined, 5],
            ["health", () => simulator.control("PATCH", "/simulator/plugins/disks", { healthy: false }), 5],
            [
                "the plugin's version",
                () =>
                    simulator.control("POST", "/simulator/seed", {
                        plugins: [{ id: "files", provider: "renamed.example", version: "7.1", nodes: ["n1", "n3"] }],
                    }),
                5,
            ],
            [
                "claims",
                async () => {
                    for (const number of [2, 3, 5]) {
                        const claim = { volume: `v${number}`, node: "n1", status: "running" };
                        await simulator.control("POST", "/simulator/claims", claim);
                    }
                },
                8,
            ],
            [
                "a volume's properties",
                async () => {
                    for (const number of [1, 4, 10]) {
                        await simulator.outside("DELETE", `/v1/volume/csi/v${number}`);
                        await simulator.outside("PUT", `/v1/volume/csi/v${number}`, {
                            Volumes: bodyOf(number).Volumes.map((volume) => ({ ...volume, ExternalID: "theirs" })),
                        });
                    }
                },
                8,
            ],
            [
                "that volumes are there",
                async () => {
                    for (const number of [0, 7, 8]) await simulator.outside("DELETE", `/v1/volume/csi/v${number}`);
                },
                8,
            ],
            [
                "that a volume of that name is elsewhere",
                async () => {
                    await simulator.outside("DELETE", "/v1/volume/csi/v9");
                    await simulator.outside("PUT", "/v1/volume/csi/v9?namespace=other", bodyOf(9));
                },
                8,
            ],
        ];
        for (const [what, change, most] of changes) {
            it(`tell the same where ${what} changed, field by field, with ${most} requests at most`, async () => {
                const all = await made();
                await change();
                const expected = await oneByOne(all);
                const [told, requests] = await atOnce(all);
                assert.deepEqual(told, expected);
                assert.ok(requests.length <= most, `${requests.length} requests`);
                assert.equal(listsIn(requests).length, 1);
                const again = all.map(({ id, outs }, at) => {
                    const seen = told[at];
                    return typeof seen === "object" && seen.id !== ""
                        ? { id, outs: unsealed(seen.props) as Values }
                        : { id, outs };
                });
                const [then, fewer] = await atOnce(again);
                assert.deepEqual(then, await oneByOne(again));
                assert.ok(fewer.length <= most, `${fewer.length} requests`);
            });
        }

        for (const manner of ["tells-documented", "tells-nothing-empty", "merges"] as const) {
            it(`tell the same of a server that ${manner}`, async () => {
                await simulator.behave({ volumes: [manner] });
                const all = await madeAnew();
                await simulator.outside("DELETE", "/v1/volume/csi/v1");
                await simulator.outside("PUT", "/v1/volume/csi/v1", bodyOf(1));
                assert.deepEqual((await atOnce(all))[0], await oneByOne(all));
            });
        }

        it("are read singly where state does not say after which write it was read, and listed the next time", async () => {
            const all = (await made()).map(({ id, outs: { modifyIndex: _, ...outs } }) => ({ id, outs }));
            const [told, requests] = await atOnce(all);
            assert.deepEqual(told, await oneByOne(all));
            // The document's list tells all that is read.
            const isListed = vocabulary === "documented";
            assert.equal(requests.length > count, !isListed);
        });

        const failures: [what: string, fault: Fault][] = [
            ["is refused", { status: 403, body: "Permission denied" }],
            ["fails", { status: 500, body: "rpc error: oops" }],
            ["passes by", { status: 503, body: "" }],
            ["is another server's 404", { status: 404, body: "404 page not found" }],
            ["is a web page", { status: 200, body: "<html></html>", contentType: "text/html" }],
            ["is no list", { status: 200, body: "{}" }],
            ["lacks what it should tell", { status: 200, body: JSON.stringify([{ ID: "v1" }, null, 3, { ID: 7 }]) }],
            [
                "lacks properties",
                {
                    status: 200,
                    body: JSON.stringify(
                        numbers.map((number) => ({ ID: `v${number}`, Namespace: "default", PluginID: "disks" })),
                    ),
                },
            ],
            ["is that of another namespace", { status: 200, body: JSON.stringify(numbers.map(elsewhere)) }],
            ["is cut", { drop: "before" }],
        ];
        for (const [what, fault] of failures) {
            it(`are read one by one where the list ${what}`, async () => {
                const all = await made();
                const expected = await oneByOne(all);
                await simulator.fault({ path: "^/v1/volumes$", times: 0, ...fault });
                const [told, requests] = await atOnce(all);
                assert.deepEqual(told, expected);
                assert.equal(listsIn(requests).length, 1);
                assert.equal(requests.length, count + 1);
            });
        }

        it("fail as they fail one by one", async () => {
            const all = await made();
            await simulator.fault({ path: "^/v1/volume", times: 0, status: 403, body: "Permission denied" });
            const expected = await oneByOne(all);
            const [told] = await atOnce(all);
            assert.match(String(told[0]), /Permission denied/);
            assert.deepEqual(told, expected);
        });

        it("serve no read after a write of the same process", async () => {
            const all = await made();
            const provider = volume();
            await atOnce(all, provider);
            const [first = assert.fail(), second = assert.fail()] = all;
            await provider.delete?.(first.id, structuredClone(first.outs));
            const [told, requests] = await atOnce([first, second, ...all.slice(2, 5)], provider);
            assert.deepEqual(told[0], { id: "" });
            assert.equal(listsIn(requests).length, 1);
        });
    });
}
