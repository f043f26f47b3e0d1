/**
 * Sources of secrets. A secret `x` of a resource, a text or a map of texts, has a sibling `xFrom` that names variables or files, so that the
 * value is in no state: inputs and outputs contain the digest of the value, by which it is compared.
 */

import * as z from "zod";
import { comparable, decoding, mapNode, objectIn } from "./meaning";
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
import { holdsUnknown, isRecord, sortedJson, type Values, withoutUndefined } from "./values";

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

/** The variable or the file that holds a secret, and the digest of its value. */
export type SecretSource = z.output<typeof source>;

/** The sources of a secret: one for each key of a map, or a single one. */
const sourcesIn = (isMap: boolean, from: unknown): [string, SecretSource][] =>
    Object.entries(isMap && isRecord(from) ? from : { "": Object(from) });

/** The digest of the secret behind sources: a map has one digest. */
function digestIn(isMap: boolean, from: unknown): string | undefined {
    const [digest, ...others] = new Set(sourcesIn(isMap, from).map(([, each]) => each.digest));
    return others.length === 0 ? digest : undefined;
}

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
        const isMap = kind instanceof z.ZodRecord;
        const sources = (isMap ? z.record(z.string(), source) : source).optional();
        // Another source of an equal value is no change.
        const equality = (sources: unknown) => digestIn(isMap, sources) ?? sources;
        const facts: Facts = { description, sourceOf: name, optionalInAnswers: true, equality };
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

/** A secret and its sibling in one object, which may have one of them, or none. */
export class SourcedSecret {
    constructor(
        private readonly secret: Property,
        private readonly source: Property,
        /** The path of the sibling. */
        readonly path: string,
        private readonly values: Values,
    ) {}

    get value(): unknown {
        return this.values[this.secret.name];
    }

    get from(): unknown {
        return this.values[this.source.name];
    }

    /** The sources of a secret: one for each key of a map, or a single one. */
    get sources(): [string, SecretSource][] {
        return sourcesIn(this.isMap, this.from);
    }

    /** The digest of the secret behind the source. */
    get digest(): string | undefined {
        return digestIn(this.isMap, this.from);
    }

    /** The secret in the same place of other values, if they have an object of that form there. */
    in(others: readonly SourcedSecret[] = []): SourcedSecret | undefined {
        return others.find(({ path, secret }) => path === this.path && secret === this.secret);
    }

    /** The map, or the only value, of entries as in `sources`. */
    joined(entries: (readonly [string, unknown])[]): unknown {
        return this.isMap ? Object.fromEntries(entries) : entries[0]?.[1];
    }

    /** The values with another secret and another source in this place. `undefined` removes one. */
    replacedIn(values: Values, value: unknown, from?: unknown, [name = "", ...rest] = this.path.split(".")): Values {
        return rest.length === 0
            ? withoutUndefined({ ...values, [this.secret.name]: value, [this.source.name]: from })
            : { ...values, [name]: this.replacedIn(Object(values[name]), value, from, rest) };
    }

    /** The values with this source and a digest in this place. */
    digestedIn(values: Values, digest: string): Values {
        const digested = this.sources.map(([key, each]) => [key, { ...each, digest }] as const);
        return this.replacedIn(values, undefined, this.joined(digested));
    }

    /** The text of a secret whose digest is compared: values of one meaning have one text. */
    textOf(value: unknown): string {
        const { node, facts } = this.secret;
        return sortedJson(comparable(node, facts, mapNode(node, value, decoding)));
    }

    private get isMap(): boolean {
        return this.source.node.kind === "map";
    }
}

/** The secrets that have a sibling, at any depth outside of lists and maps. */
export function sourcedSecrets(node: ObjectNode, values: Values, prefix = ""): SourcedSecret[] {
    return [...node.properties.values()].flatMap((source) => {
        const [path, value] = [prefix + source.name, values[source.name]];
        const secret = node.properties.get(source.facts.sourceOf ?? "");
        if (secret) return [new SourcedSecret(secret, source, path, values)];
        const object = isRecord(value) ? objectIn(source.node, value) : undefined;
        return object && isRecord(value) ? sourcedSecrets(object, value, `${path}.`) : [];
    });
}
