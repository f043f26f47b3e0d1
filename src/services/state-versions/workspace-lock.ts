/** WorkspaceLock: the lock of a workspace as an object, which is absent while the workspace is unlocked. */

import * as z from "zod";
import { type IdParts, identity } from "../../core/identity";
import { defineAction } from "../../core/resource";
import { unlessAbsent } from "../../errors";
import { property } from "../../schema/property";
import { holdsUnknown } from "../../schema/values";
import { workspace } from "./get-workspace";
import { isOfOther, type Lock, Locking, readLock } from "./lock";
import { lockMarksProperty, readableReason, withLockMarks } from "./lock-marks";
import { announcedLocks } from "./lock-preview";
import { idOf, stateVersions } from "./service";

const inputs = z.strictObject({
    workspaceId: property(idOf("workspace"), { immutable: true, description: "The workspace to lock." }),
    reason: property(z.string().trim().min(1, { error: "must not be empty" }).optional(), {
        immutable: true,
        default: "locked by Pulumi",
        description: "Why, which others see. For another reason, it is unlocked and locked again: a run may start.",
    }),
    adopt: property(z.boolean().optional(), {
        option: true,
        default: false,
        description: "Whether to take over another lock of this account: the workspace is unlocked and locked again.",
    }),
    lockMarks: lockMarksProperty,
});
const outputs = z.strictObject({ lockedBy: workspace.shape.lockedById });

const shownOf = ({ lockedById }: Lock) => ({ outputs: { lockedBy: lockedById } });

/** Whether a workspace has the lock of a state. Where the server shows no reasons, the stored holder decides. */
const isStored = (locking: Locking, lock: Lock, lockedBy: string | undefined) =>
    lock.locked && (lock.showsReasons ? locking.isMarked(lock) : lock.lockedById === lockedBy);

/** The error for a lock that a WorkspaceLock cannot replace. */
const obstacle = (locking: Locking, lock: Lock, adopt: boolean | undefined) =>
    adopt === true && lock.run === undefined ? undefined : locking.problem(lock);

export const workspaceLock = defineAction<typeof inputs, typeof outputs, IdParts<"workspaceId">>({
    type: "WorkspaceLock",
    service: stateVersions,
    description: "Locks a workspace of HCP Terraform, so that no run starts. Deleting this resource unlocks it.",
    inputs,
    outputs,
    identity: identity("<workspaceId>", { workspaceId: idOf("workspace") }),
    title: ({ workspaceId }) => `lock of the workspace ${workspaceId}`,
    address: ({ workspaceId }) => ({ workspaceId }),
    // A rollback of the same name must not release this lock.
    prepare: (values, { owner }, before) => withLockMarks(values, { owner: owner && `${owner}::lock` }, before),

    act(context, { workspaceId }, inputs) {
        const locking = new Locking(context, inputs);
        return locking.exclusively(async () => {
            const lock = await readLock(context, workspaceId);
            if (locking.isMarked(lock) && readableReason(lock.reason).text === inputs.reason) return shownOf(lock);
            const problem = obstacle(locking, lock, inputs.adopt);
            if (problem !== undefined) throw problem;
            if (lock.locked) {
                await locking.release(undefined, lock).catch((error: unknown) => {
                    throw (isOfOther(error) && locking.problem(lock)) || error;
                });
            }
            return shownOf(await locking.take(inputs.reason ?? ""));
        });
    },

    async read(context, { workspaceId }, state) {
        const lock = await readLock(context, workspaceId);
        const locking = new Locking(context, { ...state, workspaceId });
        if (!lock.locked || (state && !isStored(locking, lock, state.lockedBy))) return undefined;
        const { text: reason, mark } = readableReason(lock.reason);
        const inputs = { workspaceId, ...(!["", state?.reason].includes(reason) && { reason }) };
        return { ...shownOf(lock), inputs: { ...inputs, lockMarks: state?.lockMarks ?? (mark ? [mark] : []) } };
    },

    remove(context, { workspaceId }, known) {
        const locking = new Locking(context, { ...known, workspaceId });
        return locking.exclusively(async () => {
            if (context.options.isRetained) return;
            const lock = await readLock(context, workspaceId).catch(unlessAbsent);
            const why = lock ? `locked${lock.holder}, not by this resource` : "absent, or hidden from the token";
            if (lock && isStored(locking, lock, known.lockedBy)) await locking.release(undefined, lock);
            else if (lock?.locked !== false)
                context.warn("lock-kept", `the workspace ${workspaceId} was not unlocked: it is ${why}.`);
        });
    },

    async preview(context, inputs, state, changes) {
        const { workspaceId, adopt, reason } = inputs;
        if (holdsUnknown([workspaceId, adopt]) || (state && changes.every(({ isOption }) => isOption))) return;
        const locking = new Locking(context, inputs);
        const lock = await readLock(context, workspaceId);
        const problem = obstacle(locking, lock, adopt);
        if (problem !== undefined) return context.reportBlocker(problem);
        announcedLocks(context).add(workspaceId);
        if (!lock.locked || (locking.isMarked(lock) && readableReason(lock.reason).text === reason)) return;
        const again = `the workspace ${workspaceId}, locked${lock.holder}, will be unlocked and locked again`;
        context.inform("preview", `${again}: a run may start in between.`);
    },
});
