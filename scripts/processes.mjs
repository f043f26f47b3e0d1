/** Runs other programs. A program that still runs when this process ends gets SIGTERM. */
import { execa } from "execa";

/**
 * @typedef {object} Options
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [limit]
 * @property {"pipe" | "inherit"} [stdio]
 * @property {(pid: number) => void} [started]
 */

/**
 * Runs a command without input, and returns its exit code and output. `limit` (milliseconds) ends it with code 124. `stdio: "inherit"` shows its
 * output to the user instead of returning it. `started` gets the id of the process.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} options
 */
export async function run(command, args, { limit = 0, stdio = "pipe", env = process.env, started, ...options } = {}) {
    const child = execa(command, args, {
        ...options,
        env,
        extendEnv: false,
        stdin: "ignore",
        stdout: stdio,
        stderr: stdio,
        timeout: limit,
        reject: false,
        stripFinalNewline: false,
    });
    if (child.pid !== undefined) started?.(child.pid);
    const result = await child;
    const { exitCode, timedOut, stdout = "", stderr = "" } = result;
    // There is no exit code if a signal ended the process or it did not start.
    const reason = exitCode === undefined && "shortMessage" in result ? String(result.shortMessage) : "";
    return { code: timedOut ? 124 : (exitCode ?? 1), stdout, stderr: stderr || reason };
}
