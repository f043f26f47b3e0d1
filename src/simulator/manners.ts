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

import { isObject } from "./json";
import { SimulatorError } from "./simulator-error";

const objects = [
    ["merges", "replaces"],
    ["tells-all", "tells-documented", "tells-nothing-empty"],
    ["shows-secrets", "masks-secrets"],
] as const;
const locks = [
    ["keeps-reasons", "shortens-reasons", "drops-reasons"],
    ["tells-holders", "hides-holders"],
] as const;
const groups = { manager: objects, volumes: objects, stateVersions: locks } as const;

/** A manner. */
export type Manner = (typeof objects)[number][number] | (typeof locks)[number][number];

/** The manners of a service. */
export type Manners = readonly Manner[];

/** Manners by the names of services. */
export type MannersByService = { readonly [Service in keyof typeof groups]?: Manners };

const usage = Object.entries(groups)
    .map(([service, choices]) => `${service}: ${choices.map((group) => group.join(" or ")).join("; ")}`)
    .join(" | ");

/** Reads manners such as `{"manager": ["replaces", "masks-secrets"]}`. Throws an error that says what is wrong with them. */
export function readManners(value: unknown): MannersByService {
    if (!isObject(value)) throw wrong("manners are an object of lists");
    return Object.fromEntries(
        Object.entries(value).map(([service, names]) => {
            const own = Object.entries(groups).find(([name]) => name === service)?.[1];
            if (own === undefined) throw wrong(`there is no service ${service} with manners`);
            if (!Array.isArray(names)) throw wrong(`the manners of ${service} are a list`);
            return [service, chosen(own, names)];
        }),
    );
}

/** The same from strings of the command line, such as `manager=replaces,masks-secrets`. */
export function readMannersFlags(flags: readonly string[]): MannersByService {
    const value: Record<string, string[]> = {};
    for (const flag of flags) {
        const [service = "", names = ""] = flag.split("=");
        value[service] = [...(value[service] ?? []), ...names.split(",")];
    }
    return readManners(value);
}

function chosen(own: readonly Manners[], names: readonly unknown[]): Manners {
    const found = own.flatMap((group) => {
        const some = group.filter((manner) => names.includes(manner));
        if (some.length > 1) throw wrong(`only one of ${some.join(" and ")} is possible`);
        return some;
    });
    const other = names.find((name) => !found.some((manner) => manner === name));
    if (other !== undefined) throw wrong(`${JSON.stringify(other)} is not a manner`);
    return found;
}

function wrong(reason: string): SimulatorError {
    return new SimulatorError(400, `${reason} (${usage})`);
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
