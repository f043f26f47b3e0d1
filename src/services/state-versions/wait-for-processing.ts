/** What happens after a version has become current: it is read, and `waitForProcessing` waits until the service has processed it. */

import * as z from "zod";
import type { Context } from "../../core/context";
import { HalfMade } from "../../core/resource";
import { StatecraftError } from "../../errors";
import { property } from "../../schema/property";
import { codec, parseDuration } from "../../schema/property-types";
import type { Values } from "../../schema/values";
import { readVersion, type StateVersion } from "./records";

const usualProcessingSeconds = 300;
const usualFinalSeconds = 60;
const interval = 1_000;

const must = { error: 'must be true, false, or a duration: whole seconds, or a string such as "5m"' };
const processingWait = codec(
    z
        .union([z.boolean(), z.number(), z.string()], must)
        .refine((wait) => typeof wait === "boolean" || parseDuration(wait) !== undefined, must),
    z.number(),
    (wait) => (wait === true ? usualProcessingSeconds : (parseDuration(wait) ?? 0)),
);

/** Whether to wait until the service has processed a new version: seconds, 0 for not at all. */
export const waitForProcessingProperty = property(processingWait.optional(), {
    default: false,
    description:
        "Wait until the service has processed the new version's resources: `true` (5 minutes at most) or the longest time to wait. Off by default.",
});

/**
 * Reads a version that has become current.
 * @param made the id of the resource, the outputs that state keeps if this fails, and why the lock could not be released
 */
export async function readMade(
    context: Context,
    version: string,
    { id, outputs, stuck }: { readonly id: string; readonly outputs: Values; readonly stuck: unknown },
): Promise<StateVersion> {
    if (stuck !== undefined) {
        const problem = `the version ${version} is current, but the lock of its workspace was not released`;
        throw new HalfMade(outputs, ["unlock", "readBack"], problem, stuck, id);
    }
    return readVersion(context, version).catch((error: unknown) => {
        const problem = `the version ${version} is current, but could not be read`;
        throw new HalfMade(outputs, ["readBack"], problem, error, id);
    });
}

/** Waits until a version is processed, `seconds` at most. */
export function untilProcessed(context: Context, id: string, seconds: number): Promise<StateVersion> {
    const limit = context.waitLimit(seconds === usualProcessingSeconds ? undefined : seconds, usualProcessingSeconds);
    return until(context, id, "processed", limit, ({ resourcesProcessed }) => resourcesProcessed);
}

/** Waits until the service has accepted the uploaded content of a version, or has discarded the version. */
export function untilFinal(context: Context, id: string): Promise<StateVersion> {
    const limit = context.waitLimit(undefined, usualFinalSeconds);
    return until(context, id, "finalized", limit, ({ status }) => status !== "pending");
}

async function until(
    context: Context,
    id: string,
    done: string,
    limit: number,
    isDone: (version: StateVersion) => boolean,
): Promise<StateVersion> {
    const found = await context.poll({ for: `the version ${id} to be ${done}`, limit, interval }, async () => {
        const version = await readVersion(context, id);
        return isDone(version) ? version : undefined;
    });
    if (found !== undefined) return found;
    throw new StatecraftError(
        "timeout",
        `${context.product} has not ${done} the version ${id} after ${Math.round(limit)} s`,
        {
            hint: "Run `pulumi up` again; `waitForProcessing` may ask for more time",
        },
    );
}
