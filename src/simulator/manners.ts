/**
 * Manners: how servers differ where the documents leave it open. Each service has at most one manner of each group; of a group that is not
 * named, it does what its document or real servers suggest.
 *
 * | group                            | manners                                                  | services         |
 * |----------------------------------|----------------------------------------------------------|------------------|
 * | what a write leaves out          | `merges` keeps it, `replaces` resets it                  | manager, volumes |
 * | what a read returns              | `tells-all`, `tells-documented`, `tells-nothing-empty`   | manager, volumes |
 * | a secret that is set             | `shows-secrets`, `masks-secrets`                         | manager, volumes |
 * | the reason of a workspace's lock | `keeps-reasons`, `shortens-reasons`, `drops-reasons`     | stateVersions    |
 * | the holder of a workspace's lock | `tells-holders`, `hides-holders`                         | stateVersions    |
 */

import { z } from "zod";
import { validated } from "./control-route";

const objects = [
    ["merges", "replaces"],
    ["tells-all", "tells-documented", "tells-nothing-empty"],
    ["shows-secrets", "masks-secrets"],
] as const;
const locks = [
    ["keeps-reasons", "shortens-reasons", "drops-reasons"],
    ["tells-holders", "hides-holders"],
] as const;

/** A list with at most one of each group. */
function chosenOf<Name extends string>(groups: readonly (readonly Name[])[]) {
    const usage = `one of each: ${groups.map((group) => group.join(" or ")).join("; ")}`;
    const known = new Set<unknown>(groups.flat());
    const isChosen = (value: unknown) =>
        Array.isArray(value) &&
        value.every((name) => known.has(name)) &&
        groups.every((group) => group.filter((name) => value.includes(name)).length <= 1);
    return z.custom<readonly Name[]>(isChosen, usage).optional();
}

const services = {
    manager: chosenOf(objects),
    volumes: chosenOf(objects),
    stateVersions: chosenOf(locks),
};

/** Manners such as `{"manager": ["replaces", "masks-secrets"]}`. */
export const mannersByService = z.strictObject(services, {
    error: ({ code }) =>
        code === "unrecognized_keys" ? `manners are of a service: ${Object.keys(services).join(", ")}` : undefined,
});

/** A manner. */
export type Manner = (typeof objects)[number][number] | (typeof locks)[number][number];

/** The manners of a service. */
export type Manners = readonly Manner[];

/** Manners by the names of services. */
export type MannersByService = { readonly [Service in keyof z.output<typeof mannersByService>]?: Manners | undefined };

/** Reads manners from strings of the command line, such as `manager=replaces,masks-secrets`. Throws an error that says what is wrong with them. */
export function readMannersFlags(flags: readonly string[]): MannersByService {
    const value: Record<string, string[]> = {};
    for (const flag of flags) {
        const [service = "", names = ""] = flag.split("=");
        value[service] = [...(value[service] ?? []), ...names.split(",")];
    }
    return validated(mannersByService, value);
}

/** What the documents say of an object's fields in an answer to a read. */
export interface ReadFields {
    /** The fields that are returned. */
    readonly documented: ReadonlySet<string>;
    /** Those of all fields that are secret. */
    readonly secret: ReadonlySet<string>;
}

const isEmpty = (value: unknown): boolean => !value || (typeof value === "object" && Object.keys(value).length === 0);

/** What a server of these manners returns of an object. */
export function asRead(manners: Manners, data: object, { documented, secret }: ReadFields): Record<string, unknown> {
    const isReturned = (name: string, value: unknown) =>
        manners.includes("tells-documented")
            ? documented.has(name)
            : !(manners.includes("tells-nothing-empty") && isEmpty(value));
    const isMasked = (name: string, value: unknown) =>
        manners.includes("masks-secrets") && secret.has(name) && !isEmpty(value);
    const returned = Object.entries(data).filter(([name, value]) => isReturned(name, value));
    return Object.fromEntries(returned.map(([name, value]) => [name, isMasked(name, value) ? "****" : value]));
}
