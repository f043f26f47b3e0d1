/** A request whose earlier try may have acted, and whose last one is refused: only a look tells what was done. */

import assert from "node:assert/strict";
import { operation } from "../../src/core/operation";
import { isLostAnswer, mayHaveActed, ServiceError, StatecraftError } from "../../src/errors";
import type { Fault } from "../../src/simulator/faults";
import { failureOf } from "../support/failures";
import { Simulator, withSimulator } from "../support/simulator";
import { manager } from "./services";
import { closeAll, connect, json, serve } from "./support";

const snapshots = { name: "hourly", interval: "1h", retain: 3 };
const local = { type: "local", pathPrefix: "/var/snapshots", maxSpace: 1e9 };
const objects: readonly [type: string, inputs: Record<string, unknown>, edited: Record<string, unknown>][] = [
    [
        "AuthRole",
        { name: "web", boundResourceGroups: ["prod"] },
        { name: "web", boundResourceGroups: ["prod"], tokenTtl: "1h" },
    ],
    ["SnapshotConfig", { ...snapshots, storage: local }, { ...snapshots, retain: 4, storage: local }],
];

const volume = {
    volumeId: "data",
    name: "data",
    externalId: "disk-1",
    pluginId: "disks",
    accessMode: "single-node-writer",
    attachmentMode: "file-system",
};

/** What the repetition of a write is told. */
const refusals: readonly [what: string, fault: Fault][] = [
    ["400", { status: 400, body: '{"errors":["not now"]}' }],
    ["403", { status: 403, body: '{"errors":["permission denied"]}' }],
    ["409", { status: 409, body: '{"errors":["it exists"]}' }],
    ["500", { status: 500, body: "exploded" }],
    ["a wait that is too long", { status: 429, headers: { "retry-after": "900" } }],
];

describe("a write that is refused when it is repeated", () => {
    const simulator = withSimulator({ plugins: [{ id: "disks", nodes: ["node-1"] }] });

    for (const [type, inputs, edited] of objects) {
        for (const [what, refused] of refusals) {
            it(`has made the ${type} all the same, where the first try did: ${what}`, async () => {
                const resource = simulator.resource(type);
                await simulator.fault({ method: "POST", drop: "after" }, { method: "POST", ...refused });
                assert.equal(await resource.up(inputs), "created");
                assert.deepEqual(
                    (await simulator.writes()).map(({ method }) => method),
                    ["POST", "POST"],
                );
                assert.equal(await resource.up(inputs), "same");
                assert.deepEqual(await resource.refresh(), []);
                await resource.destroy();
            });
        }

        it(`has made no ${type} where the first try did not`, async () => {
            const resource = simulator.resource(type);
            await simulator.fault({ method: "POST", drop: "before" }, { method: "POST", ...refusals[0]?.[1] });
            await assert.rejects(resource.up(inputs), { status: 400 });
            assert.equal(resource.state, undefined);
            assert.equal(await resource.up(inputs), "created");
        });

        it(`keeps the ${type} as half-made where nothing can be seen either`, async () => {
            const resource = simulator.resource(type);
            await simulator.fault(
                { method: "POST", drop: "after" },
                { method: "POST", ...refusals[0]?.[1] },
                { method: "GET", skip: 1, times: 3, status: 403, body: '{"errors":["permission denied"]}' },
            );
            await assert.rejects(resource.up(inputs), { status: 403 });
            assert.deepEqual(resource.outputs()["unfinished"], ["create"]);
            await simulator.heal();
            assert.equal(await resource.up(inputs), "updated");
            assert.equal(await resource.up(inputs), "same");
        });

        it(`has made the ${type} all the same, where a gateway answers every try`, async () => {
            for (const status of [502, 503, 504]) {
                await simulator.reset();
                const resource = simulator.resource(type);
                await simulator.fault({ method: "POST", status, after: true }, { method: "POST", status, times: 0 });
                assert.equal(await resource.up(inputs), "created", String(status));
            }
        });

        it(`has changed the ${type} all the same, where the first try did`, async () => {
            const resource = simulator.resource(type);
            await resource.up(inputs);
            await simulator.fault({ method: "POST", drop: "after" }, { method: "POST", ...refusals[0]?.[1] });
            assert.equal(await resource.up(edited), "updated");
            assert.equal(await resource.up(edited), "same");
        });
    }

    for (const vocabulary of ["documented", "product"] as const) {
        it(`is not repeated where it registers a volume (${vocabulary}): one whose answer is lost is looked at`, async () => {
            const own = await Simulator.start({ plugins: [{ id: "disks", nodes: ["node-1"] }] }, vocabulary);
            try {
                for (const lost of [{ drop: "after" }, { status: 503, after: true }] as const) {
                    await own.reset();
                    const resource = own.resource("CsiVolume");
                    await own.fault({ method: "PUT", status: 429 }, { method: "PUT", ...lost });
                    assert.equal(await resource.up(volume), "created");
                    assert.equal((await own.writes()).length, 2);
                    assert.equal(await resource.up(volume), "same");
                }
            } finally {
                await own.close();
            }
        });
    }
});

describe("a failure", () => {
    afterEach(closeAll);

    const post = operation("POST /v1/thing", "always");
    /** The failure of a request whose tries end in these statuses; 0 is a cut connection. */
    async function failureAfter(statuses: readonly number[], what = post): Promise<StatecraftError> {
        const place = await serve((_, answer, number) => {
            const status = statuses[number - 1] ?? 500;
            if (status === 0) answer.destroy();
            else json(answer, status, { errors: ["no"] });
        });
        const { client } = connect(manager, place.address, { maxRetries: statuses.length - 1 });
        return failureOf(client.call(what, { parameters: {}, body: {} }), StatecraftError);
    }

    for (const [statuses, doubtful] of [
        [[0, 400], true],
        [[503, 409], true],
        [[0, 429], true],
        [[502, 429, 404], true],
        [[429, 400], false],
        [[429, 429], false],
        [[400], false],
        [[409], false],
    ] as const) {
        it(`after ${statuses.join(", ")} leaves ${doubtful ? "" : "nothing "}open what the service did`, async () => {
            const error = await failureAfter(statuses);
            assert(error instanceof ServiceError);
            assert.equal(error.status, statuses.at(-1));
            assert.equal(isLostAnswer(error), doubtful);
            assert.equal(mayHaveActed(error), doubtful);
        });
    }

    it("of a read leaves nothing open: there is nothing that it could have done", async () => {
        for (const line of ["GET /v1/thing", "LIST /v1/thing"] as const)
            assert.equal(isLostAnswer(await failureAfter([0, 400], operation(line))), false);
    });
});
