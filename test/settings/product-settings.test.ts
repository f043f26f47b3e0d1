/** Tests settings from the environment variables and files of the products' command-line tools. */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ServiceName } from "../../src/core/service";
import { ConfigError } from "../../src/errors";
import type { ServiceSettings } from "../../src/generated/args";
import { serviceKeys } from "../../src/settings/config-keys";
import { type ResolvedSettings, readSettings, requireUsable } from "../../src/settings/settings";
import { thrownBy } from "../support/failures";

const credentialsPath = ".terraform.d/credentials.tfrc.json";
const credentials = (tokens: Readonly<Record<string, string>>) => {
    const entries = Object.entries(tokens).map(([host, token]) => [host, { token }]);
    return { [credentialsPath]: JSON.stringify({ credentials: Object.fromEntries(entries) }) };
};

/** Reads the settings of a service from its product's key, the environment and files in the home directory. */
function read(
    service: ServiceName,
    environment: NodeJS.ProcessEnv,
    { configured, files = {} }: { configured?: object; files?: Record<string, string> } = {},
): ResolvedSettings {
    const ours = `statecraft:${serviceKeys[service].product.key}`;
    const config = (key: string) => (key === ours && configured ? JSON.stringify(configured) : undefined);
    const home = mkdtempSync(join(tmpdir(), "home-"));
    for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(home, path)), { recursive: true });
        writeFileSync(join(home, path), text);
    }
    try {
        return readSettings(service, undefined, config, { HOME: home, ...environment });
    } finally {
        rmSync(home, { recursive: true });
    }
}

const refusal = (act: () => unknown) => thrownBy(act, ConfigError);

const authority = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";

describe("settings of the products' tools", () => {
    const single: [ServiceName, field: keyof ServiceSettings, variable: string, text: string, value: unknown][] = [
        ["manager", "address", "VAULT_ADDR", "https://m.example", "https://m.example"],
        ["manager", "token", "VAULT_TOKEN", "t", "t"],
        ["manager", "namespace", "VAULT_NAMESPACE", "team/a", "team/a"],
        ["manager", "caFile", "VAULT_CACERT", "ca.pem", "ca.pem"],
        ["manager", "clientCertFile", "VAULT_CLIENT_CERT", "c.pem", "c.pem"],
        ["manager", "clientKeyFile", "VAULT_CLIENT_KEY", "k.pem", "k.pem"],
        ["manager", "tlsServerName", "VAULT_TLS_SERVER_NAME", "a.example", "a.example"],
        ["volumes", "address", "NOMAD_ADDR", "http://s.example:4646", "http://s.example:4646"],
        ["volumes", "token", "NOMAD_TOKEN", "t", "t"],
        ["volumes", "namespace", "NOMAD_NAMESPACE", "prod", "prod"],
        ["volumes", "region", "NOMAD_REGION", "north", "north"],
        ["volumes", "caFile", "NOMAD_CACERT", "ca.pem", "ca.pem"],
        ["volumes", "clientCertFile", "NOMAD_CLIENT_CERT", "c.pem", "c.pem"],
        ["volumes", "clientKeyFile", "NOMAD_CLIENT_KEY", "k.pem", "k.pem"],
        ["volumes", "tlsServerName", "NOMAD_TLS_SERVER_NAME", "a.example", "a.example"],
        ["stateVersions", "address", "TFE_ADDRESS", "https://a.example/x/api/v2", "https://a.example/x/api/v2"],
        ["stateVersions", "address", "TFE_ADDRESS", "https://a.example \n", "https://a.example/api/v2"],
        ["stateVersions", "address", "TFE_HOSTNAME", "a.example:8443\n", "https://a.example:8443/api/v2"],
        ["stateVersions", "address", "TFE_HOSTNAME", "https://b.example", "https://b.example/api/v2"],
        ["stateVersions", "token", "TFE_TOKEN", "t\n", "t"],
        ["manager", "caFile", "VAULT_CACERT_BYTES", authority, authority],
    ];
    for (const [service, field, variable, text, value] of single) {
        it(`${service}: ${field} from ${variable}=${JSON.stringify(text)}`, () => {
            assert.deepEqual(read(service, { [variable]: text })[field], value);
        });
    }

    for (const [service, variable] of [
        ["manager", "VAULT_SKIP_VERIFY"],
        ["volumes", "NOMAD_SKIP_VERIFY"],
    ] as const) {
        it(`${service}: certificates are verified unless ${variable} is true`, () => {
            const skips = (text: string) => read(service, { [variable]: text }).skipTlsVerify;
            for (const text of ["false", "FALSE", "0", "f"]) assert.equal(skips(text), false, text);
            for (const text of ["true", "TRUE", "1", "t"]) assert.equal(skips(text), true, text);
            assert.equal(refusal(() => skips("no")).setting, variable);
        });
    }

    it("apply only if statecraft's setting is absent or empty", () => {
        const theirs = { VAULT_ADDR: "https://theirs", VAULT_TOKEN: "theirs" };
        const ours = { STATECRAFT_VAULT_ADDRESS: "https://ours", STATECRAFT_VAULT_TOKEN: "ours" };
        for (const { address, token } of [
            read("manager", theirs, { configured: { address: "https://ours", token: "ours" } }),
            read("manager", { ...theirs, ...ours }),
        ]) {
            assert.deepEqual([address, token], ["https://ours", "ours"]);
        }
        const { address, token } = read("manager", theirs, { configured: { address: "" } });
        assert.deepEqual([address, token], ["https://theirs", "theirs"]);
    });

    it("give no token if that of the configuration is empty, but statecraft's variable does", () => {
        const configured = { address: "https://agent", token: "" };
        const files = { ".vault-token": "theirs" };
        const settings = read("manager", { VAULT_TOKEN: "theirs" }, { configured, files });
        assert.equal(requireUsable(settings).token, "");
        assert.equal(settings.sources["token"], "statecraft:vault.token");
        assert.equal(read("manager", { STATECRAFT_VAULT_TOKEN: "ours" }, { configured }).token, "ours");
        assert.equal(read("volumes", { NOMAD_TOKEN: "" }, { files }).token, undefined);
    });

    it("need no token with VAULT_AGENT_ADDR, which is used before VAULT_ADDR, and use one that they find", () => {
        const environment = { VAULT_AGENT_ADDR: "http://127.0.0.1:8100", VAULT_ADDR: "https://m.example" };
        const { address, token } = requireUsable(read("manager", environment));
        assert.deepEqual([address, token], ["http://127.0.0.1:8100", undefined]);
        assert.equal(requireUsable(read("manager", { ...environment, VAULT_TOKEN: "t" })).token, "t");
        refusal(() => requireUsable(read("manager", { VAULT_ADDR: "https://m.example" })));
    });

    it("select the product's names, and are not used with a key of the documents or for a connection", () => {
        assert.equal(read("volumes", { NOMAD_ADDR: "http://n" }).names, "product");
        const environment = { VAULT_ADDR: "https://m.example", VAULT_TOKEN: "t", STATECRAFT_MANAGER_NAMESPACE: "n" };
        const { address, token, names } = read("manager", environment, { files: { ".vault-token": "file" } });
        assert.deepEqual([address, token, names], [undefined, undefined, "documented"]);
        const connections = JSON.stringify({ dr: { vault: { address: "http://dr" } } });
        const config = (key: string) => (key === "statecraft:connections" ? connections : undefined);
        assert.equal(readSettings("manager", "dr", config, { VAULT_TOKEN: "t" }).token, undefined);
    });

    it("include the default address of HCP Terraform if a token for that address or the key `terraform` is set", () => {
        const file = { files: credentials({ "app.terraform.io": "t" }) };
        for (const { address, token, sources } of [
            read("stateVersions", { TFE_TOKEN: "t" }),
            read("stateVersions", { TF_TOKEN_app_terraform_io: "t" }),
            read("stateVersions", {}, file),
            read("stateVersions", { STATECRAFT_TERRAFORM_TOKEN: "t" }),
            read("stateVersions", {}, { configured: { token: "t" } }),
        ]) {
            assert.deepEqual([address, token], ["https://app.terraform.io/api/v2", "t"]);
            assert.equal(sources["address"], undefined);
        }
        const other = { files: credentials({ "other.example": "t" }) };
        for (const { address } of [
            read("stateVersions", {}, other),
            read("stateVersions", { STATECRAFT_STATE_VERSIONS_TOKEN: "t" }),
            read("manager", { VAULT_TOKEN: "t" }),
        ]) {
            assert.equal(address, undefined);
        }
    });

    it("prefer TFE_ADDRESS to TFE_HOSTNAME, and VAULT_TOKEN to the token file", () => {
        const environment = { TFE_ADDRESS: "https://a.example", TFE_HOSTNAME: "b.example" };
        assert.equal(read("stateVersions", environment).address, "https://a.example/api/v2");
        const files = { ".vault-token": "from-file\n" };
        assert.equal(read("manager", {}, { files }).token, "from-file");
        assert.equal(read("manager", { VAULT_TOKEN: "variable" }, { files }).token, "variable");
        for (const HOME of ["", __dirname]) assert.equal(read("manager", { HOME }, { files }).token, undefined);
    });

    it("have a token for each host of Terraform, from a variable or else the credentials file", () => {
        const files = credentials({ "my-app.example": "a", "b.example:8443": "b" });
        const tokenFor = (environment: NodeJS.ProcessEnv, configured?: object) =>
            read("stateVersions", environment, { ...(configured && { configured }), files }).token;
        assert.equal(tokenFor({ TFE_HOSTNAME: "my-app.example" }), "a");
        assert.equal(tokenFor({ TFE_HOSTNAME: "my-app.example", TF_TOKEN_my__app_example: "variable" }), "variable");
        assert.equal(tokenFor({}, { address: "https://b.example:8443/api/v2" }), "b");
        assert.equal(tokenFor({ TFE_HOSTNAME: "c.example" }), undefined);
        assert.equal(tokenFor({}), undefined);
    });

    const hcl = `
        # credentials "my-app.example" { token = "planted" }
        plugin_cache_dir = "/a#b//c" /* credentials "my-app.example" {
            token = "planted" } */
        credentials "my-app.example:8443" { token = "b" }
        credentials "empty.example" {
            // token = "planted"
        }
        credentials "my-app.example" {
            note = "x" // token = "planted"
            token = "a" # the end
        }
    `;
    const tokenFor = (hostname: string, files: Record<string, string>, environment: NodeJS.ProcessEnv = {}) =>
        read("stateVersions", { TFE_HOSTNAME: hostname, ...environment }, { files }).token;

    it("have a token for each host of Terraform in the blocks of `~/.terraformrc`", () => {
        const files = { ".terraformrc": hcl };
        assert.equal(tokenFor("my-app.example", files), "a");
        assert.equal(tokenFor("my-app.example:8443", files), "b");
        for (const host of ["empty.example", "example", "app.terraform.io"]) {
            assert.equal(tokenFor(host, files), undefined, host);
        }
        assert.equal(tokenFor("my-app.example", { ...files, ...credentials({ "my-app.example": "login" }) }), "login");
    });

    it("have the token in the file of TF_CLI_CONFIG_FILE, JSON or not, and then read no other file", () => {
        const folder = mkdtempSync(join(tmpdir(), "cli-"));
        const others = { ".terraformrc": hcl, ...credentials({ "my-app.example": "login" }) };
        const inFile = (text: string) => {
            const TF_CLI_CONFIG_FILE = join(folder, "cli.tfrc");
            writeFileSync(TF_CLI_CONFIG_FILE, text);
            return tokenFor("my-app.example", others, { TF_CLI_CONFIG_FILE });
        };
        try {
            assert.equal(inFile(hcl), "a");
            assert.equal(inFile('{"credentials":{"my-app.example":{"token":"j"}}}'), "j");
            assert.equal(inFile(""), undefined);
        } finally {
            rmSync(folder, { recursive: true });
        }
    });

    it("have Terraform's files below %APPDATA% on Windows", () => {
        const folder = mkdtempSync(join(tmpdir(), "appdata-"));
        const { platform } = process;
        Object.defineProperty(process, "platform", { value: "win32" });
        try {
            writeFileSync(join(folder, "terraform.rc"), hcl);
            mkdirSync(join(folder, "terraform.d"));
            const [text] = Object.values(credentials({ "login.example": "l" }));
            writeFileSync(join(folder, "terraform.d", "credentials.tfrc.json"), text ?? "");
            const files = { ".terraformrc": 'credentials "home.example" { token = "h" }' };
            const hosts = ["my-app.example", "login.example", "home.example"];
            const tokens = hosts.map((host) => tokenFor(host, files, { APPDATA: folder }));
            assert.deepEqual(tokens, ["a", "l", undefined]);
        } finally {
            Object.defineProperty(process, "platform", { value: platform });
            rmSync(folder, { recursive: true });
        }
    });

    it("name a `credentials_helper` of Terraform if there is no token", () => {
        const folder = mkdtempSync(join(tmpdir(), "cli-"));
        const environment = { TFE_HOSTNAME: "a.example", TF_CLI_CONFIG_FILE: join(folder, "cli.tfrc") };
        try {
            for (const text of ['credentials_helper "vaulted" { }', '{"credentials_helper":{"vaulted":{}}}']) {
                writeFileSync(environment.TF_CLI_CONFIG_FILE, text);
                const { message } = refusal(() => requireUsable(read("stateVersions", environment)));
                assert.match(message, /TF_CLI_CONFIG_FILE \(.*vaulted/);
            }
        } finally {
            rmSync(folder, { recursive: true });
        }
    });

    it("are not read, even if malformed, when statecraft's setting is present", () => {
        const files = { [credentialsPath]: "{ broken planted-token" };
        const environment = { TFE_HOSTNAME: "a.example" };
        assert.equal(read("stateVersions", { ...environment, STATECRAFT_TERRAFORM_TOKEN: "t" }, { files }).token, "t");
        const { message } = refusal(() => read("stateVersions", environment, { files }));
        assert.equal(message, `the file ~/${credentialsPath} is not JSON`);
        const broken = { NOMAD_ADDR: "unix:///run/api.sock" };
        assert.equal(read("volumes", broken, { configured: { address: "http://s" } }).address, "http://s");
        const { message: named } = refusal(() => read("volumes", broken));
        assert.equal(named, "NOMAD_ADDR: must be an http or https address");
    });

    for (const [service, configured, places] of [
        [
            ...(["stateVersions", undefined] as const),
            `STATECRAFT_TERRAFORM_TOKEN, TFE_TOKEN, TF_TOKEN_app_terraform_io, TF_CLI_CONFIG_FILE, ~/${credentialsPath}, ~/.terraformrc`,
        ],
        ["manager", { address: "http://m" }, "STATECRAFT_VAULT_TOKEN, VAULT_TOKEN, ~/.vault-token"],
        ["manager", undefined, "STATECRAFT_VAULT_ADDRESS, VAULT_AGENT_ADDR, VAULT_ADDR"],
        ["volumes", undefined, "STATECRAFT_NOMAD_ADDRESS, NOMAD_ADDR"],
        [
            "stateVersions",
            { address: "https://a.example" },
            `STATECRAFT_TERRAFORM_TOKEN, TFE_TOKEN, TF_TOKEN_a_example, TF_CLI_CONFIG_FILE, ~/${credentialsPath}, ~/.terraformrc`,
        ],
    ] as const) {
        it(`that are missing are named in the order of precedence: ${places}`, () => {
            const settings = read(service, {}, configured && { configured });
            const { message } = refusal(() => requireUsable(settings));
            assert(message.endsWith(`, ${places}`), message);
        });
    }
});
