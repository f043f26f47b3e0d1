/** The objects of a running program. */

import type { Values } from "../schema/values";

/**
 * The objects that the resources of a running program manage, each by the name `<server> <type> <id>`. Pulumi deletes after it has checked
 * every resource, unless a replacement deletes first.
 *
 * | operation                  | what it does                                                |
 * | -------------------------- | ----------------------------------------------------------- |
 * | check                      | claims the object; a second resource is refused             |
 * | diff                       | stores it, and marks it as kept if nothing changes          |
 * | preview of a new resource  | warns of an object that exists, unless it is stored         |
 * | create, update             | mark it as kept                                             |
 * | delete                     | deletes it, unless a renamed resource keeps it              |
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

    /** Records the state of the resource that has had the object since before this run. */
    store(object: string, outputs: Values, isChanged: boolean): void {
        this.states.set(object, outputs);
        if (!isChanged) this.keep(object);
    }

    /** Marks an object that the program has claimed and that exists as declared. */
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

    /** Stops the reads of previews at a service, after the first one failed. */
    stopLooking(service: string): void {
        this.unreachable.add(service);
    }

    /** Whether previews may read from a service. */
    mayLook(service: string): boolean {
        return !this.unreachable.has(service);
    }
}
