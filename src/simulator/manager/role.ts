/** Roles of the secrets manager's login method. A write does not change fields that its body omits. */

import { z } from "zod";
import { badRequest, validated } from "../refusal";
import { checkMount } from "./call";
import { type Field, fieldsOf, readFields, unsetOf } from "./fields";
import type { NamedObject } from "./named-object";
import type { Fields } from "./records";

/** The longest lease that the secrets manager gives, in seconds. */
export const longestLease = 768 * 3600;

const bound = fieldsOf(
    "list",
    ...["bound_group_ids", "bound_locations", "bound_resource_groups", "bound_scale_sets"],
    ...["bound_service_principal_ids", "bound_subscription_ids"],
);
const token: readonly Field[] = [
    ...fieldsOf("list", "token_bound_cidrs", "token_policies"),
    ...fieldsOf("duration", "token_explicit_max_ttl", "token_max_ttl", "token_period", "token_ttl"),
    ...fieldsOf("boolean", "token_no_default_policy"),
    ...fieldsOf("integer", "token_num_uses"),
    { name: "token_type", kind: "text", preset: "default" },
];
const types = ["service", "batch", "default", "default-service", "default-batch"];
const longerThanLease = "max_ttl is greater than the system or backend mount's maximum TTL value";

/** Roles. A list of bound values that no write has set is absent in the store, and `null` in reads. */
export const role: NamedObject<Fields> = {
    path: "auth/:mount/role/:name",
    ignoresCase: true,
    in: ({ roles }) => roles,
    check: checkMount,
    write: (before, { body, names }) => {
        const { policies, alias_metadata: metadata } = body;
        const deprecated = policies === undefined ? {} : { token_policies: policies };
        const sent = readFields({ ...deprecated, ...body }, [...bound, ...token]);
        const stored: Fields = { ...unsetOf(token, names), ...before, ...sent };
        stored["token_type"] ||= "default";
        stored["token_bound_cidrs"] = listIn(stored, "token_bound_cidrs").map(withoutSingleMask);
        if (!types.includes(String(stored["token_type"]))) {
            throw badRequest(`invalid 'token_type' value "${stored["token_type"]}"`);
        }
        if (names === "product") {
            requireBoundValue(stored);
            if (metadata) stored["alias_metadata"] = validated(z.record(z.string(), z.string()), metadata);
        }
        return { stored, warnings: Number(stored["token_max_ttl"]) > longestLease ? [longerThanLease] : [] };
    },
    read: (stored) => ({ ...Object.fromEntries(bound.map(({ name }) => [name, null])), ...stored }),
};

/** A list of a role; empty if it was never sent. */
export function listIn(stored: Fields, name: string): readonly string[] {
    const value = stored[name];
    return Array.isArray(value) ? value.map(String) : [];
}

const withoutSingleMask = (block: string): string => block.replace(block.includes(":") ? /\/128$/ : /\/32$/, "");

/** Refuses a role without bound values, as Vault does. The API documents do not require one. */
function requireBoundValue(stored: Fields): void {
    if (bound.some(({ name }) => listIn(stored, name).some((value) => value !== ""))) return;
    throw badRequest("must have at least one bound constraint when creating/updating a role");
}
