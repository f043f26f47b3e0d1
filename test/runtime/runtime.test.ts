/** Tests what the resources of a process share, and the messages of a runtime. */

import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { connect } from "../../src/client";
import { DeniedError, LimitedError } from "../../src/errors";
import { createProviders, type Providers } from "../../src/runtime/providers";
import { ProcessRuntime } from "../../src/runtime/runtime";
import { stateVersions } from "../../src/services/state-versions/service";
import { demonstration } from "../../src/simulator/demonstration";
import { canaryToken } from "../support/canaries";
import { failureOf } from "../support/failures";
import { ManagedResource, Shown } from "../support/managed-resource";
import { withSimulator } from "../support/simulator";

const maxConcurrency = 3;
const web = { name: "web", boundLocations: ["north"] };

describe("the providers of a process", () => {
    const simulator = withSimulator(demonstration, { vocabulary: "documented" });

    const providers = () => createProviders({}, () => undefined);
    const life = (from: Providers, type: string, manager: object = {}) => {
        const provider = from.provider(type);
        const settings = { address: simulator.url, token: canaryToken, maxConcurrency, ...manager };
        const all: Record<string, object> = {
            "statecraft:manager": settings,
            "statecraft:connections": { other: { manager: { ...settings, token: "token-of-connection" } } },
        };
        const get = (key: string) => all[key] && JSON.stringify(all[key]);
        void provider.configure?.({ config: { get, require: (key) => get(key) ?? assert.fail(key) } });
        return new ManagedResource(provider, []);
    };
    const role = (from: Providers, name: string, manager?: object, connection?: string) =>
        life(from, "AuthRole", manager).up({ ...web, name, connection });
    const snapshots = (from: Providers, name: string) =>
        life(from, "SnapshotConfig").up({
            name,
            interval: "1h",
            storage: { type: "local", pathPrefix: "/a", maxSpace: 1_000_000 },
        });

    it("share one `maxConcurrency` for a service; another process, another token and a connection have separate limits", async () => {
        const events = new EventEmitter();
        const [full, released] = [once(events, "full"), once(events, "released")];
        const tokens = new Set<string>();
        let [inFlight, most] = [0, 0];
        simulator.gate.set(
            async ({ moment, key, request: { headers } }) => {
                if (key === "free") tokens.add(String(headers["x-secrets-token"]));
                if (key === "free") return;
                inFlight += moment === "before" ? 1 : -1;
                most = Math.max(most, inFlight);
                if (inFlight === maxConcurrency) events.emit("full");
                if (moment === "before") await released;
            },
            ({ path }) => (/\/free/.test(path) ? "free" : "waiting"),
        );
        const first = providers();
        const names = Array.from({ length: 6 }, (_, number) => `one-${number}`);
        const deployed = Promise.all([
            ...names.map((name) => role(first, name)),
            ...names.map((name) => snapshots(first, name)),
            life(first, "AuthConfig").up({ tenantId: "t", resource: "r" }),
        ]);
        await Promise.race([full, deployed]);
        // These deployments end although those above have reached `maxConcurrency` and wait.
        const second = providers();
        assert.equal(await role(second, "free-1"), "created");
        assert.equal(await snapshots(second, "free-2"), "created");
        assert.equal(await role(first, "free-3", { token: "another-token" }), "created");
        assert.equal(await role(first, "free-4", {}, "other"), "created");
        events.emit("released");
        assert.deepEqual(await deployed, Array(13).fill("created"));
        assert.equal(most, maxConcurrency);
        assert.deepEqual([...tokens], [canaryToken, "another-token", "token-of-connection"]);
    });

    it("create an object that two resources declare only once, and continue after a failure", async () => {
        const first = providers();
        const deploy = async () => {
            const ends = await Promise.allSettled([role(first, "web"), role(first, "web")]);
            return ends.map(({ status }) => status).sort();
        };
        assert.deepEqual(await deploy(), ["fulfilled", "rejected"]);
        assert.equal((await simulator.writes()).length, 1);
        await simulator.control("POST", "/simulator/reset", demonstration);
        const denied = { method: "GET", path: "/role/", status: 403, body: '{"errors":["permission denied"]}' };
        await simulator.fault(denied);
        assert.deepEqual(await deploy(), ["fulfilled", "rejected"]);
        assert.notEqual(await simulator.outside("GET", "/v1/auth/clouda/role/web"), undefined);
    });
});

describe("a runtime", () => {
    const simulator = withSimulator(demonstration);

    for (const [name, word] of [
        ["STATECRAFT_ADOPT", "identical"],
        ["STATECRAFT_LOG", "requests"],
    ] as const) {
        it(`refuses every value of ${name} except "${word}"`, async () => {
            const life = (value: string) => simulator.resource("AuthRole", { environment: { [name]: value } });
            await assert.rejects(life("all").up(web), { code: "config", message: new RegExp(name) });
            assert.equal(await life("").up(web), "created");
        });
    }

    it("names the place of a token that is refused, or the places if none is set", async () => {
        const message = (act: (client: ReturnType<typeof connect>) => Promise<unknown>, environment: object) =>
            failureOf(act(connect({ environment: { ...environment } })), DeniedError).then((error) => error.message);
        const role = (client: ReturnType<typeof connect>) => client.getAuthRole({ name: "web" });
        const volume = (client: ReturnType<typeof connect>) => client.getCsiVolume({ volumeId: "data" });
        await simulator.fault({ path: "/role/", status: 403, body: '{"errors":["permission denied"]}' });
        await simulator.fault({ path: "/volume/", status: 403, body: "Permission denied", contentType: "text/plain" });
        const vault = { VAULT_ADDR: simulator.url, VAULT_TOKEN: "wrong-token" };
        assert.match(await message(role, vault), /the token comes from VAULT_TOKEN/);
        const none = await message(volume, { NOMAD_ADDR: simulator.url });
        assert.match(none, /no token is set for Nomad: none is in .*STATECRAFT_NOMAD_TOKEN, NOMAD_TOKEN/);
    });

    it("does not wait for the end of a lease count quota, which only the user can bring about", async () => {
        const errors = ['1 error occurred:\n\t* request path "auth/azure/login": lease count quota exceeded\n\n'];
        await simulator.fault({ status: 429, body: JSON.stringify({ errors }), times: 0 });
        const client = connect({ vault: { address: simulator.url, token: "t" } });
        const { hint = "" } = await failureOf(client.getAuthRole({ name: "web" }), LimitedError);
        assert.match(hint, /quota/);
        assert.equal((await simulator.requests()).length, 1);
    });

    it("notes once that it uses the default address of HCP Terraform, and nothing if an address is set", () => {
        const messages = (settings: object) => {
            const said: string[] = [];
            const config = (key: string) => (key === "statecraft:terraform" ? JSON.stringify(settings) : undefined);
            const runtime = new ProcessRuntime(config, { environment: {}, say: (_, message) => said.push(message) });
            for (let runs = 0; runs < 2; runs++) runtime.open(stateVersions, undefined);
            return said;
        };
        const [said = "", ...more] = messages({ token: "t" });
        assert.match(said, /https:\/\/app\.terraform\.io\/api\/v2/);
        assert.deepEqual(more, []);
        assert.deepEqual(messages({ token: "t", address: "https://tfe.example" }), []);
    });

    it("shows ten warnings of a server, of each the first 4,000 characters, and no secret in them", async () => {
        const secret = canaryToken;
        const warnings = [`${"\\".repeat(3_900)}${secret}${"x".repeat(20 * 1024 ** 2)}`, ...Array(100).fill("odd")];
        await simulator.fault({ method: "POST", after: true, status: 200, body: JSON.stringify({ warnings }) });
        const life = simulator.resource("AuthRole");
        await life.up(web);
        const shown = life.messages.map(({ message }) => message).filter((text) => text.includes("Vault says"));
        assert.equal(shown.length, 10);
        assert(shown.every((text) => text.length < 4_200 && !text.includes(secret)));
    });

    it("shows warnings and errors of a server in one line without control characters", async () => {
        const hostile = `\u001b[2J\r\nerror: forged\u009b1m\u202e\u2028x`;
        const life = simulator.resource("AuthRole");
        await simulator.fault({
            method: "POST",
            after: true,
            status: 200,
            body: JSON.stringify({ warnings: [hostile] }),
        });
        await life.up(web);
        await simulator.fault({ method: "POST", status: 400, body: JSON.stringify({ errors: [hostile] }) });
        const { message } = await failureOf(life.up({ ...web, tokenTtl: 60 }), Shown);
        const warnings = life.messages.map((each) => each.message).filter((text) => text.includes("forged"));
        assert.equal(warnings.length, 1);
        for (const text of [message, ...warnings]) {
            assert.match(text, /^AuthRole \S*web: .*\[2J error: forged 1m x/);
            assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        }
    });

    it("processes texts of a server in linear time, even if they repeat a character", async () => {
        const long = (sign: string) => `${sign.repeat(200_000)}x`;
        const answer = (path: string, status: number, body: object) =>
            simulator.fault({ path, status, times: 0, body: JSON.stringify(body) });
        await answer("/role/", 400, { errors: [long("\n")] });
        const { message } = await failureOf(simulator.resource("AuthRole").up(web), Shown);
        assert.match(message, /: 400: x\. \[service\]$/);
        const reason = `${"[statecraft ".repeat(50_000)}x`;
        await answer("/workspaces/ws-1$", 200, { data: { attributes: { locked: true, "locked-reason": reason } } });
        const rollback = { workspaceId: "ws-1", stateVersionId: "sv-1" };
        await failureOf(simulator.resource("StateVersionRollback").up(rollback), Shown);
        const snapshots = simulator.resource("SnapshotConfig");
        const storage = { type: "local", pathPrefix: "/snapshots", maxSpace: 1_000_000 };
        await snapshots.up({ name: "daily", interval: "1h", storage });
        const data = { interval: 3600, path_prefix: long("/"), storage_type: "local", local_max_space: 1_000_000 };
        await answer("/config/daily", 200, { data });
        assert.deepEqual(await snapshots.refresh(), ["storage"]);
    });
});
