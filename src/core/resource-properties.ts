/** Which of a resource's properties are what: given by the program, filled in by statecraft, told by the service. */

import type { Values } from "../schema/facts";
import type { ObjectNode } from "../schema/node";
import { secretStrings } from "../schema/secrets";
import { holdsUnknown, unknown } from "../schema/unknown";
import { decodedWithDefaults, isSame, written } from "../schema/values";
import type { Resource } from "./resource";

/** What the program gave: null is left out, and what statecraft fills in is not the program's. */
export function givenInputs(node: ObjectNode, news: Values): Values {
    const isGiven = ([name, value]: [string, unknown]) =>
        value !== null && value !== undefined && !node.properties.get(name)?.facts.internal;
    return Object.fromEntries(Object.entries(news).filter(isGiven));
}

/** What nobody knows before the object is made. */
export const unknownOutputs = ({ outputs }: Resource): Values =>
    Object.fromEntries([...Object.keys(outputs.shape), "server"].map((name) => [name, unknown]));

/** The mark of the locks that the resource takes. Inputs that were checked before hold it already. */
export function internalInputs(
    node: ObjectNode,
    news: Values,
    { lockMark = news["lockMark"] }: { readonly lockMark?: unknown },
): Values {
    return node.properties.has("lockMark") && lockMark ? { lockMark } : {};
}

/** The inputs among the outputs. */
export function inputsAmong(node: ObjectNode, outputs: Values): Values {
    return Object.fromEntries(Object.entries(outputs).filter(([name]) => node.properties.has(name)));
}

/** The outputs that are not inputs. */
export function outputsAmong(node: ObjectNode, outputs: Values): Values {
    return Object.fromEntries(Object.entries(outputs).filter(([name]) => !node.properties.has(name)));
}

/** How messages call an object that has no id yet: as its file says, or by its first required input. */
export function nameOf(resource: Resource, inputs: Values): string {
    const { node } = resource;
    const known = Object.fromEntries(Object.entries(inputs).filter(([, value]) => !holdsUnknown(value)));
    if (resource.subject !== undefined) return resource.subject(decodedWithDefaults(node, known));
    const required = [...node.properties.values()].find((property) => property.required);
    const value = required && known[required.name];
    return typeof value === "object" ? "" : String(value ?? "");
}

/** Every string inside the secret properties of all these. */
export function secretsIn(node: ObjectNode, all: readonly Values[]): string[] {
    return all.flatMap((props) => secretStrings(node, props));
}

/** The inputs among these that name something else than an id does. */
export function namedOtherwise(node: ObjectNode, names: Values, props: Values): string[] {
    const named = decodedWithDefaults(node, names);
    const given = decodedWithDefaults(node, props);
    return Object.keys(names).filter((name) => {
        const property = node.properties.get(name);
        if (property === undefined || written(property, props) === undefined) return false;
        return !isSame(property, named[name], given[name]);
    });
}
