/** The objects of a running program. */

import type { Values } from "../schema/values";
import { Looks } from "./looks";

/**
 * The objects that the resources of a running program manage, each by the key `<server> <type> <id>`. With this class, a resource that is
 * only renamed in the program does not lose its object: Pulumi deletes after it has checked every resource, unless a replacement deletes
 * first.
 *
 * | operation                  | effect                                                       |
 * | -------------------------- | ------------------------------------------------------------ |
 * | check                      | claims the object; a second resource is refused              |
 * | diff                       | records its state; if nothing changes, marks it as retained  |
 * | preview of a new resource  | warns of an object that exists, unless its state is recorded |
 * | create, update             | mark it as retained                                          |
 * | delete                     | deletes it, unless another resource has retained it          |
 */
export class OwnedObjects {
    private readonly owners = new Map<string, string>();
    private readonly states = new Map<string, Values>();
    private readonly retained = new Set<string>();
    private readonly looks = new Map<string, Looks>();

    /** Claims an object for a resource. Returns the URN of another resource that has claimed it already, if there is one. */
    claim(key: string, urn: string): string | undefined {
        const owner = this.owners.get(key) ?? urn;
        this.owners.set(key, owner);
        return owner === urn ? undefined : owner;
    }

    /** Records the state of a resource of the last deployment by its object, and retains the object if nothing changes. */
    store(key: string, outputs: Values, isChanged: boolean): void {
        this.states.set(key, outputs);
        if (!isChanged) this.retain(key);
    }

    /** Marks a claimed object as retained, so that no other resource deletes it on the server. */
    retain(key: string): void {
        if (this.owners.has(key)) this.retained.add(key);
    }

    /** The recorded outputs of the resource that managed the object in the last deployment. */
    stored(key: string): Values | undefined {
        return this.states.get(key);
    }

    /** Whether a resource of the program manages the object when this run ends. */
    isRetained(key: string): boolean {
        return this.retained.has(key);
    }

    /** The looks of the run's previews at a server. */
    looksAt(server: string): Looks {
        const looks = this.looks.get(server) ?? new Looks();
        this.looks.set(server, looks);
        return looks;
    }
}
