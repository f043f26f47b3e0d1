/** AuthRole: who may log in through the cloud-identity method, and what tokens they receive (document "Secrets Manager", Role). */

import * as z from "zod";
import { defineFunction, lookupOf } from "../../core/defined-function";
import { namedObject } from "../../core/named-object";
import type { NamedObject } from "../../core/named-object-spec";
import { operation } from "../../core/operation";
import { property, type Rule, type Values, withRules } from "../../schema/facts";
import {
    asCidrs,
    asSet,
    cidrs,
    duration,
    ignoringCase,
    names,
    separatedNames,
    stringMap,
    stringOf,
    wholeNumber,
} from "../../schema/property-types";
import { adoptProperty, connectionProperty } from "../shared-options";
import {
    batchPeriod,
    batchUses,
    boundToNothing,
    noData,
    noKeys,
    noRole,
    ttlBeyondMaximum,
    typeOfMounts,
    wrongName,
} from "./failures";
import { atMount, type Mount, mountId, mountOf, mountParser, mountProperties, namespaceHeaders } from "./mount";
import { dataOf, listNames, manager, nameRule, showWarnings } from "./service";

// The service writes the whole role each time it is told to, so repeating a write changes nothing.
const write = operation("POST /v1/auth/{+mount}/role/{name}", "always");
const show = operation("GET /v1/auth/{+mount}/role/{name}");
const remove = operation("DELETE /v1/auth/{+mount}/role/{name}");
const list = operation("LIST /v1/auth/{+mount}/role");

const boundTo = (wire: string, what: string, more = "") =>
    property(names.optional(), {
        wire,
        default: [],
        equality: asSet,
        description: `Login is restricted to these ${what}. Left out or empty: not restricted by them.${more}`,
    });
const somebody = " Vault lets nobody in unless service principals or groups are named; `*` names nobody.";
const lifetime = (wire: string, description: string) =>
    property(duration().optional(), {
        wire,
        default: 0,
        description: `${description} Whole seconds, or a string such as \`1h\`. 0: not set.`,
    });

const bounds = {
    boundServicePrincipalIds: boundTo("bound_service_principal_ids", "service principal IDs", somebody),
    boundGroupIds: boundTo("bound_group_ids", "group IDs", somebody),
    boundLocations: boundTo("bound_locations", "locations"),
    boundSubscriptionIds: boundTo("bound_subscription_ids", "subscription IDs"),
    boundResourceGroups: boundTo("bound_resource_groups", "resource groups"),
    boundScaleSets: boundTo("bound_scale_sets", "scale set names"),
};
const boundNames = Object.keys(bounds);

const isUnbound = (values: Values) =>
    boundNames.every((name) => Array.isArray(values[name]) && values[name].length === 0);

/** Vault refuses such roles. The document does not say so: these are warnings. */
const rules: readonly Rule[] = [
    {
        uses: boundNames,
        severity: "warning",
        test: (values) => (isUnbound(values) ? boundToNothing({ names: boundNames.join(", ") }) : undefined),
    },
    {
        uses: ["tokenType", "tokenNumUses"],
        severity: "warning",
        test: ({ tokenType, tokenNumUses }) => (tokenType === "batch" && tokenNumUses !== 0 ? batchUses() : undefined),
    },
    {
        uses: ["tokenType", "tokenPeriod"],
        severity: "warning",
        test: ({ tokenType, tokenPeriod }) => (tokenType === "batch" && tokenPeriod !== 0 ? batchPeriod() : undefined),
    },
    {
        uses: ["tokenTtl", "tokenMaxTtl", "maxTtl"],
        severity: "warning",
        test: ({ tokenTtl, tokenMaxTtl }) =>
            Number(tokenMaxTtl) > 0 && Number(tokenTtl) > Number(tokenMaxTtl) ? ttlBeyondMaximum() : undefined,
    },
    {
        uses: ["tokenType"],
        severity: "warning",
        test: ({ tokenType }) =>
            tokenType === "default-service" || tokenType === "default-batch" ? typeOfMounts() : undefined,
    },
];

const inputs = withRules(
    z.strictObject({
        ...mountProperties,
        name: property(stringOf(nameRule.pattern, nameRule.must), {
            description: "Name of the role. The case of letters carries no meaning.",
            immutable: true,
            equality: ignoringCase,
        }),
        ...bounds,
        tokenTtl: lifetime(
            "token_ttl",
            "Incremental lifetime of generated tokens; the current value is used at renewal.",
        ),
        tokenMaxTtl: lifetime(
            "token_max_ttl",
            "Maximum lifetime of generated tokens; the current value is used at renewal.",
        ),
        tokenPolicies: property(separatedNames.optional(), {
            wire: "token_policies",
            default: [],
            equality: asSet,
            description: "Policies encoded onto generated tokens, as a list or as one string separated by commas.",
        }),
        policies: property(separatedNames.optional(), {
            aliasOf: "tokenPolicies",
            deprecated: "use tokenPolicies",
            description: "Former name of `tokenPolicies`.",
        }),
        tokenBoundCidrs: property(cidrs.optional(), {
            wire: "token_bound_cidrs",
            default: [],
            equality: asCidrs,
            description:
                "CIDR blocks that may authenticate, and that tokens are tied to; a list or one string separated by commas.",
        }),
        tokenExplicitMaxTtl: lifetime(
            "token_explicit_max_ttl",
            "Hard cap encoded onto tokens, whatever renewal allows.",
        ),
        tokenNoDefaultPolicy: property(z.boolean().optional(), {
            wire: "token_no_default_policy",
            default: false,
            description: "Whether the policy `default` is withheld from generated tokens.",
        }),
        tokenNumUses: property(wholeNumber().optional(), {
            wire: "token_num_uses",
            default: 0,
            description:
                "How many times a token may be used; 0 is unlimited. Must be 0 for tokens that create child tokens.",
        }),
        tokenPeriod: lifetime("token_period", "Maximum period of periodic tokens."),
        tokenType: property(z.enum(["service", "batch", "default", "default-service", "default-batch"]).optional(), {
            wire: "token_type",
            wireForm: { decode: (answer) => answer || "default" },
            default: "default",
            description:
                "Type of generated tokens. `default` is what the mount is tuned to, normally `service`; `batch` is advised for machines.",
        }),
        maxTtl: property(duration().optional(), {
            aliasOf: "tokenMaxTtl",
            description: "Former name of `tokenMaxTtl`.",
        }),
        maxJwtExp: property(wholeNumber().optional(), {
            wire: "max_jwt_exp",
            large: true,
            leaveAlone: true,
            description:
                "Sent as `max_jwt_exp` where given, and left alone where not. The service's document uses it without saying what it means; servers may ignore it.",
        }),
        aliasMetadata: property(stringMap.optional(), {
            wire: "alias_metadata",
            default: {},
            optionalInAnswers: true,
            description: "Strings by name that are attached to the alias of whoever logs in. For servers that know it.",
        }),
        adopt: adoptProperty,
        connection: connectionProperty,
    }),
    rules,
);
const outputs = z.strictObject({});

interface Address extends Mount {
    readonly name: string;
}

const parseRoleId = mountParser(/role\/[^/]+/);

const atRole = (address: Address) => ({
    parameters: { mount: address.mount, name: address.name },
    headers: namespaceHeaders(address),
});

const role: NamedObject<typeof inputs, typeof outputs, Address> = {
    type: "AuthRole",
    service: manager,
    description:
        "A role of the secrets manager's cloud-identity login method: which machines may log in, and what tokens they receive.",
    inputs,
    outputs,
    errors: [boundToNothing, batchUses, batchPeriod, ttlBeyondMaximum, typeOfMounts, wrongName, noData],
    idForm: "[<namespace>@]auth/<mount>/role/<name>",
    title: ({ name, ...mount }) => `role ${name} of ${mountId(mount)}`,
    address: (values, settings) => ({ ...mountOf(values, settings), name: values.name.toLowerCase() }),
    id: ({ name, ...mount }) => `${mountId(mount)}/role/${name}`,
    parse(id) {
        const found = parseRoleId(id);
        const name = found?.rest.slice("role/".length) ?? "";
        if (found === undefined || !inputs.shape.name.safeParse(name).success) return undefined;
        return { namespace: found.namespace, mount: found.mount, name: name.toLowerCase() };
    },
    named: ({ name, ...mount }) => ({ ...mount, name }),

    async read({ client }, address) {
        return { body: dataOf(await client.call(show, atRole(address))), inputs: { name: address.name } };
    },

    async write(context, address, { body }) {
        showWarnings(await context.client.call(write, { ...atRole(address), body }), context);
    },

    async remove({ client }, address) {
        await client.call(remove, atRole(address));
    },
};

/** A role of the login method. */
export const authRole = namedObject(role);

/** Looks up one role. */
export const getAuthRole = lookupOf(role, {
    name: "getAuthRole",
    description: "Looks up a role of the secrets manager's login method.",
    by: ["mount", "namespace", "name"],
    absent: noRole,
    errors: [noData, wrongName],
});

/** Lists the roles of a login method. */
export const getAuthRoles = defineFunction({
    name: "getAuthRoles",
    service: manager,
    description: "Lists the names of the roles of the secrets manager's login method.",
    inputs: z.strictObject({ ...mountProperties, connection: connectionProperty }),
    result: z.strictObject({
        ...mountProperties,
        names: property(z.array(z.string()), {
            description: "Names of the roles, as the service spells them. Empty where the mount has none.",
        }),
    }),
    errors: [noKeys],
    async invoke(context, args) {
        const mount = mountOf(args, context);
        const at = atMount(mount);
        const found = await listNames(context.client.call(list, at));
        return { ...mount, names: found };
    },
});
