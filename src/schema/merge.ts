/** Merge: what a program wrote and what the service holds, as one set of outputs; and in what the two differ. */

import { type Facts, isMask, type Values } from "./facts";
import type { Node, ObjectNode, Property } from "./node";
import { isRecord } from "./unknown";
import { comparable, decoded, decodedWithDefaults, hasNone, isSame, mapValues, objectIn, writtenName } from "./values";

/**
 * The outputs that have the names of inputs.
 *
 * | the service                                | the output is                                  |
 * | ------------------------------------------ | ---------------------------------------------- |
 * | holds what the program means               | what the program wrote                         |
 * | holds something else                       | the service's value                            |
 * | does not return the property               | what the program wrote                         |
 * | holds the default of a left-out property   | absent                                         |
 *
 * @param written what the program wrote; `meant` is the same, decoded
 * @param live what the service returned, from `readAnswer`
 * @param isFound the object was found by its id alone: take all that the service returns, also `leaveAlone` properties, but no mask: a
 * program would write it
 */
export function mergeOutputs(
    node: ObjectNode,
    written: Values,
    meant: Values,
    live: Values,
    isFound = false,
): Record<string, unknown> {
    const outputs: Record<string, unknown> = {};
    const told = isFound ? withoutMasks(node, live) : live;
    const merge = (property: Property, own: unknown, other = own) => {
        const name = writtenName(property, written);
        if (!isFound && property.facts.leaveAlone && written[name] === undefined) return;
        const value = mergeProperty(property, written[name] ?? undefined, [own, other], told[property.name]);
        if (value !== undefined) outputs[name] = value;
    };
    const open = new Set(node.conditional.filter(({ name }) => hasNone(written[name])));
    for (const property of node.meaningful) if (!open.has(property)) merge(property, meant[property.name]);
    // A default that depends on other properties is that of what was written, and that of what those hold now. Of what is found, nothing was.
    for (const property of open) {
        const other = decodedWithDefaults(node, outputs)[property.name];
        merge(property, isFound ? other : meant[property.name], other);
    }
    return outputs;
}

function withoutMasks({ properties }: ObjectNode, live: Values): Values {
    const known = Object.entries(live).filter(([name, value]) => {
        const facts = properties.get(name)?.facts;
        return facts === undefined || !isMask(facts, value);
    });
    return mapValues(Object.fromEntries(known), (value, name) => {
        const inner = properties.get(name)?.node;
        return inner?.kind === "object" && isRecord(value) ? withoutMasks(inner, value) : value;
    });
}

/** Without a value of its own, a property has more than one meaning where that depends on others. */
function mergeProperty(
    property: Property,
    written: unknown,
    [meant, other]: readonly [unknown, unknown],
    live: unknown,
): unknown {
    if (live === undefined) return written;
    const whole = revealed(property, meant, live);
    if (isMeant(property, meant, whole) && isMeant(property, other, whole)) return written;
    return isRecord(live) ? mergeInside(property.node, isRecord(written) ? written : {}, live) : whole;
}

/** Whether a live value is what was meant; where nothing was, whether it compares as nothing. */
function isMeant(property: Property, meant: unknown, live: unknown): boolean {
    return meant === undefined
        ? comparable(property.node, property.facts, live) === undefined
        : isSame(property, meant, live);
}

/** Of an object, what means the same stays as it was written, property by property. */
function mergeInside(node: Node, written: Values, live: Values): unknown {
    const object = objectIn(node, live);
    if (object === undefined) return live;
    if (object !== objectIn(node, written)) return mergeOutputs(object, {}, object.defaults, live);
    const merged = mergeOutputs(object, written, decodedWithDefaults(object, written), live);
    return node.kind === "union" ? { ...merged, [node.discriminator]: written[node.discriminator] } : merged;
}

/** The service's value. If the service shows a mask in place of a value that is set, the value that was written. */
function revealed(property: Property, meant: unknown, live: unknown): unknown {
    if (property.node.kind === "leaf" && property.facts.maskWhenSet === undefined) return live;
    return isMasked(property, meant, live) ? meant : withUnreported(property.node, meant, live);
}

function isMasked(property: Property, meant: unknown, live: unknown): boolean {
    const { default: fallback } = property.facts;
    return isMask(property.facts, live) && !isSame(property, meant ?? fallback, fallback);
}

/** What the service tells, with those parts of what was meant that it does not show. */
function withUnreported(node: Node, meant: unknown, live: unknown): unknown {
    if (node.kind === "leaf") return live;
    if (node.kind === "list" && Array.isArray(meant) && Array.isArray(live) && meant.length === live.length) {
        return live.map((item, index) => withUnreported(node.item, meant[index], item));
    }
    if (!isRecord(meant) || !isRecord(live)) return live;
    const inner = innerObject(node, meant, live);
    if (inner === undefined) return live;
    const result: Record<string, unknown> = { ...inner.defaults, ...live };
    for (const [name, value] of Object.entries(meant)) {
        const property = inner.properties.get(name);
        if (property !== undefined) {
            result[name] = live[name] === undefined ? value : revealed(property, value, live[name]);
        }
    }
    return result;
}

/** The object that both values are, in the same form. */
function innerObject(node: Node, mine: Values, theirs: Values): ObjectNode | undefined {
    const object = objectIn(node, theirs);
    return object === objectIn(node, mine) ? object : undefined;
}

/** How what the service tells compares with what was written. */
interface Compared {
    /** Properties that the service holds otherwise, as paths. */
    readonly mismatches: string[];
    /** Properties of which the service does not tell what it holds, though it may be something else than was written. */
    readonly unreported: Unreported[];
}

/** A property that the service does not tell. */
export interface Unreported {
    readonly path: string;
    readonly facts: Facts;
    /** What was written is nothing, such as 0 or an empty string, which many services leave out of what they tell. */
    readonly isEmpty: boolean;
}

/**
 * Compares inputs with what the service tells. Options, and what settings settle, do not count.
 * @param written what the program wrote, and `meant` the same, decoded
 */
export function compareLive(node: ObjectNode, written: Values, meant: Values, live: Values): Compared {
    const found: Compared = { mismatches: [], unreported: [] };
    compareObject(node, written, meant, live, "", found);
    return found;
}

function compareObject(
    node: ObjectNode,
    written: Values,
    meant: Values,
    live: Values,
    prefix: string,
    found: Compared,
): void {
    for (const property of node.meaningful) {
        const { name, facts } = property;
        if (facts.option || facts.internal || facts.sticky) continue;
        const value = written[writtenName(property, written)] ?? undefined;
        const [own, told] = [meant[name], live[name]];
        const path = prefix + name;
        if (facts.leaveAlone && value === undefined) continue;
        if (told === undefined || (facts.maskWhenSet !== undefined && isMasked(property, own, told))) {
            if (facts.wire !== undefined && isOpen(property, value, own, defaultAmong(node, property, meant))) {
                found.unreported.push({ path, facts, isEmpty: isEmpty(property, own) });
            }
            continue;
        }
        const inner = isRecord(own) && isRecord(told) ? innerObject(property.node, own, told) : undefined;
        if (inner && isRecord(value) && isRecord(own) && isRecord(told)) {
            compareObject(inner, value, own, told, `${path}.`, found);
        } else if (!isSame(property, own, revealed(property, own, told))) found.mismatches.push(path);
    }
}

/** What leaving a property out means among these, decoded. */
function defaultAmong({ defaults }: ObjectNode, { name, facts, node }: Property, meant: Values): unknown {
    const value = defaults[name] ?? facts.defaultFrom?.of(meant);
    return value === undefined ? undefined : decoded(node, value);
}

function isEmpty({ node, facts }: Property, meant: unknown): boolean {
    const value = comparable(node, facts, meant);
    return !value || (typeof value === "object" && Object.keys(value).length === 0);
}

/**
 * Whether a property that the service does not return may differ from what was written. Services often leave out defaults, so those count
 * as equal. A secret may still be an older one.
 */
function isOpen(property: Property, written: unknown, meant: unknown, fallback: unknown): boolean {
    if (property.facts.secret || property.facts.writeOnly) return true;
    return written !== undefined && !isSame(property, meant, fallback);
}
