import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { type Connection, connect, StatecraftError } from "../../../src/client";
import type { Vocabulary } from "../../../src/simulator/vocabulary";
import { canaryToken } from "../../support/canaries";
import { failureOf } from "../../support/failures";
import { Gate } from "../../support/gate";
import { scheduler } from "../../support/product-words";
import { Simulator } from "../../support/simulator";

const seed = { plugins: [{ id: "disks", nodes: ["node-1"] }] };
const path = "/v1/volume/csi/data";
const common = {
    volumeId: "data",
    pluginId: "disks",
    accessMode: "single-node-writer",
    attachmentMode: "file-system",
} as const;
/** What the server would change in place. */
const otherwise = { ...common, context: { endpoint: "http://theirs" } };

/** Requests of a creation: the look, the registration, the look back. */
const [look, registration, lookBack] = [0, 1, 2];

/** What happens in which order, by program and request; each waits for the effect of the one before. */
type Order = readonly (readonly [program: string, request: number])[];

const bothLookBackLate: Order = [
    ["first", look],
    ["second", look],
    ["first", registration],
    ["second", registration],
    ["first", lookBack],
    ["second", lookBack],
];
const firstLooksBackAtOnce: Order = [
    ["first", look],
    ["second", look],
    ["first", registration],
    ["first", lookBack],
    ["second", registration],
    ["second", lookBack],
];
const orders = { bothLookBackLate, firstLooksBackAtOnce };

/** Lets requests through in this order; what the order does not name passes. */
function inOrder(gate: Gate, order: Order): void {
    const happened = new EventEmitter();
    const done = order.map((_, at) => once(happened, String(at)));
    gate.set(
        async ({ moment, key, index }) => {
            const at = order.findIndex(([program, request]) => program === key && request === index);
            if (at < 0) return;
            if (moment === "before") await done[at - 1];
            else happened.emit(String(at));
        },
        ({ headers }) => headers["x-program"] ?? "",
    );
}

async function codeOf(verb: Promise<unknown>): Promise<string> {
    return (await failureOf(verb, StatecraftError)).code;
}

interface Meeting {
    readonly simulator: Simulator;
    readonly first: Connection;
    readonly second: Connection;
}

/** Two programs on one server, whose requests come in this order. */
async function meeting(
    vocabulary: Vocabulary,
    order: Order,
    test: (meeting: Meeting) => Promise<void>,
    prepare: (simulator: Simulator) => Promise<void> = async () => {},
): Promise<void> {
    const gate = new Gate();
    const simulator = await Simulator.start(seed, vocabulary, gate.guard);
    const program = (name: string) =>
        connect({
            volumes: { address: simulator.url, token: canaryToken, vocabulary, headers: { "x-program": name } },
            environment: {},
            warn: () => {},
        });
    try {
        await prepare(simulator);
        inOrder(gate, order);
        await test({ simulator, first: program("first"), second: program("second") });
    } finally {
        await simulator.close();
    }
}

describe("two programs that register one volume at once", () => {
    /** What servers of some versions answer to a registration. */
    const answers: Record<string, (simulator: Simulator) => Promise<void>> = {
        "what was written": async () => {},
        "an empty body": (simulator) => simulator.fault({ method: "PUT", times: 0, body: "" }),
    };
    for (const [answer, prepare] of Object.entries(answers)) {
        for (const [name, order] of Object.entries(orders)) {
            for (const [kind, theirs] of Object.entries({ otherwise, identical: common })) {
                it(`${name}, ${kind}, answered with ${answer}: the first has it, the second fails and leaves it`, () =>
                    meeting(
                        "product",
                        order,
                        async ({ simulator, first, second }) => {
                            const made = first.csiVolume.create(common);
                            const failed = second.csiVolume.create(theirs);
                            assert.equal((await made).id, "default/data");
                            assert.equal(await codeOf(failed), "conflict");
                            assert.deepEqual(
                                (await simulator.writes()).map(({ method }) => method),
                                ["PUT", "PUT"],
                            );
                        },
                        prepare,
                    ));
            }
        }
    }

    it("where no answer tells which write it was, who finds a changed volume as asked has changed it", () =>
        meeting(
            "product",
            bothLookBackLate,
            async ({ first, second }) => {
                const made = first.csiVolume.create(common);
                assert.equal(await codeOf(second.csiVolume.create(otherwise)), "conflict");
                assert.equal((await made).id, "default/data");
            },
            (simulator) =>
                simulator.fault({ method: "PUT", times: 0, body: "", headers: { [`x-${scheduler}-index`]: "" } }),
        ));

    it("where nothing tells whose it is, both fail, and nobody touches it again", () =>
        meeting(
            "product",
            bothLookBackLate,
            async ({ simulator, first, second }) => {
                const [one, other] = [first, second].map((program) => program.csiVolume.create(common));
                assert(one && other);
                assert.deepEqual(await Promise.all([codeOf(one), codeOf(other)]), ["conflict", "conflict"]);
                assert.deepEqual(
                    (await simulator.writes()).map(({ method }) => method),
                    ["PUT", "PUT"],
                );
            },
            (simulator) => simulator.behave({ volumes: ["tells-documented"] }),
        ));

    it("a second registration whose answer was lost is no creation either", () =>
        meeting(
            "product",
            [...firstLooksBackAtOnce, ["second", lookBack + 1]],
            async ({ first, second }) => {
                const made = first.csiVolume.create(common);
                const failed = second.csiVolume.create(otherwise);
                await made;
                assert.equal(await codeOf(failed), "conflict");
            },
            (simulator) => simulator.fault({ method: "PUT", skip: 1, drop: "after" }),
        ));

    it("where the server takes no second registration, it refuses", () =>
        meeting("documented", bothLookBackLate, async ({ first, second }) => {
            const made = first.csiVolume.create(common);
            assert.equal(await codeOf(second.csiVolume.create(common)), "exists");
            await made;
        }));

    it("where the server takes no second registration, a job that claims the volume before the look back changes nothing", async () => {
        const gate = new Gate();
        const simulator = await Simulator.start(seed, "documented", gate.guard);
        const claim = { volume: "data", node: "node-1", allocation: "alloc-1", job: "web" };
        gate.set(
            async ({ moment, index }) => {
                if (moment !== "before" || index !== lookBack) return;
                gate.open();
                await simulator.control("POST", "/simulator/claims", claim);
            },
            () => "",
        );
        try {
            const data = simulator.resource("CsiVolume");
            assert.equal(await data.up(common), "created");
            assert.equal(await data.up(common), "same");
        } finally {
            await simulator.close();
        }
    });

    it("`adopt: true` takes over also what came in between", () =>
        meeting("product", firstLooksBackAtOnce, async ({ first, second }) => {
            const made = first.csiVolume.create(common);
            const { outputs } = await second.csiVolume.create({ ...otherwise, adopt: true });
            await made;
            assert.deepEqual(outputs.context, otherwise.context);
        }));

    it("who lost it has nothing in state, and does not touch it with the next up", () =>
        meeting("product", firstLooksBackAtOnce, async ({ simulator }) => {
            const life = (name: string) =>
                simulator.resource("CsiVolume", {
                    settings: { "statecraft:volumes": { headers: { "x-program": name } } },
                });
            const [first, second] = [life("first"), life("second")];
            const made = first.up(common);
            await assert.rejects(second.up(otherwise));
            await made;
            assert.equal(second.state, undefined);
            await simulator.forget();
            await assert.rejects(second.up(otherwise), { code: "exists" });
            assert.deepEqual(await simulator.writes(), []);
            assert.deepEqual(await first.refresh(), ["context"], "who made it sees what was changed");
            assert.equal(await first.up(common), "replaced");
            assert.deepEqual(Object(await simulator.outside("GET", path)).Context, {});
        }));
});
