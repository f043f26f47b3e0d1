/** Runs the real engine with logins instead of tokens, in both hosts, in connections and in the program. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { demonstration } from "../../src/simulator/demonstration";
import { canaryToken } from "../support/canaries";
import { type Outcome, workspace } from "../support/pulumi-cli";
import { Simulator } from "../support/simulator";
import { done, failed, saying } from "../support/stack";
import { temporaryFolder } from "../support/temporary-folder";

const program = (calls: boolean) => `
    const pulumi = require("@pulumi/pulumi");
    const dynamic = require("pulumi-statecraft");
    const native = require("pulumi-statecraft/native");
    const args = { tokenTtl: "1h", boundLocations: ["north"] };
    for (const [kind, { AuthRole, CsiVolume }] of Object.entries({ dynamic, native })) {
        new AuthRole(kind, { name: kind, ...args });
        new AuthRole(kind + "-dr", { name: kind + "-dr", connection: "dr", ...args });
        new CsiVolume(kind + "-disk", { volumeId: kind, name: kind, pluginId: "disks", externalId: "vol-1",
            accessMode: "single-node-writer", attachmentMode: "file-system" });
    }
    ${calls ? "if (!pulumi.runtime.isDryRun()) exports.roles = dynamic.getAuthRolesOutput().names;" : ""}`;

const seed = {
    ...demonstration,
    tokens: [{ token: canaryToken, kind: "user" as const, id: "user-1" }],
    logins: [
        { at: "jwt", name: "web", ttl: 60 },
        { at: "jwt", name: "reader", ttl: 60, access: "read" as const },
        { at: "dr", name: "web", ttl: 60 },
        { at: "pipeline", name: "", ttl: 60 },
    ],
};

describe("a login", () => {
    it("precedes the requests of every command, and leaves no token of Vault", async () => {
        const folder = temporaryFolder();
        const jwtFile = join(folder, "jwt");
        const simulator = await Simulator.start(seed);
        const { url } = simulator;
        const stack = await workspace({
            program: { source: program(true) },
            config: {
                "statecraft:vault": { login: { mount: "jwt", role: "web", jwtFile } },
                "statecraft:managr": { address: "http://127.0.0.1:1" },
                "statecraft:connections": {
                    dr: { vault: { address: url, login: { mount: "dr", role: "web", jwtFile } } },
                },
            },
            environment: {
                ...{ VAULT_ADDR: url, NOMAD_ADDR: url },
                STATECRAFT_NOMAD_LOGIN: JSON.stringify({ authMethod: "pipeline", jwtFile }),
            },
        });
        let commands = 0;
        /** Runs a command with another JWT. Returns its logins, and asserts that nothing of them is left. */
        const loginsOf = async (command: () => Promise<Outcome>, check: (outcome: Outcome) => unknown = done) => {
            const jwt = `e30.${Buffer.from(`{"jti":"${++commands}"}`).toString("base64url")}.planted`;
            writeFileSync(jwtFile, jwt);
            await simulator.forget();
            const outcome = await command();
            check(outcome);
            const shown = outcome.stdout + outcome.stderr + JSON.stringify(await stack.export());
            assert(!shown.includes(".planted") && !/login-[0-9a-f]{16}/.test(shown), "a credential is shown");
            const living = simulator.store.tokens.filter(({ id }) => /^login at (jwt|dr)$/.test(id));
            assert.deepEqual(living, [], "a token of Vault is left");
            const logins = (await simulator.requests()).filter(({ path }) => path.endsWith("/login"));
            for (const { body } of logins) assert(JSON.stringify(body).includes(jwt), "an earlier JWT was sent");
            return logins.map(({ path }) => path.split("/").at(-2) ?? "").sort();
        };
        try {
            // The program has one login, and each host one for each server.
            const inHosts = ["acl", "acl", "dr", "dr", "jwt", "jwt"];
            const misspelt = /statecraft:managr .*statecraft:manager,.*\[config\]/;
            const warned = (up: Outcome) => assert.equal(done(up) && saying(up, misspelt).length, 2);
            assert.deepEqual(await loginsOf(() => stack.up("--debug"), warned), [...inHosts, "jwt"]);
            assert.deepEqual(await loginsOf(() => stack.preview("--expect-no-changes")), []);
            assert.deepEqual(await simulator.requests(), []);
            assert.deepEqual(await loginsOf(() => stack.refresh()), inHosts);
            assert.deepEqual(await loginsOf(() => stack.destroy()), inHosts);
            await stack.config("statecraft:vault.login.role", "reader");
            stack.write(program(false));
            const refused = await loginsOf(() => stack.up(), failed);
            assert(refused.filter((path) => path === "jwt").length <= 4, "more than two logins in a host");
        } finally {
            stack.dispose();
            await simulator.close();
        }
    });
});
