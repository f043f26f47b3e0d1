/** Roles of the secrets manager's login method. A write is a merge unless told otherwise: what it leaves out stays. */

import { longestLease, writeDuration } from "../durations";
import { isObject, type JsonObject } from "../json";
import { badRequest, type SimulatorError } from "../simulator-error";
import { readAddressBlocks } from "./addresses";
import { checkMount } from "./call";
import { type Field, fieldsOf, namesOf, readField, readFields, unsetOf } from "./fields";
import { type NamedObject, objectRoutes } from "./named-object";
import type { Fields } from "./records";

/** What the method is called, at whatever mount. */
export const methodName = "clouda";

const bound = fieldsOf(
    "list",
    "bound_group_ids",
    "bound_locations",
    "bound_resource_groups",
    "bound_scale_sets",
    "bound_service_principal_ids",
    "bound_subscription_ids",
);
const token: readonly Field[] = [
    ...fieldsOf("list", "token_bound_cidrs", "token_policies"),
    ...fieldsOf("duration", "token_explicit_max_ttl", "token_max_ttl", "token_period", "token_ttl"),
    ...fieldsOf("boolean", "token_no_default_policy"),
    ...fieldsOf("integer", "token_num_uses"),
    { name: "token_type", kind: "text", preset: "default" },
];
/**
 * Former names of fields. The new name wins over the former one. A former name sent sets both, and reads return it from then on; the new
 * name sent alone makes it forgotten.
 */
const formerNames: readonly (readonly [former: Field, name: string])[] = [
    [{ name: "policies", kind: "list" }, "token_policies"],
    [{ name: "num_uses", kind: "integer" }, "token_num_uses"],
    [{ name: "ttl", kind: "duration" }, "token_ttl"],
    [{ name: "max_ttl", kind: "duration" }, "token_max_ttl"],
    [{ name: "period", kind: "duration" }, "token_period"],
];
const former = formerNames.map(([field]) => field);

/** Roles. A bound list that was never sent is absent, and reads as `null`. */
export const role: NamedObject<Fields> = {
    path: "auth/:mount+/role/:name+",
    mountType: methodName,
    fields: [...bound, ...token, ...former],
    ignoresCase: true,
    in: ({ roles }) => roles,
    check: checkMount,
    write: (before, { body, vocabulary }) => {
        const sent = readFields(body, [...bound, ...token]);
        const blocks = sent["token_bound_cidrs"] && {
            token_bound_cidrs: readAddressBlocks(listIn(sent, "token_bound_cidrs")),
        };
        const stored: Fields = { ...unsetOf(token), ...before, ...sent, ...blocks };
        mergeFormerNames(stored, body);
        stored["token_type"] ||= "default";
        check(stored);
        if (vocabulary === "product") checkAsMeasured(stored, body);
        const isTooLong = Number(stored["token_max_ttl"]) > longestLease;
        return { stored, warnings: isTooLong ? [longerThanLease] : [] };
    },
    read: (stored) => {
        const unsent = Object.fromEntries(bound.map(({ name }) => [name, null]));
        const isShown = ([name, value]: [string, unknown]) =>
            !namesOf(former).has(name) || (Array.isArray(value) ? value.length > 0 : value !== 0);
        const shown = Object.entries({ ...unsent, ...stored }).filter(isShown);
        return Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1)));
    },
    // The document's table of fields: a read returns those that are stored.
    shown: () => ({ documented: namesOf([...bound, ...token, ...fieldsOf("list", "policies")]), secret: new Set() }),
};

/** The routes of roles. */
export const roleRoutes = objectRoutes(role);

const longerThanLease =
    "max_ttl is greater than the system or backend mount's maximum TTL value; issued tokens' max TTL value will be truncated";

/** A list of a role; empty if it was never sent. */
export function listIn(stored: Fields, name: string): readonly string[] {
    const value = stored[name];
    return Array.isArray(value) ? value.map(String) : [];
}

function mergeFormerNames(stored: Fields, body: JsonObject): void {
    for (const [field, name] of formerNames) {
        const sent = readField(body, { name, kind: field.kind });
        const sentFormer = readField(body, field);
        if (sentFormer !== undefined) {
            const isList = Array.isArray(sentFormer);
            const lowered = isList ? [...new Set(sentFormer.map((policy) => policy.toLowerCase()))].sort() : sentFormer;
            stored[name] = sent ?? lowered;
            stored[field.name] = stored[name];
        } else if (sent !== undefined) {
            delete stored[field.name];
        }
    }
}

/** Judges the merged role. */
function check(stored: Fields): void {
    const type = String(stored["token_type"]);
    const period = Number(stored["token_period"]);
    if (!["service", "batch", "default", "default-service", "default-batch"].includes(type)) throw invalidType(type);
    if (Number(stored["token_num_uses"]) < 0) throw badRequest("'token_num_uses' cannot be negative");
    if (period > longestLease) {
        throw badRequest(
            `token period of "${writeDuration(period)}" is greater than the backend's maximum lease TTL of "${writeDuration(longestLease)}"`,
        );
    }
}

/** What real servers want and know beyond the document. */
function checkAsMeasured(stored: Fields, body: JsonObject): void {
    const type = String(stored["token_type"]);
    const [period, uses, maxTtl, ttl] = ["token_period", "token_num_uses", "token_max_ttl", "token_ttl"].map((name) =>
        Number(stored[name]),
    );
    if (type.startsWith("default-")) throw invalidType(type);
    if (!bound.some(({ name }) => listIn(stored, name).some((value) => value !== ""))) {
        throw badRequest("must have at least one bound constraint when creating/updating a role");
    }
    if (type === "batch") {
        const reason = "'token_type' cannot be 'batch' or 'default_batch' when set to generate";
        if (Number(period) > 0) throw badRequest(`${reason} periodic tokens`);
        if (Number(uses) > 0) throw badRequest(`${reason} tokens with limited use count`);
    }
    if (Number(maxTtl) > 0 && Number(ttl) > Number(maxTtl)) {
        throw badRequest("'token_ttl' cannot be greater than 'token_max_ttl'");
    }
    const metadata = body["alias_metadata"];
    if (isObject(metadata)) {
        const entries = Object.entries(metadata).map(([name, value]): [string, string] => [name, String(value)]);
        stored["alias_metadata"] = Object.fromEntries(entries);
    }
}

function invalidType(type: string): SimulatorError {
    return badRequest(`invalid 'token_type' value "${type}"`);
}
