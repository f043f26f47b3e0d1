/**
 * The SDK takes a stack trace for every promise that it makes of a resource, and at once has it written as text, through the source maps of
 * the program. Nobody sees these texts unless promise leaks are looked for, and they were a third of what a program with many resources costs.
 * Another one tells where the program declares the resource. The engine keeps it in state, which it writes at each step: what ran the program
 * was a third of that.
 *
 * | stack trace                                               | its text                                 |
 * | --------------------------------------------------------- | ---------------------------------------- |
 * | where the program declares the resource (without a limit) | the frames of the program                |
 * | of an error that is thrown, now or later                  | as always: it is written when it is read |
 * | of a promise, with `PULUMI_DEBUG_PROMISE_LEAKS`           | as always                                |
 * | of a promise otherwise                                    | left out                                 |
 */

/** How the engine of the language writes a stack trace where nobody has another way. */
const plain: NonNullable<typeof Error.prepareStackTrace> = (error, frames) =>
    [String(error), ...frames.map((frame) => `    at ${frame}`)].join("\n");

/** The files of Node, and of what runs a program. */
const runner = /^node:|[\\/]node_modules[\\/](@pulumi[\\/]pulumi|ts-node)[\\/]/;

/** Whether a frame leads anywhere in the program. Those of the language itself have no file. */
function isOfProgram(frame: NodeJS.CallSite): boolean {
    const file = frame.getFileName();
    return typeof file === "string" && !runner.test(file);
}

/**
 * Writes stack traces so until the function that it returns is called. No other code may run in between.
 * @param type the generated class. The SDK expects one class of a package above its own, and would take this second one for the program.
 */
export function withoutStackTexts(type: string): () => void {
    const { prepareStackTrace } = Error;
    const write = prepareStackTrace ?? plain;
    const isEachWritten = process.env["PULUMI_DEBUG_PROMISE_LEAKS"];
    Error.prepareStackTrace = (error, frames) => {
        if (Error.stackTraceLimit !== Number.POSITIVE_INFINITY)
            return isEachWritten ? write(error, frames) : String(error);
        const declared = frames.findIndex((frame) => frame.getFunctionName() === type);
        if (declared < 0) return write(error, frames);
        return write(error, [...frames.slice(0, declared), ...frames.slice(declared + 1).filter(isOfProgram)]);
    };
    return () => {
        Error.prepareStackTrace = prepareStackTrace;
    };
}
