import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Seed } from "../../src/simulator/seed";
import { deadAddress, fixture } from "../http/support";
import type { Fault } from "../support/injector";
import { withSimulator } from "../support/simulator";
import { isRecorded, statecraft } from "./support";

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

/** Addresses of a simulator with the names of the documents, of one with those of the products, and of no server. */
const [documents, products, nowhere] = ["http://documents", "http://products", "http://nowhere"];
/** The variables of a service of the documents. */
const service = (name: string, address = documents, secret = token) => ({
    [`STATECRAFT_${name}_ADDRESS`]: address,
    [`STATECRAFT_${name}_TOKEN`]: secret,
});
const services = (address = documents, secret = token) => ({
    ...service("MANAGER", address, secret),
    ...service("VOLUMES", address, secret),
    ...service("STATE_VERSIONS", address, secret),
});
const [manager, all] = [service("MANAGER"), services()];
const tools = (address: string) => ({
    ...{ VAULT_ADDR: address, VAULT_TOKEN: token, NOMAD_ADDR: address, NOMAD_TOKEN: token },
    ...{ TFE_ADDRESS: address, TFE_TOKEN: token },
});
const absent = { path: "/account/details", status: 404, body: '{"errors":[{"title":"not found"}]}' };
const sealed = { path: "/v1/auth/", status: 503, body: '{"errors":["The server is sealed"]}', times: 0 };
const page = { path: "/v1/volumes", status: 200, body: "<!doctype html><title>Sign in</title>" };
const away = { path: "/account/details", status: 302, headers: { location: `${token}:` } };
const authority = `# An authority\n${readFileSync(fixture("ca.pem"), "utf8")}`;

/** Each run is recorded in the file with its name: what doctor prints, its exit code, and the requests that the simulators received. */
const runs: readonly (readonly [what: string, args: readonly string[], environment: object, fault?: Fault])[] = [
    ["three services", [], all],
    ["settings of the products' tools", [], tools(products)],
    ["one of three services", ["volumes"], all],
    ["one configured service", [], manager],
    ["no settings", [], {}],
    ["no token", ["manager"], service("MANAGER", documents, "")],
    ["an address of another scheme", ["manager"], service("MANAGER", "ftp://x.example")],
    ["a missing file", ["manager"], { ...manager, STATECRAFT_MANAGER_CA_FILE: "/nowhere/ca.pem" }],
    ["headers", ["manager"], { ...manager, STATECRAFT_MANAGER_HEADERS: '{"X-Key":"planted-header"}' }],
    ["an address with a password", ["manager"], service("MANAGER", "http://somebody:planted-password@documents")],
    ["an unreachable server", ["manager"], service("MANAGER", nowhere)],
    ["a sealed server", ["manager"], all, sealed],
    ["a web page", ["volumes"], all, page],
    ["answers of null", [], all, { status: 200, body: "null", contentType: "application/json", times: 0 }],
    ["answers without data", [], all, { status: 200, body: '{"data":{}}', times: 0 }],
    ["a missing login method", ["manager", "--mount", "elsewhere"], all],
    ["a login method without roles", ["manager"], all, { path: "/role$", status: 404, body: '{"errors":[]}' }],
    ["servers of the products with the keys of the documents", [], services(products)],
    ["servers of the documents with the keys of the products", [], tools(documents), absent],
    ["unused variables", [], { SSL_CERT_FILE: "/etc/ca.pem", TF_API_TOKEN: token }],
    ["an agent without a token", ["vault"], { VAULT_AGENT_ADDR: nowhere, VAULT_CACERT_BYTES: authority }],
    ["wrong tokens", [], services(documents, "wrong-token")],
    ["a token without a right", ["volumes"], services(documents, "powerless-token")],
    ["a token of an organization", ["stateVersions"], services(documents, "organization-token")],
    ["a redirect with a secret", ["stateVersions"], all, away],
];

describe("statecraft doctor", () => {
    const documented = withSimulator(seed, { vocabulary: "documented" });
    const real = withSimulator(seed, { vocabulary: "product" });

    for (const [what, args, environment, fault] of runs) {
        it(`prints for ${what} what is recorded, and no secret`, async () => {
            const dead = await deadAddress();
            const places = { documents: documented.url, products: real.url, nowhere: dead };
            const around = JSON.stringify(environment).replace(
                /http:\/\/(\w+:[\w-]+@)?(documents|products|nowhere)\b/g,
                (_, user = "", place: keyof typeof places) => places[place].replace("//", `//${user}`),
            );
            if (fault) await documented.fault(fault);
            const { code, out, complaints } = await statecraft(["doctor", ...args], JSON.parse(around));
            const requests = [...(await documented.requests()), ...(await real.requests())];
            const sent = requests.map(({ method, path }) => `${method} ${path}`);
            const text = [out, `exit code ${code}`, ...sent].join("\n").replaceAll(new URL(dead).host, "nowhere");
            assert.doesNotMatch(`${text}${complaints}`, /planted|somebody|(powerless|organization|wrong)-token/);
            isRecorded(`doctor/${what}`, text);
        });
    }

    it("shows that the address of HCP Terraform is the default", async () => {
        const { out } = await statecraft(["doctor", "terraform"], {
            TFE_TOKEN: token,
            HTTPS_PROXY: await deadAddress(),
        });
        assert.match(out, /address: https:\/\/app\.terraform\.io\/api\/v2 \(the default\)/);
    });

    it("shows the proxy of an address, without its password", async () => {
        const proxies = { HTTP_PROXY: "me:p4ss@proxy.test:3128", NO_PROXY: "10.0.0.0/8,exempt.test" };
        const proxyOf = async (address: string) => {
            const { out } = await statecraft(["doctor", "vault"], { STATECRAFT_VAULT_ADDRESS: address, ...proxies });
            assert.doesNotMatch(out, /p4ss/);
            return /proxy: (\S+)/.exec(out)?.[1];
        };
        assert.equal(await proxyOf("http://vault.test:8200"), "http://proxy.test:3128");
        for (const address of ["http://10.1.2.3:8200", "http://a.exempt.test"]) {
            assert.equal(await proxyOf(address), undefined, address);
        }
    });
});
