/** Finds the descendants of a process. */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

type Row = readonly [pid: number, parent: number];

/** Lists all processes: from /proc if it exists (a slim container has no `ps`), else from `ps`. */
function processTable(): readonly Row[] {
    if (!existsSync("/proc/self/stat")) {
        const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
        return [...stdout.matchAll(/^\s*(\d+)\s+(\d+)$/gm)].map(([, pid, parent]) => [Number(pid), Number(parent)]);
    }
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.flatMap((pid): readonly Row[] => {
        try {
            // The command's name is in brackets, and may contain brackets. The parent's id is the second word after the last bracket.
            const [, parent] = /.*\) \w (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
            return [[Number(pid), Number(parent)]];
        } catch {
            // The process has just ended.
            return [];
        }
    });
}

/** Returns the ids of all descendants of `pid`, parents first. */
export function descendants(pid: number): number[] {
    const rows = processTable();
    const found = [pid];
    for (const one of found) found.push(...rows.flatMap(([child, parent]) => (parent === one ? [child] : [])));
    return found.slice(1);
}
