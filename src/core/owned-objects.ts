/** The objects of the running program. */

import type { Values } from "../schema/values";

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
    private readonly owners = new Map<string, string>();
    private readonly states = new Map<string, Values>();
    private readonly kept = new Set<string>();
    private readonly unreachable = new Set<string>();

    /** Claims an object for a resource. Returns the URN of another resource that has claimed it already, if there is one. */
    claim(object: string, urn: string): string | undefined {
        const owner = this.owners.get(object) ?? urn;
        this.owners.set(object, owner);
        return owner === urn ? undefined : owner;
    }

    /** The state of a resource names the object. */
    store(object: string, outputs: Values, isChanged: boolean): void {
        this.states.set(object, outputs);
        if (!isChanged) this.keep(object);
    }

    /** A resource has created, updated or adopted the object, or leaves it unchanged. It counts if the program has claimed the object. */
    keep(object: string): void {
        if (this.owners.has(object)) this.kept.add(object);
    }

    /** Outputs of the resource of the stack that had the object before this run. */
    stored(object: string): Values | undefined {
        return this.states.get(object);
    }

    /** Whether a resource of the program has the object when this run ends. */
    isKept(object: string): boolean {
        return this.kept.has(object);
    }

    /** Previews send no further looks to a service whose first look failed. */
    stopLooking(service: string): void {
        this.unreachable.add(service);
    }

    /** Whether previews may look at a service. */
    mayLook(service: string): boolean {
        return !this.unreachable.has(service);
    }
}
