/** The configuration of the simulated login method, and its rotation: the document, and what was measured where it is silent. */
import assert from "node:assert/strict";
import { type RunningSimulator, startSimulator } from "../../../src/simulator/server";
import { type Answer, at, call, type Parts } from "../requests";

const token = { "x-secrets-token": "any" };
const required = { tenant_id: "tenant-1", resource: "https://secrets.example/" };
const everything = {
    ...required,
    environment: "CloudAChinaCloud",
    client_id: "client-1",
    client_secret: "secret-1",
    max_retries: 5,
    max_retry_delay: "2m",
    retry_delay: "1500ms",
};
const usual = { environment: "", client_id: "", client_secret: "", max_retries: 3 };
const usualDelays = { max_retry_delay: 60_000_000_000, retry_delay: 4_000_000_000 };
const failed = (reason: string) => [500, [`1 error occurred:\n\t* ${reason}\n\n`]];

describe("simulator: configuration of the login method", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator();
    });
    beforeEach(async () => {
        await call("POST", `${simulator.url}/simulator/reset`, { body: { mounts: ["clouda", "team/clouda"] } });
    });
    after(() => simulator.close());

    const send = (method: string, path = "clouda/config", parts: Parts = {}) =>
        call(method, `${simulator.url}/v1/auth/${path}`, { headers: token, ...parts });
    const write = (body: unknown) => send("POST", "clouda/config", { body });
    const read = async (path?: string) => at((await send("GET", path)).json, "data");
    const errors = (answer: Answer) => [answer.status, at(answer.json, "errors")];

    it("takes what is required, and shows the rest as it is unset", async () => {
        const answer = await write(required);
        assert.deepEqual([answer.status, answer.text], [204, ""]);
        const { json } = await send("GET");
        assert.deepEqual(at(json, "data"), { ...required, ...usual, ...usualDelays });
        assert.equal(at(json, "mount_type"), "clouda");
    });

    it("shows every field, credentials included, delays in whole seconds as nanoseconds", async () => {
        await write(everything);
        assert.deepEqual(await read(), {
            ...everything,
            max_retry_delay: 120_000_000_000,
            retry_delay: 1_000_000_000,
        });
    });

    for (const missing of ["tenant_id", "resource"]) {
        it(`refuses to be without ${missing}, and stores nothing`, async () => {
            assert.deepEqual(
                errors(await write({ ...required, [missing]: undefined })),
                failed(`${missing} is required`),
            );
            assert.deepEqual(errors(await send("GET")), [404, []]);
            await write(required);
            assert.deepEqual(errors(await write({ [missing]: "" })), failed(`${missing} is required`));
            assert.deepEqual(errors(await write({ [missing]: null })), failed(`${missing} is required`));
            assert.deepEqual(await read(), { ...required, ...usual, ...usualDelays });
        });
    }

    it("lacks nothing that stands in the manager's own environment, and shows what is stored", async () => {
        await call("POST", `${simulator.url}/simulator/seed`, { body: { loginSurroundings: { tenant_id: "t" } } });
        assert.equal((await write({ resource: "r" })).status, 204);
        assert.equal(at(await read(), "tenant_id"), "");
        assert.deepEqual(errors(await write({ resource: "" })), failed("resource is required"));
        assert.equal((await write({ tenant_id: "mine" })).status, 204);
        assert.equal((await write({ tenant_id: "" })).status, 204);
    });

    it("asks for the tenant first", async () => {
        assert.deepEqual(errors(await write({})), failed("tenant_id is required"));
    });

    it("is half merged and half reset by a write", async () => {
        await write(everything);
        await write({ client_id: "client-2" });
        assert.deepEqual(await read(), {
            ...{ tenant_id: "tenant-1", resource: "https://secrets.example/", environment: "CloudAChinaCloud" },
            ...{ client_id: "client-2", client_secret: "secret-1", max_retries: 3 },
            ...usualDelays,
        });
    });

    it("takes null for empty text", async () => {
        await write(everything);
        await write({ client_id: null, client_secret: null, environment: null });
        assert.deepEqual(await read(), { ...required, ...usual, ...usualDelays });
    });

    for (const environment of [
        "CloudAPublicCloud",
        "CloudAUSGovernmentCloud",
        "CloudAChinaCloud",
        "CloudAGermanCloud",
    ]) {
        it(`knows the environment ${environment}`, async () => {
            assert.equal((await write({ ...required, environment })).status, 204);
            assert.equal(at(await read(), "environment"), environment);
        });
    }

    it("refuses another environment, in capitals", async () => {
        assert.deepEqual(
            errors(await write({ ...required, environment: "Junk" })),
            failed('err: no cloud configuration matching the name "JUNK"'),
        );
        assert.deepEqual(errors(await send("GET")), [404, []]);
    });

    for (const [field, value, shown] of [
        ["retry_delay", "90", 90_000_000_000],
        ["retry_delay", 7, 7_000_000_000],
        ["retry_delay", "1h30m", 5_400_000_000_000],
        ["retry_delay", "-1s", -1_000_000_000],
        ["retry_delay", 0, 0],
        ["max_retries", "8", 8],
        ["max_retries", 0, 0],
        ["client_id", 12, "12"],
        ["client_id", true, "1"],
    ] as const) {
        it(`reads ${field} ${JSON.stringify(value)} back as ${JSON.stringify(shown)}`, async () => {
            await write({ ...required, [field]: value });
            assert.equal(at(await read(), field), shown);
        });
    }

    for (const [field, value, reason] of [
        ["max_retries", "abc", /^error converting input for field "max_retries": cannot parse/],
        ["retry_delay", "abc", /^error converting input for field "retry_delay": time: invalid duration "abc"/],
        ["max_retry_delay", [], /^error converting input for field "max_retry_delay"/],
        ["client_id", ["a"], /^error converting input for field "client_id"/],
    ] as const) {
        it(`refuses ${field} ${JSON.stringify(value)}, and stores nothing`, async () => {
            const answer = await write({ ...required, [field]: value });
            assert.equal(answer.status, 400);
            assert.match(String((at(answer.json, "errors") as unknown[])[0]), reason);
            assert.deepEqual(errors(await send("GET")), [404, []]);
        });
    }

    it("is deleted, as often as one likes", async () => {
        await write(required);
        for (let time = 0; time < 2; time++) assert.equal((await send("DELETE")).status, 204);
        assert.deepEqual(errors(await send("GET")), [404, []]);
    });

    it("is one for each mount and namespace", async () => {
        await write(required);
        await send("POST", "team/clouda/config", { body: { ...required, tenant_id: "tenant-2" } });
        const headers = { ...token, "x-secrets-namespace": "a/b" };
        assert.deepEqual(errors(await send("GET", "clouda/config", { headers })), [404, []]);
        await send("POST", "clouda/config", { headers, body: { ...required, tenant_id: "tenant-3" } });
        assert.equal(at(await read(), "tenant_id"), "tenant-1");
        assert.equal(at(await read("team/clouda/config"), "tenant_id"), "tenant-2");
        assert.deepEqual(errors(await send("GET", "nowhere/config")), [
            404,
            ['no handler for route "auth/nowhere/config". route entry not found.'],
        ]);
    });

    it("takes PUT for POST, no other method, and no request without a token", async () => {
        assert.equal((await send("PUT", "clouda/config", { body: required })).status, 204);
        assert.deepEqual(errors(await send("HEAD"))[0], 405);
        assert.deepEqual(errors(await send("LIST"))[0], 405);
        assert.deepEqual(errors(await send("GET", "clouda/config", { headers: {} })), [403, ["permission denied"]]);
    });

    it("can be seeded", async () => {
        await call("POST", `${simulator.url}/simulator/seed`, { body: { loginConfigs: [{ fields: required }] } });
        assert.equal(at(await read(), "tenant_id"), "tenant-1");
        const wrong = { loginConfigs: [{ mount: "team/clouda", fields: {} }] };
        const answer = await call("POST", `${simulator.url}/simulator/seed`, { body: wrong });
        assert.deepEqual(errors(answer), [400, failed("tenant_id is required")[1]]);
    });

    it("a role may be called config, login or rotate-root", async () => {
        for (const name of ["config", "login", "rotate-root"]) {
            assert.equal((await send("POST", `clouda/role/${name}`, { body: {} })).status, 204);
            assert.equal((await send("GET", `clouda/role/${name}`)).status, 200);
        }
    });

    describe("rotation", () => {
        const held = async () => {
            const state = await call("GET", `${simulator.url}/simulator/state`);
            return at(state.json, "manager", "loginConfigs", "auth/clouda/config", "client_secret");
        };

        it("makes a new secret that no read shows, and leaves the rest", async () => {
            await write(everything);
            const answer = await send("POST", "clouda/rotate-root");
            assert.deepEqual([answer.status, answer.text], [204, ""]);
            const { client_secret: _, ...rest } = everything;
            assert.deepEqual(await read(), { ...rest, max_retry_delay: 120_000_000_000, retry_delay: 1_000_000_000 });
            const first = await held();
            assert.match(String(first), /^[\w-]{20,}$/);
            await send("POST", "clouda/rotate-root");
            assert.notEqual(await held(), first);
        });

        it("is undone by a secret that is written, and by nothing else", async () => {
            await write(everything);
            await send("POST", "clouda/rotate-root");
            const rotated = await held();
            await write({ client_id: "client-2" });
            assert.equal(await held(), rotated);
            assert.equal(at(await read(), "client_secret"), undefined);
            await write({ client_secret: "secret-2" });
            assert.equal(at(await read(), "client_secret"), "secret-2");
        });

        it("needs a configuration, a mount, POST, and the path of the sample", async () => {
            assert.deepEqual(errors(await send("POST", "clouda/rotate-root")), failed("config is nil"));
            assert.equal((await send("POST", "nowhere/rotate-root")).status, 404);
            await write(required);
            assert.deepEqual(errors(await send("GET", "clouda/rotate-root")), [
                405,
                ["1 error occurred:\n\t* unsupported operation\n\n"],
            ]);
        });
    });
});
