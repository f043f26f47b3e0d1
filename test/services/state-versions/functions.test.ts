import assert from "node:assert/strict";
import { AnswerError, type Connection } from "../../../src/client";
import { invokeFunction } from "../../../src/core/functions";
import { getStateVersions } from "../../../src/services/state-versions/get-state-versions";
import type { Seed } from "../../../src/simulator/seed";
import { hostWith } from "../../properties/fuzz-inputs";
import { canaryToken } from "../../support/canaries";
import { describeFunction } from "../../support/functions";
import { withSimulator } from "../../support/simulator";
import { stateOf } from "../../support/workspaces";

const state = (serial: number) => ({
    ...stateOf(serial, "a"),
    outputs: { address: { value: "10.0.0.1", type: "string" } },
});

const seed: Seed = {
    tokens: [{ token: canaryToken, kind: "user", id: "user-1" }],
    workspaces: [
        {
            id: "ws-1",
            name: "app",
            organization: "example",
            stateVersions: [
                ...Array.from({ length: 104 }, (_, index) => ({ id: `sv-${index + 1}`, state: state(index + 1) })),
                {
                    id: "sv-105",
                    state: state(105),
                    createdBy: "user-1",
                    run: "run-1",
                    createdAt: "2026-01-02T03:04:05.000Z",
                    vcsCommit: { sha: "abc1", url: "https://code.example/abc1" },
                },
            ],
        },
        {
            ...{ id: "ws-2", name: "empty", organization: "example", autoApply: true },
            locked: { by: { type: "runs", id: "run-3" }, reason: "planning" },
            runs: [{ id: "run-2" }, { id: "run-3", status: "planning" }],
        },
    ],
};

const place = { organization: "example", workspaceName: "app" };

describe("functions of state versions", () => {
    // No test writes.
    const simulator = withSimulator(seed, { lasts: true });
    let client: Connection;
    before(() => {
        client = simulator.connect();
    });
    beforeEach(async () => {
        await simulator.heal();
        await simulator.forget();
    });

    const type = "state-versions";
    const upload = { "hosted-state-upload-url": "https://store.example/raw" };
    // A server may omit properties, or return them in another form.
    const odd = {
        id: "sv-1",
        type,
        attributes: {
            ...upload,
            "created-at": 5,
            serial: 12,
            "tool-version": null,
            "vcs-commit-sha": "",
            resources: 5,
        },
        relationships: { workspace: { data: { id: "ws-1" } }, run: "none", "rollback-state-version": { data: null } },
    };
    const read = {
        ...{ id: "sv-1", serial: 12, resources: [], resourcesProcessed: false, workspaceId: "ws-1", links: {} },
        ...{ hasJson: false, isUploadPending: true },
    };
    const run = { id: "run-1", type: "runs" };
    const plain = { attributes: {}, links: {} };

    describeFunction("getStateVersion", simulator, {
        args: { id: "sv-1" },
        path: "/api/v2/state-versions/sv-1",
        reads: [
            [
                {
                    data: odd,
                    included: [{ ...run, relationships: { "in-list": { data: [run] }, "of-none": { data: null } } }],
                },
                { ...read, included: [{ ...run, ...plain, relationships: { inList: [run] } }] },
            ],
        ],
        malformed: [{}, { data: run }],
        absent: [{ id: "sv-999" }],
        refused: [[{ include: ["user"] }, "include[0]"]],
        secrets: ["included"],
    });

    describeFunction("getCurrentStateVersion", simulator, {
        args: { workspaceId: "ws-1" },
        path: "/api/v2/workspaces/ws-1/current-state-version",
        malformed: [{}],
        absent: [{ workspaceId: "ws-9" }],
        secrets: ["included"],
    });

    describeFunction("getStateVersions", simulator, {
        args: place,
        path: "/api/v2/state-versions",
        reads: [
            [
                { data: [odd], meta: { pagination: { "total-count": 105, "total-pages": "2" } } },
                { stateVersions: [read], included: [], totalCount: 105 },
            ],
        ],
        malformed: [{}, { data: [odd, { id: "ws-1", type: "workspaces" }] }],
        absent: [{ workspaceName: "none" }],
        refused: [
            [{ limit: 1, page: 1 }, "limit"],
            [{ limit: 1, pageSize: 1 }, "limit"],
            [{ page: 0 }, "page"],
            [{ pageSize: 0 }, "pageSize"],
        ],
        secrets: ["included"],
    });

    for (const [args, first, length, totalPages, query] of [
        [{ page: 2, pageSize: 50 }, "sv-54", 50, 3, { "page[number]": "2", "page[size]": "50" }],
        [{ page: 3, pageSize: 50 }, "sv-4", 5, 3, { "page[number]": "3", "page[size]": "50" }],
        [{ page: 6 }, "sv-4", 5, 6, { "page[number]": "6" }],
        [{ pageSize: 2 }, "sv-104", 2, 53, { "page[size]": "2" }],
        [{ page: 7 }, undefined, 0, 6, { "page[number]": "7" }],
    ] as const) {
        it(`getStateVersions with ${JSON.stringify(args)} reads one page, and how many there are`, async () => {
            const { stateVersions, ...found } = await client.getStateVersions({ ...place, ...args });
            assert.deepEqual([stateVersions[0]?.id, stateVersions.length], [first, length]);
            assert.deepEqual(found, { included: [], totalCount: 105, totalPages });
            const filters = { "filter[workspace][name]": "app", "filter[organization][name]": "example" };
            const queries = (await simulator.requests()).map(({ query }) => query);
            assert.deepEqual(queries, [{ ...filters, ...query }]);
        });
    }

    it("getStateVersion returns related resources", async () => {
        const { included } = await client.getStateVersion({
            id: "sv-105",
            include: ["created_by", "run.configuration_version", "outputs"],
        });
        const types = included.map(({ type }) => type);
        assert.deepEqual(types, ["users", "runs", "configuration-versions", "state-version-outputs"]);
        assert.equal(included.at(-1)?.attributes["value"], "10.0.0.1");
        const [request] = await simulator.requests();
        assert.equal(request?.query["include"], "created_by,run.configuration_version,outputs");
    });

    it("getCurrentStateVersion returns the current version", async () => {
        const { id, included } = await client.getCurrentStateVersion({ workspaceId: "ws-1", include: ["run"] });
        assert.equal(id, "sv-105");
        const attributes = { status: "applied", message: "", "is-destroy": false };
        const relationships = {
            createdBy: { id: "user-1", type: "users" },
            configurationVersion: { id: "cv-run-1", type: "configuration-versions" },
        };
        const links = { self: "/api/v2/runs/run-1" };
        assert.deepEqual(included, [{ id: "run-1", type: "runs", attributes, relationships, links }]);
    });

    it("getStateVersions reads all pages by their numbers", async () => {
        const { stateVersions } = await client.getStateVersions(place);
        assert.equal(stateVersions.length, 105);
        assert.deepEqual(new Set(stateVersions.map(({ id }) => id)).size, 105);
        assert(stateVersions.every((version) => !JSON.stringify(version).includes("/v1/object/")));
        const queries = (await simulator.requests()).map(({ query }) => query);
        assert.deepEqual(queries, [
            { "filter[workspace][name]": "app", "filter[organization][name]": "example", "page[size]": "100" },
            {
                "filter[workspace][name]": "app",
                "filter[organization][name]": "example",
                "page[number]": "2",
                "page[size]": "100",
            },
        ]);
    });

    it("getStateVersions stops at its `limit`", async () => {
        const { stateVersions } = await client.getStateVersions({ ...place, limit: 3 });
        assert.equal(stateVersions.length, 3);
        const requests = await simulator.requests();
        assert.deepEqual([requests.length, requests[0]?.query["page[size]"]], [1, "3"]);
        await simulator.forget();
        assert.equal((await client.getStateVersions({ ...place, limit: 102 })).stateVersions.length, 102);
        const sizes = (await simulator.requests()).map(({ query }) => query["page[size]"]);
        assert.deepEqual(sizes, ["100", "100"], "no page is larger than every server allows");
    });

    it("getStateVersions filters by `status`, and returns the resources of `include`", async () => {
        assert.deepEqual((await client.getStateVersions({ ...place, status: "pending" })).stateVersions, []);
        const { included } = await client.getStateVersions({ ...place, limit: 105, include: ["created_by"] });
        assert.deepEqual(included, [
            { id: "user-1", type: "users", attributes: { username: "user-1" }, relationships: {}, links: {} },
        ]);
    });

    describe("getStateVersions", () => {
        const user = { id: "user-1", type: "users", attributes: { username: "ann" }, relationships: {}, links: {} };
        const page = (next: number | null, ...versions: [id: string, status?: string][]) => ({
            path: "/state-versions$",
            status: 200,
            contentType: "application/vnd.api+json",
            body: JSON.stringify({
                data: versions.map(([id, status]) => ({ id, type: "state-versions", attributes: { status } })),
                included: [user],
                meta: { pagination: { "next-page": next } },
            }),
        });
        const list = async (more: object = {}) => {
            const { stateVersions, included } = await client.getStateVersions({ ...place, ...more });
            return { ids: stateVersions.map(({ id }) => id), included };
        };

        for (const [what, pages, args, ids] of [
            [
                "omits versions with another status on a server that ignores the filter",
                [page(2, ["sv-1", "finalized"]), page(null, ["sv-2", "pending"], ["sv-3"])],
                { status: "pending", limit: 2 },
                ["sv-2", "sv-3"],
            ],
            ["stops at a page without versions", [page(2, ["sv-1"]), page(3)], {}, ["sv-1"]],
        ] as const) {
            it(what, async () => {
                await simulator.fault(...pages);
                assert.deepEqual((await list(args)).ids, ids);
            });
        }

        it("returns versions and related resources of two pages once", async () => {
            await simulator.fault(page(2, ["sv-1"], ["sv-2"]), page(null, ["sv-2"], ["sv-3"]));
            assert.deepEqual(await list(), { ids: ["sv-1", "sv-2", "sv-3"], included: [user] });
        });

        it("stops after `total-pages`, whatever the pages say comes next", async () => {
            const pagination = { "next-page": 2, "total-pages": 1 };
            const only = { ...page(2, ["sv-1"]), times: 0 };
            const body = JSON.stringify({ ...JSON.parse(only.body), meta: { pagination } });
            await simulator.fault({ ...only, body });
            assert.deepEqual((await list()).ids, ["sv-1"]);
        });

        it("fails after 10,000 pages with new versions", async () => {
            let sent = 0;
            const exchange = { service: "service", operation: "GET /state-versions" };
            const runtime = hostWith(async () => {
                const data = [{ id: `sv-${++sent}`, type, attributes: {} }];
                const body = { data, meta: { pagination: { "next-page": sent + 1 } } };
                return { exchange, status: 200, headers: {}, body };
            });
            await assert.rejects(invokeFunction(getStateVersions, runtime, place), AnswerError);
            assert.equal(sent, 10_000);
        });

        it("fails if a page contains no new version", async () => {
            await simulator.fault({ ...page(2, ["sv-1"]), times: 0 });
            await assert.rejects(list(), AnswerError);
        });
    });

    describe("getWorkspace", () => {
        const empty = {
            id: "ws-2",
            name: "empty",
            organization: "example",
            locked: true,
            lockedReason: "planning",
            lockedById: "run-3",
            lockedByType: "runs",
            autoApply: true,
            currentRunId: "run-3",
            permissions: { "can-lock": true, "can-unlock": true, "can-create-state-versions": true },
        };
        const whole = { ...empty, currentRunStatus: "planning" };
        describeFunction("getWorkspace", simulator, {
            path: "/api/v2/workspaces/ws-2",
            returns: [
                [{ id: "ws-2" }, whole],
                [{ organization: "example", name: "empty" }, whole],
            ],
            absent: [{ organization: "example", name: "none" }],
            refused: [
                [{}, "id"],
                [{ name: "app" }, "id"],
                [{ organization: "example" }, "id"],
                [{ id: "ws-1", name: "app" }, "id"],
            ],
            fails: [
                [
                    { organization: "elsewhere", name: "app" },
                    { code: "absent", message: /organization sees no/ },
                ],
            ],
        });

        it("returns the current version", async () => {
            assert.equal((await client.getWorkspace({ id: "ws-1" })).currentStateVersionId, "sv-105");
        });

        for (const status of [400, 422]) {
            it(`asks again without \`include\` after ${status}, and later without it at once`, async () => {
                await simulator.fault({ status, body: '{"errors":[{"title":"include"}]}' });
                const { getWorkspace } = simulator.connect();
                assert.deepEqual(await getWorkspace({ id: "ws-2" }), empty);
                assert.deepEqual(await getWorkspace({ id: "ws-2" }), empty);
                const queries = (await simulator.requests()).map(({ query }) => query);
                assert.deepEqual(queries, [{ include: "current_run" }, {}, {}]);
            });
        }

        it("returns what a server shows", async () => {
            const data = { id: "ws-2", type: "workspaces", attributes: { "auto-apply": null, locked: "no" } };
            await simulator.fault({ status: 200, body: JSON.stringify({ data }), times: 2 });
            assert.deepEqual(await client.getWorkspace({ id: "ws-2" }), { id: "ws-2" });
            await simulator.heal();
            await simulator.fault({ status: 200, body: JSON.stringify({ data: { ...data, type: "runs" } }) });
            await assert.rejects(client.getWorkspace({ id: "ws-2" }), AnswerError);
        });
    });

    it("downloadState returns the state of a version, or of the current version", async () => {
        const one = await client.downloadState({ stateVersionId: "sv-7" });
        assert.deepEqual([one.stateVersionId, one.serial, one.state], ["sv-7", 7, state(7)]);
        assert.deepEqual(JSON.parse(one.text), state(7));
        const current = await client.downloadState({ workspaceId: "ws-1" });
        assert.equal(current.stateVersionId, "sv-105");
    });

    it("downloadState warns of an encrypted state, and fails with strict", async () => {
        const version = { stateVersionId: "sv-7" };
        const sealed = JSON.stringify({ serial: 7, lineage: "a", encrypted_data: "x", encryption_version: "v0" });
        await simulator.fault({ path: "/v1/object/", status: 200, times: 2, body: sealed });
        const warnings: string[] = [];
        const usual = simulator.connect({ warn: (message) => void warnings.push(message) });
        await usual.downloadState(version);
        assert.match(warnings.join(), /sv-7 is encrypted.*\[content\]$/);
        const strict = simulator.connect({ environment: { STATECRAFT_STRICT: "true" } });
        await assert.rejects(strict.downloadState(version), { code: "content" });
    });

    describeFunction("downloadState", simulator, {
        path: "/api/v2/state-versions/sv-1",
        absent: [{ stateVersionId: "sv-999" }, { workspaceId: "ws-9" }],
        refused: [
            [{}, "stateVersionId"],
            [{ stateVersionId: "sv-1", workspaceId: "ws-1" }, "stateVersionId"],
        ],
        fails: [[{ stateVersionId: "sv-1", format: "json" }, { code: "content" }]],
        secrets: ["state", "text"],
    });
});
