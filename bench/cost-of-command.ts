/**
 * What a command costs, with all the processes that it starts. The CPU of those that are over is what the system adds up for a parent that
 * has waited for them. Node starts its children with no signal ignored, so a bench in the background is as quick as one at a terminal: a
 * plugin that ignored SIGINT would make the engine wait for five seconds.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

/** What a command took. */
export interface Cost {
    /** Seconds from its start to its end. */
    readonly wall: number;
    /** Seconds of all its processes. */
    readonly cpu: number;
    /** MiB of all its processes together, at most. */
    readonly memory: number;
}

/** The parent and what follows it of `/proc/<pid>/stat`; the name before it may hold anything. */
function statOf(pid: string | number): readonly string[] {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

const ticksPerSecond = 100;
const pageBytes = 4096;

/** CPU seconds of all processes that this one has waited for, and those that they have. */
function cpuOfChildren(): number {
    const stat = statOf("self");
    return (Number(stat[13]) + Number(stat[14])) / ticksPerSecond;
}

/** What a process and all below it hold now, in pages; one that ends meanwhile counts nothing. */
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

/** Runs a command to its end. @throws Error with its output where it fails */
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
