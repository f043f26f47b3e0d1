/** Volumes at the simulator: list, read, register, deregister, detach. */
import assert from "node:assert/strict";
import type { Seed, TokenSeed } from "../../../src/simulator/seed";
import { type RunningSimulator, startSimulator } from "../../../src/simulator/server";
import { at, listAt, send, textAt } from "../requests";

const tokens: TokenSeed[] = [
    { token: "t-write", kind: "user", id: "user-1" },
    { token: "t-read", kind: "user", id: "user-2", access: "read" },
    { token: "t-none", kind: "user", id: "user-3", access: "none" },
];

const seed: Seed = {
    plugins: [
        {
            id: "disks",
            provider: "disks.example",
            version: "1.2.0",
            controllerRequired: true,
            nodes: ["a1b2c3", "a1ffee"],
        },
        { id: "shares", nodes: ["b7b7b7"] },
        { id: "d15c-north", nodes: ["b7b7b7"] },
        { id: "sick", controllerRequired: true, nodes: ["c1"], healthy: false },
        { id: "sick-nodes", nodes: ["c1"], healthy: false },
    ],
};

/** The document's register payload, with nothing but its fields. */
const DATA = {
    ID: "data",
    Name: "Data",
    Namespace: "default",
    ExternalID: "disk-0a1b",
    Topologies: [{ zone: "north" }, { zone: "south", rack: "4" }],
    AccessMode: "single-node-writer",
    AttachmentMode: "file-system",
    PluginID: "disks",
};

let simulator: RunningSimulator;

const call = (method: string, path: string, body?: unknown, token = "t-write") =>
    send(method, `${simulator.url}${path}`, { token, body, contentType: "application/json" });
const register = (...volumes: unknown[]) => call("PUT", "/v1/volume/csi/data", { Volumes: volumes });
const read = (id: string, query = "") => call("GET", `/v1/volume/csi/${id}${query}`);
const idsOf = async (query: string) => listAt((await call("GET", `/v1/volumes?${query}`)).json).map((v) => at(v, "ID"));
const claim = async (fields: object) =>
    textAt((await call("POST", "/simulator/claims", { volume: "data", node: "a1b2c3", ...fields })).json, "allocation");

function suite(title: string, tests: () => void): void {
    describe(`volumes: ${title}`, () => {
        before(async () => {
            simulator = await startSimulator({ tokens });
        });
        beforeEach(async () => {
            assert.equal((await call("POST", "/simulator/reset", seed)).status, 204);
        });
        after(() => simulator.close());
        tests();
    });
}

suite("registering and reading", () => {
    it("registers the document's payload and answers nothing", async () => {
        const answer = await register(DATA);
        assert.deepEqual([answer.status, answer.text], [200, ""]);
    });

    it("reads exactly the document's fields", async () => {
        await register(DATA);
        const answer = await read("data");
        assert.equal(answer.status, 200);
        assert.equal(answer.type, "application/json");
        assert.deepEqual(answer.json, {
            ...DATA,
            Provider: "disks.example",
            Version: "1.2.0",
            Schedulable: true,
            ControllerRequired: true,
            ControllersHealthy: 1,
            ControllersExpected: 1,
            NodesHealthy: 2,
            NodesExpected: 2,
            ResourceExhausted: 0,
            CreateIndex: 1,
            ModifyIndex: 1,
            Allocations: [],
            ReadAllocs: {},
            WriteAllocs: {},
        });
    });

    it("needs neither name nor external id, topologies nor modes", async () => {
        assert.equal((await register({ ID: "data", PluginID: "shares" })).status, 200);
        const { json } = await read("data");
        assert.deepEqual(
            ["Name", "Namespace", "ExternalID", "Topologies", "AccessMode", "ControllerRequired"].map((k) =>
                at(json, k),
            ),
            ["", "default", "", [], "", false],
        );
    });

    it("goes by the body's id and namespace, not by the path's and the query's", async () => {
        const body = { Volumes: [{ ...DATA, ID: "other", Namespace: "team" }] };
        assert.equal((await call("PUT", "/v1/volume/csi/data?namespace=default", body)).status, 200);
        assert.equal((await read("other", "?namespace=team")).status, 200);
        assert.equal((await read("other")).status, 404);
        assert.equal((await read("data")).status, 404);
    });

    it("takes the query's namespace when the body names none", async () => {
        const body = { Volumes: [{ ID: "data", PluginID: "disks" }] };
        await call("PUT", "/v1/volume/csi/data?namespace=team", body);
        assert.equal(at((await read("data", "?namespace=team")).json, "Namespace"), "team");
    });

    it("matches keys in any case and drops those that it does not know", async () => {
        await call("PUT", "/v1/volume/csi/data", {
            volumes: [{ id: "data", pluginid: "disks", NAME: "Data", Colour: "blue" }],
        });
        const { json } = await read("data");
        assert.equal(at(json, "Name"), "Data");
        assert.equal(at(json, "Colour"), undefined);
    });

    it("refuses a volume that exists, an identical one too", async () => {
        await register(DATA);
        for (const volume of [DATA, { ...DATA, Name: "new" }]) {
            const answer = await register(volume);
            assert.deepEqual([answer.status, answer.text], [500, "volume exists: data"]);
        }
        assert.equal(at((await read("data")).json, "Name"), "Data");
        assert.equal((await register({ ...DATA, Namespace: "team" })).status, 200);
    });

    it("refuses payloads without a volume", async () => {
        for (const body of ["null", "{}", '{"Volumes":[]}', '{"Volumes":null}']) {
            const answer = await call("PUT", "/v1/volume/csi/data", body);
            assert.deepEqual([answer.status, answer.text], [500, "missing volume definition"], body);
            assert.match(String(answer.type), /^text\/plain/);
        }
    });

    it("refuses volumes without id or plugin", async () => {
        assert.equal((await register({})).text, "validation: missing volume id, missing plugin id");
        assert.equal((await register({ ID: "data" })).text, "validation: missing plugin id");
        const answer = await register({ PluginID: "disks" });
        assert.deepEqual([answer.status, answer.text], [500, "validation: missing volume id"]);
    });

    it("refuses unknown plugins and those whose controller is not healthy", async () => {
        const unknown = await register({ ...DATA, PluginID: "none" });
        assert.deepEqual([unknown.status, unknown.text], [500, "no CSI plugin named: none could be found"]);
        const sick = await register({ ...DATA, PluginID: "sick" });
        assert.deepEqual([sick.status, sick.text], [500, "no healthy controllers for CSI plugin: sick"]);
        assert.equal((await register({ ...DATA, PluginID: "sick-nodes" })).status, 200);
    });

    it("refuses bodies that it cannot read", async () => {
        const empty = await call("PUT", "/v1/volume/csi/data");
        assert.deepEqual([empty.status, empty.text], [400, "Request body is empty"]);
        const mistyped = await register({ ...DATA, ID: 7 });
        assert.equal(mistyped.status, 400);
        assert.equal(
            mistyped.text,
            "json: cannot unmarshal number into Go struct field CSIVolume.Volumes.ID of type string",
        );
        const [cut, followed] = ['{"Volumes":[', '{"Volumes":[]} more'];
        assert.equal((await call("PUT", "/v1/volume/csi/data", cut)).text, "unexpected EOF");
        const after = "invalid character 'm' after top-level value";
        assert.equal((await call("PUT", "/v1/volume/csi/data", followed)).text, after);
        const bodies = [
            "[]",
            '{"Volumes":',
            "hello",
            '{"Volumes":{}}',
            '{"Volumes":[1]}',
            '{"Volumes":[{"Topologies":[1]}]}',
        ];
        for (const body of [...bodies, '{"Volumes":[{"Topologies":[{"zone":1}]}]}']) {
            assert.equal((await call("PUT", "/v1/volume/csi/data", body)).status, 400, body);
        }
    });

    it("registers all volumes of a payload or none", async () => {
        assert.equal((await register(DATA, { ...DATA, ID: "more", PluginID: "none" })).status, 500);
        assert.equal((await read("data")).status, 404);
        assert.equal((await register(DATA, { ...DATA, ID: "more" })).status, 200);
        assert.equal((await read("more")).status, 200);
        assert.equal((await register({ ...DATA, ID: "third" }, DATA)).text, "volume exists: data");
        assert.equal((await read("third")).status, 404);
    });

    it("registers one of ten equal requests in parallel", async () => {
        const answers = await Promise.all(Array.from({ length: 10 }, () => register(DATA)));
        const statuses = answers.map(({ status }) => status).sort();
        assert.deepEqual(statuses, [200, ...Array(9).fill(500)]);
    });

    it("says in plain text that a volume is not there", async () => {
        for (const path of ["none", "constructor", "data?namespace=team", "data?namespace=*"]) {
            await register(DATA);
            const answer = await read(path);
            assert.deepEqual([answer.status, answer.text], [404, "volume not found"], path);
            assert.match(String(answer.type), /^text\/plain/);
        }
    });

    it("takes ids that need escaping", async () => {
        const id = "blue disk?#%:ü";
        await register({ ...DATA, ID: id });
        assert.equal(at((await read(encodeURIComponent(id))).json, "ID"), id);
        assert.equal((await call("DELETE", `/v1/volume/csi/${encodeURIComponent(id)}`)).status, 200);
    });

    it("takes an escaped slash for one that parts the path", async () => {
        await register({ ...DATA, ID: "a/b" });
        for (const [method, path] of [
            ["GET", "a%2Fb"],
            ["DELETE", "a%2Fb"],
            ["DELETE", "a%2Fb/detach?node=a1b2c3"],
        ] as const) {
            const answer = await call(method, `/v1/volume/csi/${path}`);
            assert.deepEqual([answer.status, answer.text], [404, "resource not found"], path);
        }
    });

    it("follows the plugin's health", async () => {
        await register(DATA);
        assert.equal((await call("PATCH", "/simulator/plugins/disks", { healthy: false })).status, 200);
        const { json } = await read("data");
        const names = ["Schedulable", "ControllersHealthy", "ControllersExpected", "NodesHealthy", "NodesExpected"];
        assert.deepEqual(
            names.map((name) => at(json, name)),
            [false, 0, 1, 0, 2],
        );
        assert.equal(at(json, "ModifyIndex"), at(json, "CreateIndex"));
        assert.equal((await call("PATCH", "/simulator/plugins/none", { healthy: false })).status, 404);
    });

    it("counts writes in the indexes", async () => {
        await register(DATA);
        await register({ ...DATA, ID: "more" });
        assert.equal(at((await read("data")).json, "CreateIndex"), 1);
        assert.equal(at((await read("more")).json, "CreateIndex"), 2);
        await claim({});
        assert.equal(at((await read("data")).json, "CreateIndex"), 1);
        assert.equal(at((await read("data")).json, "ModifyIndex"), 3);
    });

    it("answers 405 to other methods on a volume", async () => {
        const answer = await call("POST", "/v1/volume/csi/data", { Volumes: [DATA] });
        assert.deepEqual([answer.status, answer.text], [405, "Invalid method"]);
    });

    it("answers 405 to other methods on the list, where volumes can be registered as well", async () => {
        const answer = await call("DELETE", "/v1/volumes");
        assert.deepEqual([answer.status, answer.text], [405, "Invalid method"]);
        for (const [method, ID] of [
            ["PUT", "one"],
            ["POST", "two"],
        ] as const) {
            assert.equal((await call(method, "/v1/volumes", { Volumes: [{ ...DATA, ID }] })).status, 200);
            assert.equal((await read(ID)).status, 200);
        }
    });

    it("seeds volumes as if registered", async () => {
        await call("POST", "/simulator/seed", { volumes: [DATA, { ID: "orphan", PluginID: "gone" }] });
        assert.deepEqual(at((await read("data")).json, "Topologies"), DATA.Topologies);
        const orphan = (await read("orphan")).json;
        assert.deepEqual([at(orphan, "Schedulable"), at(orphan, "Provider")], [false, ""]);
        assert.equal((await call("POST", "/simulator/seed", { volumes: [{ ID: "half" }] })).status, 400);
    });
});

suite("listing", () => {
    beforeEach(async () => {
        await register(
            { ...DATA, ID: "m2" },
            { ...DATA, ID: "m1", PluginID: "shares" },
            { ...DATA, ID: "n1", Namespace: "team" },
        );
    });

    it("gives nothing without a type", async () => {
        for (const path of ["/v1/volumes", "/v1/volumes?type=", "/v1/volumes?namespace=*"]) {
            const answer = await call("GET", path);
            assert.deepEqual([answer.status, answer.json], [200, []], path);
        }
    });

    it("knows no other type", async () => {
        for (const type of ["CSI", "junk", "host"]) {
            const answer = await call("GET", `/v1/volumes?type=${type}`);
            assert.deepEqual([answer.status, answer.text], [404, "resource not found"]);
        }
    });

    it("shows exactly the document's fields of a listed volume", async () => {
        const answer = await call("GET", "/v1/volumes?type=csi&prefix=m2");
        const { Version, Allocations, ReadAllocs, WriteAllocs, ...rest } = Object.fromEntries(
            Object.entries((await read("m2")).json ?? {}),
        );
        assert.deepEqual(answer.json, [rest]);
        assert.deepEqual([Version, Allocations, ReadAllocs, WriteAllocs], ["1.2.0", [], {}, {}]);
    });

    it("orders by namespace and id, in one namespace or in all", async () => {
        assert.deepEqual(await idsOf("type=csi"), ["m1", "m2"]);
        assert.deepEqual(await idsOf("type=csi&namespace=team"), ["n1"]);
        assert.deepEqual(await idsOf("type=csi&namespace=none"), []);
        assert.deepEqual(await idsOf("type=csi&namespace=*"), ["m1", "m2", "n1"]);
    });

    it("filters by the beginning of the id and of the plugin's id", async () => {
        assert.deepEqual(await idsOf("type=csi&prefix=m"), ["m1", "m2"]);
        assert.deepEqual(await idsOf("type=csi&prefix=M"), []);
        await register({ ...DATA, ID: "d1", PluginID: "d15c-north" });
        assert.deepEqual(await idsOf("type=csi&plugin_id=d15c"), ["d1"]);
        assert.deepEqual(await idsOf("type=csi&plugin_id="), ["d1", "m1", "m2"]);
        assert.deepEqual(await idsOf("type=csi&plugin_id=ffff"), []);
        assert.deepEqual(await idsOf("type=csi&plugin_id=d1&namespace=*"), ["d1"]);
    });

    it("wants prefixes with an even number of hexadecimal digits", async () => {
        for (const prefix of ["a", "a1b", "A1", "zz", "disk"]) {
            for (const name of ["node_id", "plugin_id"]) {
                const answer = await call("GET", `/v1/volumes?type=csi&${name}=${prefix}`);
                assert.equal(answer.status, 400, prefix);
                assert.equal(answer.text, `Invalid ${name}: must have an even number of hexadecimal digits`);
            }
        }
    });

    it("filters by the beginning of the id of a node where the volume is used", async () => {
        await claim({ volume: "m2", node: "a1b2c3" });
        assert.deepEqual(await idsOf("type=csi&node_id=a1b2"), ["m2"]);
        assert.deepEqual(await idsOf("type=csi&node_id=a1b2c3"), ["m2"]);
        assert.deepEqual(await idsOf("type=csi&node_id=ffff"), []);
        assert.deepEqual(await idsOf("type=csi&node_id=a1b2&plugin_id=d15c"), []);
    });
});

suite("claims", () => {
    beforeEach(async () => {
        await register(DATA);
    });

    it("show as allocations with the document's fields", async () => {
        const id = await claim({ job: "web", write: true });
        const { json } = await read("data");
        assert.deepEqual([at(json, "ReadAllocs"), at(json, "WriteAllocs")], [{}, { [id]: null }]);
        const allocation = at(json, "Allocations", 0) ?? {};
        assert.deepEqual(
            Object.keys(allocation).sort(),
            [
                ["ID", "EvalID", "Name", "NodeID", "PreviousAllocation", "NextAllocation", "JobID", "TaskGroup"],
                ["DesiredStatus", "DesiredDescription", "ClientStatus", "ClientDescription"],
                ["CreateIndex", "ModifyIndex", "CreateTime", "ModifyTime", "RescheduleTracker", "TaskStates"],
            ]
                .flat()
                .sort(),
        );
        assert.deepEqual(
            ["ID", "NodeID", "JobID", "ClientStatus"].map((name) => at(allocation, name)),
            [id, "a1b2c3", "web", "running"],
        );
        assert.deepEqual(at(allocation, "RescheduleTracker"), { Events: [] });
        assert.equal(at(allocation, "TaskStates", "main", "State"), "running");
        assert.equal(typeof at(allocation, "TaskStates", "main", "Events", 0, "Time"), "number");
    });

    it("read unless told that they write, and keep a given id", async () => {
        assert.equal(await claim({ allocation: "alloc-1" }), "alloc-1");
        assert.deepEqual(at((await read("data")).json, "ReadAllocs"), { "alloc-1": null });
    });

    it("change with their allocation's status, and go when it is deleted", async () => {
        const id = await claim({});
        assert.equal((await call("PATCH", `/simulator/claims/${id}`, { status: "failed" })).status, 200);
        const allocation = at((await read("data")).json, "Allocations", 0);
        assert.equal(at(allocation, "ClientStatus"), "failed");
        assert.equal(at(allocation, "TaskStates", "main", "Failed"), true);
        assert.equal((await call("DELETE", `/simulator/claims/${id}`)).status, 200);
        assert.deepEqual(at((await read("data")).json, "Allocations"), []);
        assert.equal((await call("DELETE", `/simulator/claims/${id}`)).status, 404);
        assert.equal((await call("PATCH", `/simulator/claims/${id}`, { status: "failed" })).status, 404);
    });

    it("need a volume, a node and a known status", async () => {
        const post = async (body: unknown) => (await call("POST", "/simulator/claims", body)).status;
        assert.equal(await post({ volume: "none", node: "a1" }), 404);
        assert.equal(await post({ volume: "data", namespace: "team", node: "a1" }), 404);
        assert.equal(await post({ volume: "data" }), 400);
        assert.equal(await post({ volume: "data", node: "a1", status: "paused" }), 400);
        assert.equal(await post({ volume: "data", node: "a1", write: "yes" }), 400);
        assert.equal(await post({ volume: "data", node: "a1", allocation: "alloc-1" }), 200);
        assert.equal(await post({ volume: "data", node: "a1", allocation: "alloc-1" }), 409);
    });
});

suite("deregistering", () => {
    const remove = (query = "", id = "data") => call("DELETE", `/v1/volume/csi/${id}${query}`);
    beforeEach(async () => {
        await register(DATA);
    });

    it("removes a free volume and answers nothing", async () => {
        const answer = await remove();
        assert.deepEqual([answer.status, answer.text], [200, ""]);
        assert.equal((await read("data")).status, 404);
        assert.equal((await register(DATA)).status, 200);
    });

    it("says 500 to a missing volume, by force too", async () => {
        for (const query of ["", "?force=true", "?namespace=team"]) {
            const answer = await remove(query, query.includes("team") ? "data" : "none");
            assert.equal(answer.status, 500);
            assert.equal(answer.text, `volume not found: ${query.includes("team") ? "data" : "none"}`);
        }
    });

    it("refuses a volume in use, running or ended", async () => {
        for (const status of ["running", "complete", "failed"]) {
            const id = await claim({ status });
            const answer = await remove();
            assert.deepEqual([answer.status, answer.text], [500, "volume in use: data"], status);
            await call("DELETE", `/simulator/claims/${id}`);
        }
        assert.equal((await remove()).status, 200);
    });

    it("drops the claims of ended allocations by force", async () => {
        await claim({ status: "complete" });
        await claim({ status: "failed", write: true });
        assert.equal((await remove("?force=true")).status, 200);
        await register(DATA);
        assert.deepEqual(at((await read("data")).json, "Allocations"), []);
    });

    it("refuses running allocations by force too, and then drops nothing", async () => {
        await claim({ status: "complete" });
        await claim({});
        const answer = await remove("?force=true");
        assert.deepEqual([answer.status, answer.text], [500, "volume in use: data"]);
        assert.equal(listAt((await read("data")).json, "Allocations").length, 2);
    });

    it("knows the scheduler's spellings of true and false", async () => {
        await claim({ status: "complete" });
        for (const force of ["", "0", "f", "false", "FALSE"]) {
            assert.equal((await remove(`?force=${force}`)).status, 500, force);
        }
        const junk = await remove("?force=junk");
        assert.deepEqual([junk.status, junk.text], [400, "invalid force value"]);
        for (const force of ["1", "t", "TRUE", "true"]) {
            assert.equal((await remove(`?force=${force}`)).status, 200, force);
            await register(DATA);
            await claim({ status: "complete" });
        }
    });

    it("does not need the plugin", async () => {
        await call("PATCH", "/simulator/plugins/disks", { healthy: false });
        assert.equal((await remove()).status, 200);
    });
});

suite("detaching", () => {
    const detach = (query: string, id = "data") => call("DELETE", `/v1/volume/csi/${id}/detach${query}`);
    beforeEach(async () => {
        await register(DATA);
    });

    it("wants a node before anything else", async () => {
        for (const query of ["", "?node="]) {
            const answer = await detach(query, "none");
            assert.deepEqual([answer.status, answer.text], [400, "detach requires node ID"]);
        }
    });

    it("knows no missing volume", async () => {
        const answer = await detach("?node=a1b2c3", "none");
        assert.deepEqual([answer.status, answer.text], [500, "no such volume"]);
        assert.equal((await detach("?node=a1b2c3&namespace=team")).status, 500);
    });

    it("refuses while an allocation runs on that node", async () => {
        const id = await claim({});
        const answer = await detach("?node=a1b2c3");
        assert.deepEqual([answer.status, answer.text], [500, "volume in use: data"]);
        await call("PATCH", `/simulator/claims/${id}`, { status: "complete" });
        assert.equal((await detach("?node=a1b2c3")).status, 200);
    });

    it("releases the ended claims of that node only", async () => {
        await claim({ allocation: "here", status: "complete" });
        await claim({ allocation: "there", status: "complete", node: "a1ffee" });
        await claim({ allocation: "running", node: "a1ffee" });
        const answer = await detach("?node=a1b2c3");
        assert.deepEqual([answer.status, answer.text], [200, ""]);
        assert.deepEqual(at((await read("data")).json, "ReadAllocs"), { there: null, running: null });
    });

    it("has nothing against a node without claims", async () => {
        assert.equal((await detach("?node=ffff")).status, 200);
    });
});

suite("rights", () => {
    const calls: [string, string, unknown, "read" | "write"][] = [
        ["GET", "/v1/volumes?type=csi", undefined, "read"],
        ["GET", "/v1/volume/csi/data", undefined, "read"],
        ["PUT", "/v1/volume/csi/data", { Volumes: [{ ...DATA, ID: "more" }] }, "write"],
        ["DELETE", "/v1/volume/csi/data/detach?node=a1b2c3", undefined, "write"],
        ["DELETE", "/v1/volume/csi/data", undefined, "write"],
    ];
    beforeEach(async () => {
        await register(DATA);
    });

    it("answers the same to strangers and to those without a right", async () => {
        for (const [method, path, body] of calls) {
            for (const token of [undefined, "stranger", "t-none"]) {
                const options = { body, contentType: "application/json", ...(token !== undefined && { token }) };
                const answer = await send(method, `${simulator.url}${path}`, options);
                assert.deepEqual(
                    [answer.status, answer.text],
                    [403, "Permission denied"],
                    `${method} ${path} ${token}`,
                );
                assert.match(String(answer.type), /^text\/plain/);
            }
        }
    });

    it("lets readers read and not write", async () => {
        for (const [method, path, body, what] of calls) {
            assert.equal(
                (await call(method, path, body, "t-read")).status,
                what === "read" ? 200 : 403,
                `${method} ${path}`,
            );
        }
    });

    it("lets any token in when none is known", async () => {
        const open = await startSimulator({ seed });
        try {
            const address = `${open.url}/v1/volume/csi/data`;
            const body = { Volumes: [DATA] };
            assert.equal((await send("PUT", address, { body, contentType: "application/json" })).status, 403);
            assert.equal(
                (await send("PUT", address, { token: "any", body, contentType: "application/json" })).status,
                200,
            );
        } finally {
            await open.close();
        }
    });
});
