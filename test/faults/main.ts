/** Lives all cells of the fault matrix, prints what they came to, and writes it into docs/reliability.md: `npm run test:faults`. */

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { plan, run, titleOf, type Verdict } from "./matrix";
import { writeReport } from "./report";
import { faultTables } from "./table";

/** Most of the time is waiting for time-outs; floods are lived one by one, so that their memory can be told. */
const lanes = 4;

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
        if (verdicts.length % 500 === 0) console.log(`  ${verdicts.length} cells lived`);
    };
    const isFlood = ({ fault }: (typeof cells)[number]) => fault.floods === true;
    await run(
        cells.filter((cell) => !isFlood(cell)),
        lanes,
        told,
    );
    await run(cells.filter(isFlood), 1, told);

    const failed = verdicts.filter(({ problem }) => problem !== undefined).length;
    const tables = faultTables(verdicts);
    console.log(`\n${tables}\n`);
    if (failed === 0 && pattern === undefined) writeReport("faults", tables);
    console.log(`Memory at its peak: ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB.`);
    if (values.counts) writeFileSync(values.counts, JSON.stringify({ passed: verdicts.length - failed, failed }));
    return failed === 0 && verdicts.length > 0;
}

main().then(
    (isWell) => process.exit(isWell ? 0 : 1),
    (error: unknown) => {
        console.error(error);
        process.exit(1);
    },
);
