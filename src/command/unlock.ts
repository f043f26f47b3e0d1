/**
 * `npx pulumi-statecraft unlock`: shows who has the lock of a workspace and why, asks, and releases it.
 *
 * | request        | for                                                                                                 |
 * | -------------- | --------------------------------------------------------------------------------------------------- |
 * | the workspace  | its lock, before the question and after the answer: only the lock of the question is released      |
 * | the holder     | the name of the account, if the service shows it                                                    |
 * | `unlock`       | the service decides whether the lock is one of this account                                         |
 * | `force-unlock` | with `--force`, if another account has the lock, or a version is pending. Never for the lock of a run |
 */

import type { Command } from "commander";
import type { Context } from "../core/context";
import { endpoint } from "../core/endpoint";
import { DeniedError, NotFoundError, StatecraftError } from "../errors";
import { readHolderName } from "../services/state-versions/get-workspace";
import {
    isOfOther,
    isPending,
    isSameLock,
    type Lock,
    Locking,
    readLock,
    readLockOf,
} from "../services/state-versions/lock";
import { readableReason } from "../services/state-versions/lock-marks";
import { stateVersions } from "../services/state-versions/service";
import { type Reference, workspaceOf } from "./arguments";
import { isConfirmed } from "./confirm";
import { lockRecord } from "./lock";
import type { CommandProcess } from "./names";
import { withServers } from "./servers";

interface Flags {
    readonly force?: true;
    readonly yes?: true;
    readonly json?: true;
}

export function defineUnlock(command: Command, around: CommandProcess): void {
    command
        .summary("releases the lock of a workspace")
        .description(
            "Shows who has the lock of a workspace and why, asks, and releases it. The service decides whose lock it is.",
        )
        .usage("<organization/name|id> [--force] [--yes] [--json]")
        .argument("<workspace>", "organization/name, or an id", workspaceOf)
        .option("--force", "as an administrator, also releases the lock of another account, but never that of a run")
        .option("--yes", "does not ask, and needs --force for the lock of a WorkspaceLock")
        .option("--json", "prints what was released as JSON, and everything else on standard error")
        .action(async (reference: Reference, flags: Flags) => {
            const name = Object.values(reference).join("/");
            const print = (text: string) => (flags.json ? console.error(text) : console.log(text));
            const isAnswered = await withServers(around.env, { name: () => name }, async ({ context: open, voice }) => {
                const context = open(stateVersions);
                const show = (text: string) => print(voice.clean(`${name} is ${text}.`));
                const lock = await askedFor(context, reference, flags, show);
                if (lock === undefined) return false;
                if (lock.locked) await release(context, lock, flags.force);
                show(lock.locked ? "unlocked" : "not locked");
                const record = lock.locked ? lockRecord(name, lock, lock.holderName) : { workspace: name };
                if (flags.json) console.log(voice.clean(JSON.stringify({ ...record, released: lock.locked })));
                return true;
            });
            if (!isAnswered) command.error("error: nothing was unlocked: without a terminal to ask on, set --yes");
        });
}

/**
 * Reads and shows the lock, and asks, until the lock that was shown is still there after the answer, or the workspace is unlocked.
 * `undefined` without a terminal to ask on.
 */
async function askedFor(
    context: Context,
    reference: Reference,
    { force, yes }: Flags,
    show: (text: string) => void,
): Promise<(Lock & { readonly holderName?: string | undefined }) | undefined> {
    let lock = await readLockOf(context, reference);
    while (lock.locked) {
        const holderName = await readHolderName(context, lock);
        show(`locked${lock.by}${holderName ? `, that is ${holderName}` : ""}`);
        const { freeze } = readableReason(lock.reason);
        if (lock.run !== undefined) throw new Locking(context, { workspaceId: lock.id }).problem(lock);
        if (freeze && yes && !force) {
            const hint = "Remove it there, or add `--force`";
            const message = `the lock is that of the WorkspaceLock ${freeze.name} of ${freeze.stack}, and nobody was asked`;
            throw new StatecraftError("locked", message, { hint });
        }
        if (!(await isConfirmed(`Unlock ${Object.values(reference).join("/")}?`, "nothing was unlocked", yes)))
            return undefined;
        const now = await readLockOf(context, reference);
        if (isSameLock(lock, now)) return { ...lock, holderName };
        if (yes && now.locked) throw replaced(now);
        lock = now;
    }
    return lock;
}

/** The error for another lock than the one that was shown. */
function replaced({ holder }: Lock): StatecraftError {
    const message = `another lock has taken its place: it is locked${holder} now`;
    return new StatecraftError("locked", message, { hint: "Run the command again if this lock may go" });
}

// Not repeated after a lost answer: another lock may be there then.
const forceUnlock = endpoint("POST /workspaces/{workspaceId}/actions/force-unlock");

/** Releases the lock that was shown. */
async function release(context: Context, shown: Lock, force: true | undefined): Promise<void> {
    const workspaceId = shown.id;
    try {
        const { lock, isUnlocked } = await new Locking(context, { workspaceId }).unlock(shown);
        if (lock.locked && !isUnlocked) throw replaced(lock);
    } catch (error) {
        const way = "Run the killed `rollback` again with `--under-lock`, and then this, or add `--force`";
        if (isPending(error)) error.reword({ hint: way });
        if (!force || !(isOfOther(error) || isPending(error))) throw error;
        await context.client.call(forceUnlock, { parameters: { workspaceId } }).catch(async (refusal: unknown) => {
            const now = await readLock(context, workspaceId).catch(() => shown);
            if (!isSameLock(now, shown)) return;
            if (refusal instanceof DeniedError || refusal instanceof NotFoundError)
                refusal.reword({ hint: "Use a token of an administrator of the workspace" });
            throw refusal;
        });
    }
}
