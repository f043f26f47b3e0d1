/**
 * Sources of secrets. A secret `x` of a resource, a text or a map of texts, has a sibling `xFrom` that names variables or files, so that the
 * value is in no state: inputs and outputs contain the digest of the value, by which it is compared.
 */

import * as z from "zod";
import { objectIn } from "./meaning";
import {
    asType,
    type Facts,
    factsOf,
    factsOrNone,
    failAbout,
    type ObjectNode,
    type Property,
    property,
    required,
} from "./property";
import { nonEmptyString, stringOf } from "./property-types";
import { holdsUnknown, isRecord, type Values, withoutUndefined } from "./values";

const source = property(
    z.strictObject({
        variable: property(stringOf(/^[A-Za-z_]\w*$/, "must be the name of a variable").optional(), {
            description: "Name of an environment variable of the process that runs the provider.",
        }),
        file: property(nonEmptyString.optional(), {
            description: "Path of a file that this process reads, of at most 1 MiB. `~` is the home folder.",
        }),
        digest: property(z.string().optional(), {
            secret: true,
            description: "Set by statecraft: the digest of the value, which shows that the value changed.",
        }),
    }),
    {
        typeName: "SecretSource",
        description: "Where a secret is: in a variable or in a file. Blanks around the secret do not count.",
        rules: [failAbout("variable", ["file"], (place) => (isPlace(place) ? undefined : "give either this or file"))],
    },
);

/** Where a secret is. The digest is that of its value. */
export type SecretSource = z.output<typeof source>;

const isPlace = ({ variable, file }: Values) => (variable === undefined) !== (file === undefined);

/** Whether a value names one source, perhaps an unknown one. */
export const isSource = (value: unknown): boolean =>
    holdsUnknown(value) || (source.safeParse(value).success && isPlace(Object(value)));

/** Adds the sibling of each secret, at any depth outside of lists and maps. */
export function withSources(type: z.ZodType): z.ZodType {
    const [inner, facts] = [required(type), factsOrNone(type)];
    const rules = [...(facts?.rules ?? [])];
    const withSibling = ([name, member]: [string, unknown]): [string, z.ZodType][] => {
        const secret = asType(member);
        const [kind, from] = [required(secret), `${name}From`];
        if (!factsOf(secret).secret || kind instanceof z.ZodArray) return [[name, withSources(secret)]];
        const problem = `cannot be combined with ${name}: choose one of the two`;
        rules.push(failAbout(from, [name], ({ [from]: both }) => (both === undefined ? undefined : problem)));
        const description = `Source of \`${name}\`, instead of the value, which then is in no state.`;
        const sources = (kind instanceof z.ZodRecord ? z.record(z.string(), source) : source).optional();
        const facts: Facts = { description, sourceOf: name, optionalInAnswers: true };
        return [...Object.entries({ [name]: secret, [from]: property(sources, facts) })];
    };
    let whole: z.ZodType;
    if (inner instanceof z.ZodObject) {
        whole = z.strictObject(Object.fromEntries(Object.entries(inner.shape).flatMap(withSibling)));
    } else if (inner instanceof z.ZodDiscriminatedUnion) {
        const forms = inner.options.map((form) => withSources(asType(form)));
        whole = z.discriminatedUnion(inner.def.discriminator, forms as [z.ZodObject]);
    } else return type;
    const same = inner === type ? whole : whole.optional();
    return facts || rules.length > 0 ? property(same, { description: "", ...facts, rules }) : same;
}

/** A secret, its sibling, and the path of the sibling. */
type SourcedSecret = Readonly<Record<"secret" | "source", Property> & { path: string }>;

/**
 * Changes properties of each object that contains a secret with a sibling.
 * @param others the object at the same path of other values; empty if there is none of that form
 * @param change returns the properties that change; `undefined` removes one
 */
export async function changeSourced(
    node: ObjectNode,
    values: Values,
    others: Values,
    change: (place: SourcedSecret, values: Values, others: Values) => Values | Promise<Values>,
    prefix = "",
): Promise<Values> {
    const changed: Record<string, unknown> = { ...values };
    for (const source of node.properties.values()) {
        const [path, value, other] = [prefix + source.name, values[source.name], others[source.name]];
        const secret = node.properties.get(source.facts.sourceOf ?? "");
        if (secret) Object.assign(changed, await change({ secret, source, path }, values, others));
        else if (isRecord(value)) {
            const object = objectIn(source.node, value);
            const same = isRecord(other) && objectIn(source.node, other) === object ? other : {};
            if (object) changed[source.name] = await changeSourced(object, value, same, change, `${path}.`);
        }
    }
    return withoutUndefined(changed);
}
