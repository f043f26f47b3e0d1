/** Work on one thing goes one after the other; work on different things does not wait. */

/** Begins the work as soon as all earlier work under this key has ended, well or not. */
export type Turns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Turns that know nothing of any others. */
export function createTurns(): Turns {
    const last = new Map<string, Promise<void>>();
    return async (key, work) => {
        const result = (last.get(key) ?? Promise.resolve()).then(work);
        const end = result.then(
            () => undefined,
            () => undefined,
        );
        last.set(key, end);
        try {
            return await result;
        } finally {
            if (last.get(key) === end) last.delete(key);
        }
    };
}
