/** Crashes of the real engine on purpose, exactly at the boundaries of requests: everything waits for events, nothing for time. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { Cut, type Gate } from "../support/gate";
import type { SentRequest } from "../support/injector";
import { descendants } from "../support/process-tree";
import type { Workspace } from "../support/pulumi-cli";
import type { Boundary } from "./fixtures";

/**
 * What dies.
 * - `cli`: the engine. Its provider lives on and ends what it was doing, and nobody hears of it.
 * - `provider`: the process that talks to the services.
 * - `job`: the engine and all its processes, as when a machine stops or a pipeline is cancelled.
 * - `network`: every connection is cut, and none comes about until the command has ended.
 */
export const victims = ["cli", "provider", "job", "network"] as const;
export type Victim = (typeof victims)[number];

/** Whether the engine cannot end its run properly, and leaves its lock on the stack. */
export const killsEngine = (victim: Victim): boolean => victim === "cli" || victim === "job";

/** Where the crash comes. */
export interface Crash<Outcome> {
    readonly victim: Victim;
    /** Where each resource is to be, by its key at the gate. */
    readonly plan: ReadonlyMap<string, Boundary>;
    readonly keyOf: (request: SentRequest) => Promise<string> | string;
    /** Runs the command. */
    readonly command: () => Promise<Outcome>;
}

/** Runs a command until every resource of the plan stands at its boundary, and lets the victim die there. */
export async function crash<Outcome>(gate: Gate, stack: Workspace, about: Crash<Outcome>): Promise<Outcome> {
    const { victim, plan, keyOf, command } = about;
    const missing = new Set(plan.keys());
    const orphaned = new Set(plan.keys());
    const struck = signal();
    const quiet = signal();
    let kept: number[] = [];
    let down = false;

    gate.set(async ({ moment, key, index }) => {
        const boundary = plan.get(key);
        if (boundary?.index === index && boundary.side === moment) {
            missing.delete(key);
            if (missing.size === 0) {
                kept = strike(victim, stack);
                down = victim !== "cli";
                struck.tell();
            }
            await struck.told;
        }
        if (down) throw new Cut();
        if (moment === "after" && boundary !== undefined && index + 1 >= boundary.end) orphaned.delete(key);
        if (orphaned.size === 0) quiet.tell();
    }, keyOf);

    const outcome = await command();
    assert.deepEqual(
        [...missing],
        [],
        `the ${victim} was to die when these stood at their boundaries:\n${shown(outcome)}`,
    );
    // What the provider had begun, it ends before the user can type anything.
    if (victim === "cli") await quiet.told;
    gate.open();
    end(kept);
    return outcome;
}

const shown = (outcome: unknown) => JSON.stringify(outcome, undefined, 1).slice(0, 4000);

/** Kills by the ids of processes that this test started. Returns those that live on. */
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
            // It ended by itself, as the children of a dead process may.
        }
    }
}

/** Orphans would stay for as long as this machine does. */
function end(pids: readonly number[]): void {
    kill(pids);
}

/** The command line of a process: a slim container has no `ps`, other systems have no /proc. */
function commandOf(pid: number): string {
    const file = `/proc/${pid}/cmdline`;
    if (existsSync("/proc/self/cmdline"))
        return existsSync(file) ? readFileSync(file, "utf8").replaceAll("\0", " ") : "";
    return spawnSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" }).stdout ?? "";
}

/** Something that happens once, and can be waited for. */
function signal(): { readonly told: Promise<void>; tell(): void } {
    let tell = () => {};
    const told = new Promise<void>((resolve) => {
        tell = resolve;
    });
    return { told, tell: () => tell() };
}
