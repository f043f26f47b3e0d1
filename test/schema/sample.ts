/** A schema that uses every option of `property`, for the tests in this folder. */

import * as z from "zod";
import { objectNode, property, withRules } from "../../src/schema/property";
import {
    asJson,
    asSet,
    duration,
    ignoringCase,
    jsonDocument,
    names,
    nonEmptyString,
    separatedNames,
    stringMap,
    wholeNumber,
} from "../../src/schema/property-types";

const folder = property(
    z.strictObject({
        type: property(z.enum(["folder", "directory"]), { description: "Form.", wire: "kind" }),
        path: property(z.string(), { description: "Path.", wire: "path" }),
        space: property(wholeNumber(1).optional(), { description: "Bytes.", wire: "space", default: 1000 }),
        key: property(z.string().optional(), { description: "Key.", wire: "folder_key", default: "", secret: true }),
    }),
    {
        description: "A folder.",
        rules: [
            {
                uses: ["space"],
                severity: "warning",
                test: ({ meaning: { space }, before: olds }) =>
                    Number(space) < Number(olds?.["space"]) ? { path: "space", reason: "less than before" } : undefined,
            },
        ],
    },
);

const bucket = z.strictObject({
    type: property(z.literal("bucket"), { description: "Form.", wire: "kind" }),
    bucket: property(z.string(), { description: "Name.", wire: "bucket" }),
    key: property(z.string().optional(), { description: "Key.", wire: "key", default: "", secret: true }),
    document: property(jsonDocument.optional(), {
        description: "Account.",
        wire: "document",
        default: "",
        secret: true,
        equality: asJson,
    }),
});

const pipe = z.strictObject({
    from: property(z.string(), { description: "Begin.", wire: "From" }),
    key: property(z.string().optional(), { description: "Key.", wire: "Key", secret: true }),
    length: property(wholeNumber().optional(), { description: "Length.", wire: "Length", default: 1 }),
});

/** The inputs of an imaginary resource. */
export const sample = withRules(
    z.strictObject({
        name: property(nonEmptyString, { description: "Name.", immutable: true, equality: ignoringCase }),
        title: property(z.string().optional(), {
            description: "Title.",
            wire: "title",
            default: ({ name }: { readonly name?: unknown }) => name,
            defaultText: "the name",
        }),
        ttl: property(duration().optional(), { description: "Lifetime.", wire: "ttl", default: 0 }),
        groups: property(names.optional(), { description: "Groups.", wire: "groups", default: [], equality: asSet }),
        policies: property(separatedNames.optional(), {
            description: "Policies.",
            wire: "token_policies",
            default: [],
            equality: asSet,
        }),
        pipes: property(z.array(pipe).min(1).optional(), { description: "Pipes.", wire: "pipes" }),
        labels: property(stringMap.optional(), { description: "Labels.", wire: "labels", default: {} }),
        uses: property(wholeNumber().optional(), { description: "Uses.", wire: "uses", default: 0 }),
        size: property(z.number().optional(), {
            description: "Grows only.",
            wire: "size",
            immutable: (old, now) => Number(now) < Number(old),
            optionalInAnswers: true,
        }),
        note: property(wholeNumber().optional(), { description: "Note.", wire: "note", leaveAlone: true }),
        password: property(z.string().optional(), {
            description: "Password.",
            wire: "password",
            default: "",
            secret: true,
        }),
        storage: property(z.discriminatedUnion("type", [folder, bucket]).optional(), {
            description: "Storage.",
            wire: "storage",
        }),
        force: property(z.boolean().optional(), { description: "Option.", option: true, default: false }),
        lockMark: property(z.string().optional(), { description: "Mark.", internal: true }),
    }),
    [
        {
            uses: ["ttl", "groups"],
            test: ({ meaning: { ttl, groups } }) =>
                Number(ttl) > 60 && Array.isArray(groups) && groups.length === 0
                    ? { path: "ttl", reason: "needs a group" }
                    : undefined,
        },
        {
            uses: ["uses"],
            severity: "warning",
            test: ({ meaning: { uses }, before: olds }) =>
                Number(uses) < Number(olds?.["uses"]) ? { path: "uses", reason: "fewer than before" } : undefined,
        },
    ],
);

/** The tree of the sample's properties. */
export const node = objectNode(sample);
