/** Kills the real engine, its provider or the network while each resource waits before or after a request. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { Cut, type Gate } from "../support/gate";
import type { SentRequest } from "../support/injector";
import { descendants } from "../support/process-tree";
import type { Outcome, Workspace } from "../support/pulumi-cli";
import type { Boundary } from "./fixtures";

/**
 * The part that a crash kills:
 * - `cli`: the engine. Its provider finishes the operations that it has begun, and no process stores the results.
 * - `provider`: the process that sends requests to the services.
 * - `job`: the engine and all its processes, as when a machine stops or a pipeline is cancelled.
 * - `network`: every connection, until the end of the command.
 */
export const victims = ["cli", "provider", "job", "network"] as const;
export type Victim = (typeof victims)[number];

/** Whether the crash kills the engine, so that its lock on the stack remains. */
export const killsEngine = (victim: Victim): boolean => victim === "cli" || victim === "job";

/** Runs the command, and kills the victim when every resource of the plan waits at its boundary. `keyOf` returns a resource's key in the plan. */
export async function crash(
    gate: Gate,
    stack: Workspace,
    victim: Victim,
    plan: ReadonlyMap<string, Boundary>,
    keyOf: (request: SentRequest) => string,
    command: () => Promise<Outcome>,
): Promise<Outcome> {
    const missing = new Set(plan.keys());
    const unfinished = new Set(plan.keys());
    const events = new EventEmitter();
    const [struck, finished] = [once(events, "struck"), once(events, "finished")];
    let survivors: number[] = [];
    let isDown = false;

    gate.set(async ({ moment, key, index }) => {
        const boundary = plan.get(key);
        if (boundary?.index === index && boundary.side === moment) {
            missing.delete(key);
            if (missing.size === 0) {
                survivors = strike(victim, stack);
                isDown = victim !== "cli";
                events.emit("struck");
            }
            await struck;
        }
        if (isDown) throw new Cut();
        if (moment === "after" && boundary !== undefined && index + 1 >= boundary.end) unfinished.delete(key);
        if (unfinished.size === 0) events.emit("finished");
    }, keyOf);

    const outcome = await command();
    const shown = outcome.stdout + outcome.stderr;
    assert.deepEqual([...missing], [], `these reached no boundary before the end of the command:\n${shown}`);
    // The next command must begin after the provider's last request.
    if (victim === "cli") await finished;
    gate.open();
    kill(survivors);
    return outcome;
}

/** Kills processes of this test. Returns the engine's child processes that survive. */
function strike(victim: Victim, stack: Workspace): number[] {
    if (victim === "network") return [];
    const { pid } = stack;
    assert(pid, "the engine is running");
    const below = descendants(pid);
    if (victim === "provider") {
        const providers = below.filter((each) => commandOf(each).includes("cmd/dynamic-provider"));
        assert.equal(providers.length, 1, `one provider among ${below.map(commandOf).join("\n")}`);
        kill(providers);
        return [];
    }
    kill(victim === "job" ? [pid, ...below] : [pid]);
    return victim === "job" ? [] : below;
}

function kill(pids: readonly number[]): void {
    for (const pid of pids) {
        try {
            process.kill(pid, "SIGKILL");
        } catch {
            // Child processes may have ended with their parent.
        }
    }
}

/** Returns the command line of a process: from /proc if it exists (a slim container has no `ps`), else from `ps`. */
function commandOf(pid: number): string {
    const file = `/proc/${pid}/cmdline`;
    if (existsSync(file)) return readFileSync(file, "utf8").replaceAll("\0", " ");
    return spawnSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" }).stdout ?? "";
}
