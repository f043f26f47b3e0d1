/** Waiting until a version is as far as it has to be. */

import { secondsOf } from "../../core/duration";
import type { Session } from "../../core/session";
import { StatecraftError } from "../../errors";
import { usualProcessingSeconds } from "./inputs";
import { readingOf, readVersion, type StateVersion } from "./records";

const pollMilliseconds = 1_000;
const usualFinalSeconds = 60;

/** Reads a version until the service has processed it. `asked` is what `waitForProcessing` says. */
export function untilProcessed(session: Session, id: string, asked: unknown): Promise<StateVersion> {
    const limit = session.waitLimit(asked === true ? undefined : secondsOf(asked), usualProcessingSeconds);
    return until(session, id, limit, ({ resourcesProcessed }) => resourcesProcessed, {
        awaited: "processed",
        hint: "The next `pulumi up` waits again; `waitForProcessing` takes a longer time",
    });
}

/** Reads a version until its uploaded content is accepted. */
export function untilFinal(session: Session, id: string): Promise<StateVersion> {
    const limit = session.waitLimit(undefined, usualFinalSeconds);
    return until(session, id, limit, ({ status }) => status !== "pending", {
        awaited: "finalized",
        hint: "The next `pulumi up` looks again",
    });
}

async function until(
    session: Session,
    id: string,
    limit: number,
    isDone: (version: StateVersion) => boolean,
    { awaited, hint }: { awaited: string; hint: string },
): Promise<StateVersion> {
    const begun = session.now();
    for (;;) {
        const version = await readVersion(session, id);
        if (isDone(version)) return version;
        const waited = Math.round((session.now() - begun) / 1000);
        if (session.now() - begun >= limit * 1000) {
            const problem = `${readingOf(id)}: the service has not ${awaited} the version ${id} after ${waited} s`;
            throw new StatecraftError("timeout", problem, { hint });
        }
        session.progress(`waiting until the version ${id} is ${awaited}, ${waited} s so far`);
        await session.sleep(pollMilliseconds);
    }
}
