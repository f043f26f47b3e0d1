/** Waits that end early. */

/** Resolves when the wait is over, or as soon as the signal aborts. */
export function unlessAborted(wait: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    if (signal === undefined) return wait;
    return new Promise((resolve, reject) => {
        const abort = () => resolve();
        if (signal.aborted) abort();
        signal.addEventListener("abort", abort, { once: true });
        wait.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    });
}
