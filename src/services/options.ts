/** Options that several resources share. */

import * as z from "zod";
import { field } from "../core/field";
import { duration, flag, json, text } from "../core/kind";

/** Takes over an object that exists already. */
export const adoptField = field(flag, {
    option: true,
    default: false,
    doc: "Takes over an object that exists already, and overwrites it with what is declared here. Off by default: an existing object is an error.",
});

const anyDuration = duration().schema;
const times = z.strictObject({ create: anyDuration, update: anyDuration, delete: anyDuration }).partial();

/** How long the verbs may wait. */
export const timeoutsField = field(
    json(
        "{ create?: number | string; update?: number | string; delete?: number | string }",
        z.custom<z.infer<typeof times>>((value) => times.safeParse(value).success, {
            error: "must be an object of durations, by the verbs create, update and delete",
        }),
    ),
    {
        option: true,
        doc: "Longest time that waiting may take in each verb. The resource option `customTimeouts` sets it too.",
    },
);

/** Values of the user's choice: a change of them does the deed again. */
export const triggersField = (again: string) =>
    field(json("readonly unknown[]", z.array(z.unknown(), { error: "must be a list" })), {
        doc: `Any values: a change of them ${again} again.`,
        default: [],
    });

/** Chooses the server. */
export const connectionField = field(text(), {
    option: true,
    doc: "Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings.",
});
