/**
 * The SDK takes a stack trace for every promise that it makes of a resource, and at once has it written as text, through the source maps of
 * the program. Nobody sees these texts unless promise leaks are looked for, and they were a third of what a program with many resources costs.
 *
 * | stack trace                                               | its text                                  |
 * | --------------------------------------------------------- | ----------------------------------------- |
 * | where the program declares the resource (without a limit) | as always: the engine shows and stores it |
 * | of an error that is thrown, now or later                  | as always: it is written when it is read  |
 * | of a promise, with `PULUMI_DEBUG_PROMISE_LEAKS`           | as always                                 |
 * | of a promise otherwise                                    | left out                                  |
 */

/** Leaves the texts out until the function that it returns is called. No other code may run in between. */
export function withoutStackTexts(): () => void {
    const { prepareStackTrace } = Error;
    // Without source maps the engine of the language writes them, for next to nothing.
    if (prepareStackTrace === undefined || process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => undefined;
    Error.prepareStackTrace = (error, frames) =>
        Error.stackTraceLimit === Number.POSITIVE_INFINITY ? prepareStackTrace(error, frames) : String(error);
    return () => {
        Error.prepareStackTrace = prepareStackTrace;
    };
}
