/** The inputs of a made-up resource with a property of every sort: the frame is tested without the real resources. */

import * as z from "zod";
import { property, withRules } from "../../src/schema/facts";
import {
    asCidrs,
    asJson,
    asSet,
    cidrs,
    duration,
    ignoringCase,
    jsonDocument,
    names,
    separatedNames,
    slashTrimmed,
    stringMap,
    stringOf,
    wholeNumber,
} from "../../src/schema/property-types";
import { adoptProperty, connectionProperty } from "../../src/services/shared-options";

const folder = property(
    z.strictObject({
        type: property(z.literal("folder"), { description: "Which form this is.", wire: "type" }),
        path: property(stringOf(/^\//, "must begin with /"), { description: "Path.", wire: "path" }),
        space: property(wholeNumber(1).optional(), { description: "Bytes.", wire: "space", default: 1000 }),
        key: property(z.string().optional(), { description: "Key.", wire: "folder_key", default: "", secret: true }),
    }),
    {
        description: "A folder.",
        rules: [
            {
                uses: ["space"],
                severity: "warning",
                test: ({ space }, olds) =>
                    Number(space) < Number(olds?.["space"]) ? { path: "space", reason: "less than before" } : undefined,
            },
        ],
    },
);

const bucket = property(
    z.strictObject({
        type: property(z.literal("bucket"), { description: "Which form this is.", wire: "type" }),
        bucket: property(z.string(), { description: "Name.", wire: "bucket" }),
        key: property(z.string().optional(), { description: "Key.", wire: "key", default: "", secret: true }),
        document: property(jsonDocument.optional(), {
            description: "Account.",
            wire: "document",
            default: "",
            secret: true,
            equality: asJson,
        }),
        encrypted: property(z.boolean().optional(), { description: "Encrypts.", wire: "encrypted", default: false }),
        keyName: property(z.string().optional(), { description: "Name of the key.", wire: "key_name", default: "" }),
    }),
    {
        description: "A bucket.",
        rules: [
            {
                uses: ["encrypted", "keyName"],
                test: ({ keyName, encrypted }) =>
                    keyName && encrypted !== true ? { path: "keyName", reason: "needs encrypted" } : undefined,
            },
        ],
    },
);

const shape = {
    mount: property(slashTrimmed("must be a path").optional(), {
        description: "Mount.",
        immutable: true,
        sticky: true,
    }),
    name: property(stringOf(/^\w+$/, "must be a word"), {
        description: "Name.",
        immutable: true,
        equality: ignoringCase,
    }),
    label: property(z.string().optional(), {
        description: "Label.",
        wire: "label",
        defaultFrom: { description: "the name", of: ({ name }) => name },
        immutable: true,
    }),
    groups: property(names.optional(), { description: "Groups.", wire: "groups", default: [], equality: asSet }),
    policies: property(separatedNames.optional(), {
        description: "Policies.",
        wire: "token_policies",
        default: [],
        equality: asSet,
    }),
    oldPolicies: property(separatedNames.optional(), {
        description: "Policies.",
        aliasOf: "policies",
        deprecated: "use policies",
    }),
    ttl: property(duration().optional(), { description: "Lifetime.", wire: "ttl", default: 0 }),
    maxTtl: property(duration().optional(), { description: "Most.", wire: "max_ttl", default: 0 }),
    blocks: property(cidrs.optional(), { description: "Blocks.", wire: "blocks", default: [], equality: asCidrs }),
    places: property(z.array(stringMap).optional(), {
        description: "Places.",
        wire: "places",
        default: [],
        equality: asSet,
    }),
    uses: property(wholeNumber().optional(), { description: "Uses.", wire: "uses", default: 0 }),
    sort: property(z.enum(["service", "batch", "default"]).optional(), {
        description: "Sort.",
        wire: "sort",
        default: "default",
    }),
    note: property(wholeNumber().optional(), { description: "A note.", wire: "note", leaveAlone: true }),
    password: property(z.string().optional(), {
        description: "Password.",
        wire: "password",
        default: "",
        secret: true,
    }),
    storage: property(z.discriminatedUnion("type", [folder, bucket]).optional(), {
        description: "Where it goes.",
        wire: "storage",
    }),
    adopt: adoptProperty,
    wait: property(duration().optional(), { description: "Waits.", option: true, default: 0 }),
    connection: connectionProperty,
};

export const inputs = withRules(z.strictObject(shape), [
    {
        uses: ["ttl", "maxTtl"],
        test: ({ ttl, maxTtl }, _, written) =>
            written["maxTtl"] !== undefined && Number(ttl) > Number(maxTtl)
                ? { path: "ttl", reason: "must not be greater than maxTtl" }
                : undefined,
    },
    {
        uses: ["uses"],
        severity: "warning",
        test: ({ uses }, olds) =>
            Number(uses) < Number(olds?.["uses"]) ? { path: "uses", reason: "fewer than before" } : undefined,
    },
]);

/** The same with a lock, which statecraft marks. */
export const withLock = z.strictObject({
    ...shape,
    lock: property(z.boolean().optional(), { description: "Locks.", option: true, default: true }),
    lockMark: property(z.string().optional(), { description: "Mark.", internal: true }),
});
