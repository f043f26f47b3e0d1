/** What a runtime remembers from one operation to the next. Nothing of it stands in a module, so that two runtimes of one process share nothing. */

/** Its parts: each made at the first call, once for each maker. */
export type Memory = <Part>(make: () => Part) => Part;

/** A memory that is empty. */
export function createMemory(): Memory {
    const remembered = new Map<() => unknown, unknown>();
    return <Part>(make: () => Part): Part => {
        if (!remembered.has(make)) remembered.set(make, make());
        // What stands under a maker was made by it.
        return remembered.get(make) as Part;
    };
}
