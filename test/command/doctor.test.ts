import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Seed } from "../../src/simulator/seed";
import { deadAddress, fixture } from "../http/support";
import { withSimulator } from "../support/simulator";
import { type Run, statecraft } from "./support";

const token = "planted-token-5e1c";
const seed: Seed = {
    tokens: [
        { token, kind: "user", id: "user-1" },
        { token: "powerless-token", kind: "user", id: "user-3", access: "none" },
        { token: "organization-token", kind: "organization", id: "org-1" },
    ],
    plugins: [{ id: "disks", nodes: ["node-1"] }],
    roles: [{ name: "web", fields: { bound_locations: ["north"] } }],
};

describe("statecraft doctor", () => {
    const simulator = withSimulator(seed, { vocabulary: "documented" });
    const real = withSimulator(seed, { vocabulary: "product" });

    const environment = (changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
        STATECRAFT_MANAGER_ADDRESS: simulator.url,
        STATECRAFT_MANAGER_TOKEN: token,
        STATECRAFT_VOLUMES_ADDRESS: simulator.url,
        STATECRAFT_VOLUMES_TOKEN: token,
        STATECRAFT_STATE_VERSIONS_ADDRESS: simulator.url,
        STATECRAFT_STATE_VERSIONS_TOKEN: token,
        ...changes,
    });
    /** Runs doctor, and checks that it shows no token. */
    const run = async (args: readonly string[], around = environment()): Promise<Run> => {
        const ended = await statecraft(["doctor", ...args], around);
        for (const secret of [token, "powerless-token", "organization-token", "wrong-token"])
            assert.ok(!`${ended.out}${ended.complaints}`.includes(secret), `${secret} is shown`);
        return ended;
    };
    /** Asserts that a run fails. Returns its output. */
    const failing = async (args: readonly string[], around?: NodeJS.ProcessEnv): Promise<string> => {
        const { code, out } = await run(args, around);
        assert.equal(code, 1, out);
        return out;
    };

    it("sends one read to each service, and ends with 0 if all is well", async () => {
        const { code, out } = await run([]);
        assert.equal(code, 0, out);
        assert.match(out, /may list the roles of auth\/clouda: 1$/m);
        assert.match(out, /may list the volumes of the namespace default: 0$/m);
        assert.match(out, /the token is user-1's/);
        assert.deepEqual(
            (await simulator.requests()).map(({ method, path }) => `${method} ${path}`),
            ["LIST /v1/auth/clouda/role", "GET /v1/volumes", "GET /api/v2/account/details"],
        );
    });

    it("uses the settings of the products' tools, and shows where each comes from", async () => {
        const { code, out } = await run([], {
            VAULT_ADDR: real.url,
            VAULT_TOKEN: token,
            NOMAD_ADDR: real.url,
            NOMAD_TOKEN: token,
            TFE_ADDRESS: real.url,
            TFE_TOKEN: token,
        });
        assert.equal(code, 0, out);
        assert.match(out, /may list the roles of auth\/azure: 1$/m);
        for (const line of [`address: ${real.url} (VAULT_ADDR)`, "token: (set) (NOMAD_TOKEN)"])
            assert(out.includes(line));
    });

    it("reads from the services in its arguments, by default from all that are configured", async () => {
        const { code } = await run(["volumes"]);
        assert.equal(code, 0);
        assert.equal((await simulator.requests()).length, 1);
        const { STATECRAFT_MANAGER_ADDRESS, STATECRAFT_MANAGER_TOKEN } = environment();
        const { code: one, out } = await run([], { STATECRAFT_MANAGER_ADDRESS, STATECRAFT_MANAGER_TOKEN });
        assert.equal(one, 0, out);
        assert.match(out, /not set up: .*NOMAD_ADDR/);
    });

    it("shows that the address of HCP Terraform is the default", async () => {
        const out = await failing(["terraform"], { TFE_TOKEN: token, HTTPS_PROXY: await deadAddress() });
        assert.match(out, /address: https:\/\/app\.terraform\.io\/api\/v2 \(the default\)/);
    });

    it("fails without settings, and for a missing or wrong setting, before any request", async () => {
        assert.match(await failing([], {}), /npx statecraft simulator/);
        const noToken = await failing(["manager"], environment({ STATECRAFT_MANAGER_TOKEN: "" }));
        assert.match(noToken, /failed: no token .*STATECRAFT_MANAGER_TOKEN/);
        const malformed = await failing(["manager"], environment({ STATECRAFT_MANAGER_ADDRESS: "ftp://x.example" }));
        assert.match(malformed, /STATECRAFT_MANAGER_ADDRESS: must be an http or https address/);
        const noFile = await failing(["manager"], environment({ STATECRAFT_MANAGER_CA_FILE: "/nowhere/ca.pem" }));
        assert.match(noFile, /\/nowhere\/ca\.pem/);
        assert.deepEqual(await simulator.requests(), []);
    });

    it("shows no value of a header, and no user or password of an address", async () => {
        const headers = '{"X-Key":"planted-header"}';
        const { out } = await run(["manager"], environment({ STATECRAFT_MANAGER_HEADERS: headers }));
        assert.match(out, /headers: X-Key \(STATECRAFT_MANAGER_HEADERS\)/);
        assert.doesNotMatch(out, /planted-header/);
        const address = simulator.url.replace("http://", "http://somebody:planted-password@");
        const refused = await failing(["manager"], environment({ STATECRAFT_MANAGER_ADDRESS: address }));
        assert.doesNotMatch(refused, /planted-password|somebody/);
    });

    it("shows advice for a server that is unreachable, sealed, or of another product", async () => {
        const dead = environment({ STATECRAFT_MANAGER_ADDRESS: await deadAddress() });
        assert.match(await failing(["manager"], dead), /ECONNREFUSED/);
        await simulator.fault({ path: "/v1/auth/", status: 503, body: '{"errors":["The server is sealed"]}' });
        assert.match(await failing(["manager"]), /503: The server is sealed\. Unseal/);
        await simulator.fault({ path: "/v1/volumes", status: 200, body: "<!doctype html><title>Sign in</title>" });
        assert.match(await failing(["volumes"]), /a web page \(200\).*sign-in page/);
        for (const body of ["null", '{"data":{}}']) {
            await simulator.heal();
            await simulator.fault({ status: 200, body, times: 0 });
            for (const service of ["manager", "volumes", "stateVersions"]) await failing([service]);
        }
    });

    it("distinguishes a missing login method from one without roles", async () => {
        const out = await failing(["manager", "--mount", "elsewhere"]);
        assert.match(out, /auth\/elsewhere.*--mount/);
        await simulator.fault({ path: "/role$", status: 404, body: '{"errors":[]}' });
        assert.match((await run(["manager"])).out, /roles of auth\/clouda: 0$/m);
    });

    it("says which key to use for a server that is the product", async () => {
        for (const [service, key, product] of [
            ["manager", "MANAGER", "vault"],
            ["volumes", "VOLUMES", "nomad"],
            ["stateVersions", "STATE_VERSIONS", "terraform"],
        ] as const) {
            const out = await failing([service], environment({ [`STATECRAFT_${key}_ADDRESS`]: real.url }));
            assert(out.includes(`use STATECRAFT_${product.toUpperCase()}_…`), out);
            assert(out.includes(`instead of STATECRAFT_${key}_ADDRESS`), out);
        }
    });

    it("says which key to use for a server that speaks the names of the documents", async () => {
        await simulator.fault({ path: "/account/details", status: 404, body: '{"errors":[{"title":"not found"}]}' });
        for (const [variable, key, documented] of [
            ["VAULT_ADDR", "VAULT", "MANAGER"],
            ["NOMAD_ADDR", "NOMAD", "VOLUMES"],
            ["TFE_ADDRESS", "TFE", "STATE_VERSIONS"],
        ] as const) {
            const out = await failing([], { [variable]: simulator.url, [`${key}_TOKEN`]: token });
            assert(out.includes(`use STATECRAFT_${documented}_… instead of ${variable}`), out);
        }
    });

    it("shows the proxy of an address, without its password", async () => {
        const proxies = { HTTP_PROXY: "me:p4ss@proxy.test:3128", NO_PROXY: "10.0.0.0/8,exempt.test" };
        const proxyOf = async (address: string) => {
            const out = await failing(["vault"], { STATECRAFT_VAULT_ADDRESS: address, ...proxies });
            assert.doesNotMatch(out, /p4ss/);
            return /proxy: (\S+)/.exec(out)?.[1];
        };
        assert.equal(await proxyOf("http://vault.test:8200"), "http://proxy.test:3128");
        for (const address of ["http://10.1.2.3:8200", "http://a.exempt.test"]) {
            assert.equal(await proxyOf(address), undefined, address);
        }
    });

    it("names the variables of the products' tools that have no effect", async () => {
        const out = await failing([], { SSL_CERT_FILE: "/etc/ca.pem", TF_API_TOKEN: "planted-token-5e1c" });
        assert.match(out, /^SSL_CERT_FILE is set, and not used: .*NODE_EXTRA_CA_CERTS/m);
        assert.match(out, /^TF_API_TOKEN is set, and not used: .*TFE_TOKEN/m);
        assert.doesNotMatch(out, /VAULT_CAPATH/);
    });

    it("shows no certificate, and needs no token for an agent", async () => {
        const authority = `# An authority\n${readFileSync(fixture("ca.pem"), "utf8")}`;
        const out = await failing(["vault"], { VAULT_AGENT_ADDR: await deadAddress(), VAULT_CACERT_BYTES: authority });
        assert.match(out, /caFile: \(set\) \(VAULT_CACERT_BYTES\)/);
        assert.match(out, /failed: .*ECONNREFUSED/);
    });

    it("names the right that a token lacks", async () => {
        for (const service of ["MANAGER", "VOLUMES", "STATE_VERSIONS"]) {
            const out = await failing([], environment({ [`STATECRAFT_${service}_TOKEN`]: "wrong-token" }));
            assert.match(out, /40[13]: .*Set a/, service);
        }
        const powerless = environment({ STATECRAFT_VOLUMES_TOKEN: "powerless-token" });
        assert.match(await failing(["volumes"], powerless), /`namespace:csi-list-volume` on the namespace default/);
        const organization = environment({ STATECRAFT_STATE_VERSIONS_TOKEN: "organization-token" });
        assert.match(await failing(["stateVersions"], organization), /an organization's token/);
    });

    it("shows no secret of the address of a redirect", async () => {
        await simulator.fault({ path: "/account/details", status: 302, headers: { location: `${token}:` } });
        await run(["stateVersions"]);
    });
});
