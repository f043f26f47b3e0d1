import assert from "node:assert/strict";
import { configKeys } from "../../src/core/config-keys";
import type { ServiceName } from "../../src/core/service";
import { ConfigError } from "../../src/errors";
import {
    type ConfigReader,
    readSettings,
    readStrict,
    requireUsable,
    type ServiceSettings,
    type Settings,
} from "../../src/settings/settings";
import { environmentName, serviceFields } from "../../src/settings/settings-schema";
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

/** The fields that are set. */
const fieldsOf = (settings: Settings): ServiceSettings =>
    Object.fromEntries(
        Object.entries(settings).filter(([field, value]) => field in serviceFields && value !== undefined),
    );

const refusal = (act: () => unknown) => thrownBy(act, ConfigError);

const hintOf = ({ hint = "" }: ConfigError) => hint;

describe("settings", () => {
    it("of nothing are empty", () => {
        assert.deepEqual(fieldsOf(readSettings("manager", undefined, () => undefined, {})), {});
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

        it("are copied by the keys that the provider is configured with", () => {
            assert.deepEqual([...configKeys].sort(), [
                "statecraft:connections",
                "statecraft:manager",
                "statecraft:nomad",
                "statecraft:stateVersions",
                "statecraft:strict",
                "statecraft:terraform",
                "statecraft:vault",
                "statecraft:volumes",
            ]);
        });

        it("have the path that the service has by its document, whatever the address says", () => {
            const addressOf = (service: ServiceName, key: string, address: string) =>
                readSettings(service, undefined, stack({ [key]: { address } }), {}).address;
            const [vault, tfe] = ["https://v.example:8200", "https://t.example/api/v2"];
            for (const end of ["", "/", "/v1", "/v1/"])
                assert.equal(addressOf("manager", "statecraft:vault", vault + end), vault);
            for (const address of [tfe, `${tfe}/`, "https://t.example", "https://t.example/"]) {
                assert.equal(addressOf("stateVersions", "statecraft:terraform", address), tfe);
                assert.equal(addressOf("stateVersions", "statecraft:stateVersions", address), tfe);
            }
        });

        it("may have numbers, booleans, objects and lists as text", () => {
            const settings = managerOf({
                ...{ timeout: "1.5", maxRetries: "0", maxConcurrency: "2", skipTlsVerify: "true" },
                ...{ headers: '{"X-A":"b"}', otherAddresses: "https://a.example, http://b.example" },
            });
            assert.deepEqual(fieldsOf(settings), {
                ...{ timeout: 1.5, maxRetries: 0, maxConcurrency: 2, skipTlsVerify: true },
                ...{ headers: { "X-A": "b" }, otherAddresses: ["https://a.example", "http://b.example"] },
            });
        });

        it("may have them as what they are", () => {
            const given = { timeout: 30, skipTlsVerify: false, headers: { a: "b" }, otherAddresses: ["http://b"] };
            assert.deepEqual(fieldsOf(managerOf(given)), given);
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
            ["otherAddresses", "STATECRAFT_MANAGER_OTHER_ADDRESSES", "http://a,http://b", ["http://a", "http://b"]],
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
            };
            const settings = managerOf({ address: "http://a" }, environment);
            assert.deepEqual([settings.address, settings.timeout], ["http://a", undefined]);
        });

        it("may come from files, with a line break at their end", () => {
            const environment = {
                STATECRAFT_MANAGER_TOKEN: "a\n",
                STATECRAFT_MANAGER_NAMESPACE: " team\r\n",
            };
            const { token, namespace, caFile } = managerOf({ caFile: " ca.pem" }, environment);
            assert.deepEqual([token, namespace, caFile], ["a", "team", "ca.pem"]);
        });
    });

    describe("from both", () => {
        const environment = {
            STATECRAFT_MANAGER_ADDRESS: "http://environment",
            STATECRAFT_MANAGER_TOKEN: "environment",
            STATECRAFT_MANAGER_NAMESPACE: "environment",
            STATECRAFT_MANAGER_MAX_RETRIES: "1",
        };

        it("are the configuration's, but for the token", () => {
            const configured = { address: "http://stack", token: "stack", maxRetries: 0 };
            const settings = managerOf(configured, environment);
            assert.equal(settings.token, "environment");
            assert.deepEqual([settings.address, settings.maxRetries], ["http://stack", 0]);
        });

        it("are the environment's where the configuration's are empty", () => {
            const configured = { address: "", namespace: "", maxRetries: "", timeout: "" };
            const settings = managerOf(configured, environment);
            assert.deepEqual(
                [settings.address, settings.namespace, settings.maxRetries, settings.timeout],
                ["http://environment", "environment", 1, undefined],
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
        assert.match(refusal(() => managerOf(configured)).message, /^statecraft:manager\.headers: X-Id: must be text$/);
    });

    describe("that are malformed", () => {
        const malformed: [what: string, configured: unknown, message: RegExp][] = [
            [
                "an unknown field",
                { adress: "x" },
                /^statecraft:manager: adress: is not a setting; perhaps you mean address$/,
            ],
            [
                "more time than timers know",
                { timeout: 1e10 },
                /timeout: must be a number of seconds above 0, and at most 2147483$/,
            ],
            ["no time at all", { timeout: 0 }, /^statecraft:manager\.timeout: must be a number of seconds above 0, /],
            ["no request in flight", { maxConcurrency: 0 }, /maxConcurrency: must be a whole number, 1 or more$/],
            ["half a request in flight", { maxConcurrency: 0.5 }, /maxConcurrency: must be a whole number, 1 or more$/],
            ["an address without scheme", { address: "b.example" }, /address: must be an http or https address$/],
            [
                "a user in an address",
                { address: "https://me@b.example" },
                /^statecraft:manager\.address: must not hold a user or a password; /,
            ],
            [
                "a password in an address",
                { otherAddresses: ["https://:word@b.example"] },
                /^statecraft:manager\.otherAddresses: 0: must not hold a user or a password; /,
            ],
            [
                "a port that there cannot be",
                { address: "http://b.example:99999/v1" },
                /^statecraft:manager\.address: must have a port from 1 to 65535$/,
            ],
            ["port 0", { address: "http://b.example:0" }, /address: must have a port from 1 to 65535$/],
            ["a query in an address", { address: "http://b?c=d" }, /address: must not hold a query or a fragment$/],
            ["a fragment in an address", { address: "http://b#c" }, /address: must not hold a query or a fragment$/],
            ["all namespaces", { namespace: "*" }, /^statecraft:manager\.namespace: must name one namespace, not all$/],
            [
                "time that is blank",
                { timeout: " " },
                /^statecraft:manager\.timeout: must be a number of seconds above 0, /,
            ],
            [
                "retries that are blank",
                { maxRetries: "\t" },
                /^statecraft:manager\.maxRetries: must be a whole number, /,
            ],
            ["an address of another scheme", { address: "file:///b" }, /address: must be an http or https address$/],
            [
                "a number that is none",
                { timeout: "soon" },
                /^statecraft:manager\.timeout: must be a number of seconds above 0, /,
            ],
            [
                "a number below 0",
                { maxRetries: -1 },
                /^statecraft:manager\.maxRetries: must be a whole number, 0 or more$/,
            ],
            [
                "a flag that is none",
                { skipTlsVerify: "yes" },
                /^statecraft:manager\.skipTlsVerify: must be true or false$/,
            ],
            [
                "headers that are no texts",
                { headers: { "X-A": ["b"] } },
                /^statecraft:manager\.headers: X-A: must be text$/,
            ],
            [
                "headers that are no JSON",
                { headers: "X-A: b" },
                /^statecraft:manager\.headers: must be an object whose values are texts$/,
            ],
            ["a former address", { otherAddresses: ["http://a", "b"] }, /otherAddresses: 1: must be an http or https/],
            [
                "a key instead of its file",
                { clientKeyFile: "-----BEGIN PRIVATE KEY-----\nplanted" },
                /^statecraft:manager\.clientKeyFile: must name a file, and not hold what stands in it$/,
            ],
            [
                "a key in base64 instead of its file",
                { clientKeyFile: Buffer.from("-----BEGIN PRIVATE KEY-----\nplanted").toString("base64") },
                /^statecraft:manager\.clientKeyFile: must name a file, and not hold what stands in it$/,
            ],
            ["a list", [], /^statecraft:manager must be an object$/],
        ];
        for (const [what, configured, message] of malformed) {
            it(`are refused with their path: ${what}`, () => {
                assert.match(refusal(() => managerOf(configured)).message, message);
            });
        }

        it("are all told at once", () => {
            const { message } = refusal(() => managerOf({ address: "b", timeout: "soon" }));
            assert.match(message, /manager\.address: .*; statecraft:manager\.timeout: /);
        });

        it("are told with the way to set them when the key holds text", () => {
            const error = refusal(() => managerOf("https://b.example"));
            assert.equal(error.message, "statecraft:manager must be an object");
            assert.match(hintOf(error), /pulumi config set --path 'statecraft:manager\.address'/);
        });

        it("in the environment are refused too, and the variables are named", () => {
            const { message } = refusal(() => managerOf(undefined, { STATECRAFT_MANAGER_TIMEOUT: "soon" }));
            assert.match(message, /^STATECRAFT_MANAGER_TIMEOUT: /);
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
                { token: secret, address: secret, timeout: secret, skipTlsVerify: secret },
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
            assert.deepEqual(fieldsOf(readSettings("manager", "second", config, environment)), {
                address: "http://second",
                token: "s",
            });
        });

        it("are refused where it is not configured, or not for this service", () => {
            for (const [service, connection, key] of [
                ["manager", "third", "vault"],
                ["volumes", "second", "nomad"],
            ] as const) {
                const error = refusal(() => readSettings(service, connection, config, environment));
                assert.match(error.message, new RegExp(`^the connection "${connection}" has no settings for `));
                assert.match(hintOf(error), new RegExp(`statecraft:connections\\.${connection}\\.${key}\\.address`));
            }
        });

        it("are refused with their path when malformed", () => {
            const malformed = stack({ "statecraft:connections": { second: { manager: { adress: "x" } } } });
            assert.match(
                refusal(() => readSettings("manager", "second", malformed, {})).message,
                /^statecraft:connections\.second\.manager: .*adress/,
            );
        });
    });

    describe("under both keys of a service", () => {
        const refused: [where: string, act: () => unknown, places: [string, string]][] = [
            [
                "in configuration",
                () =>
                    readSettings("manager", undefined, stack({ "statecraft:vault": {}, "statecraft:manager": {} }), {}),
                ["statecraft:vault", "statecraft:manager"],
            ],
            [
                "in the environment",
                () => managerOf(undefined, { STATECRAFT_VAULT_TOKEN: "t", STATECRAFT_MANAGER_NAMESPACE: "n" }),
                ["STATECRAFT_VAULT_TOKEN", "STATECRAFT_MANAGER_NAMESPACE"],
            ],
            [
                "across both",
                () => managerOf({ address: "http://a" }, { STATECRAFT_VAULT_TOKEN: "t" }),
                ["statecraft:manager", "STATECRAFT_VAULT_TOKEN"],
            ],
            [
                "in one connection",
                () =>
                    readSettings(
                        "volumes",
                        "dr",
                        stack({ "statecraft:connections": { dr: { nomad: {}, volumes: {} } } }),
                        {},
                    ),
                ["statecraft:connections.dr.nomad", "statecraft:connections.dr.volumes"],
            ],
        ];
        for (const [where, act, places] of refused) {
            it(`are refused ${where}, and the message says where each was found`, () => {
                const { message } = refusal(act);
                for (const place of places) assert(message.includes(place), message);
            });
        }

        it("of two services are one for each", () => {
            const config = stack({ "statecraft:vault": { token: "v" }, "statecraft:volumes": { token: "n" } });
            assert.equal(readSettings("manager", undefined, config, {}).names, "product");
            assert.equal(readSettings("volumes", undefined, config, {}).names, "documented");
        });
    });

    describe("of an explicit provider or a script", () => {
        const environment = {
            ...{ STATECRAFT_VAULT_TOKEN: "ours", STATECRAFT_VAULT_NAMESPACE: "ours", VAULT_TOKEN: "theirs" },
            ...{ STATECRAFT_MANAGER_TOKEN: "other", VAULT_CACERT: "theirs.pem", STATECRAFT_VOLUMES_TOKEN: "v" },
        };
        const explicit = (service: ServiceName, configured: Record<string, unknown>) =>
            readSettings(service, undefined, stack(configured), environment, true);

        it("take nothing of that service from the environment", () => {
            for (const given of [{ address: "https://a.example", token: "t" }, { address: "https://a.example" }, {}])
                assert.deepEqual(fieldsOf(explicit("manager", { "statecraft:vault": given })), given);
        });

        it("are the environment's for a service that is not named", () => {
            assert.equal(explicit("volumes", { "statecraft:vault": { address: "https://a.example" } }).token, "v");
        });
    });

    describe("that are missing", () => {
        const missing = (service: ServiceName, connection: string | undefined, configured: object) =>
            refusal(() => requireUsable(readSettings(service, connection, stack({ ...configured }), {})));

        it("give no address: both ways to set it are named, and the simulator", () => {
            const error = missing("manager", undefined, {});
            assert.equal(error.setting, "statecraft:vault.address");
            assert.match(hintOf(error), /pulumi config set --path 'statecraft:vault\.address'/);
            assert.match(hintOf(error), /STATECRAFT_VAULT_ADDRESS, VAULT_ADDR/);
            assert.match(hintOf(error), /`npx statecraft simulator`.*`manager\.address`/);
        });

        it("give no token: both ways to set it are named, the configured one as a secret", () => {
            const error = missing("manager", undefined, { "statecraft:manager": { address: "http://b" } });
            assert.equal(error.setting, "statecraft:manager.token");
            assert.match(
                hintOf(error),
                /^Run `pulumi config set --path 'statecraft:manager\.token' --secret`.*STATECRAFT_MANAGER_TOKEN/,
            );
        });

        it("of a connection are set by a path that the engine's command understands, whatever its name", () => {
            const connections = { "statecraft:connections": { "eu.west": { nomad: {} } } };
            const { setting } = missing("volumes", "eu.west", connections);
            assert.equal(setting, 'statecraft:connections["eu.west"].nomad.address');
        });

        it("of a connection have one way", () => {
            const error = missing("volumes", "second", { "statecraft:connections": { second: { nomad: {} } } });
            assert.equal(error.setting, "statecraft:connections.second.nomad.address");
            assert.doesNotMatch(hintOf(error), /STATECRAFT_|NOMAD_/);
        });

        it("are an address and a token, and a login needs the address alone", () => {
            const config = stack({ "statecraft:manager": { address: "http://b" } });
            const settings = readSettings("manager", undefined, config, {});
            assert.equal(requireUsable(settings, true).address, "http://b");
            assert.equal(managerOf({ address: "http://b", token: "t" }).token, "t");
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
