/** A schema with every kind of fact, at every depth. */

import * as z from "zod";
import { property, withRules } from "../../src/schema/facts";
import { objectNode } from "../../src/schema/node";
import {
    asSet,
    duration,
    ignoringCase,
    names,
    nonEmptyString,
    separatedNames,
    stringMap,
    wholeNumber,
} from "../../src/schema/property-types";

const tap = z.strictObject({
    type: property(z.enum(["tap", "faucet"]), { description: "Which form this is.", wire: "kind" }),
    size: property(wholeNumber(1), { description: "Bore.", wire: "Size" }),
    code: property(z.string().optional(), { description: "Opens it.", wire: "Code", secret: true, default: "" }),
});
const valve = z.strictObject({
    type: property(z.literal("valve"), { description: "Which form this is.", wire: "kind" }),
    turns: property(z.number().optional(), { description: "How far it opens.", wire: "Turns", default: 1.5 }),
});

export const sample = withRules(
    z.strictObject({
        name: property(nonEmptyString, { description: "Name.", immutable: true, equality: ignoringCase }),
        title: property(z.string().optional(), {
            description: "Shown to people.",
            wire: "Title",
            defaultFrom: { description: "the name", of: ({ name }) => name },
        }),
        ttl: property(duration().optional(), { description: "Lifetime.", wire: "TTL", default: 0 }),
        groups: property(names.optional(), { description: "Groups.", wire: "Groups", default: [], equality: asSet }),
        policies: property(separatedNames.optional(), {
            description: "Policies.",
            wire: "Policies",
            default: [],
            equality: asSet,
        }),
        oldPolicies: property(separatedNames.optional(), {
            description: "Former name.",
            aliasOf: "policies",
            deprecated: "use policies",
        }),
        outlet: property(z.discriminatedUnion("type", [tap, valve]).optional(), {
            description: "Where it comes out.",
            wire: "Outlet",
        }),
        pipes: property(
            z
                .array(
                    z.strictObject({
                        from: property(z.string(), { description: "Begin.", wire: "From" }),
                        key: property(z.string().optional(), { description: "Key.", wire: "Key", secret: true }),
                        length: property(wholeNumber().optional(), {
                            description: "Length.",
                            wire: "Length",
                            default: 1,
                        }),
                    }),
                )
                .min(1)
                .optional(),
            { description: "Pipes.", wire: "Pipes" },
        ),
        labels: property(stringMap.optional(), { description: "Labels.", wire: "Labels", default: {} }),
        password: property(z.string().optional(), {
            description: "Password.",
            wire: "Password",
            secret: true,
            writeOnly: true,
        }),
        region: property(z.string().optional(), {
            description: "Region.",
            wire: "Region",
            immutable: true,
            sticky: true,
        }),
        beta: property(z.boolean().optional(), {
            description: "Only there.",
            wire: "Beta",
            default: false,
        }),
        force: property(z.boolean().optional(), { description: "Option.", option: true, default: false }),
    }),
    [
        {
            uses: ["ttl", "groups"],
            test: ({ ttl, groups }) =>
                Number(ttl) > 60 && Array.isArray(groups) && groups.length === 0
                    ? { path: "ttl", reason: "needs a group" }
                    : undefined,
        },
        {
            uses: ["labels"],
            severity: "warning",
            test: ({ labels }) =>
                JSON.stringify(labels) === '{"old":"x"}' ? { path: "labels", reason: "are advised" } : undefined,
        },
    ],
);

/** The node of the sample. */
export const sampleNode = objectNode(sample);
