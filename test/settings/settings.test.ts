/** Tests the sources of each setting, their precedence, and which values are refused. */

import assert from "node:assert/strict";
import type { ServiceName } from "../../src/core/service";
import { ConfigError } from "../../src/errors";
import type { ServiceSettings } from "../../src/generated/args";
import { configKeys } from "../../src/settings/config-keys";
import { type ResolvedSettings, readSettings, readStrict, requireUsable } from "../../src/settings/settings";
import { environmentName, serviceFields, settingsSchema } from "../../src/settings/settings-schema";
import { thrownBy } from "../support/failures";

/** Reads the settings of a service from the environment and the stack's configuration, which the engine passes as JSON text. */
function read(
    service: ServiceName,
    configured: Readonly<Record<string, unknown>>,
    environment: NodeJS.ProcessEnv = {},
    { connection }: { connection?: string } = {},
): ResolvedSettings {
    const config = (key: string) => {
        const value = configured[key];
        return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
    };
    return readSettings(service, connection, config, environment);
}

const managerOf = (configured: unknown, environment: NodeJS.ProcessEnv = {}) =>
    read("manager", { "statecraft:manager": configured }, environment);

/** Returns the fields that are set. */
const fieldsOf = (settings: ResolvedSettings): ServiceSettings =>
    Object.fromEntries(
        Object.entries(settings).filter(([field, value]) => field in serviceFields && value !== undefined),
    );

const refusal = (act: () => unknown) => thrownBy(act, ConfigError);

describe("settings", () => {
    it("are empty by default", () => assert.deepEqual(fieldsOf(read("manager", {})), {}));

    it("are read from the keys of the configuration that a provider copies", () => {
        const keys = Object.keys(settingsSchema().shape).map((key) => `statecraft:${key}`);
        assert.deepEqual([...configKeys].sort(), keys.sort());
    });

    it("have an address with the path of the service's document, with or without that path in `address`", () => {
        const addressOf = (service: ServiceName, key: string, address: string) =>
            read(service, { [key]: { address } }).address;
        const [vault, tfe] = ["https://v.example:8200", "https://t.example/api/v2"];
        for (const end of ["", "/", "/v1", "/v1/"])
            assert.equal(addressOf("manager", "statecraft:vault", vault + end), vault);
        for (const address of [tfe, `${tfe}/`, "https://t.example", "https://t.example/"]) {
            assert.equal(addressOf("stateVersions", "statecraft:terraform", address), tfe);
            assert.equal(addressOf("stateVersions", "statecraft:stateVersions", address), tfe);
        }
    });

    it("have the `region` as a parameter of every request to Nomad, and to no other service", () => {
        const queryOf = (service: ServiceName, key: string) => read(service, { [key]: { region: "north" } }).query;
        for (const key of ["statecraft:nomad", "statecraft:volumes"])
            assert.deepEqual(queryOf("volumes", key), { region: "north" });
        assert.deepEqual(queryOf("manager", "statecraft:vault"), {});
        assert.deepEqual(queryOf("stateVersions", "statecraft:terraform"), {});
    });

    describe("in configuration", () => {
        it("may be numbers, booleans, objects and lists, or these as text", () => {
            const values = { timeout: 1.5, maxRetries: 0, skipTlsVerify: true, headers: { "X-A": "b" } };
            const texts = { timeout: "1.5", maxRetries: "0", skipTlsVerify: "true", headers: '{"X-A":"b"}' };
            const addresses = ["https://a.example", "http://b.example"];
            const expected = { ...values, otherAddresses: addresses };
            assert.deepEqual(fieldsOf(managerOf(expected)), expected);
            assert.deepEqual(fieldsOf(managerOf({ ...texts, otherAddresses: addresses.join(", ") })), expected);
        });

        it("are converted back to text if `pulumi config set` has made a number or a boolean of the text, unless digits are lost", () => {
            const { headers } = managerOf({ headers: { "X-Request": true, "X-Id": 12 } });
            assert.deepEqual(headers, { "X-Request": "true", "X-Id": "12" });
            const { message } = refusal(() => managerOf('{"headers":{"X-Id":1234567890123456789}}'));
            assert.match(message, /^statecraft:manager\.headers: X-Id: must be text$/);
        });
    });

    describe("in the environment", () => {
        const everyName: [field: string, variable: string, text: string, value: unknown][] = [
            ["address", "STATECRAFT_MANAGER_ADDRESS", "https://b.example", "https://b.example"],
            ["token", "STATECRAFT_MANAGER_TOKEN", "t\n", "t"],
            ["tokenFile", "STATECRAFT_MANAGER_TOKEN_FILE", " token.txt", "token.txt"],
            ["login", "STATECRAFT_MANAGER_LOGIN", '{"mount":"jwt","jwtFile":"f"}', { mount: "jwt", jwtFile: "f" }],
            ["namespace", "STATECRAFT_MANAGER_NAMESPACE", " team/a\r\n", "team/a"],
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
        it("have a variable for each field, with blanks around the value ignored", () => {
            const fields = everyName.map(([field]) => field);
            assert.deepEqual(fields, Object.keys(serviceFields));
            for (const [field, variable, text, value] of everyName)
                assert.deepEqual(fieldsOf(managerOf(undefined, { [variable]: text })), { [field]: value });
            assert.equal(environmentName("stateVersions", "caFile"), "STATECRAFT_STATE_VERSIONS_CA_FILE");
        });

        it("set `skipTlsVerify` only by `true` or `1`", () => {
            const skips = (text: string) =>
                managerOf(undefined, { STATECRAFT_MANAGER_SKIP_TLS_VERIFY: text }).skipTlsVerify;
            assert.deepEqual(["true", "1", "false", "0", ""].map(skips), [true, true, false, false, undefined]);
            refusal(() => skips("no"));
        });
    });

    for (const [field, configured, text, value, source] of [
        ["address", { address: "http://stack" }, "http://environment", "http://stack", "statecraft:manager.address"],
        ["maxRetries", { maxRetries: 0 }, "1", 0, "statecraft:manager.maxRetries"],
        ["maxRetries", { maxRetries: "" }, "1", 1, "STATECRAFT_MANAGER_MAX_RETRIES"],
        ["address", { address: "" }, "http://environment", "http://environment", "STATECRAFT_MANAGER_ADDRESS"],
        ["namespace", { namespace: "" }, "environment", "environment", "STATECRAFT_MANAGER_NAMESPACE"],
        ["namespace", { namespace: "stack" }, "", "stack", "statecraft:manager.namespace"],
        ["token", { token: "stack" }, "environment", "environment", "STATECRAFT_MANAGER_TOKEN"],
        ["token", { token: "stack" }, "", "stack", "statecraft:manager.token"],
    ] as const) {
        it(`prefer ${source} with ${JSON.stringify(configured)} and ${JSON.stringify(text)} in the variable`, () => {
            const settings = managerOf(configured, { [environmentName("manager", field)]: text });
            assert.deepEqual([settings[field], settings.sources[field]], [value, source]);
        });
    }

    describe("that are malformed", () => {
        const seconds = "timeout: must be a number of seconds above 0, and at most 2147483";
        const noFile = "clientKeyFile: must name a file, and not hold its content";
        const key = "-----BEGIN PRIVATE KEY-----\nplanted";
        const user = "must not hold a user or a password";
        const malformed: [configured: object, problem: string][] = [
            [{ timeout: 1e10 }, seconds],
            [{ timeout: 0 }, seconds],
            [{ timeout: " " }, seconds],
            [{ timeout: "soon" }, seconds],
            [{ maxConcurrency: 0 }, "maxConcurrency: must be a whole number, 1 or more"],
            [{ maxConcurrency: 1.5 }, "maxConcurrency: must be a whole number, 1 or more"],
            [{ maxRetries: "\t" }, "maxRetries: must be a whole number, 0 or more"],
            [{ maxRetries: -1 }, "maxRetries: must be a whole number, 0 or more"],
            [{ address: "b.example" }, "address: must be an http or https address"],
            [{ address: "file:///b" }, "address: must be an http or https address"],
            [{ address: "https://planted@b.example" }, `address: ${user}`],
            [{ otherAddresses: ["https://:planted@b.example"] }, `otherAddresses: 0: ${user}`],
            [{ otherAddresses: ["http://a", "b"] }, "otherAddresses: 1: must be an http or https address"],
            [{ address: "http://planted@b.example:99999/v1" }, "address: must have a port from 1 to 65535"],
            [{ address: "http://b.example:0" }, "address: must have a port from 1 to 65535"],
            [{ address: "http://b?c=d" }, "address: must not hold a query or a fragment"],
            [{ address: "http://b#c" }, "address: must not hold a query or a fragment"],
            [{ skipTlsVerify: "yes" }, "skipTlsVerify: must be true or false"],
            [{ skipTlsVerify: { toString: 1, valueOf: 1 } }, "skipTlsVerify: must be true or false"],
            [{ headers: { "X-A": ["b"] } }, "headers: X-A: must be text"],
            [{ headers: "X-A: b" }, "headers: must be an object whose values are texts"],
            [{ clientKeyFile: key }, noFile],
            [{ caFile: `-----BEGIN CERTIFICATE-----\n${key}` }, "caFile: must name a file, and not hold its content"],
            [{ clientKeyFile: Buffer.from(key).toString("base64") }, noFile],
        ];
        for (const [configured, problem] of malformed) {
            it(`are refused with their path: ${JSON.stringify(configured)}`, () => {
                const { message } = refusal(() => managerOf(configured));
                assert(message.startsWith(`statecraft:manager.${problem}`), message);
                assert.doesNotMatch(message, /planted/);
            });
        }

        it("are reported all at once, with the variable of each field from the environment", () => {
            const environment = { STATECRAFT_MANAGER_ADDRESS: "https://planted@b", STATECRAFT_MANAGER_TIMEOUT: "soon" };
            const { message } = refusal(() => managerOf(undefined, environment));
            assert.match(message, /^STATECRAFT_MANAGER_ADDRESS: .*; STATECRAFT_MANAGER_TIMEOUT: /);
            assert.doesNotMatch(message, /planted/);
        });

        it("are refused if a field is `__proto__`", () => {
            const { message } = refusal(() => managerOf('{"__proto__":{"address":"http://b"},"token":"t"}'));
            assert.match(message, /__proto__/);
        });

        it("are refused with a suggestion for an unknown field", () => {
            const { message } = refusal(() => managerOf({ adress: "x" }));
            assert.equal(message, "statecraft:manager: adress: is not a setting; perhaps you mean address");
        });

        it("are refused with the command that sets a field if the key does not contain an object", () => {
            for (const configured of ["https://b.example", []]) {
                const { message, hint } = refusal(() => managerOf(configured));
                assert.equal(message, "statecraft:manager must be an object");
                assert.match(hint ?? "", /pulumi config set --path 'statecraft:manager\.address'/);
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
        const config = {
            "statecraft:manager": { address: "http://own", namespace: "own" },
            "statecraft:connections": {
                second: { manager: { address: "http://second", token: "s", region: "" } },
                wrong: { manager: { adress: "x" } },
            },
        };
        const environment = { STATECRAFT_MANAGER_TOKEN: "environment", STATECRAFT_MANAGER_REGION: "environment" };

        it("come only from the connection, not from the service's settings or the environment", () => {
            const settings = read("manager", config, environment, { connection: "second" });
            assert.deepEqual(fieldsOf(settings), { address: "http://second", token: "s" });
        });

        for (const [service, connection, message, place] of [
            ["manager", "third", /^the connection "third" has no settings for Vault$/, "third.vault.address"],
            ["volumes", "second", /^the connection "second" has no settings for Nomad$/, "second.nomad.address"],
            ["manager", "wrong", /^statecraft:connections\.wrong\.manager: .*adress/, ""],
        ] as const) {
            it(`are refused: ${connection} for ${service}`, () => {
                const error = refusal(() => read(service, config, environment, { connection }));
                assert.match(error.message, message);
                assert((error.hint ?? "").includes(place), error.hint);
            });
        }
    });

    describe("under both keys of a service", () => {
        const dr = { "statecraft:connections": { dr: { nomad: {}, volumes: {} } } };
        const keys = { "statecraft:vault": {}, "statecraft:manager": {} };
        const variables = { STATECRAFT_VAULT_TOKEN: "t", STATECRAFT_MANAGER_NAMESPACE: "n" };
        const refused: [act: () => unknown, ...places: string[]][] = [
            [() => read("manager", keys), ...Object.keys(keys)],
            [() => managerOf(undefined, variables), ...Object.keys(variables)],
            [() => managerOf({}, { STATECRAFT_VAULT_TOKEN: "t" }), "statecraft:manager", "STATECRAFT_VAULT_TOKEN"],
            [() => read("volumes", dr, {}, { connection: "dr" }), "connections.dr.nomad", "connections.dr.volumes"],
        ];
        for (const [act, ...places] of refused) {
            it(`are refused, and the message names the source of each: ${places.join(", ")}`, () => {
                const { message } = refusal(act);
                for (const place of places) assert(message.includes(place), message);
            });
        }

        it("may have the product's key for one service and the document's key for another", () => {
            const config = { "statecraft:vault": { token: "v" }, "statecraft:volumes": { token: "n" } };
            assert.deepEqual([read("manager", config).names, read("volumes", config).names], ["product", "documented"]);
        });
    });

    it("that a connection lacks have one source, named by a path that `pulumi config set` accepts", () => {
        const config = { "statecraft:connections": { "eu.west": { nomad: {} } } };
        const lacking = read("volumes", config, {}, { connection: "eu.west" });
        const { setting, message } = refusal(() => requireUsable(lacking));
        assert.equal(setting, 'statecraft:connections["eu.west"].nomad.address');
        assert(message.endsWith(`none is in ${setting}`), message);
    });

    it("make warnings failures with `strict`, and an invalid `strict` is refused with the name of its source", () => {
        const strictOf = (configured: string | undefined, variable = "") =>
            readStrict((key) => (key === "statecraft:strict" ? configured : undefined), {
                STATECRAFT_STRICT: variable,
            });
        assert.deepEqual(
            [strictOf("true"), strictOf("true", "false"), strictOf(undefined, "1"), strictOf(undefined)],
            [true, false, true, false],
        );
        for (const [act, name] of [
            [() => strictOf("x"), "statecraft:strict"],
            [() => strictOf(undefined, "x"), "STATECRAFT_STRICT"],
        ] as const) {
            const { setting, message } = refusal(act);
            assert.deepEqual([setting, message], [name, `${name}: must be true or false`]);
        }
    });
});
