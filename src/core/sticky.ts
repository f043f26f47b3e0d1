/**
 * Sticky inputs, such as the mount and the namespace of a role. If the program leaves one out, the settings decide its value when the object
 * is created. The id and the outputs hold it from then on, so an object stays where it is when another machine has other settings.
 */

import type { Values } from "../schema/facts";
import type { ObjectNode, Property } from "../schema/node";
import { unknown } from "../schema/unknown";
import { isSame } from "../schema/values";

/** The sticky inputs that a state holds. */
export function storedSticky({ sticky }: ObjectNode, state: Values): Values {
    return Object.fromEntries(
        sticky.flatMap(({ name }) => (state[name] === undefined || state[name] === null ? [] : [[name, state[name]]])),
    );
}

/** The sticky inputs that are part of an address: what create and update store. */
export function stickyOf({ sticky }: ObjectNode, named: Values): Values {
    const values = sticky.map(({ name, facts }) => [name, named[name] ?? facts.default] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Those of them that are no defaults: what a read adds to the state. */
export function settledSticky(node: ObjectNode, named: Values): Values {
    const isSettled = (property: Property) => !isSame(property, named[property.name], property.facts.default);
    return stickyOf({ ...node, sticky: node.sticky.filter(isSettled) }, named);
}

/** The sticky inputs of a new resource in a preview: unknown, so that lookups that take one wait for the object. */
export const unknownSticky = ({ sticky }: ObjectNode): Values =>
    Object.fromEntries(sticky.map(({ name }) => [name, unknown]));
