import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { serviceKeys } from "../../src/core/config-keys";
import type { ServiceName } from "../../src/core/service";
import { ConfigError } from "../../src/errors";
import {
    type ConfigReader,
    readSettings,
    requireUsable,
    type ServiceSettings,
    type Settings,
} from "../../src/settings/settings";
import { thrownBy } from "../support/failures";

const credentialsPath = ".terraform.d/credentials.tfrc.json";

const read = (
    service: ServiceName,
    environment: NodeJS.ProcessEnv,
    { configured, files = {} }: { configured?: object; files?: Record<string, string> } = {},
): Settings => {
    const { key: productKey } = serviceKeys[service].product;
    const config: ConfigReader = (key) =>
        key === `statecraft:${productKey}` && configured ? JSON.stringify(configured) : undefined;
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
};

const refusal = (act: () => unknown) => thrownBy(act, ConfigError);

describe("third-party settings", () => {
    const single: [ServiceName, field: keyof ServiceSettings, variable: string, text: string, value: unknown][] = [
        ["manager", "address", "VAULT_ADDR", "https://m.example", "https://m.example"],
        ["manager", "token", "VAULT_TOKEN", "t", "t"],
        ["manager", "namespace", "VAULT_NAMESPACE", "team/a", "team/a"],
        ["manager", "caFile", "VAULT_CACERT", "ca.pem", "ca.pem"],
        ["manager", "clientCertFile", "VAULT_CLIENT_CERT", "c.pem", "c.pem"],
        ["manager", "clientKeyFile", "VAULT_CLIENT_KEY", "k.pem", "k.pem"],
        ["manager", "tlsServerName", "VAULT_TLS_SERVER_NAME", "a.example", "a.example"],
        ["manager", "skipTlsVerify", "VAULT_SKIP_VERIFY", "true", true],
        ["volumes", "address", "NOMAD_ADDR", "http://s.example:4646", "http://s.example:4646"],
        ["volumes", "token", "NOMAD_TOKEN", "t", "t"],
        ["volumes", "namespace", "NOMAD_NAMESPACE", "prod", "prod"],
        ["volumes", "region", "NOMAD_REGION", "north", "north"],
        ["volumes", "caFile", "NOMAD_CACERT", "ca.pem", "ca.pem"],
        ["volumes", "clientCertFile", "NOMAD_CLIENT_CERT", "c.pem", "c.pem"],
        ["volumes", "clientKeyFile", "NOMAD_CLIENT_KEY", "k.pem", "k.pem"],
        ["volumes", "tlsServerName", "NOMAD_TLS_SERVER_NAME", "a.example", "a.example"],
        ["volumes", "skipTlsVerify", "NOMAD_SKIP_VERIFY", "1", true],
        ["stateVersions", "address", "TFE_ADDRESS", "https://a.example", "https://a.example/api/v2"],
        ["stateVersions", "address", "TFE_ADDRESS", "https://a.example/", "https://a.example/api/v2"],
        ["stateVersions", "address", "TFE_ADDRESS", "https://a.example/x/api/v2", "https://a.example/x/api/v2"],
        ["stateVersions", "address", "TFE_HOSTNAME", "a.example:8443", "https://a.example:8443/api/v2"],
        ["stateVersions", "address", "TFE_ADDRESS", "https://a.example \n", "https://a.example/api/v2"],
        ["stateVersions", "address", "TFE_HOSTNAME", "a.example\n", "https://a.example/api/v2"],
        ["stateVersions", "token", "TFE_TOKEN", "t", "t"],
        ["stateVersions", "token", "TFE_TOKEN", "t\n", "t"],
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
        it(`${service}: certificates are checked unless ${variable} is true`, () => {
            for (const text of ["false", "FALSE", "0", "f"])
                assert.equal(read(service, { [variable]: text }).skipTlsVerify, false, text);
            for (const text of ["true", "TRUE", "1", "t"])
                assert.equal(read(service, { [variable]: text }).skipTlsVerify, true, text);
            assert.equal(refusal(() => read(service, { [variable]: "no" })).setting, variable);
        });
    }

    it("are looked for where ours are empty", () => {
        const environment = { VAULT_NAMESPACE: "team", VAULT_ADDR: "https://m.example" };
        const settings = read("manager", environment, { configured: { namespace: "", address: "" } });
        assert.deepEqual([settings.namespace, settings.address], ["team", "https://m.example"]);
    });

    it("are not used with a key of the documents", () => {
        const environment = { VAULT_ADDR: "https://m.example", VAULT_TOKEN: "t", STATECRAFT_MANAGER_NAMESPACE: "n" };
        const { address, token, names } = read("manager", environment, { files: { ".vault-token": "file" } });
        assert.deepEqual([address, token, names], [undefined, undefined, "documented"]);
    });

    it("mean the product where no setting of ours is there", () => {
        const { names, address } = read("volumes", { NOMAD_ADDR: "http://n" });
        assert.deepEqual([names, address], ["product", "http://n"]);
    });

    describe("the default address of HCP Terraform", () => {
        const host = "https://app.terraform.io/api/v2";
        const credentials = (of: string) => ({
            [credentialsPath]: JSON.stringify({ credentials: { [of]: { token: "t" } } }),
        });

        it("is used where a token for it is found, or its key is set", () => {
            const file = credentials("app.terraform.io");
            for (const settings of [
                read("stateVersions", { TFE_TOKEN: "t" }),
                read("stateVersions", { TF_TOKEN_app_terraform_io: "t" }),
                read("stateVersions", {}, { files: file }),
                read("stateVersions", { STATECRAFT_TERRAFORM_TOKEN: "t" }),
                read("stateVersions", {}, { configured: { token: "t" } }),
            ]) {
                assert.deepEqual([settings.address, settings.token], [host, "t"]);
                assert.equal(settings.sources["address"], undefined);
            }
        });

        it("is not used otherwise", () => {
            const other = { files: credentials("other.example") };
            assert.equal(read("stateVersions", {}, other).address, undefined);
            assert.equal(read("stateVersions", { STATECRAFT_STATE_VERSIONS_TOKEN: "t" }).address, undefined);
            assert.equal(read("manager", { VAULT_TOKEN: "t" }).address, undefined);
        });
    });

    it("come after ours, from the configuration and from the environment", () => {
        const environment = { VAULT_ADDR: "https://theirs", VAULT_TOKEN: "theirs" };
        const configured = read("manager", environment, { configured: { address: "https://ours", token: "ours" } });
        assert.deepEqual([configured.address, configured.token], ["https://ours", "ours"]);
        const ours = { STATECRAFT_VAULT_ADDRESS: "https://ours", STATECRAFT_VAULT_TOKEN: "ours" };
        const fromEnvironment = read("manager", { ...environment, ...ours });
        assert.deepEqual([fromEnvironment.address, fromEnvironment.token], ["https://ours", "ours"]);
    });

    it("take the address before the host name", () => {
        const environment = { TFE_ADDRESS: "https://a.example", TFE_HOSTNAME: "b.example" };
        assert.equal(read("stateVersions", environment).address, "https://a.example/api/v2");
    });

    it("hold the manager's token in a file, after the variable", () => {
        const files = { ".vault-token": "from-file\n" };
        assert.equal(read("manager", {}, { files }).token, "from-file");
        assert.equal(read("manager", { VAULT_TOKEN: "variable" }, { files }).token, "variable");
    });

    it("hold tokens by host, whichever way the address was set", () => {
        const files = {
            [credentialsPath]: JSON.stringify({
                credentials: { "a.example": { token: "a" }, "b.example:8443": { token: "b" } },
            }),
        };
        assert.equal(read("stateVersions", { TFE_HOSTNAME: "a.example" }, { files }).token, "a");
        const configured = { address: "https://b.example:8443/api/v2" };
        assert.equal(read("stateVersions", {}, { configured, files }).token, "b");
        assert.equal(read("stateVersions", { TFE_HOSTNAME: "c.example" }, { files }).token, undefined);
        assert.equal(read("stateVersions", {}, { files }).token, undefined);
    });

    it("hold the token of a host in a variable, before the file", () => {
        const files = { [credentialsPath]: JSON.stringify({ credentials: { "my-app.example": { token: "file" } } }) };
        const environment = { TFE_HOSTNAME: "my-app.example", TF_TOKEN_my__app_example: "variable" };
        assert.equal(read("stateVersions", environment, { files }).token, "variable");
    });

    it("are not looked for in a file of no use: it may be broken while the token is ours", () => {
        const files = { [credentialsPath]: "{ broken planted-token" };
        const environment = { TFE_HOSTNAME: "a.example" };
        assert.equal(read("stateVersions", { ...environment, STATECRAFT_TERRAFORM_TOKEN: "t" }, { files }).token, "t");
        const { message } = refusal(() => read("stateVersions", environment, { files }));
        assert.equal(message, `the file ~/${credentialsPath} is not JSON`);
    });

    it("are refused with the name of their variable", () => {
        assert.match(
            refusal(() => read("volumes", { NOMAD_ADDR: "unix:///run/api.sock" })).message,
            /^NOMAD_ADDR: must be an http or https address$/,
        );
        assert.equal(
            read("volumes", { NOMAD_ADDR: "unix:///x" }, { configured: { address: "http://s" } }).address,
            "http://s",
        );
    });

    it("are none of a named connection's", () => {
        const config: ConfigReader = (key) =>
            key === "statecraft:connections" ? JSON.stringify({ dr: { vault: { address: "http://dr" } } }) : undefined;
        const settings = readSettings("manager", "dr", config, { VAULT_TOKEN: "t" });
        assert.equal(settings.token, undefined);
        assert.doesNotMatch(refusal(() => requireUsable(settings)).hint ?? "", /VAULT_TOKEN|may also be/);
    });

    it("find no file without a home directory, and none that is not there", () => {
        const files = { ".vault-token": "file" };
        assert.equal(read("manager", { HOME: "" }, { files }).token, undefined);
        assert.equal(read("manager", { HOME: __dirname }, { files }).token, undefined);
    });

    describe("that are missing", () => {
        const places = (service: ServiceName, configured?: ServiceSettings) =>
            /It may also be in (.*?)(?:\. To try|$)/.exec(
                refusal(() => requireUsable(read(service, {}, configured && { configured }))).hint ?? "",
            )?.[1];

        it("name every other place of an address, in order", () => {
            assert.equal(places("manager"), "STATECRAFT_VAULT_ADDRESS, VAULT_ADDR");
            assert.equal(places("stateVersions"), `STATECRAFT_TERRAFORM_ADDRESS, TFE_ADDRESS, TFE_HOSTNAME`);
        });

        it("name every other place of a token, in order", () => {
            assert.equal(
                places("manager", { address: "http://m" }),
                `STATECRAFT_VAULT_TOKEN, VAULT_TOKEN, ~/.vault-token`,
            );
            assert.equal(places("volumes", { address: "http://s" }), `STATECRAFT_NOMAD_TOKEN, NOMAD_TOKEN`);
            assert.equal(
                places("stateVersions", { address: "https://a.example/api/v2" }),
                `STATECRAFT_TERRAFORM_TOKEN, TFE_TOKEN, TF_TOKEN_a_example, ~/${credentialsPath}`,
            );
        });

        it("with a key of the documents name ours alone", () => {
            const settings = read("manager", { STATECRAFT_MANAGER_ADDRESS: "http://m" });
            assert.doesNotMatch(refusal(() => requireUsable(settings)).hint ?? "", /VAULT/);
        });
    });
});
