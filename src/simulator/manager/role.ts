/** Roles of the secrets manager's login method. A write does not change fields that its body omits. */

import { z } from "zod";
import { badRequest, refuse, validated } from "../refusal";
import { checkMount } from "./call";
import { shownBlock } from "./cidr-block";
import { type Field, fieldsOf, readFields, unsetOf } from "./fields";
import type { NamedObject } from "./named-object";
import { type Fields, longestLease } from "./records";

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
    write: (before, { body, names, store, mount }) => {
        const { policies, alias_metadata: metadata } = body;
        const deprecated = policies === undefined ? {} : { token_policies: policies };
        const sent = readFields({ ...deprecated, ...body }, [...bound, ...token]);
        const stored: Fields = { ...unsetOf(token, names), ...before, ...sent };
        stored["token_type"] ||= "default";
        if (sent["token_bound_cidrs"]) {
            const shown = names === "product" ? shownBlock : withoutSingleMask;
            stored["token_bound_cidrs"] = listIn(sent, "token_bound_cidrs").map(shown);
        }
        if (!types.includes(String(stored["token_type"]))) {
            throw badRequest(`invalid 'token_type' value "${stored["token_type"]}"`);
        }
        const longest = store.mounts[mount] ?? longestLease;
        if (names === "product") {
            checkAsVault(stored, longest);
            if (metadata) stored["alias_metadata"] = validated(z.record(z.string(), z.string()), metadata);
        }
        return { stored, warnings: Number(stored["token_max_ttl"]) > longest ? [longerThanLease] : [] };
    },
    read: (stored) => ({ ...Object.fromEntries(bound.map(({ name }) => [name, null])), ...stored }),
};

/** A list of a role; empty if it was never sent. */
export function listIn(stored: Fields, name: string): readonly string[] {
    const value = stored[name];
    return Array.isArray(value) ? value.map(String) : [];
}

const withoutSingleMask = (block: string): string => block.replace(block.includes(":") ? /\/128$/ : /\/32$/, "");

/** Refuses what Vault refuses and the API documents allow. Stored values count too. */
function checkAsVault(stored: Fields, longest: number): void {
    const [type, isBatch] = [String(stored["token_type"]), stored["token_type"] === "batch"];
    const [uses, period] = [Number(stored["token_num_uses"]), Number(stored["token_period"])];
    const [ttl, maxTtl] = [Number(stored["token_ttl"]), Number(stored["token_max_ttl"])];
    const batch = "'token_type' cannot be 'batch' or 'default_batch' when set to generate";
    refuse(
        400,
        [type.startsWith("default-"), `invalid 'token_type' value "${type}"`],
        // Larger numbers overflow.
        [uses < 0 || uses >= 2 ** 63, "'token_num_uses' cannot be negative"],
        [isBatch && period > 0, `${batch} periodic tokens`],
        [isBatch && uses > 0, `${batch} tokens with limited use count`],
        [maxTtl > 0 && ttl > maxTtl, "'token_ttl' cannot be greater than 'token_max_ttl'"],
        [
            period > longest,
            `token period of "${goDuration(period)}" is greater than the backend's maximum lease TTL of "${goDuration(longest)}"`,
        ],
        [
            bound.every(({ name }) => listIn(stored, name).every((value) => value === "")),
            "must have at least one bound constraint when creating/updating a role",
        ],
    );
}

/** Seconds as Go writes a duration of an hour or more, such as `768h0m0s`. */
const goDuration = (seconds: number) =>
    `${Math.floor(seconds / 3600)}h${Math.floor(seconds / 60) % 60}m${seconds % 60}s`;
