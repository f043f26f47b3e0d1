/** The processes below a process. */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

type Row = readonly [pid: number, parent: number];

/** All processes: from /proc where the system has it (a slim container has no `ps`), else from `ps`. */
function processTable(): readonly Row[] {
    if (!existsSync("/proc/self/stat")) {
        const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
        return [...stdout.matchAll(/^\s*(\d+)\s+(\d+)$/gm)].map(([, pid, parent]) => [Number(pid), Number(parent)]);
    }
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.flatMap((pid): readonly Row[] => {
        try {
            // The name of the command stands in brackets and may contain brackets: the parent is the second word after the last one.
            const [, parent] = /.*\) \w (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
            return [[Number(pid), Number(parent)]];
        } catch {
            // The process has just ended.
            return [];
        }
    });
}

/** The ids of all processes below `pid`, parents first. */
export function descendants(pid: number): number[] {
    const rows = processTable();
    const found = [pid];
    for (const one of found) found.push(...rows.flatMap(([child, parent]) => (parent === one ? [child] : [])));
    return found.slice(1);
}
