/**
 * Plans with OpenTofu what parts of random states with a history become: no plan may destroy an object that the state has at another address.
 * `STATECRAFT_TOFU` is the program, and `STATECRAFT_PLANS` the number of states.
 */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { StatecraftError } from "../../src/errors";
import { bringBack, partsOf } from "../../src/services/state-versions/part-of-state";
import { seed } from "../support/random";
import {
    addressOf,
    configured,
    type History,
    histories,
    idOf,
    type Placed,
    stateText,
} from "../support/state-histories";
import { temporaryFolder } from "../support/temporary-folder";

const program = process.env["STATECRAFT_TOFU"] ?? "tofu";
const numRuns = Number(process.env["STATECRAFT_PLANS"] ?? 300);

/** The resources of one module. */
function configurationOf(placed: readonly Placed[], aliased: readonly string[]): string {
    const names = [...new Set(placed.map(({ name }) => name))];
    return names
        .map((name) => {
            const all = placed.filter((each) => each.name === name);
            const keys = all.flatMap(({ key }) => (key === undefined ? [] : [key]));
            const sizes = JSON.stringify(Object.fromEntries(all.map(({ key = "", size }) => [key, size])));
            const forEach = keys.length > 0 ? `for_each = toset(${JSON.stringify(keys)})\n` : "";
            const provider = aliased.includes(name) ? "provider = terraform.eu\n" : "";
            const input = `input = ${sizes}[${keys.length > 0 ? "each.key" : '""'}]\n`;
            return `resource "terraform_data" "${name}" {\n${forEach}${provider}${input}}\n`;
        })
        .join("");
}

interface Planned {
    readonly resource_changes?: readonly {
        readonly address: string;
        readonly deposed?: string;
        readonly change: { readonly actions: readonly string[]; readonly before: { readonly id: string } | null };
    }[];
}

describe(`plans of parts of states (STATECRAFT_SEED=${seed})`, function () {
    this.timeout(0);
    const folder = temporaryFolder();
    const tofu = (...args: string[]) => {
        const env = { PATH: process.env["PATH"], HOME: folder, CHECKPOINT_DISABLE: "1" };
        const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: "utf8" });
        return { status, stdout, text: `${stdout}${stderr}` };
    };
    const write = (history: History) => {
        const all = configured(history);
        const head =
            'provider "terraform" {\n  alias = "eu"\n}\nmodule "m" {\n  source = "./m"\n}\nmodule "n" {\n  source = "./n"\n}\n';
        for (const module of [undefined, "m", "n"]) {
            const own = all.filter((each) => each.module === module);
            const text = configurationOf(own, history.aliased[1] ?? []);
            writeFileSync(join(folder, module ?? "", "main.tf"), (module ? "" : head) + text);
        }
    };

    before(() => {
        for (const module of ["m", "n"]) mkdirSync(join(folder, module));
        write({ older: [], current: [], only: [], aliased: [] });
        const { status, text } = tofu("init", "-input=false", "-no-color");
        assert.equal(status, 0, text);
        console.log(execFileSync(program, ["version"], { encoding: "utf8" }).split("\n")[0]);
    });

    it("destroy nothing that is alive", () => {
        const counts = { merged: 0, same: 0, refused: 0, "without changes": 0 };
        for (const history of fc.sample(histories(), { seed, numRuns })) {
            const { older, current, only, aliased } = history;
            const [old, now] = [stateText(1, older, aliased[0] ?? []), stateText(2, current, aliased[1] ?? [])];
            const read = (text: string) => partsOf(Buffer.from(text), "sv-1");
            let part: ReturnType<typeof bringBack>;
            try {
                part = bringBack(read(now), read(old), only);
            } catch (error) {
                assert(
                    error instanceof StatecraftError && error.code === "only" && /two addresses/.test(error.message),
                );
                counts.refused++;
                continue;
            }
            if (part.isSame) counts.same++;
            else counts.merged++;
            const merged = part.stateAfter(0).bytes.toString();
            writeFileSync(join(folder, "terraform.tfstate"), merged);
            write(history);
            const plan = tofu("plan", "-detailed-exitcode", "-input=false", "-no-color", "-lock=false", "-out=plan");
            assert([0, 2].includes(plan.status ?? 1), plan.text);
            if (plan.status === 0) counts["without changes"]++;
            const { resource_changes: changes = [] } = JSON.parse(tofu("show", "-json", "plan").stdout) as Planned;
            const tainted = new Set(older.filter(({ isTainted }) => isTainted).map(idOf));
            const alive = new Set([...older, ...current].filter(({ isDeposed }) => !isDeposed).map(addressOf));
            for (const { address, deposed, change } of changes.filter(({ change: { actions } }) =>
                actions.includes("delete"),
            )) {
                const { id = "" } = change.before ?? {};
                const what = `${address} ${id}: ${JSON.stringify(history)}`;
                // A deposed object is destroyed, and a tainted one created again.
                assert(deposed !== undefined || tainted.has(id), what);
                assert.equal(merged.split(`"${id}"`).length, 2, what);
                assert(deposed !== undefined || alive.has(address), what);
            }
        }
        console.log(`${numRuns} states: ${JSON.stringify(counts)}`);
        assert(counts.merged >= numRuns / 2, JSON.stringify(counts));
    });
});
