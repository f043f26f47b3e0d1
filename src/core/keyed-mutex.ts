/** A keyed mutex: work under one key runs one after the other; work under different keys does not wait. */

/** Begins the work as soon as all earlier work under the same key has ended, successfully or not. */
export type KeyedMutex = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Makes a mutex. */
export function createKeyedMutex(): KeyedMutex {
    const last = new Map<string, Promise<unknown>>();
    return async (key, work) => {
        const result = (last.get(key) ?? Promise.resolve()).then(work);
        const end = result.catch(() => undefined);
        last.set(key, end);
        try {
            return await result;
        } finally {
            if (last.get(key) === end) last.delete(key);
        }
    };
}
