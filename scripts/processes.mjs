/**
 * Child processes of the two commands: started, watched and ended by their ids. Nothing here knows what they do.
 */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Whether a process with this id exists. */
export function alive(pid) {
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        return error.code === "EPERM";
    }
}

/** `[pid, parent]` of every process: from /proc where there is one (a slim container has no `ps`), else from `ps`. */
function processTable() {
    try {
        const rows = [];
        for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
            try {
                // The command name stands in brackets and may hold anything, brackets too: what follows the last one counts.
                const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
                rows.push([Number(entry), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])]);
            } catch {
                // It ended while we were reading.
            }
        }
        if (rows.length > 0) return rows;
    } catch {
        // Not Linux.
    }
    const listed = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).stdout ?? "";
    return listed
        .split("\n")
        .map((line) => line.trim().split(/\s+/).map(Number))
        .filter(([pid, parent]) => pid && parent);
}

/** The ids of all processes below `pid`, parents first. */
export function descendants(pid) {
    const rows = processTable();
    const found = [pid];
    for (let index = 0; index < found.length; index++) {
        for (const [child, parent] of rows) if (parent === found[index]) found.push(child);
    }
    return found.slice(1);
}

function signal(pids, name) {
    for (const pid of pids) {
        try {
            process.kill(pid, name);
        } catch {
            // Already gone, which is what is wanted.
        }
    }
}

/**
 * Ends these processes and everything below them: asks first, and after `patience` milliseconds insists.
 * The tree is read before the first signal, because orphans no longer show whose they were.
 */
export async function endProcesses(pids, patience = 3000) {
    const tree = [...new Set(pids.flatMap((pid) => [pid, ...descendants(pid)]))];
    signal(tree, "SIGTERM");
    const until = Date.now() + patience;
    while (tree.some(alive) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
    signal(tree.filter(alive), "SIGKILL");
}

/** The ids of our children that have not ended. */
const running = new Set();

// Whoever leaves while a child still runs (a test run that gives up, say) would leave its whole family behind.
process.on("exit", () => {
    const tree = [...running].flatMap((pid) => [pid, ...descendants(pid)]);
    signal(tree, "SIGKILL");
});

/**
 * Runs a command to its end and never throws: `{code, stdout, stderr}`, code 127 when it cannot be started and 124
 * when `limit` (milliseconds) has passed. `stdio: "inherit"` shows it to the user instead of collecting it.
 */
export function run(command, args, options = {}) {
    const { limit, stdio = "pipe", started, ...rest } = options;
    return new Promise((resolve) => {
        const child = spawn(command, args, {
            ...rest,
            stdio: ["ignore", stdio, stdio],
        });
        if (child.pid) {
            running.add(child.pid);
            started?.(child.pid);
        }
        let stdout = "";
        let stderr = "";
        let late = false;
        const timer = limit
            ? setTimeout(() => {
                  late = true;
                  void endProcesses([child.pid]);
              }, limit)
            : undefined;
        child.stdout?.setEncoding("utf8").on("data", (text) => {
            stdout += text;
        });
        child.stderr?.setEncoding("utf8").on("data", (text) => {
            stderr += text;
        });
        child.on("error", (error) => {
            clearTimeout(timer);
            resolve({ code: 127, stdout, stderr: stderr || error.message });
        });
        child.on("close", (code) => {
            running.delete(child.pid);
            clearTimeout(timer);
            resolve({ code: late ? 124 : (code ?? 1), stdout, stderr });
        });
    });
}

const cleanups = new Set();

/** Registers what must happen before this process ends, also after Ctrl-C; returns a function that does it now. */
export function beforeEnd(cleanup) {
    cleanups.add(cleanup);
    return () => {
        if (cleanups.delete(cleanup)) cleanup();
    };
}

/** Does all that was registered, the newest first. */
export function cleanUp() {
    for (const cleanup of [...cleanups].reverse()) {
        cleanups.delete(cleanup);
        try {
            cleanup();
        } catch (error) {
            console.error(`Could not clean up: ${error.message}`);
        }
    }
}

/** True from the moment that the user asked to stop: failures after it are echoes of that and not worth a report. */
export let interrupted = false;

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** Ctrl-C and its relatives end our children by their ids, clean up, and leave with the customary code. */
export function cleanUpWhenInterrupted() {
    for (const [name, code] of Object.entries(signals)) {
        process.on(name, async () => {
            if (interrupted) return;
            interrupted = true;
            // The others come from programs, which do not read.
            if (name === "SIGINT") console.error("\nStopping and cleaning up.");
            await endProcesses(descendants(process.pid));
            cleanUp();
            process.exit(code);
        });
    }
}
