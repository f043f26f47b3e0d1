/**
 * Sticky defaults. An input that the program leaves out gets its value from the settings when the object is created. The value is stored
 * and used from then on. So an object stays where it is when another machine has other settings, also when it is replaced.
 */

import type { Defaults, Values } from "../schema/facts";
import type { ObjectNode, Property } from "../schema/node";
import { unknown } from "../schema/unknown";
import { isSame, mapValues } from "../schema/values";
import type { Run } from "./run";
import type { DeploymentContext } from "./runtime";

/** The sticky values of a resource, as far as the program leaves them out. */
interface StickyValues {
    /** Those that no settings can move any more: of an object that is there, or that is replaced in this run. */
    readonly settled: Values | undefined;
    /** Those that check adds to the inputs. */
    readonly added: Values;
}

/** The sticky values of a resource. `olds` are its former inputs; a new one has none. `isOpen`: those of a new one may become others yet. */
export function stickyValues(
    node: ObjectNode,
    olds: Values | undefined,
    settings: () => Defaults,
    run: Run | undefined,
    { urn, isOpen }: Pick<DeploymentContext, "urn"> & { readonly isOpen: boolean },
): StickyValues {
    if (olds !== undefined) {
        const settled = settledValues(node, olds);
        // An object that is replaced in this run: the engine calls check for the new one as for any new one.
        if (urn !== undefined) run?.stickyValues.set(urn, settled);
        // The last deployment stored the value in the inputs. If the program still leaves it out, keep the stored value.
        return { settled, added: storedValues(node, olds) };
    }
    const settled = urn === undefined ? undefined : run?.stickyValues.get(urn);
    const added = settled ?? valuesOf(node.sticky, ({ facts }) => fromSettings(facts.sticky, settings));
    // For a new object, the value is unknown in a preview. If it were known, lookups that take it would run before the object exists. If it
    // were absent, a saved plan would not allow it.
    return { settled, added: isOpen ? mapValues(added, () => unknown) : added };
}

/** What no settings can move any more of an object that is there. What was not stored has its default. */
export function settledValues(node: ObjectNode, olds: Values): Values {
    return { ...valuesOf(node.sticky, ({ facts }) => facts.default), ...storedValues(node, olds) };
}

/** Those of the inputs that an address is made of which are stored: what settings settled must not move when the settings do. */
export function stickyOf(node: ObjectNode, named: Values): Values {
    return Object.fromEntries(
        Object.entries(named).filter(([name, value]) => {
            const property = node.properties.get(name);
            return property?.facts.sticky && value !== undefined && !isSame(property, value, property.facts.default);
        }),
    );
}

const storedValues = ({ sticky }: ObjectNode, olds: Values) => valuesOf(sticky, ({ name }) => olds[name] ?? undefined);

function fromSettings(sticky: Property["facts"]["sticky"], settings: () => Defaults): unknown {
    return typeof sticky === "function" ? sticky(settings()) : undefined;
}

function valuesOf(properties: readonly Property[], read: (property: Property) => unknown): Values {
    return Object.fromEntries(
        properties.flatMap((property) => {
            const value = read(property);
            return value === undefined ? [] : [[property.name, value]];
        }),
    );
}
