/** What is known of one run of a program. A host that ends with the run shares it among its resources. */

import type { Values } from "../schema/facts";
import { unsealed } from "../schema/secrets";
import { sortedJson } from "../schema/sorted-json";

/** The identities of the server that an object is on. */
export type Servers = () => Promise<readonly string[]>;

/** What a resource had before it is replaced. */
interface Former {
    readonly object: string;
    readonly outputs: Values;
}

/** What the resources of a run know of each other. */
export class Run {
    /** Objects that the program has, each with the resources that have it: made, written or found as they should be. */
    readonly kept = new Map<string, Map<string, Servers>>();
    /** Sticky values by URN. When the engine replaces a resource, it calls check as for a new one; the values are taken from here. */
    readonly stickyValues = new Map<string, Values>();
    /** What each resource had before it is replaced, by its URN. */
    private readonly former = new Map<string, Former>();
    /** The resource that each object is of. */
    private readonly claimed = new Map<string, string>();
    /** Which resources were checked, by their inputs: no other verb is told a URN. */
    private readonly checked = new Map<string, Set<string>>();

    /** Check has answered with these inputs. */
    hasChecked(type: string, inputs: Values, urn = ""): void {
        at(this.checked, keyOf(type, inputs), () => new Set()).add(urn);
    }

    /** The resources of the program have this object. The inputs of a refresh are those of a former run, and no resource's of this one. */
    keep(type: string, objectOf: () => string | undefined, inputs: Values, servers: Servers): void {
        for (const urn of this.whose(type, inputs)) {
            const object = objectOf();
            if (object !== undefined) at(this.kept, keyOf(type, object), () => new Map()).set(urn, servers);
        }
    }

    /** They have it no more: it is replaced. */
    release(type: string, former: Former, inputs: Values): void {
        for (const urn of this.whose(type, inputs)) {
            this.kept.get(keyOf(type, former.object))?.delete(urn);
            this.former.set(urn, former);
        }
    }

    /** What the resource of this URN had, where it is replaced. */
    formerOutputs(urn: string): Values | undefined {
        return this.former.get(urn)?.outputs;
    }

    /** Whether a resource of the program has this object on one of these servers, of which there is only one by several names. */
    async has(type: string, object: string, servers: Servers): Promise<boolean> {
        const kept = this.kept.get(keyOf(type, object));
        if (kept === undefined || kept.size === 0) return false;
        const ours = await servers();
        for (const theirs of kept.values()) {
            if ((await theirs()).some((server) => ours.includes(server))) return true;
        }
        return false;
    }

    /** The first resource of the program that is this object, by its URN. */
    claim(type: string, object: string, urn: string): string {
        return at(this.claimed, keyOf(type, object), () => urn);
    }

    private whose(type: string, inputs: Values): Iterable<string> {
        // Where no program runs, nothing is checked, and no key is needed.
        return (this.checked.size > 0 && this.checked.get(keyOf(type, inputs))) || [];
    }
}

/** The engine opens what is sealed, and keeps no order of names. */
function keyOf(type: string, value: unknown): string {
    return sortedJson([type, unsealed(value)]);
}

function at<Value>(map: Map<string, Value>, key: string, fresh: () => Value): Value {
    const value = map.get(key) ?? fresh();
    map.set(key, value);
    return value;
}
