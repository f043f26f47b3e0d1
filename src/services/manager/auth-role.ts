/** AuthRole: which machines may log in through the azure auth method, and what their tokens may do (document "Secrets Manager", Role). */

import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { defineFunction, lookupOf } from "../../core/functions";
import { type IdParts, identity } from "../../core/identity";
import { defineListing, defineNamed, type NamedResource } from "../../core/resource";
import { property, type Rule, warnAbout, withRules } from "../../schema/property";
import {
    asCidrs,
    asSet,
    cidrs,
    duration,
    ignoringCase,
    names,
    pathSegment,
    separatedNames,
    stringMap,
    wholeNumber,
} from "../../schema/property-types";
import { atMount, type Mount, mountId, mountOf, mountProperties, mountTypes } from "./mount";
import { dataOf, listNames, manager, showWarnings, type VaultDefaults, warnOfName } from "./service";

// A write sends the whole role, so it may be repeated.
const write = endpoint("POST /v1/auth/{+mount}/role/{name}", "always");
const show = endpoint("GET /v1/auth/{+mount}/role/{name}");
const remove = endpoint("DELETE /v1/auth/{+mount}/role/{name}");
const list = endpoint("LIST /v1/auth/{+mount}/role");

const boundTo = (wire: string, what: string, more = "") =>
    property(names.optional(), {
        wire,
        default: [],
        equality: asSet,
        description: `Only machines with one of these ${what} may log in. Omitted or empty: no restriction.${more}`,
    });

const anyIdentity = " Without service principals and groups, Vault rejects every login.";

const namesMachine =
    " The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as " +
    "`https://management.azure.com/`";
const orResource = `${namesMachine}, or the login must send \`resourceId\` instead of a machine's name.`;

const bounds = {
    boundServicePrincipalIds: boundTo("bound_service_principal_ids", "service principal IDs", anyIdentity),
    boundGroupIds: boundTo("bound_group_ids", "group IDs", anyIdentity),
    boundLocations: boundTo("bound_locations", "locations", orResource),
    boundSubscriptionIds: boundTo("bound_subscription_ids", "subscription IDs", orResource),
    boundResourceGroups: boundTo("bound_resource_groups", "resource groups", orResource),
    boundScaleSets: boundTo("bound_scale_sets", "scale set names", `${namesMachine}.`),
};

const lifetime = (wire: string, description: string) =>
    property(duration().optional(), {
        wire,
        default: 0,
        description: `${description} Whole seconds, or a string such as \`1h\`. 0: not set.`,
    });

const properties = {
    ...mountProperties,
    name: property(pathSegment, {
        description: "Name of the role, case-insensitive.",
        immutable: true,
        equality: ignoringCase,
    }),
    ...bounds,
    tokenTtl: lifetime("token_ttl", "Lifetime of tokens, and by how much a renewal extends it."),
    tokenMaxTtl: lifetime("token_max_ttl", "Maximum lifetime of tokens. A renewal uses the current value."),
    tokenPolicies: property(separatedNames.optional(), {
        wire: "token_policies",
        default: [],
        equality: asSet,
        description: "Policies of tokens: a list, or a string with commas.",
    }),
    policies: property(separatedNames.optional(), {
        deprecated: true,
        description: "Deprecated: use `tokenPolicies`.",
    }),
    tokenBoundCidrs: property(cidrs.optional(), {
        wire: "token_bound_cidrs",
        default: [],
        equality: asCidrs,
        description: "CIDR blocks from which logins and tokens are accepted: a list, or a string with commas.",
    }),
    tokenExplicitMaxTtl: lifetime("token_explicit_max_ttl", "Maximum lifetime of tokens that no renewal exceeds."),
    tokenNoDefaultPolicy: property(z.boolean().optional(), {
        wire: "token_no_default_policy",
        default: false,
        description: "Whether tokens lack the policy `default`.",
    }),
    tokenNumUses: property(wholeNumber().optional(), {
        wire: "token_num_uses",
        default: 0,
        description: "How often a token may be used. 0: unlimited, which tokens that create child tokens need.",
    }),
    tokenPeriod: lifetime("token_period", "Maximum period of periodic tokens."),
    tokenType: property(z.enum(["service", "batch", "default", "default-service", "default-batch"]).optional(), {
        wire: "token_type",
        wireForm: { decode: (answer) => answer || "default" },
        default: "default",
        description: "Type of tokens. `default` is that of the mount, normally `service`. Machines should use `batch`.",
    }),
    maxTtl: property(duration().optional(), { deprecated: true, description: "Deprecated: use `tokenMaxTtl`." }),
    maxJwtExp: property(wholeNumber().optional(), {
        wire: "max_jwt_exp",
        large: true,
        leaveAlone: true,
        description: "Sent as `max_jwt_exp` if given. Vault ignores it.",
    }),
    aliasMetadata: property(stringMap.optional(), {
        wire: "alias_metadata",
        equality: (metadata) => (isDeepStrictEqual(metadata, {}) ? undefined : metadata),
        description:
            "Metadata of the entity aliases, as key-value pairs. Vault 1.21 or newer; a Vault 1.21.0 that is built from its " +
            "published modules ignores it, and `up` warns that the value is not shown.",
    }),
};

/** Deprecated inputs and their replacements. Requests and state contain only the replacements. */
const formerNames: Readonly<Record<string, string>> = { policies: "tokenPolicies", maxTtl: "tokenMaxTtl" };

const givenOnce = Object.entries(formerNames).map(
    ([former, name]): Rule => ({
        uses: [former, name],
        test: ({ written }) =>
            written[former] !== undefined && written[name] !== undefined
                ? { path: former, reason: `is the former name of ${name}: give only one of the two` }
                : undefined,
    }),
);

const boundNames = Object.keys(bounds);

// Most of the warnings are about roles that Vault refuses. They are not failures, because the API documents allow these roles.
const inputs = withRules(z.strictObject(properties), [
    ...givenOnce,
    warnOfName,
    warnAbout("policies", [], ({ policies }) =>
        policies === undefined ? undefined : "is deprecated: use tokenPolicies",
    ),
    warnAbout("boundServicePrincipalIds", boundNames, (meaning) =>
        boundNames.flatMap((name) => meaning[name]).length === 0
            ? `Vault refuses a role without a bound value, because every machine of the tenant could log in: set one of ${boundNames.join(", ")}`
            : undefined,
    ),
    warnAbout("boundGroupIds", ["boundServicePrincipalIds"], ({ boundGroupIds, boundServicePrincipalIds }) =>
        [boundGroupIds, boundServicePrincipalIds].every((bound) => String(bound) === "*")
            ? "must not be * beside boundServicePrincipalIds *, because Vault refuses every login then: name ids in one of them"
            : undefined,
    ),
    ...["tokenNumUses", "tokenPeriod"].map((name) =>
        warnAbout(name, ["tokenType"], ({ tokenType, [name]: value }) =>
            tokenType === "batch" && value !== 0
                ? "must be 0 for batch tokens: leave it out, or choose another tokenType"
                : undefined,
        ),
    ),
    warnAbout("tokenTtl", ["tokenMaxTtl", "maxTtl"], ({ tokenTtl, tokenMaxTtl, maxTtl = tokenMaxTtl }) =>
        Number(maxTtl) > 0 && Number(tokenTtl) > Number(maxTtl) ? "must not be greater than tokenMaxTtl" : undefined,
    ),
    warnAbout("tokenType", [], ({ tokenType }) =>
        tokenType === "default-service" || tokenType === "default-batch"
            ? 'must be one of "service", "batch", "default": Vault accepts the others for mounts only'
            : undefined,
    ),
]);
const outputs = z.strictObject({});

/** The mount that inputs name, and the names of its roles. */
async function rolesOf({ client, settings }: Context<VaultDefaults>, query: Parameters<typeof mountOf>[0]) {
    const mount = mountOf(query, settings);
    return { ...mount, names: await listNames(client.call(list, atMount(mount))) };
}

const role: NamedResource<typeof inputs, typeof outputs, Mount & IdParts<"name">, VaultDefaults> = {
    type: "AuthRole",
    service: manager,
    description: "A role of Vault's azure auth method: which Azure machines may log in, and what their tokens may do.",
    inputs,
    outputs,
    identity: identity("[<+namespace>@]auth/<+mount>/role/<name>", { ...mountTypes, name: pathSegment.toLowerCase() }),
    title: ({ name, ...mount }) => `role ${name} of ${mountId(mount)}`,
    address: (values, settings) => ({ ...mountOf(values, settings), name: values.name.toLowerCase() }),

    list: defineListing({
        inputs: z.strictObject(mountProperties),
        async find(context, query) {
            const { names, ...mount } = await rolesOf(context, query);
            return names.map((name) => [{ ...mount, name }, name]);
        },
    }),

    prepare(written) {
        if (!Object.keys(formerNames).some((name) => name in written)) return written;
        return Object.fromEntries(Object.entries(written).map(([name, value]) => [formerNames[name] ?? name, value]));
    },

    toWire(body, { kind, olds }) {
        const mayBeSet = kind === "adopt" || olds.aliasMetadata !== undefined;
        // Not sent otherwise, because a server that does not know the field warns of it.
        return mayBeSet ? { alias_metadata: {}, ...body } : body;
    },

    async read({ client }, address) {
        return { body: dataOf(await client.call(show, atMount(address))), inputs: { name: address.name } };
    },

    async write(context, address, { body }) {
        showWarnings(await context.client.call(write, { ...atMount(address), body }), context);
    },

    async remove({ client }, address) {
        await client.call(remove, atMount(address));
    },
};

export const authRole = defineNamed(role);

export const getAuthRole = lookupOf(role, {
    name: "getAuthRole",
    description: "Looks up a role of Vault's azure auth method.",
    by: ["mount", "namespace", "name"],
});

export const getAuthRoles = defineFunction({
    name: "getAuthRoles",
    service: manager,
    description: "Lists the names of the roles of Vault's azure auth method.",
    inputs: z.strictObject(mountProperties),
    result: z.strictObject({
        ...mountProperties,
        names: property(z.array(z.string()), { description: "Names of the roles. Empty if the mount has none." }),
    }),
    invoke: rolesOf,
});
