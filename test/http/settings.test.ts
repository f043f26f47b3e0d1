import assert from "node:assert/strict";
import { ConfigError } from "../../src/errors";
import { createClient } from "../../src/http/client";
import { manager } from "./services";
import { wholeText } from "./support";

describe("a client's settings", () => {
    const wrong: [
        what: string,
        settings: Partial<Parameters<typeof createClient>[1]>,
        setting: string,
        problem: RegExp,
    ][] = [
        [
            "an address that is none",
            { address: "me:p4ssw0rd@host" },
            "statecraft:manager.address",
            /must be an http or https address$/,
        ],
        [
            "an address without scheme",
            { address: "host.example/v1" },
            "statecraft:manager.address",
            /must be an http or https address$/,
        ],
        [
            "an address with a user and a password",
            { address: "https://me:p4ssw0rd@host" },
            "statecraft:manager.address",
            /user or a password/,
        ],
        ["an address with a query", { address: "https://host/?key=p4ssw0rd" }, "statecraft:manager.address", /query/],
        ["a token with a line break", { token: "p4ssw0rd\n" }, "statecraft:manager.token", /line break$/],
        [
            "a header with a line break",
            { headers: { "X-A": "p4ssw0rd\r\nX-B: 1" } },
            "statecraft:manager.headers",
            /line break$/,
        ],
        [
            "a header whose name none can have",
            { headers: { "X A": "p4ssw0rd" } },
            "statecraft:manager.headers",
            /line break$/,
        ],
        ["a file that is not there", { caFile: "/nowhere/ca.pem" }, "statecraft:manager.caFile", /ENOENT/],
        ["a file of another kind", { caFile: __filename }, "statecraft:manager.caFile", /PEM/],
    ];
    for (const [what, settings, setting, problem] of wrong) {
        it(`are refused: ${what}`, () => {
            const make = () =>
                createClient(manager, { address: "https://host.example", token: undefined, ...settings });
            assert.throws(make, (error) => {
                assert.ok(error instanceof ConfigError);
                assert.equal(error.setting, setting);
                assert.match(error.message, problem);
                assert.doesNotMatch(wholeText(error), /p4ssw0rd/);
                return true;
            });
        });
    }
});
