import assert from "node:assert/strict";
import { inWordsOf, pulumiCommands } from "../../src/commands";
import { configKeys } from "../../src/core/config-keys";
import type { ServiceName } from "../../src/core/service";
import { ConfigError } from "../../src/errors";
import { type ConfigReader, environmentName, readSettings, readStrict, requireUsable } from "../../src/runtime/config";
import { thrownBy } from "../support/failures";

/** Stack configuration as the engine hands it out: the JSON text of each key. */
const stack = (values: Record<string, unknown>): ConfigReader => {
    return (key) => {
        const value = values[key];
        return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
    };
};
const managerOf = (configured: unknown, environment: NodeJS.ProcessEnv = {}) =>
    readSettings("manager", undefined, stack({ "statecraft:manager": configured }), environment);

const refusal = (act: () => unknown) => thrownBy(act, ConfigError);

/** What a user of Pulumi reads. */
const hintOf = ({ hint = "" }: ConfigError) => inWordsOf(pulumiCommands, hint);

describe("settings", () => {
    it("of nothing are empty", () => {
        const settings = readSettings("manager", undefined, () => undefined, {});
        assert.deepEqual(
            Object.values(settings).filter((value) => value !== undefined),
            [],
        );
    });

    describe("from stack configuration", () => {
        it("stand under a key for each service", () => {
            const values = {
                "statecraft:stateVersions": { address: "https://a.example/api/v2" },
                "statecraft:manager": { address: "https://b.example" },
                "statecraft:volumes": { address: "https://c.example" },
            };
            const addressOf = (service: ServiceName) => readSettings(service, undefined, stack(values), {}).address;
            assert.deepEqual(
                [addressOf("stateVersions"), addressOf("manager"), addressOf("volumes")],
                ["https://a.example/api/v2", "https://b.example", "https://c.example"],
            );
        });

        it("are copied by the keys that the provider is told of", () => {
            assert.deepEqual([...configKeys].sort(), [
                "statecraft:connections",
                "statecraft:manager",
                "statecraft:stateVersions",
                "statecraft:strict",
                "statecraft:volumes",
            ]);
        });

        it("may have numbers, booleans, objects and lists as text", () => {
            const { token: _, ...settings } = managerOf({
                ...{ timeout: "1.5", maxRetries: "0", maxConcurrency: "2", skipTlsVerify: "true" },
                ...{ headers: '{"X-A":"b"}', formerAddresses: "https://a.example, http://b.example" },
            });
            assert.deepEqual(settings, {
                ...{ timeout: 1.5, maxRetries: 0, maxConcurrency: 2, skipTlsVerify: true },
                ...{ headers: { "X-A": "b" }, formerAddresses: ["https://a.example", "http://b.example"] },
            });
        });

        it("may have them as what they are", () => {
            const given = { timeout: 30, skipTlsVerify: false, headers: { a: "b" }, formerAddresses: ["http://b"] };
            const { token: _, ...settings } = managerOf(given);
            assert.deepEqual(settings, given);
        });
    });

    describe("from the environment", () => {
        const everyName: [field: string, variable: string, text: string, value: unknown][] = [
            ["address", "STATECRAFT_MANAGER_ADDRESS", "https://b.example", "https://b.example"],
            ["token", "STATECRAFT_MANAGER_TOKEN", "t", "t"],
            ["namespace", "STATECRAFT_MANAGER_NAMESPACE", "team/a", "team/a"],
            ["region", "STATECRAFT_MANAGER_REGION", "eu", "eu"],
            ["caFile", "STATECRAFT_MANAGER_CA_FILE", "ca.pem", "ca.pem"],
            ["clientCertFile", "STATECRAFT_MANAGER_CLIENT_CERT_FILE", "c.pem", "c.pem"],
            ["clientKeyFile", "STATECRAFT_MANAGER_CLIENT_KEY_FILE", "k.pem", "k.pem"],
            ["tlsServerName", "STATECRAFT_MANAGER_TLS_SERVER_NAME", "a.example", "a.example"],
            ["skipTlsVerify", "STATECRAFT_MANAGER_SKIP_TLS_VERIFY", "1", true],
            ["headers", "STATECRAFT_MANAGER_HEADERS", '{"X-A":"b"}', { "X-A": "b" }],
            ["timeout", "STATECRAFT_MANAGER_TIMEOUT", "5", 5],
            ["maxRetries", "STATECRAFT_MANAGER_MAX_RETRIES", "0", 0],
            ["maxConcurrency", "STATECRAFT_MANAGER_MAX_CONCURRENCY", "3", 3],
            ["vocabulary", "STATECRAFT_MANAGER_VOCABULARY", "product", "product"],
            ["formerAddresses", "STATECRAFT_MANAGER_FORMER_ADDRESSES", "http://a,http://b", ["http://a", "http://b"]],
        ];
        for (const [field, variable, text, value] of everyName) {
            it(`${field} is ${variable}`, () => {
                assert.equal(environmentName("manager", field), variable);
                const settings: Record<string, unknown> = { ...managerOf(undefined, { [variable]: text }) };
                assert.deepEqual(settings[field], value);
            });
        }

        it("switch the check of certificates off only where they say so", () => {
            const skips = (text: string) =>
                managerOf(undefined, { STATECRAFT_MANAGER_SKIP_TLS_VERIFY: text }).skipTlsVerify;
            assert.deepEqual(["true", "1", "false", "0", ""].map(skips), [true, true, false, false, undefined]);
            refusal(() => skips("no"));
        });

        it("are told apart by service", () => {
            const environment = {
                STATECRAFT_STATE_VERSIONS_TOKEN: "a",
                STATECRAFT_MANAGER_TOKEN: "b",
                STATECRAFT_VOLUMES_TOKEN: "c",
            };
            const tokenOf = (service: ServiceName) =>
                readSettings(service, undefined, () => undefined, environment).token;
            assert.deepEqual([tokenOf("stateVersions"), tokenOf("manager"), tokenOf("volumes")], ["a", "b", "c"]);
        });

        it("are not set by empty variables", () => {
            const environment = {
                STATECRAFT_MANAGER_ADDRESS: "",
                STATECRAFT_MANAGER_TIMEOUT: "",
                STATECRAFT_VOCABULARY: "",
            };
            const settings = managerOf({ address: "http://a" }, environment);
            assert.deepEqual(
                [settings.address, settings.timeout, settings.vocabulary],
                ["http://a", undefined, undefined],
            );
        });

        it("may come from files, with a line break at their end", () => {
            const environment = {
                STATECRAFT_MANAGER_TOKEN: "a\n",
                STATECRAFT_MANAGER_NAMESPACE: " team\r\n",
                STATECRAFT_VOCABULARY: "product\n",
            };
            const { token, namespace, vocabulary, caFile } = managerOf({ caFile: " ca.pem" }, environment);
            assert.deepEqual([token, namespace, vocabulary, caFile], ["a", "team", "product", "ca.pem"]);
        });

        it("may have one vocabulary for all services, which that of a service overrules", () => {
            const all = { STATECRAFT_VOCABULARY: "product" };
            for (const service of ["stateVersions", "manager", "volumes"] as const) {
                assert.equal(readSettings(service, undefined, () => undefined, all).vocabulary, "product");
            }
            assert.equal(
                managerOf(undefined, { ...all, STATECRAFT_MANAGER_VOCABULARY: "documented" }).vocabulary,
                "documented",
            );
        });
    });

    describe("from both", () => {
        const environment = {
            STATECRAFT_MANAGER_ADDRESS: "http://environment",
            STATECRAFT_MANAGER_TOKEN: "environment",
            STATECRAFT_MANAGER_NAMESPACE: "environment",
            STATECRAFT_MANAGER_MAX_RETRIES: "1",
            STATECRAFT_VOCABULARY: "product",
        };

        it("are the configuration's, but for the token", () => {
            const configured = { address: "http://stack", token: "stack", maxRetries: 0, vocabulary: "documented" };
            const settings = managerOf(configured, environment);
            assert.equal(settings.token, "environment");
            assert.deepEqual(
                [settings.address, settings.maxRetries, settings.vocabulary],
                ["http://stack", 0, "documented"],
            );
        });

        it("are the environment's where the configuration's are empty", () => {
            const configured = { address: "", namespace: "", maxRetries: "", timeout: "", vocabulary: "" };
            const settings = managerOf(configured, environment);
            assert.deepEqual(
                [settings.address, settings.namespace, settings.maxRetries, settings.timeout, settings.vocabulary],
                ["http://environment", "environment", 1, undefined, "product"],
            );
            assert.equal(managerOf({ namespace: "", region: "" }).namespace, undefined);
            const connections = { dr: { manager: { address: "http://dr", namespace: "" } } };
            const dr = readSettings("manager", "dr", stack({ "statecraft:connections": connections }), environment);
            assert.equal(dr.namespace, undefined);
        });

        it("are put together field by field", () => {
            const settings = managerOf({ address: "http://stack", token: "stack" }, environment);
            assert.deepEqual([settings.address, settings.namespace], ["http://stack", "environment"]);
            assert.equal(managerOf({ token: "stack" }).token, "stack");
        });
    });

    it("take what the engine's command makes of a header's value for the text that it was", () => {
        const { headers } = managerOf({ headers: { "X-Request": true, "X-Id": 12 } });
        assert.deepEqual(headers, { "X-Request": "true", "X-Id": "12" });
    });

    it("are not taken from a number that has lost digits", () => {
        const configured = '{"headers":{"X-Id":1234567890123456789}}';
        assert.match(refusal(() => managerOf(configured)).message, /^statecraft:manager: headers: X-Id: must be text$/);
    });

    describe("that are malformed", () => {
        const malformed: [what: string, configured: unknown, message: RegExp][] = [
            [
                "an unknown field",
                { adress: "x" },
                /^statecraft:manager: adress: is not a setting; did you mean address\?$/,
            ],
            [
                "more time than timers know",
                { timeout: 1e10 },
                /timeout: must be a number of seconds above 0, and at most 2147483$/,
            ],
            ["no time at all", { timeout: 0 }, /^statecraft:manager: timeout: must be a number of seconds above 0, /],
            ["no request in flight", { maxConcurrency: 0 }, /maxConcurrency: must be a whole number, 1 or more$/],
            ["half a request in flight", { maxConcurrency: 0.5 }, /maxConcurrency: must be a whole number, 1 or more$/],
            ["an address without scheme", { address: "b.example" }, /address: must be an http or https address$/],
            [
                "a user in an address",
                { address: "https://me@b.example" },
                /^statecraft:manager: address: must not hold a user or a password; /,
            ],
            [
                "a password in an address",
                { formerAddresses: ["https://:word@b.example"] },
                /^statecraft:manager: formerAddresses: 0: must not hold a user or a password; /,
            ],
            [
                "a port that there cannot be",
                { address: "http://b.example:99999/v1" },
                /^statecraft:manager: address: must have a port from 1 to 65535$/,
            ],
            ["port 0", { address: "http://b.example:0" }, /address: must have a port from 1 to 65535$/],
            ["a query in an address", { address: "http://b?c=d" }, /address: must not hold a query or a fragment$/],
            ["a fragment in an address", { address: "http://b#c" }, /address: must not hold a query or a fragment$/],
            ["all namespaces", { namespace: "*" }, /^statecraft:manager: namespace: must name one namespace, not all$/],
            [
                "time that is blank",
                { timeout: " " },
                /^statecraft:manager: timeout: must be a number of seconds above 0, /,
            ],
            [
                "retries that are blank",
                { maxRetries: "\t" },
                /^statecraft:manager: maxRetries: must be a whole number, /,
            ],
            ["an address of another scheme", { address: "file:///b" }, /address: must be an http or https address$/],
            [
                "a number that is none",
                { timeout: "soon" },
                /^statecraft:manager: timeout: must be a number of seconds above 0, /,
            ],
            [
                "a number below 0",
                { maxRetries: -1 },
                /^statecraft:manager: maxRetries: must be a whole number, 0 or more$/,
            ],
            [
                "the address of a machine as its name",
                { tlsServerName: "10.0.0.1" },
                /^statecraft:manager: tlsServerName: must be a host name$/,
            ],
            [
                "a flag that is none",
                { skipTlsVerify: "yes" },
                /^statecraft:manager: skipTlsVerify: must be true or false$/,
            ],
            [
                "another vocabulary",
                { vocabulary: "brand" },
                /^statecraft:manager: vocabulary: must be "documented" or "product"$/,
            ],
            [
                "headers that are no texts",
                { headers: { "X-A": ["b"] } },
                /^statecraft:manager: headers: X-A: must be text$/,
            ],
            [
                "headers that are no JSON",
                { headers: "X-A: b" },
                /^statecraft:manager: headers: must be an object whose values are texts$/,
            ],
            [
                "a former address",
                { formerAddresses: ["http://a", "b"] },
                /formerAddresses: 1: must be an http or https/,
            ],
            [
                "a key instead of its file",
                { clientKeyFile: "-----BEGIN PRIVATE KEY-----\nplanted" },
                /^statecraft:manager: clientKeyFile: must name a file, and not hold what stands in it$/,
            ],
            [
                "a key in base64 instead of its file",
                { clientKeyFile: Buffer.from("-----BEGIN PRIVATE KEY-----\nplanted").toString("base64") },
                /^statecraft:manager: clientKeyFile: must name a file, and not hold what stands in it$/,
            ],
            ["a list", [], /^statecraft:manager: must be an object$/],
        ];
        for (const [what, configured, message] of malformed) {
            it(`are refused with their path: ${what}`, () => {
                assert.match(refusal(() => managerOf(configured)).message, message);
            });
        }

        it("are all told at once", () => {
            const { message } = refusal(() => managerOf({ address: "b", timeout: "soon" }));
            assert.match(message, /address: .*; timeout: /);
        });

        it("are told with the way to set them when the key holds text", () => {
            const error = refusal(() => managerOf("https://b.example"));
            assert.equal(error.message, "statecraft:manager must be an object");
            assert.match(hintOf(error), /pulumi config set --path 'statecraft:manager\.address'/);
        });

        it("in the environment are refused too, and the variables are named", () => {
            const { message } = refusal(() => managerOf(undefined, { STATECRAFT_MANAGER_TIMEOUT: "soon" }));
            assert.match(message, /^the environment \(STATECRAFT_MANAGER_…\): timeout: /);
            const ofAll = refusal(() => managerOf(undefined, { STATECRAFT_VOCABULARY: "brand" }));
            assert.match(ofAll.message, /^STATECRAFT_VOCABULARY: vocabulary: must be "documented" or "product"$/);
        });

        it("never show the user and the password of an address", () => {
            const address = "https://planted-user:planted-password@b.example";
            for (const act of [
                () => managerOf({ address }),
                () => managerOf({ address: address.replace("b.example", "b.example:99999") }),
                () => managerOf(undefined, { STATECRAFT_MANAGER_ADDRESS: address }),
            ]) {
                const { message, hint } = refusal(act);
                assert.doesNotMatch(`${message} ${hint}`, /planted/);
            }
        });

        it("never show the value of a token", () => {
            const secret = "s3cr3t-value";
            for (const configured of [
                { token: { value: secret } },
                { token: [secret] },
                { token: secret, address: secret, timeout: secret, vocabulary: secret, skipTlsVerify: secret },
                secret,
                `{"token": "${secret}"`,
                [secret],
            ]) {
                const { message, hint } = refusal(() => managerOf(configured));
                assert.doesNotMatch(`${message} ${hint}`, /s3cr3t/);
            }
        });
    });

    describe("of a connection", () => {
        const config = stack({
            "statecraft:manager": { address: "http://own", namespace: "own" },
            "statecraft:connections": { second: { manager: { address: "http://second", token: "s" } } },
        });
        const environment = { STATECRAFT_MANAGER_TOKEN: "environment", STATECRAFT_MANAGER_NAMESPACE: "environment" };

        it("are its own alone: neither the service's settings nor the environment", () => {
            assert.deepEqual(readSettings("manager", "second", config, environment), {
                address: "http://second",
                token: "s",
            });
        });

        it("are refused where it is not configured, or not for this service", () => {
            for (const [service, connection] of [
                ["manager", "third"],
                ["volumes", "second"],
            ] as const) {
                const error = refusal(() => readSettings(service, connection, config, environment));
                assert.equal(error.message, `the connection "${connection}" has no settings for ${service}`);
                assert.match(
                    hintOf(error),
                    new RegExp(`statecraft:connections\\.${connection}\\.${service}\\.address`),
                );
            }
        });

        it("are refused with their path when malformed", () => {
            const malformed = stack({ "statecraft:connections": { second: { manager: { adress: "x" } } } });
            assert.match(
                refusal(() => readSettings("manager", "second", malformed, {})).message,
                /^statecraft:connections: second: manager: .*adress/,
            );
        });
    });

    describe("that are missing", () => {
        it("give no address: both ways to set it are named, and the simulator", () => {
            const error = refusal(() => requireUsable("stateVersions", undefined, { token: "t" }));
            assert.equal(error.setting, "statecraft:stateVersions.address");
            assert.equal(error.message, "no address is set for stateVersions");
            assert.match(hintOf(error), /pulumi config set --path 'statecraft:stateVersions\.address' …/);
            assert.match(hintOf(error), /STATECRAFT_STATE_VERSIONS_ADDRESS in the environment/);
            assert.match(hintOf(error), /`npx statecraft simulator`/);
        });

        it("give no token: both ways to set it are named, the configured one as a secret", () => {
            const error = refusal(() => requireUsable("manager", undefined, { address: "http://b" }));
            assert.equal(error.setting, "statecraft:manager.token");
            assert.equal(
                hintOf(error),
                "Run `pulumi config set --path 'statecraft:manager.token' … --secret`, or set STATECRAFT_MANAGER_TOKEN in the environment",
            );
        });

        it("of a connection are set by a path that the engine's command understands, whatever its name", () => {
            const { setting } = refusal(() => requireUsable("volumes", "eu.west", {}));
            assert.equal(setting, 'statecraft:connections["eu.west"].volumes.address');
        });

        it("of a connection have one way", () => {
            const error = refusal(() => requireUsable("volumes", "second", {}));
            assert.equal(error.setting, "statecraft:connections.second.volumes.address");
            assert.doesNotMatch(hintOf(error), /STATECRAFT_/);
        });

        it("are an address and a token, and nothing else", () => {
            assert.deepEqual(requireUsable("manager", undefined, { address: "http://b", token: "t" }), {
                address: "http://b",
                token: "t",
            });
        });
    });

    it("make warnings failures where they say so, and are refused under the name that was used", () => {
        const strictOf = (configured: unknown, variable = "") =>
            readStrict(stack({ "statecraft:strict": configured }), { STATECRAFT_STRICT: variable });
        assert.deepEqual(
            [strictOf("true"), strictOf("false", "true"), strictOf(undefined, "1"), strictOf(undefined)],
            [true, false, true, false],
        );
        for (const [act, name] of [
            [() => strictOf("x"), "statecraft:strict"],
            [() => strictOf(undefined, "x"), "STATECRAFT_STRICT"],
        ] as const) {
            const error = refusal(act);
            assert.equal(error.setting, name);
            assert.equal(error.message, `${name}: must be true or false`);
        }
    });
});
