/** Runs `pulumi do` with the plugin of `node_modules/.bin`, as docs/native.md says. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { demonstration } from "../../src/simulator/demonstration";
import { leaveOut, onStage, type Stage } from "../support/stack";

const id = "auth/azure/role/web";
const app = "--organization example --workspace-name app";

describe("pulumi do", () => {
    it("lists and reads objects, calls a function, creates and deletes a role, and rolls a workspace back", async function () {
        const test = async ({ simulator, stack }: Stage) => {
            // Before Pulumi 3.257, the command is absent or has other options.
            const help = await stack.pulumi("do", "--help");
            if (!help.stdout.includes("--stateless")) leaveOut(this, "a Pulumi CLI with `do`");
            const run = async (command: string) => {
                const words = `do --package ./node_modules/.bin/pulumi-resource-statecraft ${command}`.split(" ");
                const { code, stdout, stderr } = await stack.pulumi(...words);
                assert.equal(code, 0, stdout + stderr);
                return stdout;
            };
            writeFileSync(`${stack.folder}/role.pcl`, 'name = "web"\nboundGroupIds = ["g"]\ntokenTtl = "1h"\n');
            const now = "--stateless --yes";
            await run(`statecraft:AuthRole create ${now} --input pcl --input-file role.pcl`);
            assert.deepEqual(JSON.parse(await run("statecraft:AuthRole list --mount azure")), [{ id, name: "web" }]);
            assert.equal(JSON.parse(await run(`statecraft:AuthRole read ${id} --output json`)).tokenTtl, 3600);
            await run(`statecraft:AuthRole delete ${id} ${now}`);
            assert.equal(await simulator.outside("GET", `/v1/${id}`), undefined);
            assert.equal(JSON.parse(await run(`statecraft:StateVersion list ${app} --count 2`)).length, 2);
            await run(`statecraft:StateVersionRollback create ${now} --workspace-id ws-1 --state-version-id sv-3`);
            const { stateVersions } = JSON.parse(await run(`statecraft:getStateVersions ${app} --limit 1`));
            assert.equal(stateVersions[0].serial, 3);
        };
        await onStage(demonstration, { yaml: {} }, test, {}, { names: "product" });
    });
});
