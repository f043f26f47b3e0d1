/** The data file, which processes share one after the other. */
import assert from "node:assert/strict";
import {
    lstatSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    statSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type RunningSimulator, type SimulatorOptions, startSimulator } from "../../src/simulator/server";
import { canaryHeader, holdsNone } from "../support/canaries";
import { exchangesAt } from "./exchanges";
import { at } from "./requests";

const place = { below: "/v1/auth/clouda/", headers: { "x-secrets-token": "any" } };
const token = (name: string) => ({ token: name, kind: "user", id: `of ${name}` }) as const;

describe("simulator: data file", () => {
    let folder: string;
    let file: string;
    const running = new Set<RunningSimulator>();
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "simulator-"));
        file = join(folder, "below", "world.json");
    });
    const end = async () => {
        for (const simulator of running) await simulator.close();
        running.clear();
    };
    afterEach(async () => {
        await end();
        rmSync(folder, { recursive: true });
    });
    /** Starts one more on the file. */
    const start = async (options: SimulatorOptions = {}) => {
        const simulator = await startSimulator({ file, ...options });
        running.add(simulator);
        return { id: simulator.store.id, send: exchangesAt(simulator.url, place) };
    };
    const restart = async (options: SimulatorOptions = {}) => {
        await end();
        return start(options);
    };

    it("keeps a store from one process to the next, its id included", async () => {
        const { id, send } = await start();
        await send`POST role/web {"token_ttl": "1h"} -> 204`;
        await (await restart()).send`
            GET role/web -> 200 {"data": {"token_ttl": 3600}}
            GET /simulator -> 200 {"simulator": "${id}"}`;
    });

    it("is written before the answer is sent, says in its first line that it may hold secrets, and only its owner may read it", async () => {
        const { send } = await start();
        await send`POST role/web -> 204`;
        const written = readFileSync(file, "utf8");
        await send`POST role/api -> 204`;
        assert.ok(at(JSON.parse(written), "store", "manager", "roles", "auth/clouda/role/web"));
        assert.match(written, /^.*may hold secrets.*\n/);
        assert.notEqual(readFileSync(file, "utf8"), written);
        assert.deepEqual(readdirSync(dirname(file)), ["world.json"]);
        assert.equal(statSync(file).mode & 0o777, 0o600);
    });

    it("is written through no link that somebody has put beside it", async () => {
        const { send } = await start();
        const other = join(folder, "other");
        writeFileSync(other, "somebody's own");
        symlinkSync(other, `${file}.${process.pid}.tmp`);
        await send`POST role/web -> 204`;
        assert.equal(readFileSync(other, "utf8"), "somebody's own");
        assert.deepEqual([lstatSync(file).isFile(), readdirSync(dirname(file))], [true, ["world.json"]]);
    });

    it("is written by one process: the former one says so and undoes nothing", async () => {
        const { send: former } = await start();
        await (await start()).send`POST role/web -> 204`;
        const reason = `another process has written the data file ${file}: end that one or this one`;
        const refusal = JSON.stringify({ errors: [`the simulator cannot save its objects: ${reason}`] });
        await former`
            POST role/api -> 500 ${refusal}
            POST /simulator/reset -> 500 ${refusal}`;
        await (await restart()).send`
            GET role/web -> 200
            GET role/api -> 404`;
    });

    it("is said to be at fault when it cannot be written", async () => {
        const { send } = await start();
        rmSync(file);
        mkdirSync(join(file, "in the way"), { recursive: true });
        await send`POST role/web -> 500 {"errors": ["~ ^the simulator cannot save its objects: "]}`;
        assert.deepEqual(readdirSync(dirname(file)), ["world.json"]);
    });

    it("is not written by reads", async () => {
        const { send } = await start();
        rmSync(file);
        await send`
            GET role/web -> 404
            LIST role -> 404`;
        assert.deepEqual(readdirSync(dirname(file)), []);
    });

    it("gets the seed only when it is new", async () => {
        const seed = { roles: [{ name: "seeded", fields: {} }] };
        await (await start({ seed })).send`DELETE role/seeded -> 204`;
        await (await restart({ seed })).send`GET role/seeded -> 404`;
    });

    it("keeps the clock, and the tokens of seeds, but not those of the command", async () => {
        const given = canaryHeader("token");
        const { send } = await start({ tokens: [token(given)], seed: { tokens: [token("s")] } });
        await send`POST /simulator/clock {"advance": 60} -> 204`;
        holdsNone({ given }, readFileSync(file, "utf8"), file);
        await (await restart({ tokens: [token("u")] })).send`
            GET /simulator/state -> 200 {"clockOffset": 60, "tokens": [${token("s")}, ${token("u")}]}
            POST role/web | x-secrets-token: ${given} -> 403
            POST role/web | x-secrets-token: u -> 204
            POST role/web | x-secrets-token: s -> 204`;
    });

    it("of an older simulator begins empty with what it lacks", async () => {
        await (await start()).send`POST role/web -> 204`;
        const { store } = JSON.parse(readFileSync(file, "utf8"));
        delete store.volumes;
        delete store.manager.mounts;
        delete store.stateVersions.workspaces;
        await end();
        writeFileSync(file, JSON.stringify({ store }));
        await (await start()).send`
            GET role/web -> 200
            GET /v1/volumes?type=csi | authorization: Bearer any -> 200 []
            GET /api/v2/workspaces/ws-1 | authorization: Bearer any -> 404`;
    });

    for (const text of [
        "notes",
        "[]",
        "null",
        '{"id":1}',
        '{"store":{"id":1}}',
        '{"simulator":"1a","sealed":"AAAA"}',
    ]) {
        it(`with ${text} is refused, and left as it is`, async () => {
            file = join(folder, "notes.json");
            writeFileSync(file, text);
            await assert.rejects(start(), /the data file .*notes\.json holds no objects of this simulator/);
            assert.equal(readFileSync(file, "utf8"), text);
        });
    }
});
