/** Tests settings from the environment variables and files of the products' command-line tools. */

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ServiceName } from "../../src/core/service";
import { ConfigError } from "../../src/errors";
import type { ServiceSettings } from "../../src/generated/args";
import { serviceKeys } from "../../src/settings/config-keys";
import { type ResolvedSettings, readSettings, requireUsable } from "../../src/settings/settings";
import { thrownBy } from "../support/failures";
import { temporaryFolder } from "../support/temporary-folder";

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
    const home = temporaryFolder();
    for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(home, path)), { recursive: true });
        writeFileSync(join(home, path), text);
    }
    return readSettings(service, undefined, config, { HOME: home, ...environment });
}

const refusal = (act: () => unknown) => thrownBy(act, ConfigError);

const authority = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";

describe("settings of the products' tools", () => {
    const defaultAddress = "https://app.terraform.io/api/v2";
    const file = `~/${credentialsPath}`;
    const files = { ".vault-token": "in-file\n", ...credentials({ "my-a": "a", "b.example:8443": "b" }) };
    const services = { vault: "manager", nomad: "volumes", terraform: "stateVersions" } as const;
    type Place = [key: keyof typeof services, field: keyof ServiceSettings];
    type Row = [...Place, configured: object, environment: NodeJS.ProcessEnv, value: unknown, source?: string];
    // docs/settings.md has the variable of each other field.
    const table: readonly Row[] = [
        ["vault", "address", {}, { VAULT_ADDR: "https://m" }, "https://m", "VAULT_ADDR"],
        ["vault", "token", {}, { VAULT_TOKEN: "t" }, "t", "VAULT_TOKEN"],
        ["nomad", "address", {}, { NOMAD_ADDR: "http://s:4646" }, "http://s:4646", "NOMAD_ADDR"],
        ["nomad", "address", {}, { NOMAD_ADDR: "unix:///run/v1" }, "unix:///run/v1", "NOMAD_ADDR"],
        ["terraform", "address", {}, { TFE_ADDRESS: "https://a/x/api/v2" }, "https://a/x/api/v2", "TFE_ADDRESS"],
        ["terraform", "address", {}, { TFE_ADDRESS: "https://a \n" }, "https://a/api/v2", "TFE_ADDRESS"],
        ["terraform", "address", {}, { TFE_HOSTNAME: "a:8443\n" }, "https://a:8443/api/v2", "TFE_HOSTNAME"],
        ["terraform", "address", {}, { TFE_HOSTNAME: "https://b" }, "https://b/api/v2", "TFE_HOSTNAME"],
        ["terraform", "address", {}, { TF_CLOUD_HOSTNAME: "c" }, "https://c/api/v2", "TF_CLOUD_HOSTNAME"],
        ["terraform", "address", {}, { TFE_HOSTNAME: "a", TF_CLOUD_HOSTNAME: "c" }, "https://a/api/v2", "TFE_HOSTNAME"],
        ["terraform", "address", {}, { TFE_ADDRESS: "https://a/remote/v2/" }, "https://a/remote/v2", "TFE_ADDRESS"],
        ["terraform", "token", {}, { TFE_TOKEN: "t\n" }, "t", "TFE_TOKEN"],
        ...["TF_TOKEN_my-b.example", "TF_TOKEN_MY__B_EXAMPLE", "TF_TOKEN_my__b.example", "TF_TOKEN_My-B_example"].map(
            (name): Row => ["terraform", "token", {}, { TF_CLOUD_HOSTNAME: "MY-b.Example", [name]: "t" }, "t", name],
        ),
        ["terraform", "token", {}, { TFE_HOSTNAME: "my_b.example", "TF_TOKEN_my-b.example": "t" }, undefined],
        ["vault", "caFile", {}, { VAULT_CACERT_BYTES: authority }, authority, "VAULT_CACERT_BYTES"],
        ["vault", "address", { address: "https://ours" }, { VAULT_ADDR: "https://b" }, "https://ours", "vault.address"],
        ["vault", "token", { token: "ours" }, { VAULT_TOKEN: "theirs" }, "ours", "vault.token"],
        ["vault", "address", { address: "" }, { VAULT_ADDR: "https://b" }, "https://b", "VAULT_ADDR"],
        ["vault", "token", {}, { VAULT_TOKEN: "t", STATECRAFT_VAULT_TOKEN: "u" }, "u", "STATECRAFT_VAULT_TOKEN"],
        ["vault", "token", { token: "" }, { VAULT_TOKEN: "theirs" }, "", "vault.token"],
        ["vault", "token", { token: "" }, { STATECRAFT_VAULT_TOKEN: "ours" }, "ours", "STATECRAFT_VAULT_TOKEN"],
        ["vault", "token", {}, {}, "in-file", "~/.vault-token"],
        ["vault", "token", {}, { HOME: "" }, undefined],
        ["vault", "token", {}, { HOME: __dirname }, undefined],
        ["vault", "token", {}, { STATECRAFT_MANAGER_NAMESPACE: "n", VAULT_TOKEN: "t" }, undefined],
        ["vault", "address", {}, { STATECRAFT_MANAGER_NAMESPACE: "n", VAULT_ADDR: "https://b" }, undefined],
        ["vault", "address", {}, { VAULT_TOKEN: "t" }, undefined],
        ["vault", "address", {}, { VAULT_AGENT_ADDR: "http://a", VAULT_ADDR: "x" }, "http://a", "VAULT_AGENT_ADDR"],
        ["nomad", "token", {}, { NOMAD_TOKEN: "" }, undefined],
        ["terraform", "address", {}, { TFE_ADDRESS: "http://a", TFE_HOSTNAME: "b" }, "http://a/api/v2", "TFE_ADDRESS"],
        // The default address applies if there is a token for it, or the key `terraform`.
        ["terraform", "address", {}, { TFE_TOKEN: "t" }, defaultAddress],
        ["terraform", "address", {}, { TF_TOKEN_app_terraform_io: "t" }, defaultAddress],
        ["terraform", "address", {}, { STATECRAFT_TERRAFORM_TOKEN: "t" }, defaultAddress],
        ["terraform", "address", { token: "t" }, {}, defaultAddress],
        ["terraform", "address", {}, { STATECRAFT_STATE_VERSIONS_TOKEN: "t" }, undefined],
        ["terraform", "address", {}, {}, undefined],
        ["terraform", "token", {}, {}, undefined],
        ["terraform", "token", {}, { TFE_HOSTNAME: "my-a" }, "a", file],
        ["terraform", "token", {}, { TFE_HOSTNAME: "my-a", TF_TOKEN_my__a: "v" }, "v", "TF_TOKEN_my__a"],
        ["terraform", "token", { address: "https://b.example:8443/api/v2" }, {}, "b", file],
        ["terraform", "token", {}, { TFE_HOSTNAME: "c.example" }, undefined],
    ];
    for (const [key, field, configured, environment, value, source] of table) {
        const given = [configured, environment].map((each) => JSON.stringify(each)).join(" and ");
        it(`have the ${field} of ${key} from ${source ?? "nowhere"}: ${given}`, () => {
            const here = Object.keys(configured).length > 0 && { configured };
            const settings = read(services[key], environment, { ...here, files });
            const from = settings.sources[field]?.replace("statecraft:", "");
            assert.deepEqual([settings[field], from], [value, source]);
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

    for (const [service, variable] of [
        ["manager", "VAULT_ADDR"],
        ["manager", "VAULT_TOKEN"],
        ["manager", "VAULT_NAMESPACE"],
        ["volumes", "NOMAD_REGION"],
        ["volumes", "NOMAD_CACERT"],
        ["stateVersions", "TFE_TOKEN"],
    ] as const) {
        it(`are refused in quotes, without a quotation: ${variable}`, () => {
            for (const quote of ['"', "'"]) {
                const set = {
                    [variable]: `${quote}planted${quote}`,
                    ...(variable === "TFE_TOKEN" && { TFE_ADDRESS: "http://a" }),
                };
                const { message } = refusal(() => read(service, set));
                assert.match(message, new RegExp(`^${variable}: .*quotes`));
                assert(!message.includes("planted"), message);
            }
        });
    }

    it("have no socket at HCP Terraform", () => {
        refusal(() => read("stateVersions", {}, { configured: { address: "unix:///run/x" } }));
    });

    it("need no token with VAULT_AGENT_ADDR, or if the configuration has an empty one, and use one that they find", () => {
        const environment = { VAULT_AGENT_ADDR: "http://127.0.0.1:8100" };
        assert.equal(requireUsable(read("manager", environment)).token, undefined);
        assert.equal(requireUsable(read("manager", { ...environment, VAULT_TOKEN: "t" })).token, "t");
        const configured = { address: "https://agent", token: "" };
        assert.equal(requireUsable(read("manager", {}, { configured })).token, "");
        refusal(() => requireUsable(read("manager", { VAULT_ADDR: "https://m.example" })));
    });

    it("select the product's names, and are not used with a key of the documents or for a connection", () => {
        assert.equal(read("volumes", { NOMAD_ADDR: "http://n" }).names, "product");
        assert.equal(read("manager", { STATECRAFT_MANAGER_NAMESPACE: "n" }).names, "documented");
        const connections = JSON.stringify({ dr: { vault: { address: "http://dr" } } });
        const config = (key: string) => (key === "statecraft:connections" ? connections : undefined);
        assert.equal(readSettings("manager", "dr", config, { VAULT_TOKEN: "t" }).token, undefined);
    });

    it("include the default address of HCP Terraform if the credentials file has a token for it", () => {
        const { address, token } = read("stateVersions", {}, { files: credentials({ "app.terraform.io": "t" }) });
        assert.deepEqual([address, token], [defaultAddress, "t"]);
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
        assert.equal(tokenFor("my-app.example", { ...files, ...credentials({ "My-App.example": "login" }) }), "login");
        assert.equal(tokenFor("MY-APP.example", { ".tofurc": hcl.replaceAll("my-app", "My-App") }), "a");
    });

    const folder = temporaryFolder();

    it("have the token in the file of TF_CLI_CONFIG_FILE, JSON or not, and then read no other file", () => {
        const others = { ".terraformrc": hcl, ...credentials({ "my-app.example": "login" }) };
        const inFile = (text: string) => {
            const TF_CLI_CONFIG_FILE = join(folder, "cli.tfrc");
            writeFileSync(TF_CLI_CONFIG_FILE, text);
            return tokenFor("my-app.example", others, { TF_CLI_CONFIG_FILE });
        };
        assert.equal(inFile(hcl), "a");
        assert.equal(inFile('{"credentials":{"my-app.example":{"token":"j"}}}'), "j");
        assert.equal(inFile(""), undefined);
        assert.equal(inFile(`credentials "my-app.example" { note = "\${x}}"\n token = "b" }`), "b");
        assert.equal(inFile('x { token = "no" }\ncredentials "my-app.example" { }\ny { token = "no" }'), undefined);
        // A text without an end is searched once, and not from each of its signs.
        for (const open of ['\\"', "/*", 'credentials "x" {', "credentials "])
            assert.equal(inFile(`${hcl}\n"${open.repeat(1e6 / open.length)}`), "a");
        assert.equal(inFile(`${hcl}${"#".repeat(1024 ** 2)}`), undefined);
    });

    it("have Terraform's files below %APPDATA% on Windows", () => {
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
        }
    });

    it("name a `credentials_helper` of Terraform if there is no token", () => {
        const environment = { TFE_HOSTNAME: "a.example", TF_CLI_CONFIG_FILE: join(folder, "cli.tfrc") };
        for (const text of ['credentials_helper "vaulted" { }', '{"credentials_helper":{"vaulted":{}}}']) {
            writeFileSync(environment.TF_CLI_CONFIG_FILE, text);
            const { message } = refusal(() => requireUsable(read("stateVersions", environment)));
            assert.match(message, /TF_CLI_CONFIG_FILE \(.*vaulted/);
        }
    });

    it("are not read, even if malformed, when statecraft's setting is present", () => {
        const files = { [credentialsPath]: "{ broken planted-token" };
        const environment = { TFE_HOSTNAME: "a.example" };
        assert.equal(read("stateVersions", { ...environment, STATECRAFT_TERRAFORM_TOKEN: "t" }, { files }).token, "t");
        const { message } = refusal(() => read("stateVersions", environment, { files }));
        assert.equal(message, `the file ~/${credentialsPath} is not JSON`);
        const broken = { NOMAD_ADDR: "ftp://run/api.sock" };
        assert.equal(read("volumes", broken, { configured: { address: "http://s" } }).address, "http://s");
        const { message: named } = refusal(() => read("volumes", broken));
        assert.equal(named, "NOMAD_ADDR: must be an http or https address, or unix:///<path>");
    });

    it("that are missing name the token for another host, and variables that are set and not read", () => {
        const inFile = { TF_CLI_CONFIG_FILE: join(folder, "rc") };
        for (const [service, environment, text, named] of [
            [
                "stateVersions",
                { TF_TOKEN_app_eu_terraform_io: "planted" },
                "",
                "TFE_ADDRESS=https://app.eu.terraform.io`",
            ],
            ["stateVersions", inFile, '{"credentials":{"a.example:84":{"token":"planted"}}}', "=https://a.example:84`"],
            ["stateVersions", inFile, 'credentials "b.example" { token = "planted" }', "=https://b.example`"],
            ["manager", { BAO_ADDR: "https://planted" }, "", "BAO_ADDR is set"],
        ] as const) {
            writeFileSync(inFile.TF_CLI_CONFIG_FILE, text);
            const { message } = refusal(() => requireUsable(read(service, environment)));
            assert(message.includes(named), message);
            assert.doesNotMatch(message, /planted/);
        }
    });

    const filesOfTerraform = `TF_CLI_CONFIG_FILE, ~/${credentialsPath}, ~/.terraformrc, ~/.tofurc`;
    for (const [service, configured, places] of [
        [
            "stateVersions",
            undefined,
            `STATECRAFT_TERRAFORM_TOKEN, TFE_TOKEN, TF_TOKEN_app_terraform_io, ${filesOfTerraform}`,
        ],
        ["manager", { address: "http://m" }, "STATECRAFT_VAULT_TOKEN, VAULT_TOKEN, ~/.vault-token"],
        ["manager", undefined, "STATECRAFT_VAULT_ADDRESS, VAULT_AGENT_ADDR, VAULT_ADDR"],
        ["volumes", undefined, "STATECRAFT_NOMAD_ADDRESS, NOMAD_ADDR"],
        [
            "stateVersions",
            { address: "https://a.example" },
            `STATECRAFT_TERRAFORM_TOKEN, TFE_TOKEN, TF_TOKEN_a_example, ${filesOfTerraform}`,
        ],
    ] as const) {
        it(`that are missing are named in the order of precedence: ${places}`, () => {
            const settings = read(service, {}, configured && { configured });
            const { message } = refusal(() => requireUsable(settings));
            assert(message.endsWith(`, ${places}`), message);
        });
    }
});
