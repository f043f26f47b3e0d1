/** Runs every command of `test/documents/commands.ts` with the real program. Vault and Nomad are those of `STATECRAFT_CONTRACT_…_ADDRESS`. */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { demonstration } from "../../src/simulator/demonstration";
import { printedCommands, wayOf } from "../documents/commands";
import { Shell } from "../support/shell";
import { Simulator } from "../support/simulator";

const roles = [{ name: "web", fields: { bound_service_principal_ids: ["p"] } }];
const seed = {
    ...demonstration,
    namespaces: ["team-a"],
    roles,
    loginConfigs: [{ fields: { tenant_id: "t", resource: "r" } }],
};
const work = join(__dirname, "..", "..", ".work");
const server = (product: string) => ({
    [`${product}_ADDR`]: process.env[`STATECRAFT_CONTRACT_${product}_ADDRESS`],
    [`${product}_TOKEN`]: process.env[`STATECRAFT_CONTRACT_${product}_TOKEN`],
    STATECRAFT_CONTRACT_PLUGIN: process.env["STATECRAFT_CONTRACT_PLUGIN"],
});

describe("the commands of pages and messages, with the real programs", () => {
    for (const command of printedCommands()) {
        it(command, async function () {
            const {
                on,
                before = "",
                values = {},
                codes = [0],
                never,
            } = wayOf(command) ?? assert.fail("no way to run it");
            if (never) return this.skip();
            const text = Object.entries(values).reduce(
                (all, [what, value]) => all.replace(new RegExp(what), () => value),
                command,
            );
            const simulator = await Simulator.start(seed, "product");
            mkdirSync(work, { recursive: true });
            const shell = new Shell(
                mkdtempSync(join(work, "commands-")),
                simulator.url,
                on ? server(on.toUpperCase()) : {},
            );
            try {
                const { code, text: out } = await shell.run(`${before}${text}`);
                assert(codes.includes(code), `${code}: ${out}`);
            } finally {
                await simulator.close();
                rmSync(shell.folder, { recursive: true });
            }
        });
    }
});
