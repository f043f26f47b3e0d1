/** Reading many versions of one workspace at the same time: the result of reading one by one, with fewer requests. */

import assert from "node:assert/strict";
import { operationsOf } from "../../../src/core/resource-operations";
import { Run } from "../../../src/core/run";
import { dynamicProvider } from "../../../src/pulumi/dynamic-provider";
import { createRuntime } from "../../../src/runtime/runtime";
import { loadResource } from "../../../src/services/on-demand";
import type { Fault } from "../../../src/simulator/faults";
import { canaryToken } from "../../support/canaries";
import { unsealed } from "../../support/managed-resource";
import { type SeenRequest, withSimulator } from "../../support/simulator";
import { manyVersions } from "../../support/workspaces";
import { mark } from "./fixture";

type Values = Record<string, unknown>;

/** What state holds of a version. */
interface Stored {
    readonly type: "StateVersion" | "StateVersionBackingData";
    readonly id: string;
    readonly outs: Values;
}

const count = 12;
const list = "/api/v2/state-versions";
const workspace = "/api/v2/workspaces/ws-1";
const authorization = { authorization: `Bearer ${canaryToken}` };

describe("versions of one workspace that are read at the same time", () => {
    const simulator = withSimulator({ workspaces: [manyVersions(count)] });

    /** A process of its own, with its own time in seconds. */
    const process = () => {
        const clock = { seconds: 0 };
        const told: string[] = [];
        const settings = JSON.stringify({ address: `${simulator.url}/api/v2`, token: canaryToken, maxRetries: 1 });
        const runtime = createRuntime((key) => (key === "statecraft:stateVersions" ? settings : undefined), {
            environment: {},
            say: (severity, message) => told.push(`${severity}: ${message}`),
            pace: { now: () => clock.seconds * 1000, sleep: async () => undefined, retryBaseDelay: 1 },
        });
        const run = new Run();
        const of = (type: Stored["type"]) =>
            dynamicProvider(() => operationsOf(loadResource(type) ?? assert.fail(), runtime, run));
        const providers = { StateVersion: of("StateVersion"), StateVersionBackingData: of("StateVersionBackingData") };
        /** What a read tells, or how it fails. */
        const read = async ({ type, id, outs }: Stored) => {
            try {
                return await providers[type].read?.(id, structuredClone(outs));
            } catch (error) {
                return String((error as Error).message);
            }
        };
        return { clock, told, read, providers };
    };

    /** Versions as state has them after a read of each: every other one with its content's status alone. */
    const stored = async (numbers: readonly number[]): Promise<Stored[]> => {
        const { read } = process();
        return Promise.all(
            numbers.map(async (number) => {
                const id = `sv-${number}`;
                const type = number % 2 === 0 ? "StateVersion" : "StateVersionBackingData";
                const before = type === "StateVersion" ? {} : { stateVersionId: id, state: "available" };
                const seen = await read({ type, id, outs: before });
                assert(typeof seen === "object");
                return { type, id, outs: unsealed(seen.props) as Values };
            }),
        );
    };
    const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
    const seeded = async (length: number) => {
        await simulator.control("POST", "/simulator/seed", { workspaces: [manyVersions(length)] });
    };
    const oneByOne = async (all: readonly Stored[]) => {
        const { read, told } = process();
        const seen = [];
        for (const one of all) seen.push(await read(one));
        return { seen, told };
    };
    /** As the engine does: so many at a time, and the next when one is answered. */
    const atOnce = async (all: readonly Stored[], width = all.length, { read, told } = process()) => {
        await simulator.forget();
        const seen: unknown[] = [];
        const waiting = [...all.entries()];
        const work = async () => {
            for (let next = waiting.shift(); next; next = waiting.shift()) seen[next[0]] = await read(next[1]);
        };
        await Promise.all(Array.from({ length: width }, work));
        return { seen, told: [...told].sort(), requests: await simulator.requests() };
    };
    const listsIn = (requests: readonly SeenRequest[]) => requests.filter(({ path }) => path === list);
    /** That the result is that of reading one by one. Returns the requests. */
    const same = async (all: readonly Stored[], width?: number) => {
        const expected = await oneByOne(all);
        const { seen, told, requests } = await atOnce(all, width);
        assert.deepEqual(seen, expected.seen);
        assert.deepEqual(told, expected.told.sort());
        return requests;
    };
    const action = (number: number, name: string) =>
        simulator.outside("POST", `${list}/sv-${number}/actions/${name}_backing_data`, undefined, authorization);

    it("are read singly while few of them wait", async () => {
        const all = await stored(upTo(count));
        await simulator.forget();
        await oneByOne(all);
        assert.equal((await simulator.requests()).length, count);
        const { requests } = await atOnce(all.slice(0, 2));
        assert.deepEqual(
            requests.map(({ path }) => path),
            [`${list}/sv-1`, `${list}/sv-2`],
        );
    });

    it("tell the same, with the requests of the first two, of the workspace and of its list", async () => {
        const requests = await same(await stored(upTo(count)));
        assert.deepEqual(
            requests.map(({ path }) => path).sort(),
            [list, `${list}/sv-1`, `${list}/sv-2`, workspace].sort(),
        );
    });

    for (const [length, width] of [
        [200, 200],
        [200, 8],
        [500, 4],
    ] as const) {
        it(`take few requests: ${length}, ${width} at a time, whatever the order`, async () => {
            await seeded(length);
            const all = await stored(upTo(length));
            const most = 3 + length / 100;
            const inTurn = await atOnce(all, width);
            assert.ok(inTurn.requests.length <= most, `${inTurn.requests.length} requests`);
            const backwards = await atOnce([...all].reverse(), width);
            assert.ok(backwards.requests.length <= most, `${backwards.requests.length} requests`);
            assert.deepEqual(backwards.seen.reverse(), inTurn.seen);
            assert.deepEqual(inTurn.seen, (await oneByOne(all)).seen);
        }).timeout(60_000);
    }

    for (const [many, more] of [
        [3, [2, 1, 0]],
        [10, [3, 0, 0]],
    ] as const) {
        it(`cost three requests more than one by one, once, where they are amidst a long history, ${many} of them`, async () => {
            await seeded(2_000);
            const all = await stored(Array.from({ length: 3 * many }, (_, index) => 1_000 + index));
            const expected = (await oneByOne(all)).seen;
            const one = process();
            for (const [turn, added] of more.entries()) {
                const [from, to] = [turn * many, (turn + 1) * many];
                const { seen, requests } = await atOnce(all.slice(from, to), many, one);
                assert.equal(requests.length, many + added);
                assert.deepEqual(seen, expected.slice(from, to));
            }
        }).timeout(60_000);
    }

    it("are looked for on more pages when the list has saved a request, and only as far as that goes", async () => {
        await seeded(700);
        const one = process();
        const asked = async (...numbers: number[]) => {
            const all = await stored(numbers);
            return (await atOnce(all, all.length, one)).requests.length;
        };
        // The first page, the last one, and then no other.
        assert.equal(await asked(150, 149, 148, 147, 146, 145, 144, 143), 8 + 3);
        assert.equal(await asked(700), 0);
        assert.equal(await asked(139), 1);
        assert.equal(await asked(138), 0);
        // Two more pages, and a read.
        assert.equal(await asked(550), 3);
    }).timeout(60_000);

    it("are not looked for on more pages where the list tells nothing that serves", async () => {
        await seeded(400);
        const all = await stored([399, 398, 397, 396, 395, 394, 150, 149]);
        for (const number of [397, 396, 395, 394]) await action(number, "soft_delete");
        const one = process();
        const expected = (await oneByOne(all)).seen;
        const first = await atOnce(all.slice(0, 6), 6, one);
        assert.equal(first.requests.length, 6 + 2);
        // The next page and a read, and then no page.
        const then = await atOnce(all.slice(6), 2, one);
        assert.equal(then.requests.length, 1 + 2);
        assert.deepEqual([...first.seen, ...then.seen], expected);
    });

    const changes: [what: string, change: () => Promise<unknown>, more: number][] = [
        ["nothing", async () => undefined, 0],
        ["that the content of some is there", () => Promise.all([4, 7, 8].map((one) => action(one, "soft_delete"))), 3],
        [
            "that the content of one will ever be there",
            async () => {
                await action(5, "soft_delete");
                await action(5, "permanently_delete");
            },
            1,
        ],
        ["that the old ones are there", () => simulator.control("POST", "/simulator/retention", { keep: 9 }), 1],
        [
            "that a newer one is there",
            async () => {
                await simulator.outside("POST", `${workspace}/actions/lock`, {}, authorization);
                const body = { data: { type: "state-versions", attributes: { serial: count + 1, md5: "0" } } };
                await simulator.outside("POST", `${workspace}/state-versions`, body, authorization);
            },
            0,
        ],
    ];
    for (const [what, change, more] of changes) {
        it(`tell the same where ${what} changed, and the next time, with ${more} more requests`, async () => {
            const all = await stored(upTo(count));
            await change();
            assert.equal((await same(all)).length, 4 + more);
            const { seen } = await oneByOne(all);
            const again = all.map((one, at) => {
                const now = seen[at];
                return typeof now === "object" && now.id !== "" ? { ...one, outs: unsealed(now.props) as Values } : one;
            });
            await same(again);
        });
    }

    it("that held no content are read singly", async () => {
        for (const number of upTo(4)) await action(number, "soft_delete");
        const retired = upTo(4).map(
            (number): Stored => ({
                type: "StateVersionBackingData",
                id: `sv-${number}`,
                outs: {
                    stateVersionId: `sv-${number}`,
                    state: "softDeleted",
                    status: "backing_data_soft_deleted",
                    workspaceId: "ws-1",
                },
            }),
        );
        assert.deepEqual(listsIn(await same(retired)), []);
    });

    it("are read singly where they are imported", async () => {
        const imported = upTo(count).map((number): Stored => ({ type: "StateVersion", id: `sv-${number}`, outs: {} }));
        assert.deepEqual(listsIn(await same(imported)), []);
    });

    const answers: [what: string, fault: Fault][] = [
        ["is refused", { status: 403, body: "access to the resource is not permitted" }],
        ["is hidden", { status: 404, body: '{"errors":[{"status":"404","title":"not found"}]}' }],
        ["fails", { status: 500, body: "" }],
        ["passes by", { status: 503, body: "" }],
        ["is a web page", { status: 200, body: "<html></html>", contentType: "text/html" }],
        ["is another thing", { status: 200, body: "{}" }],
        ["is cut", { drop: "before" }],
    ];
    for (const [what, fault] of answers) {
        it(`are read one by one where the list ${what}, which is asked for once`, async () => {
            const all = await stored(upTo(count));
            await simulator.fault({ path: `^${list}$`, times: 0, ...fault });
            const requests = await same(all);
            assert.equal(listsIn(requests).length, 1);
            assert.equal(requests.length, count + 2);
        });

        it(`are read one by one where the workspace ${what}, which is asked for once`, async () => {
            const all = await stored(upTo(count));
            await simulator.fault({ path: `^${workspace}$`, times: 0, ...fault });
            assert.equal((await same(all)).length, count + 1);
        });
    }

    it("are read one by one while the list fails, which is asked for again some seconds later", async () => {
        const all = await stored(upTo(count));
        await simulator.fault({ path: `^${list}$`, times: 0, status: 403, body: "" });
        const one = process();
        for (const [seconds, requests] of [
            [0, count + 2],
            [4, count],
            [6, count + 1],
        ] as const) {
            one.clock.seconds = seconds;
            assert.equal((await atOnce(all, count, one)).requests.length, requests);
        }
        await simulator.heal();
        one.clock.seconds = 12;
        assert.equal((await atOnce(all, count, one)).requests.length, 1);
    });

    it("look for a stale lock of theirs with the request that the list needs", async () => {
        const all = (await stored(upTo(count))).map((one) => ({ ...one, outs: { ...one.outs, lockMark: mark } }));
        assert.equal((await same(all, 4)).length, 4);
        await simulator.outside("POST", `${workspace}/actions/lock`, { reason: `theirs ${mark}` }, authorization);
        assert.equal((await same(all, 4)).length, 5);
    });

    it("fail as they fail one by one", async () => {
        const all = await stored(upTo(count));
        await simulator.fault({ path: "^/api/v2/", times: 0, status: 403, body: "Permission denied" });
        const { seen } = await oneByOne(all);
        assert.match(String(seen[0]), /Permission denied/);
        await same(all);
    });

    const listed = async () => {
        const query = "filter[workspace][name]=app&filter[organization][name]=example&page[size]=100";
        return (await simulator.outside("GET", `${list}?${query}`)) as { data: Record<string, Values>[] };
    };

    for (const name of [
        "status",
        "created-at",
        "size",
        "serial",
        "resources",
        "resources-processed",
        "tool-version",
        "workspace",
    ]) {
        it(`are read singly where the list tells no ${name} that is known`, async () => {
            const all = await stored(upTo(count));
            const { data } = await listed();
            for (const { attributes, relationships } of data) {
                delete attributes?.[name];
                delete relationships?.[name];
            }
            await simulator.fault({ path: `^${list}$`, times: 0, status: 200, body: JSON.stringify({ data }) });
            const requests = await same(all);
            assert.ok(requests.length > 4, `${requests.length} requests`);
        });
    }

    it("are read singly where the list holds what is no version", async () => {
        const all = await stored(upTo(count));
        const odd = [null, 3, { id: 7 }, { id: "sv-3" }, { id: "sv-4", type: "runs" }, { id: "sv-5", attributes: 1 }];
        await simulator.fault({ path: `^${list}$`, times: 0, status: 200, body: JSON.stringify({ data: odd }) });
        assert.equal((await same(all)).length, count + 2);
    });

    it("are told for a few seconds, also to those that come alone, and then by their page anew", async () => {
        const all = await stored(upTo(count));
        const one = process();
        await atOnce(all, count, one);
        assert.deepEqual((await atOnce(all.slice(0, 1), 1, one)).requests, []);
        await action(4, "soft_delete");
        one.clock.seconds = 6;
        const { seen, requests } = await atOnce(all, count, one);
        assert.deepEqual(seen, (await oneByOne(all)).seen);
        assert.deepEqual(
            requests.map(({ path }) => path),
            [list, `${list}/sv-4`],
        );
    });

    it("serve no read after a write of the same process", async () => {
        const all = await stored(upTo(count));
        const one = process();
        await atOnce(all, count, one);
        const inputs = { stateVersionId: "sv-3", state: "softDeleted" };
        const data = one.providers.StateVersionBackingData;
        await data.update?.("sv-3", all[2]?.outs, { ...all[2]?.outs, ...inputs });
        const { seen, requests } = await atOnce(all, count, one);
        assert.deepEqual(seen, (await oneByOne(all)).seen);
        assert.equal(listsIn(requests).length, 1);
    });
});
