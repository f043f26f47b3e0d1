import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ServiceName } from "../../src/core/service";
import { ConfigError } from "../../src/errors";
import { type ConfigReader, readSettings, requireUsable, type ServiceSettings } from "../../src/runtime/config";
import { thrownBy } from "../support/failures";
import { scheduler, secrets, stateService, tool } from "../support/product-words";

const [MANAGER, SCHEDULER, STATE] = [secrets, scheduler, stateService].map((word) => word.toUpperCase());
const credentialsPath = `.${tool}.d/credentials.tfrc.json`;

const read = (
    service: ServiceName,
    environment: NodeJS.ProcessEnv,
    { configured, files = {} }: { configured?: object; files?: Record<string, string> } = {},
): ServiceSettings => {
    const config: ConfigReader = (key) =>
        key === `statecraft:${service}` && configured ? JSON.stringify(configured) : undefined;
    const home = mkdtempSync(join(tmpdir(), "home-"));
    for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(home, path)), { recursive: true });
        writeFileSync(join(home, path), text);
    }
    try {
        return readSettings(service, undefined, config, {
            STATECRAFT_VOCABULARY: "product",
            HOME: home,
            ...environment,
        });
    } finally {
        rmSync(home, { recursive: true });
    }
};

const refusal = (act: () => unknown) => thrownBy(act, ConfigError);

describe("third-party settings", () => {
    const single: [ServiceName, field: keyof ServiceSettings, variable: string, text: string, value: unknown][] = [
        ["manager", "address", `${MANAGER}_ADDR`, "https://m.example", "https://m.example"],
        ["manager", "token", `${MANAGER}_TOKEN`, "t", "t"],
        ["manager", "namespace", `${MANAGER}_NAMESPACE`, "team/a", "team/a"],
        ["manager", "caFile", `${MANAGER}_CACERT`, "ca.pem", "ca.pem"],
        ["manager", "clientCertFile", `${MANAGER}_CLIENT_CERT`, "c.pem", "c.pem"],
        ["manager", "clientKeyFile", `${MANAGER}_CLIENT_KEY`, "k.pem", "k.pem"],
        ["manager", "tlsServerName", `${MANAGER}_TLS_SERVER_NAME`, "a.example", "a.example"],
        ["manager", "skipTlsVerify", `${MANAGER}_SKIP_VERIFY`, "true", true],
        ["volumes", "address", `${SCHEDULER}_ADDR`, "http://s.example:4646", "http://s.example:4646"],
        ["volumes", "token", `${SCHEDULER}_TOKEN`, "t", "t"],
        ["volumes", "namespace", `${SCHEDULER}_NAMESPACE`, "prod", "prod"],
        ["volumes", "region", `${SCHEDULER}_REGION`, "north", "north"],
        ["volumes", "caFile", `${SCHEDULER}_CACERT`, "ca.pem", "ca.pem"],
        ["volumes", "clientCertFile", `${SCHEDULER}_CLIENT_CERT`, "c.pem", "c.pem"],
        ["volumes", "clientKeyFile", `${SCHEDULER}_CLIENT_KEY`, "k.pem", "k.pem"],
        ["volumes", "tlsServerName", `${SCHEDULER}_TLS_SERVER_NAME`, "a.example", "a.example"],
        ["volumes", "skipTlsVerify", `${SCHEDULER}_SKIP_VERIFY`, "1", true],
        ["stateVersions", "address", `${STATE}_ADDRESS`, "https://a.example", "https://a.example/api/v2"],
        ["stateVersions", "address", `${STATE}_ADDRESS`, "https://a.example/", "https://a.example/api/v2"],
        ["stateVersions", "address", `${STATE}_ADDRESS`, "https://a.example/x/api/v2", "https://a.example/x/api/v2"],
        ["stateVersions", "address", `${STATE}_HOSTNAME`, "a.example:8443", "https://a.example:8443/api/v2"],
        ["stateVersions", "address", `${STATE}_ADDRESS`, "https://a.example \n", "https://a.example/api/v2"],
        ["stateVersions", "address", `${STATE}_HOSTNAME`, "a.example\n", "https://a.example/api/v2"],
        ["stateVersions", "token", `${STATE}_TOKEN`, "t", "t"],
        ["stateVersions", "token", `${STATE}_TOKEN`, "t\n", "t"],
    ];
    for (const [service, field, variable, text, value] of single) {
        it(`${service}: ${field} from ${variable}=${JSON.stringify(text)}`, () => {
            assert.deepEqual(read(service, { [variable]: text })[field], value);
        });
    }

    for (const [service, variable] of [
        ["manager", `${MANAGER}_SKIP_VERIFY`],
        ["volumes", `${SCHEDULER}_SKIP_VERIFY`],
    ] as const) {
        it(`${service}: certificates are checked unless ${variable} is true`, () => {
            for (const text of ["false", "FALSE", "0", "f", "no", "not"])
                assert.equal(read(service, { [variable]: text }).skipTlsVerify, false, text);
            for (const text of ["true", "TRUE", "1", "t"])
                assert.equal(read(service, { [variable]: text }).skipTlsVerify, true, text);
        });
    }

    it("are looked for where ours are empty", () => {
        const environment = { [`${MANAGER}_NAMESPACE`]: "team", [`${MANAGER}_ADDR`]: "https://m.example" };
        const settings = read("manager", environment, { configured: { namespace: "", address: "" } });
        assert.deepEqual([settings.namespace, settings.address], ["team", "https://m.example"]);
    });

    it("count for nothing in the vocabulary of the documents", () => {
        const environment = { [`${MANAGER}_ADDR`]: "https://m.example", [`${MANAGER}_TOKEN`]: "t" };
        const files = { [`.${secrets}-token`]: "file" };
        const settings = read("manager", { STATECRAFT_VOCABULARY: "", ...environment }, { files });
        assert.deepEqual([settings.address, settings.token], [undefined, undefined]);
    });

    it("come after ours, from the configuration and from the environment", () => {
        const environment = { [`${MANAGER}_ADDR`]: "https://theirs", [`${MANAGER}_TOKEN`]: "theirs" };
        const configured = read("manager", environment, { configured: { address: "https://ours", token: "ours" } });
        assert.deepEqual([configured.address, configured.token], ["https://ours", "ours"]);
        const ours = { STATECRAFT_MANAGER_ADDRESS: "https://ours", STATECRAFT_MANAGER_TOKEN: "ours" };
        const fromEnvironment = read("manager", { ...environment, ...ours });
        assert.deepEqual([fromEnvironment.address, fromEnvironment.token], ["https://ours", "ours"]);
    });

    it("are chosen by the vocabulary of the service itself too", () => {
        const environment = { STATECRAFT_VOCABULARY: "", [`${MANAGER}_TOKEN`]: "t" };
        assert.equal(read("manager", environment, { configured: { vocabulary: "product" } }).token, "t");
        assert.equal(read("manager", environment).token, undefined);
    });

    it("take the address before the host name", () => {
        const environment = { [`${STATE}_ADDRESS`]: "https://a.example", [`${STATE}_HOSTNAME`]: "b.example" };
        assert.equal(read("stateVersions", environment).address, "https://a.example/api/v2");
    });

    it("hold the manager's token in a file, after the variable", () => {
        const files = { [`.${secrets}-token`]: "from-file\n" };
        assert.equal(read("manager", {}, { files }).token, "from-file");
        assert.equal(read("manager", { [`${MANAGER}_TOKEN`]: "variable" }, { files }).token, "variable");
    });

    it("hold tokens by host, whichever way the address was set", () => {
        const files = {
            [credentialsPath]: JSON.stringify({
                credentials: { "a.example": { token: "a" }, "b.example:8443": { token: "b" } },
            }),
        };
        assert.equal(read("stateVersions", { [`${STATE}_HOSTNAME`]: "a.example" }, { files }).token, "a");
        const configured = { address: "https://b.example:8443/api/v2" };
        assert.equal(read("stateVersions", {}, { configured, files }).token, "b");
        assert.equal(read("stateVersions", { [`${STATE}_HOSTNAME`]: "c.example" }, { files }).token, undefined);
        assert.equal(read("stateVersions", {}, { files }).token, undefined);
    });

    it("hold the token of a host in a variable, before the file", () => {
        const files = { [credentialsPath]: JSON.stringify({ credentials: { "my-app.example": { token: "file" } } }) };
        const environment = { [`${STATE}_HOSTNAME`]: "my-app.example", TF_TOKEN_my__app_example: "variable" };
        assert.equal(read("stateVersions", environment, { files }).token, "variable");
    });

    it("are not looked for in a file of no use: it may be broken while the token is ours", () => {
        const files = { [credentialsPath]: "{ broken planted-token" };
        const environment = { [`${STATE}_HOSTNAME`]: "a.example" };
        assert.equal(
            read("stateVersions", { ...environment, STATECRAFT_STATE_VERSIONS_TOKEN: "t" }, { files }).token,
            "t",
        );
        const { message } = refusal(() => read("stateVersions", environment, { files }));
        assert.equal(message, `the file ~/${credentialsPath} is not JSON`);
    });

    it("are refused with the name of their variable", () => {
        assert.match(
            refusal(() => read("volumes", { [`${SCHEDULER}_ADDR`]: "unix:///run/api.sock" })).message,
            new RegExp(`^${SCHEDULER}_ADDR: address: must be an http or https address$`),
        );
        assert.equal(
            read("volumes", { [`${SCHEDULER}_ADDR`]: "unix:///x" }, { configured: { address: "http://s" } }).address,
            "http://s",
        );
    });

    it("are none of a named connection's", () => {
        const config: ConfigReader = (key) =>
            key === "statecraft:connections"
                ? JSON.stringify({ dr: { manager: { address: "http://dr", vocabulary: "product" } } })
                : undefined;
        const settings = readSettings("manager", "dr", config, { [`${MANAGER}_TOKEN`]: "t" });
        assert.equal(settings.token, undefined);
        assert.doesNotMatch(refusal(() => requireUsable("manager", "dr", settings)).hint ?? "", /looked for/);
    });

    it("find no file without a home directory, and none that is not there", () => {
        const files = { [`.${secrets}-token`]: "file" };
        assert.equal(read("manager", { HOME: "" }, { files }).token, undefined);
        assert.equal(read("manager", { HOME: __dirname }, { files }).token, undefined);
    });

    describe("that are missing", () => {
        const places = (service: ServiceName, settings: ServiceSettings) =>
            /looked for, in this order, in (.*?)(?:\. To try|$)/.exec(
                refusal(() => requireUsable(service, undefined, { vocabulary: "product", ...settings })).hint ?? "",
            )?.[1];

        it("name every place where an address was looked for, in order", () => {
            assert.equal(places("manager", {}), `manager.address, STATECRAFT_MANAGER_ADDRESS, ${MANAGER}_ADDR`);
            assert.equal(
                places("stateVersions", {}),
                `stateVersions.address, STATECRAFT_STATE_VERSIONS_ADDRESS, ${STATE}_ADDRESS, ${STATE}_HOSTNAME`,
            );
        });

        it("name every place where a token was looked for, in order", () => {
            assert.equal(
                places("manager", { address: "http://m" }),
                `STATECRAFT_MANAGER_TOKEN, manager.token, ${MANAGER}_TOKEN, the file ~/.${secrets}-token`,
            );
            assert.equal(
                places("volumes", { address: "http://s" }),
                `STATECRAFT_VOLUMES_TOKEN, volumes.token, ${SCHEDULER}_TOKEN`,
            );
            assert.equal(
                places("stateVersions", { address: "https://a.example/api/v2" }),
                `STATECRAFT_STATE_VERSIONS_TOKEN, stateVersions.token, ${STATE}_TOKEN, TF_TOKEN_a_example, ` +
                    `a.example in the file ~/${credentialsPath}`,
            );
        });

        it("of the documents' vocabulary name ours alone", () => {
            const { hint } = refusal(() => requireUsable("manager", undefined, { address: "http://m" }));
            assert.doesNotMatch(hint ?? "", /looked for/);
        });
    });
});
