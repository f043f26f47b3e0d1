/** Reading state versions, workspaces and accounts from the simulator. */
import assert from "node:assert/strict";
import type { Seed } from "../../../src/simulator/seed";
import { type RunningSimulator, startSimulator } from "../../../src/simulator/server";
import { rawState } from "../documents";
import { type Answer, at, listAt, send, textAt } from "../requests";

const NETWORK = {
    mode: "managed",
    type: "network",
    name: "main",
    provider: 'provider["registry.example/net"]',
    instances: [{}, {}],
};
const NODE = { ...NETWORK, module: "module.inner", type: "node", name: "worker", instances: [{}] };
const LOOKUP = { ...NETWORK, mode: "data", type: "image", name: "base", instances: [{}] };

const seed: Seed = {
    workspaces: [
        {
            id: "ws-1",
            name: "web",
            organization: "acme",
            stateVersions: [
                { id: "sv-1", state: rawState(1) },
                { id: "sv-2", state: rawState(2), createdAt: "2024-05-01T10:00:00.000Z" },
                {
                    id: "sv-3",
                    state: rawState(3, {
                        outputs: { address: { value: "10.0.0.1", type: "string" } },
                        resources: [NETWORK, NODE, LOOKUP, { ...NODE, name: "none", instances: [] }],
                    }),
                },
            ],
        },
        {
            id: "ws-2",
            name: "empty",
            organization: "acme",
            locked: { by: { type: "runs", id: "run-9" }, reason: "applying" },
        },
        {
            id: "ws-3",
            name: "long",
            organization: "acme",
            stateVersions: Array.from({ length: 45 }, (_, index) => ({ id: `long-${index}`, state: rawState(index) })),
        },
    ],
    tokens: [
        { token: "t-write", kind: "user", id: "user-1" },
        { token: "t-read", kind: "user", id: "user-2", access: "read" },
        { token: "t-none", kind: "user", id: "user-3", access: "none" },
        { token: "t-team", kind: "team", id: "team-1" },
        { token: "t-organization", kind: "organization", id: "acme" },
    ],
};

describe("state versions: reading", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator({ seed });
    });
    after(() => simulator.close());

    const get = (path: string, token: string | undefined = "t-write"): Promise<Answer> =>
        send("GET", `${simulator.url}${path}`, { token });
    const list = (query: string) =>
        get(`/api/v2/state-versions?filter%5Borganization%5D%5Bname%5D=acme&filter%5Bworkspace%5D%5Bname%5D=${query}`);
    const idsOf = (answer: Answer) => listAt(answer.json, "data").map((record) => at(record, "id"));

    it("shows a version with all that its state tells", async () => {
        const answer = await get("/api/v2/state-versions/sv-3");
        assert.equal(answer.status, 200);
        assert.equal(answer.type, "application/vnd.api+json");
        const attributes = at(answer.json, "data", "attributes");
        assert.equal(at(answer.json, "data", "id"), "sv-3");
        assert.equal(at(answer.json, "data", "type"), "state-versions");
        assert.equal(at(answer.json, "data", "links", "self"), "/api/v2/state-versions/sv-3");
        assert.equal(at(attributes, "status"), "finalized");
        assert.equal(at(attributes, "intermediate"), false);
        assert.equal(at(attributes, "serial"), 3);
        assert.equal(at(attributes, "state-version"), 4);
        assert.equal(at(attributes, "tool-version"), "1.6.2");
        assert.equal(at(attributes, "resources-processed"), true);
        assert.equal(at(attributes, "hosted-state-upload-url"), null);
        assert.equal(at(attributes, "hosted-json-state-upload-url"), null);
        assert.deepEqual(at(answer.json, "data", "relationships", "workspace"), {
            data: { id: "ws-1", type: "workspaces" },
        });
        assert.equal(listAt(answer.json, "data", "relationships", "outputs", "data").length, 1);
        assert.equal(at(answer.json, "data", "relationships", "outputs", "data", 0, "type"), "state-version-outputs");
    });

    it("derives resources, modules and providers from the raw state", async () => {
        const provider = 'provider["registry.example/net"]';
        const attributes = at((await get("/api/v2/state-versions/sv-3")).json, "data", "attributes");
        assert.deepEqual(at(attributes, "resources"), [
            { name: "main", type: "network", count: 2, module: "root", provider },
            { name: "worker", type: "node", count: 1, module: "module.inner", provider },
            { name: "base", type: "data.image", count: 1, module: "root", provider },
        ]);
        assert.deepEqual(at(attributes, "modules"), {
            root: { network: 2, "data.image": 1 },
            "module.inner": { node: 1 },
        });
        assert.deepEqual(at(attributes, "providers"), { [provider]: { network: 2, node: 1, "data.image": 1 } });
    });

    it("gives the raw state without a token at the address on the record", async () => {
        const record = (await get("/api/v2/state-versions/sv-2")).json;
        const address = textAt(record, "data", "attributes", "hosted-state-download-url");
        assert.ok(address.startsWith(`${simulator.url}/v1/object/`));
        const raw = await send("GET", address);
        assert.equal(raw.status, 200);
        assert.equal(raw.type, "application/octet-stream");
        assert.deepEqual(raw.json, rawState(2));
        assert.equal(at(record, "data", "attributes", "size"), raw.text.length);
    });

    it("gives the raw state at the version's own address only with a token", async () => {
        const path = "/api/v2/state-versions/sv-2/download";
        assert.deepEqual((await get(path)).json, rawState(2));
        assert.equal((await send("GET", `${simulator.url}${path}`)).status, 401);
        assert.equal((await get("/api/v2/state-versions/sv-none/download")).status, 404);
    });

    it("answers 404 to an object that is not there", async () => {
        const answer = await send("GET", `${simulator.url}/v1/object/none`);
        assert.deepEqual([answer.status, answer.text], [404, "object not found"]);
    });

    it("gives the last seeded version as the current one", async () => {
        const answer = await get("/api/v2/workspaces/ws-1/current-state-version");
        assert.deepEqual([answer.status, at(answer.json, "data", "id")], [200, "sv-3"]);
    });

    it("answers 404 for no current version, no workspace and no version", async () => {
        const paths = ["workspaces/ws-2/current-state-version", "workspaces/ws-9/current-state-version"];
        for (const path of [...paths, "state-versions/sv-9", "state-versions/constructor", "workspaces/__proto__"]) {
            const answer = await get(`/api/v2/${path}`);
            assert.equal(answer.status, 404, path);
            assert.equal(answer.type, "application/vnd.api+json");
            assert.equal(at(answer.json, "errors", 0, "status"), "404");
            assert.equal(at(answer.json, "errors", 0, "title"), "not found");
        }
    });

    it("lists the newest by created-at first, whatever the serial", async () => {
        assert.deepEqual(idsOf(await list("web")), ["sv-3", "sv-1", "sv-2"]);
    });

    it("lists of two with the same time the later one first", async () => {
        const createdAt = "2024-05-01T10:00:00.000Z";
        const stateVersions = [1, 2].map((serial) => ({ id: `same-${serial}`, state: rawState(serial), createdAt }));
        const body = { workspaces: [{ id: "ws-4", name: "same", organization: "acme", stateVersions }] };
        await send("POST", `${simulator.url}/simulator/seed`, { body });
        assert.deepEqual(idsOf(await list("same")), ["same-2", "same-1"]);
    });

    it("seeds versions an hour apart, the last one now", async () => {
        const [third, first] = listAt((await list("web")).json, "data").map((record) =>
            Date.parse(textAt(record, "attributes", "created-at")),
        );
        assert.equal(Math.round((Number(third) - Number(first)) / 60_000), 120);
    });

    it("demands both filters", async () => {
        for (const [query, name] of [
            ["filter[workspace][name]=web", "organization"],
            ["filter[organization][name]=acme", "workspace"],
        ]) {
            const answer = await get(`/api/v2/state-versions?${query}`);
            assert.equal(answer.status, 400);
            assert.equal(at(answer.json, "errors", 0, "detail"), `filter[${name}][name] is empty`);
        }
    });

    it("answers 404 to the list of an unknown workspace or organization", async () => {
        assert.equal((await list("none")).status, 404);
        const other = "filter[organization][name]=other&filter[workspace][name]=web";
        assert.equal((await get(`/api/v2/state-versions?${other}`)).status, 404);
    });

    it("takes one status or several, and refuses unknown ones", async () => {
        assert.equal(idsOf(await list("web&filter[status]=finalized")).length, 3);
        assert.equal(idsOf(await list("web&filter[status]=pending,finalized")).length, 3);
        assert.deepEqual(idsOf(await list("web&filter[status]=pending,discarded")), []);
        assert.equal((await list("web&filter[status]=uploaded")).status, 400);
    });

    it("pages by twenty, with links and numbers", async () => {
        const answer = await list("long");
        assert.equal(idsOf(answer).length, 20);
        assert.equal(idsOf(answer)[0], "long-44");
        assert.deepEqual(at(answer.json, "meta", "pagination"), {
            "current-page": 1,
            "page-size": 20,
            "prev-page": null,
            "next-page": 2,
            "total-pages": 3,
            "total-count": 45,
        });
        assert.equal(at(answer.json, "links", "prev"), null);
        const next = await send("GET", textAt(answer.json, "links", "next"), { token: "t-write" });
        assert.equal(idsOf(next)[0], "long-24");
        assert.equal(at(next.json, "links", "first"), at(answer.json, "links", "self"));
        assert.equal(at(next.json, "links", "prev"), at(answer.json, "links", "self"));
        const last = await send("GET", textAt(next.json, "links", "last"), { token: "t-write" });
        assert.deepEqual(idsOf(last), ["long-4", "long-3", "long-2", "long-1", "long-0"]);
        assert.equal(at(last.json, "links", "next"), null);
    });

    it("takes page sizes up to a hundred, and the default for zero and less", async () => {
        const sizeOf = async (size: string) =>
            at((await list(`long&page[size]=${size}`)).json, "meta", "pagination", "page-size");
        assert.equal(await sizeOf("7"), 7);
        assert.equal(await sizeOf("500"), 100);
        assert.equal(await sizeOf("0"), 20);
        assert.equal(await sizeOf("-3"), 20);
        assert.equal((await list("long&page[size]=x")).status, 400);
        assert.equal((await list("long&page[number]=1.5")).status, 400);
    });

    it("gives an empty page beyond the end", async () => {
        const answer = await list("long&page[number]=99");
        assert.deepEqual([answer.status, idsOf(answer)], [200, []]);
        assert.equal(at(answer.json, "meta", "pagination", "current-page"), 99);
        assert.equal(at(answer.json, "meta", "pagination", "next-page"), null);
    });

    it("gives one empty page for a workspace without versions", async () => {
        const answer = await list("empty");
        assert.deepEqual(idsOf(answer), []);
        assert.equal(at(answer.json, "meta", "pagination", "total-count"), 0);
        assert.equal(at(answer.json, "links", "next"), null);
    });

    it("shows a workspace by id and by name", async () => {
        const byId = await get("/api/v2/workspaces/ws-1");
        assert.equal(byId.status, 200);
        assert.deepEqual((await get("/api/v2/organizations/acme/workspaces/web")).json, byId.json);
        assert.equal(at(byId.json, "data", "type"), "workspaces");
        assert.equal(at(byId.json, "data", "attributes", "name"), "web");
        assert.equal(at(byId.json, "data", "attributes", "locked"), false);
        assert.deepEqual(at(byId.json, "data", "relationships", "locked-by"), { data: null });
        assert.equal((await get("/api/v2/organizations/other/workspaces/web")).status, 404);
    });

    it("shows who holds a workspace's lock", async () => {
        const { json } = await get("/api/v2/workspaces/ws-2");
        assert.equal(at(json, "data", "attributes", "locked"), true);
        assert.equal(at(json, "data", "attributes", "locked-reason"), "applying");
        assert.deepEqual(at(json, "data", "relationships", "locked-by"), { data: { id: "run-9", type: "runs" } });
    });

    it("tells permissions by token", async () => {
        const may = async (token: string, what: string) =>
            at((await get("/api/v2/workspaces/ws-1", token)).json, "data", "attributes", "permissions", what);
        assert.equal(await may("t-write", "can-create-state-versions"), true);
        assert.equal(await may("t-read", "can-create-state-versions"), false);
        assert.equal(await may("t-organization", "can-lock"), false);
        assert.equal(await may("t-read", "can-read-state-versions"), true);
    });

    it("refuses without a token and with an unknown one", async () => {
        for (const token of [undefined, "stranger"]) {
            const answer = await send("GET", `${simulator.url}/api/v2/state-versions/sv-1`, token ? { token } : {});
            assert.equal(answer.status, 401);
            assert.equal(answer.type, "application/vnd.api+json");
            assert.equal(at(answer.json, "errors", 0, "status"), "401");
        }
    });

    it("hides everything from a token without access, in the words for what is missing", async () => {
        const missing = await get("/api/v2/state-versions/sv-9");
        for (const path of ["state-versions/sv-1", "workspaces/ws-1", "workspaces/ws-1/current-state-version"]) {
            const answer = await get(`/api/v2/${path}`, "t-none");
            assert.deepEqual([answer.status, answer.text], [404, missing.text], path);
        }
    });

    it("lets organization tokens and readers read", async () => {
        for (const token of ["t-organization", "t-read", "t-team"]) {
            assert.equal((await get("/api/v2/state-versions/sv-1", token)).status, 200, token);
        }
    });

    it("tells a token's own identity, which an organization token has not", async () => {
        const who = async (token: string) => at((await get("/api/v2/account/details", token)).json, "data");
        assert.deepEqual(await who("t-write"), { id: "user-1", type: "users" });
        assert.deepEqual(await who("t-team"), { id: "team-1", type: "teams" });
        assert.equal((await get("/api/v2/account/details", "t-organization")).status, 404);
    });

    it("says what it does not know", async () => {
        const action = "/api/v2/state-versions/sv-1/actions/forget";
        assert.equal((await send("POST", `${simulator.url}${action}`, { token: "t-write", body: {} })).status, 501);
    });
});

describe("state versions: any token", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator({ seed: { workspaces: seed.workspaces ?? [] } });
    });
    after(() => simulator.close());

    it("knows users, teams and organizations by how the token begins", async () => {
        const who = (token: string) => send("GET", `${simulator.url}/api/v2/account/details`, { token });
        // The first eight digits of the SHA-256 of "secret".
        assert.deepEqual((await who("secret")).json, { data: { id: "user-2bb80d53", type: "users" } });
        assert.equal(at((await who("team-secret")).json, "data", "type"), "teams");
        assert.equal((await who("organization-secret")).status, 404);
        assert.equal((await send("GET", `${simulator.url}/api/v2/account/details`)).status, 401);
    });
});
