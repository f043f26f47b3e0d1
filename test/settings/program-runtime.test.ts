import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { AuthRole, getAuthConfig, getAuthRoleOutput, getAuthRoles } from "../../src";
import * as native from "../../src/native";
import { sayInProgram } from "../../src/pulumi/program-log";

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

    it("answers the functions, so that no server is asked", async () => {
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

    it("is told once of a misspelt key, by what it calls or declares first", async () => {
        const said: string[] = [];
        const { warn } = console;
        console.warn = (text: string) => said.push(text);
        try {
            pulumi.runtime.setAllConfig({ "statecraft:managr": "{}", "statecraft:strict": "true", "app:size": "1" });
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

    it("shows what is good to know and what is waited for, and details only to who debugs", () => {
        const said: string[] = [];
        const { log } = console;
        console.log = (text: string) => said.push(text);
        try {
            for (const severity of ["info", "progress", "debug"] as const) sayInProgram(severity, severity);
        } finally {
            console.log = log;
        }
        assert.deepEqual(said, ["info: [runtime] info", "info: [runtime] progress"]);
    });

    it("gets the secrets of an answer as secrets, as a program does", async () => {
        const { clientId, clientSecret } = await getAuthConfig();
        assert.equal(clientId, "c");
        assert(clientSecret !== undefined && (await pulumi.isSecret(clientSecret)));
    });
});
