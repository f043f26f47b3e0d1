/** Logging in to the secrets manager as a machine: who may, by the role's bound values, and the token that comes of it. */

import { BlockList, isIP } from "node:net";
import type { Reply, Route } from "../route";
import type { Vocabulary } from "../vocabulary";
import { storedConfig } from "./config";
import { longestLease } from "./durations";
import { type Claims, signIdentity, verifyIdentity } from "./identity";
import type { ManagerWorld, StoredRole, TokenFields } from "./records";
import { storedRole } from "./roles";
import { type Call, loggedIn, managerRoute, mountOf, Refusal, unsupportedOperation } from "./rules";
import { readField } from "./values";

const methodName = "clouda";
const path = "/v1/auth/:mount+/login";
const anonymous = { anonymous: true } as const;
/** The simulator listens on the loopback interface only. */
const callerAddress = "127.0.0.1";

/** The routes of logins, and the control door's one to the identity service. */
export const loginRoutes: readonly Route<ManagerWorld>[] = [
    managerRoute("POST", path, logIn, anonymous),
    managerRoute("PUT", path, logIn, anonymous),
    managerRoute(
        "*",
        path,
        (call) => {
            mountOf(call, "login");
            throw unsupportedOperation;
        },
        anonymous,
    ),
    {
        method: "POST",
        path: "/simulator/jwt",
        respond: (request, { world, now }) => {
            const claims = claimsIn(request.body.toString("utf8"));
            if (claims === undefined) return { status: 400, body: { errors: ["an order is { claims: object }"] } };
            return { status: 200, body: { jwt: signIdentity(claims, world.identityKey, now()) } };
        },
    },
];

/** What a machine says of itself. */
interface Machine {
    readonly subscription: string;
    readonly resourceGroup: string;
    readonly scaleSet: string;
}

function logIn(call: Call): Reply {
    const mount = mountOf(call, "login");
    const text = (field: string) => readField(call.body, field, "text") ?? "";
    if (text("jwt") === "") throw new Refusal(400, ["jwt is required"]);
    if (text("role") === "") throw new Refusal(400, ["role is required"]);
    const role = storedRole(call.world, call.namespace, mount, text("role").toLowerCase());
    if (role === undefined) throw new Refusal(400, [`invalid role name ${JSON.stringify(text("role"))}`]);
    const machine = {
        subscription: text("subscription_id"),
        resourceGroup: text("resource_group_name"),
        scaleSet: text("vmss_name"),
    };
    checkForm(machine);
    if (!isAmong(role.token.token_bound_cidrs)) throw new Refusal(403, ["permission denied"]);
    const config = storedConfig(call.world, call.namespace, mount);
    if (config === undefined) throw new Refusal(500, ["tenant_id is required"]);
    const audience = call.world.loginSurroundings?.resource ?? config.resource;
    try {
        const claims = verifyIdentity(text("jwt"), call.world.identityKey, audience, call.now());
        if (call.vocabulary === "product") checkNamed(role);
        authorize(role, machine, claims, call.vocabulary);
    } catch (error) {
        throw new Refusal(500, [error instanceof Error ? error.message : String(error)]);
    }
    return issue(call, role.token, text("role").toLowerCase());
}

function checkForm({ subscription, resourceGroup }: Machine): void {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(subscription)) {
        throw new Refusal(400, [`invalid subscription id ${JSON.stringify(subscription)}`]);
    }
    if (!/^[-\w._()]*[-\w_()]$/.test(resourceGroup)) {
        throw new Refusal(400, [`invalid resource group name ${JSON.stringify(resourceGroup)}`]);
    }
}

function isAmong(blocks: readonly string[]): boolean {
    if (blocks.length === 0) return true;
    const list = new BlockList();
    for (const block of blocks) {
        const [address = "", mask] = block.split("/");
        const family = isIP(address) === 6 ? "ipv6" : "ipv4";
        if (isIP(address) !== 0) list.addSubnet(address, Number(mask ?? (family === "ipv6" ? 128 : 32)), family);
    }
    return list.check(callerAddress);
}

/** As measured: one of the two must name somebody, and a `*` alone names nobody. The document knows neither rule. */
function checkNamed({ bound }: StoredRole): void {
    const namesNobody = (field: string) => ["", "*"].includes((bound[field] ?? []).join());
    if (namesNobody("bound_group_ids") && namesNobody("bound_service_principal_ids")) {
        throw new Error(
            "expected specific bound_group_ids or bound_service_principal_ids; both cannot be empty or '*'",
        );
    }
}

/** Every list of the role that is not empty must hold what the machine is. */
function authorize({ bound }: StoredRole, machine: Machine, claims: Claims, vocabulary: Vocabulary): void {
    const isBound = (field: string, values: readonly unknown[]) => {
        const allowed = bound[field] ?? [];
        if (vocabulary === "product" && allowed.join() === "*") return true;
        return allowed.length === 0 || values.some((value) => typeof value === "string" && allowed.includes(value));
    };
    const groups = [claims["groups"] ?? []].flat();
    if (!isBound("bound_service_principal_ids", [claims["oid"]])) {
        throw new Error(`service principal not authorized: ${claims["oid"] ?? ""}`);
    }
    if (!isBound("bound_group_ids", groups)) throw new Error(`groups not authorized: [${groups.join(" ")}]`);
    if (!isBound("bound_scale_sets", [machine.scaleSet])) throw new Error("scale set not authorized");
    if (!isBound("bound_subscription_ids", [machine.subscription])) throw new Error("subscription not authorized");
    if (!isBound("bound_resource_groups", [machine.resourceGroup])) throw new Error("resource group not authorized");
    // There is no cloud to ask where the machine stands: here its token says so.
    if (!isBound("bound_locations", [claims["location"]])) throw new Error("location not authorized");
}

function issue(call: Call, fields: TokenFields, role: string): Reply {
    const isBatch = fields.token_type === "batch" || fields.token_type === "default-batch";
    const lease = leaseOf(fields);
    const now = call.now().getTime();
    const policies = [...new Set([...fields.token_policies, ...(fields.token_no_default_policy ? [] : ["default"])])];
    const token = {
        token: call.id(isBatch ? "batch" : "service"),
        // Batch tokens are kept nowhere, so there is nothing that an accessor could lead to.
        accessor: isBatch ? "" : call.id("accessor"),
        policies: policies.sort(),
        expires: now + lease * 1000,
        ...(fields.token_num_uses > 0 && { usesLeft: fields.token_num_uses }),
    };
    call.world.logins = [...call.world.logins.filter(({ expires }) => expires > now), token];
    return loggedIn(methodName, {
        client_token: token.token,
        accessor: token.accessor,
        policies: token.policies,
        token_policies: token.policies,
        metadata: { role },
        lease_duration: lease,
        renewable: !isBatch,
        entity_id: "",
        token_type: isBatch ? "batch" : "service",
        orphan: true,
        num_uses: fields.token_num_uses,
    });
}

/** A periodic token lives for its period, any other one for its time to live, within every limit that is set. */
function leaseOf({ token_period, token_ttl, token_max_ttl, token_explicit_max_ttl }: TokenFields): number {
    const limits = [token_explicit_max_ttl, token_period > 0 ? 0 : token_max_ttl].filter((limit) => limit > 0);
    return Math.min(token_period || token_ttl || longestLease, longestLease, ...limits);
}

function claimsIn(text: string): Claims | undefined {
    try {
        const order: unknown = JSON.parse(text);
        const claims = typeof order === "object" && order !== null && "claims" in order ? order.claims : undefined;
        if (typeof claims !== "object" || claims === null || Array.isArray(claims)) return undefined;
        return Object.fromEntries(Object.entries(claims));
    } catch {
        return undefined;
    }
}
