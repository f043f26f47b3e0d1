/** The objects of the running program. */

import type { Values } from "../schema/values";

/** What a run has learned of one object. */
interface Entry {
    /** URN of the resource that is this object. */
    readonly owner?: string;
    /** Outputs of the resource that had the object before this run. */
    readonly stored?: Values;
    /** A resource of the program has the object when this run ends. */
    readonly isKept?: true;
}

/**
 * Which objects the resources of a running program have. An object is called `<server> <type> <id>`. Pulumi deletes after it has checked
 * every resource, except where a replacement deletes first.
 *
 * | operation                  | what it does                                                |
 * | -------------------------- | ----------------------------------------------------------- |
 * | check                      | claims the object; a second resource is refused             |
 * | diff                       | stores it, and keeps it where nothing is to be changed      |
 * | preview of a new resource  | warns of an object that exists, unless it is stored         |
 * | create, update             | keep it                                                     |
 * | delete                     | deletes it, unless it is kept: a renamed resource has it    |
 */
export class OwnedObjects {
    private readonly entries = new Map<string, Entry>();
    private readonly unreachable = new Set<string>();

    /** Claims an object for a resource. Returns the URN of another resource that has claimed it already, if there is one. */
    claim(object: string, urn: string): string | undefined {
        const { owner = urn } = this.entry(object);
        this.add(object, { owner });
        return owner === urn ? undefined : owner;
    }

    /** The state of a resource names the object. */
    store(object: string, outputs: Values, isChanged: boolean): void {
        this.add(object, { stored: outputs });
        if (!isChanged) this.keep(object);
    }

    /** A resource has created, updated or adopted the object, or leaves it unchanged. It counts if the program has claimed the object. */
    keep(object: string): void {
        if (this.entry(object).owner !== undefined) this.add(object, { isKept: true });
    }

    /** Outputs of the resource of the stack that had the object before this run. */
    stored(object: string): Values | undefined {
        return this.entry(object).stored;
    }

    /** Whether a resource of the program has the object when this run ends. */
    isKept(object: string): boolean {
        return this.entry(object).isKept === true;
    }

    /** Previews send no further looks to a service whose first look failed. */
    stopLooking(service: string): void {
        this.unreachable.add(service);
    }

    /** Whether previews may look at a service. */
    mayLook(service: string): boolean {
        return !this.unreachable.has(service);
    }

    private entry(object: string): Entry {
        return this.entries.get(object) ?? {};
    }

    private add(object: string, learned: Entry): void {
        this.entries.set(object, { ...this.entry(object), ...learned });
    }
}
