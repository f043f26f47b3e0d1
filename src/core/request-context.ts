/** What the handlers of a resource may use while one operation runs: handed in, so that nothing here knows HTTP or the engine. */

import { StatecraftError } from "../errors";
import { abortable, type Session } from "./session";

/** One operation against one service. */
export interface RequestContext extends Session {
    /**
     * In a preview: says what would make the deployment fail now, as far as a look can tell. A warning, or a failure where warnings are
     * failures.
     */
    reportBlocker(problem: StatecraftError): void;
    /**
     * Seconds that a wait may still take: what it was asked to take, else its usual limit; and never longer than the time
     * that the user gives the whole operation (`customTimeouts`), which stands in for the usual limit.
     */
    waitLimit(asked: number | undefined, usual: number): number;
    /** The user has cancelled the operation. */
    readonly isCancelled: boolean;
    /** The same, going on when the user cancels the operation: for what must be put in order even then, such as a lock of ours. */
    readonly cleanUp: RequestContext;
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
    /** Milliseconds between two looks. */
    readonly interval: number;
    /** How things stand, for the message. */
    now?(): string;
}

/** What is known of an operation beside its session. */
interface Known extends Partial<Pick<RequestContext, "reportBlocker">> {
    /** Seconds that the user gives it, from when it has `begun`. */
    readonly timeout?: number | undefined;
    readonly begun?: number;
    readonly signal?: AbortSignal | undefined;
}

/** The context of an operation in a session. Its requests and waits end when the signal aborts. */
export function requestContext(
    session: Session,
    { timeout, begun = session.now(), signal, ...known }: Known = {},
): RequestContext {
    const context: RequestContext = {
        ...(signal === undefined ? session : abortable(session, signal)),
        reportBlocker(problem) {
            throw problem;
        },
        ...known,
        waitLimit(asked, usual) {
            if (timeout === undefined) return asked ?? usual;
            const left = Math.max(0, timeout - (session.now() - begun) / 1000);
            return Math.min(asked ?? left, left);
        },
        get isCancelled() {
            return signal?.aborted === true;
        },
        get cleanUp() {
            return signal === undefined ? context : requestContext(session, { ...known, timeout, begun });
        },
        async poll(wait, look) {
            const deadline = context.now() + wait.limit * 1000;
            for (;;) {
                if (context.isCancelled)
                    throw new StatecraftError("cancelled", `waiting for ${wait.for} was cancelled`);
                const result = await look();
                if (result !== undefined) return result;
                const left = deadline - context.now();
                if (left <= 0) return undefined;
                const stand = wait.now ? `: ${wait.now()}` : "";
                context.progress(`waiting for ${wait.for}, ${Math.round(left / 1000)} s left${stand}`);
                await context.sleep(wait.interval);
            }
        },
    };
    return context;
}
