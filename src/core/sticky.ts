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

/** The sticky values of a resource, as far as the program leaves them out. `olds` are its former inputs; a new one has none. */
export function stickyValues(
    node: ObjectNode,
    olds: Values | undefined,
    settings: () => Defaults,
    run: Run | undefined,
    { urn, isPreview }: DeploymentContext,
): Values {
    const settled = settledValues(node, olds, run, urn);
    if (olds === undefined) {
        const values = settled ?? valuesOf(stickyIn(node), ({ facts }) => fromSettings(facts.sticky, settings));
        // For a new object, the value is unknown in a preview. If it were known, lookups that take it would run before the object exists.
        // If it were absent, a saved plan would not allow it.
        return isPreview ? mapValues(values, () => unknown) : values;
    }
    // For an object that is replaced in this run.
    if (urn !== undefined && settled !== undefined) run?.stickyValues.set(urn, settled);
    // The last deployment stored the value in the inputs. If the program still leaves it out, keep the stored value.
    return storedValues(node, olds);
}

/**
 * What no settings can move any more: the sticky values of an object that is there, or is replaced in this run. What was not stored has its
 * default. `undefined` for a new object.
 */
export function settledValues(
    node: ObjectNode,
    olds: Values | undefined,
    run: Run | undefined,
    urn: string | undefined,
): Values | undefined {
    if (olds === undefined) return urn === undefined ? undefined : run?.stickyValues.get(urn);
    return { ...valuesOf(stickyIn(node), ({ facts }) => facts.default), ...storedValues(node, olds) };
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

const stickyIn = (node: ObjectNode) => [...node.properties.values()].filter(({ facts }) => facts.sticky);

const storedValues = (node: ObjectNode, olds: Values) =>
    valuesOf(stickyIn(node), ({ name }) => olds[name] ?? undefined);

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
