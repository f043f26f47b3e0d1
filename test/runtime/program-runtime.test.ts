/** Tests functions in a program: with Pulumi's mocks, and in two runs of one process. */

import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { AuthRole, getAuthConfig, getAuthRoleOutput, getAuthRoles } from "../../src";
import * as native from "../../src/native";
import { say } from "../../src/pulumi/program";
import { withEnvironment } from "../http/support";
import { canaryToken } from "../support/canaries";
import { withSimulator } from "../support/simulator";

describe("two runs of one process", () => {
    const servers = [withSimulator(), withSimulator()];
    /** The Automation API begins a run with this call. */
    const begin = (engine: string) => pulumi.runtime.resetOptions("project", "stack", 1, engine, engine, false, "");
    after(() => begin(""));

    it("each read the settings", async () => {
        for (const server of servers) {
            const settings = { STATECRAFT_VAULT_ADDRESS: server.url, STATECRAFT_VAULT_TOKEN: canaryToken };
            begin("127.0.0.1:1");
            await withEnvironment(settings, getAuthRoles);
            assert.equal((await server.requests()).length, 1);
        }
    });
});

describe("a unit test of a program, with Pulumi's mocks", () => {
    const answers: Readonly<Record<string, object>> = {
        "statecraft:index:getAuthRoles": { names: ["web", "jobs"] },
        "statecraft:index:getAuthRole": { name: "web", tokenTtl: 60 },
        "statecraft:index:getAuthConfig": { clientId: "c", clientSecret: "s" },
    };
    const calls: unknown[] = [];

    beforeEach(async () => {
        calls.length = 0;
        await pulumi.runtime.setMocks({
            newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
            call({ token, inputs }) {
                calls.push([token, inputs]);
                return { ...answers[token] };
            },
        });
    });

    it("gets results of functions without a server", async () => {
        assert.deepEqual((await getAuthRoles({ mount: "m" })).names, ["web", "jobs"]);
        assert.deepEqual((await native.getAuthRoles()).names, ["web", "jobs"]);
        const { tokenTtl } = getAuthRoleOutput({ name: pulumi.output("web") });
        assert.equal(await new Promise((resolve) => tokenTtl.apply(resolve)), 60);
        assert.deepEqual(calls, [
            ["statecraft:index:getAuthRoles", { mount: "m" }],
            ["statecraft:index:getAuthRoles", {}],
            ["statecraft:index:getAuthRole", { name: "web" }],
        ]);
    });

    it("sends no request if another copy of the SDK has set the mocks", async () => {
        const loaded = Object.keys(require.cache).filter((file) => /[\\/]@pulumi[\\/]pulumi[\\/]/.test(file));
        const kept = loaded.map((file) => [file, require.cache[file]] as const);
        for (const file of loaded) delete require.cache[file];
        try {
            const other = require("@pulumi/pulumi") as typeof pulumi;
            assert.notEqual(other.runtime, pulumi.runtime);
            await other.runtime.setMocks({
                newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
                call: () => ({ names: ["theirs"] }),
            });
            assert.deepEqual((await getAuthRoles()).names, ["theirs"]);
        } finally {
            Object.assign(require.cache, Object.fromEntries(kept));
        }
    });

    it("gets one warning of a misspelt key, from its first function or resource", async () => {
        const said: string[] = [];
        const { warn } = console;
        console.warn = (text: string) => said.push(text);
        try {
            pulumi.runtime.setAllConfig({ "statecraft:managr": "{}", "statecraft:vault": "{}", "app:size": "1" });
            await getAuthRoles();
            await getAuthRoles();
            assert.equal(said.length, 1);
            assert.match(said[0] ?? "", /statecraft:managr has no effect.*statecraft:manager,/);
            new AuthRole("web", { name: "web" });
            assert.equal(said.length, 1);
        } finally {
            console.warn = warn;
            pulumi.runtime.setAllConfig({});
        }
    });

    it("prints notes and progress, and debug messages only on request", () => {
        const said: string[] = [];
        const { log } = console;
        console.log = (text: string) => said.push(text);
        try {
            for (const severity of ["info", "progress", "debug"] as const) say(severity, severity);
        } finally {
            console.log = log;
        }
        assert.deepEqual(said, ["info: [runtime] info", "info: [runtime] progress"]);
    });

    it("gets secrets in results as secrets, as in a deployment", async () => {
        const { clientId, clientSecret } = await getAuthConfig();
        assert.equal(clientId, "c");
        assert(clientSecret !== undefined && (await pulumi.isSecret(clientSecret)));
    });
});
