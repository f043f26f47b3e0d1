/** The fields of a role: how a write is merged into what is stored, what is refused, and how they read. */

import type { Telling } from "../manners";
import type { Vocabulary } from "../vocabulary";
import { readAddressBlocks } from "./addresses";
import { longestLease, writeDuration } from "./durations";
import type { StoredRole, TokenFields } from "./records";
import { RefusedValue, readField } from "./values";

const boundLists = [
    "bound_group_ids",
    "bound_locations",
    "bound_resource_groups",
    "bound_scale_sets",
    "bound_service_principal_ids",
    "bound_subscription_ids",
] as const;
/** Old spellings of durations. */
const oldDurations = [
    ["ttl", "token_ttl"],
    ["max_ttl", "token_max_ttl"],
    ["period", "token_period"],
] as const;
const tokenTypes: ReadonlySet<string> = new Set(["service", "batch", "default", "default-service", "default-batch"]);
const batchTypes: ReadonlySet<string> = new Set(["batch", "default-batch"]);
const longerThanLease =
    "max_ttl is greater than the system or backend mount's maximum TTL value; issued tokens' max TTL value will be truncated";

const newToken: TokenFields = {
    token_bound_cidrs: [],
    token_explicit_max_ttl: 0,
    token_max_ttl: 0,
    token_no_default_policy: false,
    token_num_uses: 0,
    token_period: 0,
    token_policies: [],
    token_ttl: 0,
    token_type: "default",
};
/** The names of all fields. */
export const roleFieldNames: ReadonlySet<string> = new Set([
    ...boundLists,
    ...Object.keys(newToken),
    ...oldDurations.map(([old]) => old),
    "policies",
    "num_uses",
]);

/** The document's table of fields: a read returns those that are stored. */
export const roleTelling: Telling = {
    documented: new Set([...boundLists, ...Object.keys(newToken), "policies"]),
    secret: new Set(),
};

/** What a read shows, in the order of the alphabet. */
export function readableRole(role: StoredRole): object {
    const old = Object.entries(role.old).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== 0));
    const bound = boundLists.map((field): [string, unknown] => [field, role.bound[field] ?? null]);
    const alias: [string, unknown][] = role.aliasMetadata ? [["alias_metadata", role.aliasMetadata]] : [];
    const fields: [string, unknown][] = [...bound, ...Object.entries(role.token), ...old, ...alias];
    return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A role after a write, and what the manager warns of. Throws {@link RefusedValue}. */
export function mergeRole(
    before: StoredRole | undefined,
    body: Readonly<Record<string, unknown>>,
    vocabulary: Vocabulary,
): { role: StoredRole; warnings: string[] } {
    const role: StoredRole = structuredClone(before ?? { bound: {}, token: newToken, old: {} });
    for (const field of boundLists) {
        const sent = readField(body, field, "list");
        if (sent !== undefined) role.bound[field] = sent;
    }
    mergeToken(role.token, body);
    mergeOldSpellings(role, body);
    check(role.token);
    if (vocabulary === "product") checkAsMeasured(role, body);
    return { role, warnings: role.token.token_max_ttl > longestLease ? [longerThanLease] : [] };
}

function mergeToken(token: TokenFields, body: Readonly<Record<string, unknown>>): void {
    const blocks = readField(body, "token_bound_cidrs", "list");
    if (blocks !== undefined) token.token_bound_cidrs = readAddressBlocks(blocks);
    token.token_explicit_max_ttl =
        readField(body, "token_explicit_max_ttl", "duration") ?? token.token_explicit_max_ttl;
    token.token_no_default_policy =
        readField(body, "token_no_default_policy", "boolean") ?? token.token_no_default_policy;
    token.token_type = (readField(body, "token_type", "text") ?? token.token_type) || "default";
}

function mergeOldSpellings(role: StoredRole, body: Readonly<Record<string, unknown>>): void {
    const { token, old } = role;
    const oldPolicies = readField(body, "policies", "list");
    token.token_policies = mergeSpellings(
        old,
        "policies",
        token.token_policies,
        readField(body, "token_policies", "list"),
        oldPolicies && [...new Set(oldPolicies.map((policy) => policy.toLowerCase()))].sort(),
    );
    token.token_num_uses = mergeSpellings(
        old,
        "num_uses",
        token.token_num_uses,
        readField(body, "token_num_uses", "integer"),
        readField(body, "num_uses", "integer"),
    );
    for (const [oldName, name] of oldDurations) {
        const sent = readField(body, name, "duration");
        token[name] = mergeSpellings(old, oldName, token[name], sent, readField(body, oldName, "duration"));
    }
}

/** The new spelling wins over the old one, and sent alone makes it forgotten; the old one sent alone sets both. */
function mergeSpellings<Value extends string[] | number>(
    old: StoredRole["old"],
    oldName: string,
    current: Value,
    sent: Value | undefined,
    sentOld: Value | undefined,
): Value {
    const value = sent ?? sentOld ?? current;
    if (sentOld !== undefined) old[oldName] = value;
    else if (sent !== undefined) delete old[oldName];
    return value;
}

/** What real servers want and know beyond the document. */
function checkAsMeasured(role: StoredRole, body: Readonly<Record<string, unknown>>): void {
    if (role.token.token_type.startsWith("default-")) {
        throw new RefusedValue(`invalid 'token_type' value "${role.token.token_type}"`);
    }
    if (!Object.values(role.bound).some((values) => values.some((value) => value !== ""))) {
        throw new RefusedValue("must have at least one bound constraint when creating/updating a role");
    }
    checkTogether(role.token);
    const metadata = body["alias_metadata"];
    if (typeof metadata === "object" && metadata !== null) {
        role.aliasMetadata = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)]));
    }
}

/** What does not go together, as real servers have it. */
function checkTogether(token: TokenFields): void {
    if (batchTypes.has(token.token_type)) {
        const refused = "'token_type' cannot be 'batch' or 'default_batch' when set to generate";
        if (token.token_period > 0) throw new RefusedValue(`${refused} periodic tokens`);
        if (token.token_num_uses > 0) throw new RefusedValue(`${refused} tokens with limited use count`);
    }
    if (token.token_max_ttl > 0 && token.token_ttl > token.token_max_ttl) {
        throw new RefusedValue("'token_ttl' cannot be greater than 'token_max_ttl'");
    }
}

/** Judges the merged role. */
function check(token: TokenFields): void {
    if (!tokenTypes.has(token.token_type)) throw new RefusedValue(`invalid 'token_type' value "${token.token_type}"`);
    if (token.token_num_uses < 0) throw new RefusedValue("'token_num_uses' cannot be negative");
    if (token.token_period > longestLease) {
        throw new RefusedValue(
            `token period of "${writeDuration(token.token_period)}" is greater than the backend's maximum lease TTL of "${writeDuration(longestLease)}"`,
        );
    }
}
