/** WorkspaceLock: the lock of a workspace as an object, which is absent while the workspace is unlocked. */

import * as z from "zod";
import { type IdParts, identity } from "../../core/identity";
import { defineAction } from "../../core/resource";
import { unlessAbsent } from "../../errors";
import { property } from "../../schema/property";
import { holdsUnknown } from "../../schema/values";
import { connectionProperty } from "../shared-options";
import { workspace } from "./get-workspace";
import { type Lock, Locking, readLock } from "./lock";
import { lockMarksProperty, withLockMarks } from "./lock-marks";
import { announcedLocks } from "./lock-preview";
import { afterNotFound } from "./records";
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
    connection: connectionProperty,
    lockMarks: lockMarksProperty,
});
const outputs = z.strictObject({ lockedBy: workspace.shape.lockedById });

const shownOf = ({ id }: Lock) => ({ outputs: { lockedBy: id } });

/** The reason of a lock without the marks at its end, and the marks. */
const partsOf = ({ reason }: Lock) => reason.split(/ *(?=\[statecraft )/);

/** Whether a workspace has the lock of a state. The open-source server OTF shows of a lock only that it exists. */
const isStored = (locking: Locking, lock: Lock) => lock.locked && (lock.holder === "" || locking.isMarked(lock));

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
    deletesFirst: true,
    // A rollback of the same name must not release this lock.
    prepare: (values, { owner }, before) => withLockMarks(values, { owner: owner && `${owner}::lock` }, before),

    act(context, { workspaceId }, inputs) {
        const locking = new Locking(context, inputs);
        return locking.exclusively(async () => {
            const lock = await readLock(context, workspaceId);
            if (locking.isMarked(lock) && partsOf(lock)[0] === inputs.reason) return shownOf(lock);
            const problem = obstacle(locking, lock, inputs.adopt);
            if (problem !== undefined) throw problem;
            // If this does not release the lock of another account, the next request fails.
            if (lock.locked) await locking.release();
            return shownOf(await locking.take(inputs.reason ?? ""));
        });
    },

    async read(context, { workspaceId }, state) {
        const lock = await readLock(context, workspaceId).catch(unlessAbsent);
        if (lock === undefined) return afterNotFound(context, `the workspace ${workspaceId}`, state);
        if (!lock.locked || (state && !isStored(new Locking(context, { ...state, workspaceId }), lock)))
            return undefined;
        const [reason, ...marks] = partsOf(lock);
        const inputs = { workspaceId, ...(!["", state?.reason].includes(reason) && { reason }) };
        return { ...shownOf(lock), inputs: { ...inputs, lockMarks: state?.lockMarks ?? marks } };
    },

    remove(context, { workspaceId }, known) {
        const locking = new Locking(context, { ...known, workspaceId });
        return locking.exclusively(async () => {
            if (context.options.isRetained) return;
            const lock = await readLock(context, workspaceId).catch(unlessAbsent);
            const why = lock ? `locked${lock.holder}, not by this resource` : "absent, or hidden from the token";
            if (lock && isStored(locking, lock)) await locking.release();
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
        if (!lock.locked || (locking.isMarked(lock) && partsOf(lock)[0] === reason)) return;
        const again = `the workspace ${workspaceId}, locked${lock.holder}, will be unlocked and locked again`;
        context.inform("preview", `${again}: a run may start in between.`);
    },
});
