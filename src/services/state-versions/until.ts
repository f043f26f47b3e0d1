/** Waiting until a version is as far as it has to be. */

import type { RequestContext } from "../../core/request-context";
import { notFinalYet, notProcessed } from "./failures";
import { type ProcessingWait, usualProcessingSeconds } from "./inputs";
import { readingOf, readVersion, type StateVersion } from "./records";

const interval = 1_000;
const usualFinalSeconds = 60;

/** Reads a version until the service has processed it. `asked` is what `waitForProcessing` says. */
export function untilProcessed(
    context: RequestContext,
    id: string,
    asked: ProcessingWait = true,
): Promise<StateVersion> {
    const limit = context.waitLimit(asked === true ? undefined : asked, usualProcessingSeconds);
    return until(context, id, limit, "processed", ({ resourcesProcessed }) => resourcesProcessed, notProcessed);
}

/** Reads a version until its uploaded content is accepted. */
export function untilFinal(context: RequestContext, id: string): Promise<StateVersion> {
    const limit = context.waitLimit(undefined, usualFinalSeconds);
    return until(context, id, limit, "finalized", ({ status }) => status !== "pending", notFinalYet);
}

async function until(
    context: RequestContext,
    id: string,
    limit: number,
    awaited: string,
    isDone: (version: StateVersion) => boolean,
    late: typeof notProcessed | typeof notFinalYet,
): Promise<StateVersion> {
    const done = await context.poll({ for: `the version ${id} to be ${awaited}`, limit, interval }, async () => {
        const version = await readVersion(context, id);
        return isDone(version) ? version : undefined;
    });
    if (done !== undefined) return done;
    throw late({ reading: readingOf(id), id, seconds: String(Math.round(limit)) });
}
