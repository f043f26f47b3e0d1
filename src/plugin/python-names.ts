/**
 * Names as Python writes them. Where Pulumi's SDK for Python does not know the type of a dictionary, it sends its names as they are:
 * `path_prefix`. It knows neither the settings of a provider nor an object of several forms.
 */

import type { ObjectNode, UnionNode } from "../schema/node";
import { isSealed } from "../schema/secrets";
import { isRecord, type Values } from "../schema/unknown";
import { mapValues } from "../schema/values";

/** The values under their own names. What is no name of ours in Python's writing stays. */
export function withOwnNames(values: Values, isOurs: (name: string) => boolean): Values {
    const ownName = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return Object.fromEntries(
        Object.entries(values).map(([name, value]) => [isOurs(ownName(name)) ? ownName(name) : name, value]),
    );
}

/** A resource's inputs, with the objects of several forms under their own names. The same object where the resource has none of those. */
export function formsWithOwnNames({ properties }: ObjectNode, inputs: Values): Values {
    if (![...properties.values()].some(({ node }) => node.kind === "union")) return inputs;
    return mapValues(inputs, (value, name) => {
        const node = properties.get(name)?.node;
        return node?.kind === "union" ? formWithOwnNames(node, value) : value;
    });
}

function formWithOwnNames(union: UnionNode, value: unknown): unknown {
    if (!isRecord(value)) return value;
    if (isSealed(value)) return { ...value, value: formWithOwnNames(union, value["value"]) };
    return withOwnNames(value, (name) =>
        union.forms.some(({ node }) => node.properties.has(name) || node.elsewhere.has(name)),
    );
}
