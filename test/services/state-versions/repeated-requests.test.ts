import assert from "node:assert/strict";
import type { Seed } from "../../../src/simulator/seed";
import { FaultProxy } from "../../faults/proxy";
import { canaryToken } from "../../support/canaries";
import { withSimulator } from "../../support/simulator";

const raw = (serial: number) => JSON.stringify({ version: 4, serial, lineage: "11aa", outputs: {}, resources: [] });

const seed: Seed = {
    tokens: [{ token: canaryToken, kind: "user", id: "user-1" }],
    workspaces: [
        {
            id: "ws-1",
            name: "app",
            organization: "example",
            stateVersions: [
                { id: "sv-1", state: JSON.parse(raw(1)) },
                { id: "sv-2", state: { ...JSON.parse(raw(2)), outputs: { other: { value: 1 } } } },
            ],
        },
    ],
};

describe("requests of state versions that the service surely did not act on", () => {
    const simulator = withSimulator(seed);
    let proxy: FaultProxy;
    before(async () => {
        proxy = await FaultProxy.start(simulator);
    });
    after(async () => {
        await proxy.close();
    });

    const content = raw(3);
    const operations = [
        ["StateVersion", { workspaceId: "ws-1", content, lock: true }, 2],
        ["StateVersion", { workspaceId: "ws-1", content, lock: true, inline: true, jsonContent: "{}" }, 1],
        ["StateVersionRollback", { workspaceId: "ws-1", stateVersionId: "sv-1" }, 1],
        ["StateVersionBackingData", { stateVersionId: "sv-1", state: "softDeleted" }, 1],
        [
            "StateVersionBackingData",
            { stateVersionId: "sv-1", state: "permanentlyDeleted", allowPermanentDeletion: true },
            2,
        ],
    ] as const;
    const harms = [
        [
            "429",
            (index: number) => simulator.fault({ skip: index, status: 429, headers: { "retry-after": "1" } }),
            async () => undefined,
        ],
        [
            "a refused connection",
            (index: number) => proxy.harm({ harm: { door: "closed" }, from: index + 1, once: false }),
            // It cuts what is under way as well, which is no harm where nothing gets through.
            () => proxy.heal(),
        ],
    ] as const;
    for (const [type, inputs, effects] of operations) {
        for (const [name, harm, mend] of harms) {
            it(`are repeated after ${name}, whichever of ${type} ${Object.values(inputs).at(-1)} it was`, async () => {
                let waits = 1;
                for (let index = 0; waits > 0; index++) {
                    await simulator.reset();
                    waits = 0;
                    const clock = {
                        now: Date.now,
                        random: () => 0,
                        timer: () => () => {},
                        sleep: async () => {
                            waits += 1;
                            await mend();
                        },
                    };
                    const settings = { "statecraft:stateVersions": { address: `${proxy.url}/api/v2` } };
                    const life = simulator.resource(type, { clock, settings });
                    await harm(index);
                    assert.equal(await life.up(inputs), "created");
                    await proxy.heal();
                    await simulator.heal();
                    const acted = (await simulator.writes()).filter(
                        ({ path, status }) => !/lock$/.test(path) && status !== null && status < 300,
                    );
                    assert.equal(acted.length, effects);
                    assert.equal(life.outputs()["unfinished"], undefined);
                    if (waits === 0) assert(index > effects, "every request was harmed once");
                }
            });
        }
    }

    for (const fault of [
        { drop: "before" },
        { drop: "after" },
        { status: 500 },
        { status: 502 },
        { status: 503 },
    ] as const) {
        it(`and only those: not after ${JSON.stringify(fault)}`, async () => {
            const retired = { stateVersionId: "sv-1", state: "softDeleted" };
            const gone = { ...retired, state: "permanentlyDeleted", allowPermanentDeletion: true };
            for (const [type, path, inputs, before] of [
                ["StateVersion", "ws-1/state-versions", operations[0][1]],
                ["StateVersion", "ws-1/state-versions", operations[1][1]],
                ["StateVersionRollback", "ws-1/state-versions", { workspaceId: "ws-1", stateVersionId: "sv-1" }],
                ["StateVersionBackingData", "/actions/soft_delete", retired],
                ["StateVersionBackingData", "/actions/restore", { ...retired, state: "available" }, retired],
                ["StateVersionBackingData", "/actions/permanently_delete", gone, retired],
            ] as const) {
                await simulator.reset();
                const life = simulator.resource(type);
                if (before) await life.up(before);
                await simulator.fault({ path, times: 0, ...fault });
                await life.up(inputs).catch(() => undefined);
                const asked = (await simulator.writes()).filter(({ path: seen }) => seen.includes(path));
                assert.equal(asked.length, 1, path);
            }
        });
    }
});
