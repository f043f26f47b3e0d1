/** Runs all cells of the fault matrix, and prints how they ended: `npm run test:faults`. */

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { plan, run, titleOf, type Verdict } from "./matrix";
import { kindOf } from "./promises";

/** Most of the time is waiting for time-outs; floods run one by one, so that their memory can be told. */
const lanes = 4;

/** More than this at any moment is a failure: what is sent without end comes to 1 GiB in each cell. */
const mostMebibytes = 1024;

async function main(): Promise<boolean> {
    const { values, positionals } = parseArgs({ options: { counts: { type: "string" } }, allowPositionals: true });
    const [pattern] = positionals;
    const wanted = new RegExp(pattern ?? "");
    const cells = (await plan()).filter((cell) => wanted.test(titleOf(cell)));
    console.log(`${cells.length} cells.`);
    const verdicts: Verdict[] = [];
    const told = (verdict: Verdict) => {
        verdicts.push(verdict);
        if (verdict.problem !== undefined) console.log(`FAILED ${titleOf(verdict.cell)}\n    ${verdict.problem}`);
        if (verdicts.length % 500 === 0) console.log(`  ${verdicts.length} cells done`);
    };
    const isFlood = ({ fault }: (typeof cells)[number]) => fault.floods === true;
    await run(
        cells.filter((cell) => !isFlood(cell)),
        lanes,
        told,
    );
    await run(cells.filter(isFlood), 1, told);

    const rows: Record<string, Record<string, number>> = {};
    for (const { cell, ending = "failed" } of verdicts) {
        const name = `${kindOf(cell.target)}, the fault tells: ${cell.fault.tells}`;
        const row = rows[name] ?? {};
        rows[name] = { ...row, [ending]: (row[ending] ?? 0) + 1 };
    }
    console.table(rows);
    const peak = Math.round(process.resourceUsage().maxRSS / 1024);
    const isLean = peak < mostMebibytes;
    console.log(`${isLean ? "" : "FAILED "}Memory at its peak: ${peak} MiB; it must stay below ${mostMebibytes}.`);
    const passed = verdicts.filter(({ problem }) => problem === undefined).length + (isLean ? 1 : 0);
    const failed = verdicts.length + 1 - passed;
    if (values.counts) writeFileSync(values.counts, JSON.stringify({ passed, failed }));
    return failed === 0 && verdicts.length > 0;
}

main().then(
    (isWell) => process.exit(isWell ? 0 : 1),
    (error: unknown) => {
        console.error(error);
        process.exit(1);
    },
);
