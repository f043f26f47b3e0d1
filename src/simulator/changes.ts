/** Changes of the world, for answers that are held back until there is one. */

/** Who waits for a change, and who tells of one. */
export class Changes {
    private readonly waiting = new Set<() => void>();

    /** Something may have changed: the world, or the time. */
    tell(): void {
        for (const wake of [...this.waiting]) wake();
    }

    /** Resolves at the next change, after that many milliseconds, or at the end. */
    next(milliseconds: number, end: AbortSignal): Promise<void> {
        if (end.aborted) return Promise.resolve();
        return new Promise((resolve) => {
            const wake = () => {
                clearTimeout(timer);
                this.waiting.delete(wake);
                end.removeEventListener("abort", wake);
                resolve();
            };
            const timer = setTimeout(wake, milliseconds);
            this.waiting.add(wake);
            end.addEventListener("abort", wake);
        });
    }
}
