/**
 * Measures a command and all processes that it starts. Linux adds the CPU time of a finished process to the parent that waited for it. Node
 * starts children without ignored signals; a plugin that ignored SIGINT would make the engine wait for five seconds.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

/** The cost of a command. */
export interface Cost {
    /** Wall-clock seconds. */
    readonly wall: number;
    /** CPU seconds of all processes. */
    readonly cpu: number;
    /** Peak memory of all processes together, in MiB. */
    readonly memory: number;
}

/** The fields of `/proc/<pid>/stat` from the parent on. The name before them may contain any character. */
function statOf(pid: string | number): readonly string[] {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

const ticksPerSecond = 100;
const pageBytes = 4096;

/** CPU seconds of all finished descendants of this process. */
function cpuOfChildren(): number {
    const stat = statOf("self");
    return (Number(stat[13]) + Number(stat[14])) / ticksPerSecond;
}

/** Memory of a process and its descendants, in pages. A process that ends during the measurement counts as 0. */
function pagesOf(root: number): number {
    const all = readdirSync("/proc").flatMap((name) => {
        try {
            const stat = /^\d+$/.test(name) ? statOf(name) : [];
            return [{ pid: Number(name), parent: Number(stat[1]), pages: Number(stat[21]) }];
        } catch {
            return [];
        }
    });
    const sum = (process: (typeof all)[number]): number =>
        all.filter(({ parent }) => parent === process.pid).reduce((total, child) => total + sum(child), process.pages);
    return all.filter(({ pid }) => pid === root).reduce((total, process) => total + sum(process), 0);
}

/** Runs a command. @throws Error with the output if the command fails */
export async function costOf(
    command: string,
    args: readonly string[],
    options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Cost> {
    const before = cpuOfChildren();
    const begun = performance.now();
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
            output += text;
        });
    }
    let pages = 0;
    const timer = setInterval(() => {
        pages = Math.max(pages, pagesOf(child.pid ?? 0));
    }, 200);
    const [code] = await once(child, "close");
    clearInterval(timer);
    const wall = (performance.now() - begun) / 1000;
    if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`);
    return { wall, cpu: cpuOfChildren() - before, memory: (pages * pageBytes) / 1024 ** 2 };
}
