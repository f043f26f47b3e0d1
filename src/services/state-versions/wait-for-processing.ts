/** Waiting until the service has accepted a version's content, or has processed the version. */

import * as z from "zod";
import type { RequestContext } from "../../core/request-context";
import { Unfinished } from "../../core/unfinished";
import { parseDuration, secondsOf } from "../../schema/duration";
import { property, type Values } from "../../schema/facts";
import { codec } from "../../schema/property-types";
import { notAwaited, tooSlow, unread } from "./failures";
import { readingOf, readVersion, type StateVersion } from "./records";

const usualProcessingSeconds = 300;
const usualFinalSeconds = 60;
const interval = 1_000;

const must = { error: 'must be true, false, or a duration: whole seconds, or a string such as "5m"' };
const processingWait = codec(
    z
        .union([z.boolean(), z.number(), z.string()], must)
        .refine((wait) => typeof wait === "boolean" || parseDuration(wait) !== undefined, must),
    z.union([z.literal(true), z.number()]),
    (wait) => wait === true || secondsOf(wait),
);

/** Whether to wait until the service has processed a new version. */
export const waitForProcessingProperty = property(processingWait.optional(), {
    option: true,
    default: false,
    equality: processingSeconds,
    description:
        "Wait until the service has processed the new version's resources: `true` (5 minutes at most) or the longest time to wait. Off by default.",
});

/** Seconds to wait; 0 for not at all. */
function processingSeconds(value: unknown): number {
    return value === true ? usualProcessingSeconds : secondsOf(value);
}

/**
 * Reads a version that has become current, and waits until it is processed if the program asks for that.
 * @param outputs what is kept in state if that fails
 */
export async function readMade(
    context: RequestContext,
    id: string,
    waitForProcessing: true | number | undefined,
    outputs: Values,
): Promise<StateVersion> {
    if (processingSeconds(waitForProcessing) === 0) {
        return readVersion(context, id).catch((error: unknown) => {
            throw new Unfinished(outputs, ["readBack"], unread({ id }), error, id);
        });
    }
    const limit = context.waitLimit(waitForProcessing === true ? undefined : waitForProcessing, usualProcessingSeconds);
    return until(context, id, "processed", limit, ({ resourcesProcessed }) => resourcesProcessed).catch(
        (error: unknown) => {
            throw new Unfinished(outputs, ["waitForProcessing"], notAwaited({ id }), error, id);
        },
    );
}

/** Reads a version until the service has accepted its uploaded content, or discarded it. */
export const untilFinal = (context: RequestContext, id: string): Promise<StateVersion> =>
    until(
        context,
        id,
        "finalized",
        context.waitLimit(undefined, usualFinalSeconds),
        ({ status }) => status !== "pending",
    );

async function until(
    context: RequestContext,
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
    throw tooSlow({ reading: readingOf(id), done, id, seconds: String(Math.round(limit)) });
}
