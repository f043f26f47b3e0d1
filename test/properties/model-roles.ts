/** Roles of the login method as the document has them: which arguments there are, what they mean, and how a read shows them. */

import {
    type Argument,
    type Chosen,
    lengthOfTime,
    nameSet,
    oneOf,
    type Props,
    plain,
    programs,
    separatedSet,
} from "./random-programs";
import type { Model } from "./upsert-runs";

const bound = (wire: string): Argument => ({ wire, absent: [], told: nameSet("north", "south 2", "Ünit/x") });
const lifetime = (wire: string, ...seconds: readonly number[]): Argument => ({
    wire,
    absent: 0,
    told: lengthOfTime(0, ...seconds),
});
const isEmpty = (chosen: Chosen, name: string) => ((chosen[name]?.means ?? []) as unknown[]).length === 0;

/** A block of one address is the address. */
const blocks = [
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["1.2.3.4/32", "1.2.3.4"],
    ["1.2.3.5", "1.2.3.5"],
    ["2001:DB8::/32", "2001:db8::/32"],
] as const;

const table = {
    boundServicePrincipalIds: bound("bound_service_principal_ids"),
    boundGroupIds: bound("bound_group_ids"),
    boundLocations: bound("bound_locations"),
    boundSubscriptionIds: bound("bound_subscription_ids"),
    boundResourceGroups: bound("bound_resource_groups"),
    boundScaleSets: bound("bound_scale_sets"),
    tokenTtl: lifetime("token_ttl", 60, 90, 1800),
    maxTtl: lifetime("token_max_ttl", 1800, 86_400),
    tokenMaxTtl: lifetime("token_max_ttl", 3600),
    policies: { wire: "token_policies", absent: [], told: separatedSet("audit", "ops") },
    tokenPolicies: { wire: "token_policies", absent: [], told: separatedSet("web", "audit", "Data") },
    tokenBoundCidrs: {
        wire: "token_bound_cidrs",
        absent: [],
        told: separatedSet(...blocks.map(([written]) => written)).map(({ written, means }) => ({
            written,
            means: addresses(means),
        })),
    },
    tokenExplicitMaxTtl: lifetime("token_explicit_max_ttl", 7200),
    tokenNoDefaultPolicy: { wire: "token_no_default_policy", absent: false, told: oneOf(true, false) },
    tokenNumUses: { wire: "token_num_uses", absent: 0, told: oneOf(0, 3) },
    tokenPeriod: lifetime("token_period", 600),
    tokenType: { wire: "token_type", absent: "default", told: oneOf("service", "batch", "default") },
} satisfies Record<string, Argument>;

const aliases: Argument = {
    wire: "alias_metadata",
    absent: {},
    told: oneOf({}, { team: "web" }, { tier: "1", team: "ünï" }),
};

function addresses(some: unknown): unknown {
    const forms = new Map<string, string>(blocks);
    return ((some ?? []) as string[])
        .map((each) => forms.get(each) ?? each.toLowerCase().replace(/\/32$/, ""))
        .map(shortened)
        .sort();
}

/** Only addresses of the old kind end in /32 when they are one. */
function shortened(block: string): string {
    return block === "2001:db8::" ? "2001:db8::/32" : block;
}

/** What the document does not allow together. */
function settle(vocabulary: Model["vocabulary"]) {
    return (chosen: Chosen): Chosen => {
        const { policies, maxTtl, tokenNumUses, tokenPeriod, ...rest } = chosen;
        const settled: Chosen = { ...rest };
        if (policies && !chosen["tokenPolicies"]) settled["policies"] = policies;
        if (maxTtl && !chosen["tokenMaxTtl"]) settled["maxTtl"] = maxTtl;
        if (chosen["tokenType"]?.means !== "batch") {
            if (tokenNumUses) settled["tokenNumUses"] = tokenNumUses;
            if (tokenPeriod) settled["tokenPeriod"] = tokenPeriod;
        }
        const isBound = Object.keys(settled).some((name) => name.startsWith("bound") && !isEmpty(settled, name));
        if (vocabulary === "product" && !isBound) settled["boundLocations"] = plain(["north"]);
        return settled;
    };
}

/** Random runs of roles. */
export function roles(vocabulary: Model["vocabulary"]): Model {
    const mount = vocabulary === "product" ? "azure" : "clouda";
    const path = (at: string) => `/v1/auth/${mount}/role/web-${at}`;
    const all: Record<string, Argument> = vocabulary === "product" ? { ...table, aliasMetadata: aliases } : table;
    const wires = [...new Set(Object.values(all).map(({ wire }) => wire))];
    return {
        type: "AuthRole",
        vocabulary,
        seed: { mounts: [mount] },
        runs: 85,
        programs: programs(all, settle(vocabulary)),
        methods: ["POST", "DELETE"],
        // The case of letters carries no meaning.
        naming: (at) => ({ name: at.startsWith("a") ? `web-${at}` : `Web-${at}` }),
        async look(simulator, at) {
            const read = (await simulator.outside("GET", path(at))) as { data: Props } | undefined;
            return read && Object.fromEntries(wires.map((wire) => [wire, normal(wire, read.data[wire])]));
        },
        write: (simulator, at, { means }) => simulator.outside("POST", path(at), means),
        remove: (simulator, at) => simulator.outside("DELETE", path(at)),
    };
}

function normal(wire: string, value: unknown): unknown {
    if (wire === "token_bound_cidrs") return addresses(value);
    if (wire === "alias_metadata") return value ?? {};
    if (wire.startsWith("bound_") || wire === "token_policies") return [...((value ?? []) as string[])].sort();
    return value;
}
