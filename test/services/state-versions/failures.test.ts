import assert from "node:assert/strict";
import { type Connection, connect } from "../../../src/client";
import * as errors from "../../../src/errors";
import type { Seed } from "../../../src/simulator/route";
import { plantedToken, World } from "../../support/world";

const raw = (serial: number) => JSON.stringify({ version: 4, serial, lineage: "11aa", outputs: {}, resources: [] });

const seed: Seed = {
    tokens: [{ token: plantedToken, kind: "user", id: "user-1" }],
    workspaces: [
        {
            id: "ws-1",
            name: "app",
            organization: "example",
            stateVersions: [
                { id: "sv-1", state: JSON.parse(raw(1)) },
                { id: "sv-2", state: JSON.parse(raw(2)) },
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
    let world: World;
    let client: Connection;
    before(async () => {
        world = await World.start(seed);
        client = connect({
            stateVersions: { address: `${world.url}/api/v2`, token: plantedToken, maxRetries: 0 },
            environment: {},
            warn: () => undefined,
        });
    });
    beforeEach(() => world.reset());
    after(() => world.close());

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
                await world.reset();
                await world.fault({ ...fault, ...refusal(status), headers: { "retry-after": "7" } });
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
            await world.fault({ ...fault, drop: "before", times: 0 });
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
