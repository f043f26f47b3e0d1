/** Inputs, outputs, reads and waits of StateVersion and StateVersionRollback, which both make a version current. */

import * as z from "zod";
import type { Context } from "../../core/context";
import { HalfMade } from "../../core/resource";
import { step } from "../../core/steps";
import { StatecraftError } from "../../errors";
import { property } from "../../schema/property";
import { duration } from "../../schema/property-types";
import type { Values } from "../../schema/values";
import { type Known, type LockInputs, Locking, lockProperties } from "./lock";
import { type ManagedResource, managedResource, readVersion, recordProperties, type StateVersion } from "./records";

const waitMust = 'must be true, false, or a duration: whole seconds, or a string such as "5m"';

/** Inputs of StateVersion and StateVersionRollback. `action`: why they lock the workspace, such as `the rollback`. */
export const newVersionInputs = (action: string) => ({
    waitForProcessing: property(z.union([z.boolean(), duration()], { error: waitMust }).optional(), {
        default: false,
        description:
            "Whether to wait until the resources of the new version are processed: `true` (at most 5 minutes), " +
            "or a maximum time such as `2m`. Default: no wait.",
    }),
    ...lockProperties(action),
});

export const newVersionOutputs = {
    createdAt: recordProperties.createdAt,
    resources: property(z.array(managedResource).optional(), {
        description: "Resources of the version. Absent until they are processed (see `waitForProcessing`).",
    }),
};

/**
 * The managed resources in a version's record. `undefined` if the service has not processed them yet, or lists none: the open-source server
 * OTF shows neither modules nor resources of any state.
 */
export function resourcesOf({ resources, resourcesProcessed, modules }: StateVersion): ManagedResource[] | undefined {
    return resources.length > 0 || (resourcesProcessed && modules !== undefined) ? resources : undefined;
}

/**
 * Waits for the read of a version after an action.
 * @param address the address of the resource, if the service assigned it
 * @throws HalfMade if the read fails, so that the next `up` reads the version again
 */
export function readBack<Version>(outputs: Values, reading: Promise<Version>, address?: string): Promise<Version> {
    return reading.catch((error: unknown) => {
        const problem = "the action was done, but the version could not be read";
        throw new HalfMade(problem, { outputs, steps: ["readBack"], cause: error, id: address });
    });
}

/** The outputs of a resource that made a version, and its id if it is that of the version. */
export type MadeOf = (version: string) => { readonly id?: string; readonly outputs: Values };

/**
 * Waits until a new version is finalized, so that it is current.
 * @param madeOf what state holds of the version if it cannot be read
 * @param know learns which version is current
 */
export async function finalized(
    context: Context,
    made: StateVersion,
    madeOf: MadeOf,
    know: (version: StateVersion | undefined) => void,
): Promise<StateVersion> {
    know(made);
    const { id, outputs } = madeOf(made.id);
    const version = await readBack(outputs, until(context, "finalized", made.id), id);
    if (version.status !== "discarded") return version;
    know(undefined);
    const message = `the version ${made.id} was discarded: a newer one became current before it was finalized`;
    const advice = `Run ${step.again()} again, which compares first`;
    const hint = `${advice}. The serial of a \`content\` must be above that of the current version`;
    throw new StatecraftError("discarded", message, { hint });
}

/**
 * Completes the action of an earlier run: releases its lock if the workspace still has it, and reads the version if it could not.
 * Returns the outputs that the read shows, and whether another version is current after the release.
 * @param made the version of the earlier run
 */
export async function finishEarlierRun<Outputs extends object>(
    context: Context,
    inputs: LockInputs,
    { unfinished }: { readonly unfinished?: readonly string[] | undefined },
    made: Known,
    outputsOf: (version: StateVersion) => Outputs,
): Promise<{ outputs: Partial<Outputs>; isSuperseded: boolean }> {
    const isSuperseded = await new Locking(context, inputs).releaseEarlier(made);
    const outputs = unfinished?.includes("readBack") ? outputsOf(await until(context, "finalized", made.id)) : {};
    return { outputs, isSuperseded };
}

/** The conditions that `until` waits for, with their default limits in seconds. */
const goals = {
    processed: { usual: 300, isReached: ({ resourcesProcessed }: StateVersion) => resourcesProcessed },
    // A discarded version also ends the wait.
    finalized: { usual: 60, isReached: ({ status }: StateVersion) => status !== "pending" },
};

/** Waits until a version is processed or finalized. `longest`: seconds, or `true` for the default limit. */
export async function until(
    context: Context,
    goal: keyof typeof goals,
    id: string,
    longest: number | true = true,
): Promise<StateVersion> {
    const { usual, isReached } = goals[goal];
    const limit = context.waitLimit(longest === true ? undefined : longest, usual);
    const wait = { for: `the version ${id} to be ${goal}`, limit, interval: 1_000 };
    const { done } = await context.poll(wait, async () => {
        const version = await readVersion(context, id);
        return isReached(version) ? { done: version } : { still: `its status is ${version.status ?? "unknown"}` };
    });
    if (done !== undefined) return done;
    const message = `${context.product} has not ${goal} the version ${id} after ${Math.round(limit)} s`;
    const hint = `Run ${step.again()} again, which waits again, or ${step.longer()}`;
    throw new StatecraftError("timeout", message, { hint });
}
