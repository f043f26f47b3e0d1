/** What the two resources that make a version current have in common: inputs, outputs, reading the version, waiting for it. */

import * as z from "zod";
import type { Context } from "../../core/context";
import { HalfMade } from "../../core/resource";
import { StatecraftError } from "../../errors";
import { property } from "../../schema/property";
import { duration } from "../../schema/property-types";
import type { Values } from "../../schema/values";
import { connectionProperty, timeoutsProperty } from "../shared-options";
import { type ManagedResource, managedResource, readVersion, recordProperties, type StateVersion } from "./records";
import { type LockInputs, lockProperties, releaseLeftOver } from "./workspace-lock";

const longestProcessing = 300;
const longestUpload = 60;

/** Inputs of both. `action` is what the lock is taken for: `the rollback`. */
export const newVersionInputs = (action: string) => ({
    waitForProcessing: property(
        z
            .union([z.boolean(), duration()], {
                error: 'must be true, false, or a duration: whole seconds, or a string such as "5m"',
            })
            .optional(),
        {
            default: false,
            description:
                "Wait until the service has processed the new version's resources: `true` (5 minutes at most) or the longest time to wait. Off by default.",
        },
    ),
    timeouts: timeoutsProperty,
    connection: connectionProperty,
    ...lockProperties(action),
});

/** Outputs of both. */
export const newVersionOutputs = {
    createdAt: recordProperties.createdAt,
    resources: property(z.array(managedResource).optional(), {
        description:
            "Resources that the version counts; absent until the service has processed them (see `waitForProcessing`).",
    }),
};

/** The resources that a version counts. An empty list is not final until they are processed. */
export function knownResources({ resources, resourcesProcessed }: StateVersion): ManagedResource[] | undefined {
    return resourcesProcessed || resources.length > 0 ? resources : undefined;
}

/** Reads a version after an action. @throws HalfMade, so that the next `up` reads it again */
export function readMade<Version>(outputs: Values, id: string, reading: Promise<Version>): Promise<Version> {
    return reading.catch((error: unknown) => {
        throw new HalfMade(
            outputs,
            ["readBack"],
            `the action was done, but the version ${id} could not be read`,
            error,
            id,
        );
    });
}

/** Goes on with a version that is current already: releases a lock that an earlier run left, and reads the record if an earlier run could not. */
export async function readUnread(
    context: Context,
    inputs: LockInputs,
    { unfinished }: { readonly unfinished?: readonly string[] | undefined },
    id: string,
): Promise<StateVersion | undefined> {
    await releaseLeftOver(context, inputs);
    return unfinished?.includes("readBack") ? readVersion(context, id) : undefined;
}

/** Waits until a version is processed. */
export function untilProcessed(context: Context, id: string, wait: true | number): Promise<StateVersion> {
    const limit = context.waitLimit(wait === true ? undefined : wait, longestProcessing);
    return until(context, id, "processed", limit, ({ resourcesProcessed }) => resourcesProcessed);
}

/** Waits until the service has accepted the uploaded content of a version, or has discarded the version. */
export function untilFinal(context: Context, id: string): Promise<StateVersion> {
    const limit = context.waitLimit(undefined, longestUpload);
    return until(context, id, "finalized", limit, ({ status }) => status !== "pending");
}

async function until(
    context: Context,
    id: string,
    done: string,
    limit: number,
    isDone: (version: StateVersion) => boolean,
): Promise<StateVersion> {
    const wait = { for: `the version ${id} to be ${done}`, limit, interval: 1_000 };
    const found = await context.poll(wait, async () => {
        const version = await readVersion(context, id);
        return isDone(version) ? version : undefined;
    });
    if (found !== undefined) return found;
    const message = `${context.product} has not ${done} the version ${id} after ${Math.round(limit)} s`;
    throw new StatecraftError("timeout", message, {
        hint: "Run `pulumi up` again; `waitForProcessing` may ask for more time",
    });
}
