/** What the handlers of a resource may use while one operation runs: handed in, so that nothing here knows HTTP or the engine. */

import type { StatecraftError } from "../errors";
import type { Session } from "./session";

/** One operation against one service. */
export interface RequestContext extends Session {
    /** The resource's name in the deployment, where the host tells it. */
    readonly urn: string | undefined;
    /** Nothing will be done: this is a preview. */
    readonly isPreview: boolean;
    /**
     * In a preview: says what would make the deployment fail now, as far as a look can tell. A warning, or a failure where warnings are
     * failures.
     */
    reportBlocker(problem: StatecraftError): void;
    /** Aborts when the user cancels the operation. */
    readonly signal: AbortSignal;
    /**
     * Looks again and again until `look` returns something, and tells the user in the meantime.
     * @returns what it returned, or `undefined` when the time was over
     */
    poll<Result>(wait: Wait, look: () => Promise<Result | undefined>): Promise<Result | undefined>;
}

/** A wait. */
export interface Wait {
    /** What is waited for, in words that follow "waiting for". */
    readonly for: string;
    /** Seconds that it may take at most. */
    readonly limit: number;
    /** Milliseconds between two looks, or what tells them after each look. */
    readonly interval: number | (() => number);
    /** How things stand, for the message. */
    now?(): string;
}

type Own = Pick<RequestContext, "urn" | "isPreview" | "reportBlocker" | "signal">;

function thrown(problem: StatecraftError): never {
    throw problem;
}

/** The context of an operation in a session. */
export function requestContext(
    session: Session,
    { urn, isPreview = false, reportBlocker = thrown, signal = new AbortController().signal }: Partial<Own> = {},
): RequestContext {
    return {
        ...session,
        urn,
        isPreview,
        reportBlocker,
        signal,
        async poll(wait, look) {
            const deadline = session.now() + wait.limit * 1000;
            for (;;) {
                signal.throwIfAborted();
                const result = await look();
                if (result !== undefined) return result;
                const left = deadline - session.now();
                if (left <= 0) return undefined;
                const stand = wait.now ? `: ${wait.now()}` : "";
                session.progress(`waiting for ${wait.for}, ${Math.round(left / 1000)} s left${stand}`);
                await session.sleep(typeof wait.interval === "number" ? wait.interval : wait.interval());
            }
        },
    };
}
