/**
 * `npx pulumi-statecraft lock`: locks a workspace, so that no run starts on it.
 *
 * | request       | for                                                                             |
 * | ------------- | ------------------------------------------------------------------------------- |
 * | the workspace | its id and its lock                                                             |
 * | the account   | whether it has a lock with the same reason already. Only of a locked workspace  |
 * | the lock      | an unlocked workspace. After a lost answer, the workspace is read again         |
 */

import type { Command } from "commander";
import type { Context } from "../core/context";
import { shellWord } from "../core/steps";
import { readAccountId } from "../services/state-versions/get-workspace";
import { type Lock, Locking, readLockOf } from "../services/state-versions/lock";
import { lockMark, readableReason } from "../services/state-versions/lock-marks";
import { stateVersions } from "../services/state-versions/service";
import { nonEmpty, type Reference, workspaceOf } from "./arguments";
import type { CommandProcess } from "./names";
import { ownerOfRun } from "./run-mark";
import { withServers } from "./servers";

interface Flags {
    readonly reason: string;
    readonly json?: true;
}

export function defineLock(command: Command, around: CommandProcess): void {
    command
        .summary("locks a workspace, so that no run starts on it")
        .description(
            "Locks a workspace, so that no run starts on it until `unlock`. `rollback --under-lock` works under the lock.",
        )
        .usage("<organization/name|id> [--json] [--reason TEXT]")
        .argument("<workspace>", "organization/name, or an id", workspaceOf)
        .option("--reason <text>", "the reason of the lock, which others see", nonEmpty, "locked by hand")
        .option("--json", "prints the lock as JSON")
        .action(async (reference: Reference, { reason, json }: Flags) => {
            const name = Object.values(reference).join("/");
            await withServers(around.env, { name: () => name }, async ({ context: open, voice }) => {
                const owner = ownerOfRun("lock", around.env);
                const lock = await lockOnce(open(stateVersions), reference, reason.trim(), owner);
                const unlock = `${command.parent?.name()} unlock ${shellWord(name)}`;
                const lines = json
                    ? [JSON.stringify({ ...lockRecord(name, lock), unlock })]
                    : [`${name} is locked${lock.holder}.`, `To unlock it: ${unlock}`];
                for (const line of lines) console.log(voice.clean(line));
            });
        });
}

/** Locks the workspace, unless this account has locked it with the same reason. */
async function lockOnce(context: Context, reference: Reference, reason: string, owner: string): Promise<Lock> {
    const lock = await readLockOf(context, reference);
    const isSame = lock.locked && lock.lockedById !== undefined && readableReason(lock.reason).text === reason;
    if (isSame && lock.lockedById === (await readAccountId(context))) return lock;
    const locking = new Locking(context, { workspaceId: lock.id, lockMarks: [lockMark(owner)] });
    const problem = locking.problem(lock);
    if (problem !== undefined) throw problem;
    return locking.take(reason);
}

/** A lock, as the commands print it as JSON. @param holder the account's name, if it is known */
export function lockRecord(workspace: string, { lockedById, reason }: Lock, holder = lockedById) {
    const { text, since } = readableReason(reason);
    return { workspace, holder, reason: text, since };
}
