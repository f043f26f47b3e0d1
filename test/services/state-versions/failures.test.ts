import assert from "node:assert/strict";
import { type Connection, connect } from "../../../src/client";
import * as errors from "../../../src/errors";
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

const contentType = "application/vnd.api+json";
const refusal = (status: number) => ({ status, body: '{"errors":[{"detail":"planted"}]}', contentType, times: 0 });

const classes = [
    [403, errors.DeniedError],
    [404, errors.NotFoundError],
    [409, errors.ConflictError],
    [412, errors.ConflictError],
    [422, errors.ServiceError],
    [429, errors.LimitedError],
    [500, errors.ServiceError],
    [503, errors.ServiceError],
] as const;

describe("failures of state versions, as scripts meet them", () => {
    const simulator = withSimulator(seed);
    let client: Connection;
    before(() => {
        client = connect({
            stateVersions: { address: `${simulator.url}/api/v2`, token: canaryToken, maxRetries: 0 },
            environment: {},
            warn: () => undefined,
        });
    });

    const content = raw(3);
    const made = { workspaceId: "ws-1", content, lock: true };
    const place = { organization: "example", workspaceName: "app" };
    const operations: [name: string, fault: { method: string; path: string }, act: () => Promise<unknown>][] = [
        ["a new version", { method: "POST", path: "ws-1/state-versions" }, () => client.stateVersion.create(made)],
        [
            "a new version with its content",
            { method: "POST", path: "ws-1/state-versions" },
            () => client.stateVersion.create({ ...made, inline: true }),
        ],
        ["an upload", { method: "PUT", path: "/v1/object/" }, () => client.stateVersion.create(made)],
        [
            "retiring a content",
            { method: "POST", path: "/actions/soft_delete" },
            () => client.stateVersionBackingData.create({ stateVersionId: "sv-1", state: "softDeleted" }),
        ],
        ...(
            [
                ["a rollback", { method: "PATCH", path: "ws-1/state-versions" }],
                ["a rollback's look at what is current", { method: "GET", path: "current-state-version" }],
                ["a rollback's look at what is wanted", { method: "GET", path: "/state-versions/sv-1$" }],
                ["a rollback's look at the lock", { method: "GET", path: "/workspaces/ws-1$" }],
                ["a rollback's lock", { method: "POST", path: "/actions/lock$" }],
            ] as const
        ).map(([name, fault]): (typeof operations)[number] => [
            name,
            fault,
            () => client.stateVersionRollback.create({ workspaceId: "ws-1", stateVersionId: "sv-1" }),
        ]),
        ["a lookup", { method: "GET", path: "/state-versions/sv-1$" }, () => client.getStateVersion({ id: "sv-1" })],
        [
            "a lookup of what is current",
            { method: "GET", path: "current-state-version" },
            () => client.getCurrentStateVersion({ workspaceId: "ws-1" }),
        ],
        ["a list", { method: "GET", path: "/state-versions$" }, () => client.getStateVersions(place)],
        [
            "a download",
            { method: "GET", path: "/state-versions/sv-1$" },
            () => client.downloadState({ stateVersionId: "sv-1" }),
        ],
    ];
    for (const [name, fault, act] of operations) {
        it(`${name} keeps the class and the status of every refusal`, async () => {
            for (const [status, family] of classes) {
                await simulator.reset();
                await simulator.fault({ ...fault, ...refusal(status), headers: { "retry-after": "7" } });
                await assert.rejects(act(), (error) => {
                    assert(error instanceof family, `${status}: ${error}`);
                    assert.equal(error.status, status);
                    assert.match(error.message, /planted|does not exist/);
                    if (error instanceof errors.LimitedError) assert.equal(error.retryAfter, 7);
                    return true;
                });
            }
        });

        it(`${name} that is not answered is an UnreachableError`, async () => {
            await simulator.fault({ ...fault, drop: "before", times: 0 });
            await assert.rejects(act(), errors.UnreachableError);
        });
    }

    it("what is not there has a code of its own in every lookup", async () => {
        for (const lookup of [
            () => client.getStateVersion({ id: "sv-9" }),
            () => client.getCurrentStateVersion({ workspaceId: "ws-9" }),
            () => client.getStateVersions({ ...place, workspaceName: "none" }),
            () => client.downloadState({ stateVersionId: "sv-9" }),
        ]) {
            await assert.rejects(lookup(), (error) => error instanceof errors.NotFoundError && error.code === "absent");
        }
    });
});

describe("requests of state versions that the service surely did not act on", () => {
    const simulator = withSimulator(seed);
    let proxy: FaultProxy;
    before(async () => {
        proxy = await FaultProxy.start(simulator.url);
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
                        deadline: (milliseconds: number) => AbortSignal.timeout(milliseconds),
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
