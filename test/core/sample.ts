/** A made-up object with a field of every sort: the frame is tested without the real resources. */

import { type Fields, field, type Rule } from "../../src/core/field";
import {
    caselessText,
    choice,
    cidrs,
    count,
    duration,
    flag,
    jsonDocument,
    names,
    separatedNames,
    slashTrimmed,
    text,
    textMaps,
} from "../../src/core/kind";
import { variants } from "../../src/core/meaning";

const storage = variants(
    {
        folder: {
            doc: "A folder.",
            fields: {
                path: field(text({ pattern: /^\//, must: "must begin with /" }), {
                    doc: "Path.",
                    wire: "path",
                    required: true,
                }),
                space: field(count(1), { doc: "Bytes.", wire: "space", default: 1000 }),
                key: field(text(), { doc: "Key.", wire: "folder_key", default: "", secret: true }),
            },
            rules: [
                {
                    uses: ["space"],
                    severity: "warning",
                    test: (values, olds) =>
                        Number(values["space"]) < Number(olds?.["space"]) ? "space: less than before" : undefined,
                },
            ],
        },
        bucket: {
            doc: "A bucket.",
            fields: {
                bucket: field(text(), { doc: "Name.", wire: "bucket", required: true }),
                key: field(text(), { doc: "Key.", wire: "key", default: "", secret: true }),
                document: field(jsonDocument, { doc: "Account.", wire: "document", default: "", secret: true }),
                encrypted: field(flag, { doc: "Encrypts.", wire: "encrypted", default: false }),
                keyName: field(text(), { doc: "Name of the key.", wire: "key_name", default: "" }),
            },
            rules: [
                {
                    uses: ["encrypted", "keyName"],
                    test: (values) =>
                        values["keyName"] && values["encrypted"] !== true ? "keyName: needs encrypted" : undefined,
                },
            ],
        },
    },
    { doc: "Where it goes." },
);

export const fields = {
    mount: field(slashTrimmed("must be a path"), { doc: "Mount.", replaces: true, settled: true }),
    name: field(caselessText({ pattern: /^\w+$/, must: "must be a word" }), {
        doc: "Name.",
        required: true,
        replaces: true,
    }),
    label: field(text(), { doc: "Label.", wire: "label", defaultFrom: "name", replaces: "documented" }),
    groups: field(names, { doc: "Groups.", wire: "groups", default: [] }),
    policies: field(separatedNames, { doc: "Policies.", wire: "token_policies", default: [] }),
    oldPolicies: field(separatedNames, { doc: "Policies.", oldSpellingOf: "policies", deprecated: "use policies" }),
    ttl: field(duration(), { doc: "Lifetime.", wire: "ttl", default: 0 }),
    maxTtl: field(duration(), { doc: "Most.", wire: "max_ttl", default: 0 }),
    blocks: field(cidrs, { doc: "Blocks.", wire: "blocks", default: [] }),
    places: field(textMaps, { doc: "Places.", wire: "places", default: [] }),
    uses: field(count(), { doc: "Uses.", wire: "uses", default: 0 }),
    sort: field(choice(["service", "batch", "default"]), { doc: "Sort.", wire: "sort", default: "default" }),
    note: field(count(), { doc: "A note.", wire: "note", sparse: true }),
    password: field(text(), { doc: "Password.", wire: "password", default: "", secret: true }),
    storage,
    adopt: field(flag, { doc: "Takes over.", option: true, default: false }),
    wait: field(duration(), { doc: "Waits.", option: true, default: 0 }),
    connection: field(text(), { doc: "Connection.", option: true }),
    lockMark: field(text(), { doc: "Mark.", hidden: true }),
} as const satisfies Fields;

export const rules: readonly Rule[] = [
    {
        uses: ["ttl", "maxTtl"],
        test: (values) =>
            Number(values["ttl"] ?? 0) > Number(values["maxTtl"] ?? Number.POSITIVE_INFINITY)
                ? "ttl: must not be greater than maxTtl"
                : undefined,
    },
    {
        uses: ["uses"],
        severity: "warning",
        test: (values, olds) =>
            Number(values["uses"]) < Number(olds?.["uses"]) ? "uses: fewer than before" : undefined,
    },
];
