import assert from "node:assert/strict";
import type { Seed } from "../../../src/simulator/route";
import { plantedToken, World } from "../../support/world";

const resource = (name: string, copies = 1, module = "") => ({
    mode: "managed",
    type: "server",
    name,
    provider: "example",
    ...(module !== "" && { module }),
    instances: Array.from({ length: copies }, () => ({ attributes: {} })),
});
const state = (serial: number, resources: object[], outputs = {}) => ({
    version: 4,
    serial,
    lineage: "11aa",
    outputs,
    resources,
});

const seed: Seed = {
    tokens: [{ token: plantedToken, kind: "user", id: "user-1" }],
    workspaces: [
        {
            id: "ws-1",
            name: "app",
            organization: "example",
            stateVersions: [
                { id: "sv-1", state: state(1, [resource("d")]) },
                { id: "sv-2", state: state(2, [resource("d")], { a: { value: 1 } }) },
                { id: "sv-3", state: state(3, [resource("a"), resource("b", 3), resource("c", 1, "module.net")]) },
                { id: "sv-4", state: state(4, [resource("d"), resource("b")]) },
            ],
        },
        {
            id: "ws-2",
            name: "big",
            organization: "example",
            stateVersions: [
                {
                    id: "sv-21",
                    state: state(
                        1,
                        Array.from({ length: 23 }, (_, index) => resource(`n${index}`)),
                    ),
                },
                { id: "sv-22", state: state(2, []) },
            ],
        },
        { id: "ws-3", name: "empty", organization: "example" },
    ],
};

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const inputs = { workspaceId: "ws-1", stateVersionId: "sv-3", lock: true };

describe("StateVersionRollback in preview", () => {
    let world: World;
    before(async () => {
        world = await World.start(seed);
    });
    beforeEach(() => world.reset());
    after(() => world.close());

    const rollback = () => world.life("StateVersionRollback");

    it("tells versions, serials, and what the state gains and loses, at the resource", async () => {
        const undo = rollback();
        assert.deepEqual(await undo.preview(inputs), [
            "rolling back ws-1 from sv-4 (serial 4, 2 resources) to sv-3 (serial 3, 5 resources): + server.a, server.b (2), module.net.server.c; - server.d",
        ]);
        assert.deepEqual(
            undo.messages.map(({ severity, urn }) => [severity, urn]),
            [["info", "urn:pulumi:dev::app::t::x"]],
        );
        assert.deepEqual(await world.writes(), []);
    });

    it("tells that there is nothing to do", async () => {
        assert.deepEqual(await rollback().preview({ ...inputs, stateVersionId: "sv-4" }), [
            "nothing to roll back: sv-4 (serial 4, 2 resources), which is current in ws-1, has the content of sv-4 already",
        ]);
    });

    it("tells that only values differ", async () => {
        const undo = rollback();
        await undo.up({ ...inputs, stateVersionId: "sv-2" });
        assert.match(
            (await undo.preview({ ...inputs, stateVersionId: "sv-1" }))[0] ?? "",
            /: the same resources, with other values$/,
        );
    });

    it("shortens long lists", async () => {
        const [message = ""] = await rollback().preview({ workspaceId: "ws-2", stateVersionId: "sv-21" });
        assert.match(
            message,
            /from sv-22 \(serial 2\) to sv-21 \(serial 1, 23 resources\): \+ server\.n0, .*server\.n19 and 3 more$/,
        );
    });

    it("does not take empty resources for final", async () => {
        await world.control("PATCH", "/simulator/processing", { mode: "after-seconds", n: 60 });
        const undo = rollback();
        await undo.up(inputs);
        assert.match(
            (await undo.preview({ ...inputs, stateVersionId: "sv-1" }))[0] ?? "",
            /cannot be told, because the service does not list the resources of sv-/,
        );
    });

    it("says nothing while nothing is done: outside of previews, and for a rollback that is done", async () => {
        const undo = rollback();
        await undo.up(inputs);
        assert.deepEqual(undo.messages, []);
        assert.deepEqual(await undo.preview({ ...inputs, keepLocked: true }), []);
        assert.match(
            (await undo.preview({ ...inputs, stateVersionId: "sv-2" }))[0] ?? "",
            /^rolling back ws-1 from sv-\w+ /,
        );
    });

    it("says nothing of what is not known yet, and asks nothing", async () => {
        for (const given of [{ workspaceId: unknown }, { stateVersionId: unknown }]) {
            assert.deepEqual(await rollback().preview({ ...inputs, ...given }), []);
        }
        assert.deepEqual(await world.requests(), []);
    });

    it("warns, and does not fail, when it cannot look", async () => {
        for (const [given, warning] of [
            [
                { stateVersionId: "sv-9" },
                /^what this will do could not be looked up: GET \/state-versions\/sv-9: 404: /,
            ],
            [{ workspaceId: "ws-3" }, /could not be looked up: GET \/workspaces\/ws-3\/current-state-version: 404/],
            [{ stateVersionId: "sv-21" }, /stateVersionId: sv-21 is a version of the workspace ws-2, not of ws-1/],
        ] as const) {
            const undo = rollback();
            await undo.preview({ ...inputs, ...given });
            assert.equal(undo.warnings.length, 1);
            assert.match(undo.warnings[0] ?? "", warning);
            assert(!undo.warnings[0]?.includes(plantedToken));
        }
    });
});
