/** Messages of previews about the lock of a workspace, and its runs. */

import { type Context, perServer } from "../../core/context";
import { step } from "../../core/steps";
import { StatecraftError } from "../../errors";
import { holdsUnknown } from "../../schema/values";
import { ended, runText } from "./get-workspace";
import { endOf, type Lock, type LockInputs, Locking } from "./lock";
import { adviceOnRight } from "./service";

/** The workspaces that the preview of a WorkspaceLock of this program will lock, so that they need not be locked yet. */
export const announcedLocks = perServer(() => new Set<string>());

/**
 * Reports in a preview why the deployment could not lock the workspace now, and warns of a state that runs may not be able to read. Returns
 * the lock if it could be read.
 * @param toolVersion the Terraform version of the state that will be current
 */
export async function previewLock(context: Context, inputs: LockInputs, toolVersion = ""): Promise<Lock | undefined> {
    if (holdsUnknown(inputs.lock)) return undefined;
    const locking = new Locking(context, inputs);
    const lock = await locking.read({ withRun: true });
    const problem = locking.problem(lock);
    // A WorkspaceLock of the same program may lock before.
    const isAwaited = problem?.code === "not-locked" && announcedLocks(context).has(inputs.workspaceId);
    if (problem !== undefined && !isAwaited) context.reportBlocker(problem);
    const { terraformVersion = "" } = lock ?? {};
    // The version of a workspace may also be a range, or `latest`.
    const areKnown = [toolVersion, terraformVersion].every((version) => /^\d+\.\d+\.\d+/.test(version));
    if (areKnown && toolVersion.localeCompare(terraformVersion, "en", { numeric: true }) > 0) {
        const what = `the state is of Terraform ${toolVersion}, and ${inputs.workspaceId} runs ${terraformVersion}`;
        const advice = `Set the Terraform version of the workspace to ${toolVersion} or newer`;
        context.warn("preview", `${what}: runs may fail to read it, and Terraform before 0.14 refuses it. ${advice}.`);
    }
    return lock;
}

/** Reports in the preview of a rollback what `previewLock` reports, which right the token lacks, and what runs will do afterwards. */
export async function previewRuns(context: Context, inputs: LockInputs, toolVersion?: string): Promise<void> {
    const { workspaceId } = inputs;
    const lock = await previewLock(context, inputs, toolVersion);
    const { currentRun: run, autoApply, permissions } = lock ?? {};
    const takesLock = inputs.lock !== false && !new Locking(context, inputs).isMarked(lock);
    for (const right of ["can-create-state-versions", "can-lock"] as const) {
        if (permissions?.[right] !== false || (right === "can-lock" && !takesLock)) continue;
        const message = `the token lacks the permission \`${right}\` of the workspace ${workspaceId}`;
        context.reportBlocker(new StatecraftError("denied", message, { hint: adviceOnRight(right) }));
    }
    if (run?.status !== undefined && !ended.test(run.status) && inputs.keepLocked !== true) {
        const title = `${runText(run)} (${run.status})`;
        const advice = `Set \`${step.option("keepLocked: true")}\`, or ${endOf(context, lock ?? {}, run.id)}`;
        context.inform("preview", `the current run of ${workspaceId} is not finished: ${title}. ${advice}.`);
    }
    if (autoApply === true) {
        const advice = `Revert it while \`${step.option("keepLocked: true")}\` keeps the workspace locked`;
        const reason = "the next run repeats the change unless the configuration is reverted";
        context.inform("preview", `${workspaceId} applies plans by itself (auto-apply): ${reason}. ${advice}.`);
    }
}
