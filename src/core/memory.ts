/** What outlasts a verb, and must be no other host's: a process may have several, each with a configuration of its own. */

/** Stands for all that one host remembers. */
export type Memory = object;

/** A place in every memory, each with a value of its own. */
export function place<Value>(fresh: () => Value): (memory: Memory) => Value {
    const values = new WeakMap<Memory, Value>();
    return (memory) => {
        const value = values.get(memory) ?? fresh();
        values.set(memory, value);
        return value;
    };
}
