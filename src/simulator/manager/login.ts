/** Logging in to the secrets manager as a machine: who may, by the role's bound values, and the token that comes of it. */

import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { controlRoute } from "../control-route";
import { longestLease } from "../durations";
import type { Reply, Route } from "../route";
import { newId } from "../route";
import { badRequest, messageOf, SimulatorError } from "../simulator-error";
import type { Vocabulary } from "../vocabulary";
import { type Call, checkMount, envelope, otherMethods, writeRoutes } from "./call";
import { readField } from "./fields";
import { type Claims, signIdentity, verifyIdentity } from "./identity";
import { loginConfig } from "./login-config";
import { storedObject } from "./named-object";
import type { Fields } from "./records";
import { listIn, methodName, role } from "./role";

const path = "auth/:mount+/login";
const anonymous = { anonymous: true };
/** The simulator listens on the loopback interface only. */
const callerAddress = "127.0.0.1";

/** The routes of logins, and the control API's route to the identity service. */
export const loginRoutes: readonly Route[] = [
    ...writeRoutes(path, logIn, anonymous),
    otherMethods(path, anonymous),
    controlRoute(
        "POST",
        "/jwt",
        z.object({ claims: z.record(z.string(), z.unknown()) }),
        ({ claims }, { store, now }) => ({ jwt: signIdentity(claims, store.manager.identityKey, now) }),
    ),
];

/** What a machine says of itself. */
interface Machine {
    readonly subscription: string;
    readonly resourceGroup: string;
    readonly scaleSet: string;
}

function logIn(call: Call): Reply {
    checkMount(call);
    const { store, body, parameters, vocabulary, now } = call;
    const text = (name: string) => String(readField(body, { name, kind: "text" }) ?? "");
    const [jwt, name] = [text("jwt"), text("role")];
    if (jwt === "") throw badRequest("jwt is required");
    if (name === "") throw badRequest("role is required");
    const stored = storedObject(role, { ...call, parameters: { ...parameters, name } });
    if (stored === undefined) throw badRequest(`invalid role name ${JSON.stringify(name)}`);
    const machine = {
        subscription: text("subscription_id"),
        resourceGroup: text("resource_group_name"),
        scaleSet: text("vmss_name"),
    };
    checkForm(machine);
    if (!isAmong(listIn(stored, "token_bound_cidrs"))) throw new SimulatorError(403, "permission denied");
    const config = storedObject(loginConfig, call);
    if (config === undefined) throw new SimulatorError(500, "tenant_id is required");
    const audience = store.loginSurroundings.resource ?? String(config["resource"]);
    try {
        const claims = verifyIdentity(jwt, store.identityKey, audience, now);
        if (vocabulary === "product") checkNamed(stored);
        authorize(stored, machine, claims, vocabulary);
    } catch (error) {
        throw new SimulatorError(500, messageOf(error));
    }
    return issue(call, stored, name.toLowerCase());
}

function checkForm({ subscription, resourceGroup }: Machine): void {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(subscription)) {
        throw badRequest(`invalid subscription id ${JSON.stringify(subscription)}`);
    }
    if (!/^[-\w._()]*[-\w_()]$/.test(resourceGroup)) {
        throw badRequest(`invalid resource group name ${JSON.stringify(resourceGroup)}`);
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
function checkNamed(stored: Fields): void {
    const namesNobody = (name: string) => ["", "*"].includes(listIn(stored, name).join());
    if (namesNobody("bound_group_ids") && namesNobody("bound_service_principal_ids")) {
        throw new Error(
            "expected specific bound_group_ids or bound_service_principal_ids; both cannot be empty or '*'",
        );
    }
}

/** Every list of the role that is not empty must hold what the machine is. */
function authorize(stored: Fields, machine: Machine, claims: Claims, vocabulary: Vocabulary): void {
    const groups = [claims["groups"] ?? []].flat();
    const rules: readonly (readonly [list: string, values: readonly unknown[], refusal: string])[] = [
        ["bound_service_principal_ids", [claims["oid"]], `service principal not authorized: ${claims["oid"] ?? ""}`],
        ["bound_group_ids", groups, `groups not authorized: [${groups.join(" ")}]`],
        ["bound_scale_sets", [machine.scaleSet], "scale set not authorized"],
        ["bound_subscription_ids", [machine.subscription], "subscription not authorized"],
        ["bound_resource_groups", [machine.resourceGroup], "resource group not authorized"],
        // There is no cloud to ask where the machine stands: here its token says so.
        ["bound_locations", [claims["location"]], "location not authorized"],
    ];
    for (const [list, values, refusal] of rules) {
        const allowed = listIn(stored, list);
        const isOpen = allowed.length === 0 || (vocabulary === "product" && allowed.join() === "*");
        const isAllowed = values.some((value) => typeof value === "string" && allowed.includes(value));
        if (!isOpen && !isAllowed) throw new Error(refusal);
    }
}

function issue({ store, now }: Call, stored: Fields, name: string): Reply {
    const isBatch = String(stored["token_type"]).endsWith("batch");
    const lease = leaseOf(stored);
    const uses = Number(stored["token_num_uses"]);
    const named = [...listIn(stored, "token_policies"), ...(stored["token_no_default_policy"] ? [] : ["default"])];
    const policies = [...new Set(named)].sort();
    const token = {
        token: newId(isBatch ? "batch" : "service"),
        // Batch tokens are kept nowhere, so there is nothing that an accessor could lead to.
        accessor: isBatch ? "" : newId("accessor"),
        policies,
        expires: now.getTime() + lease * 1000,
        ...(uses > 0 && { usesLeft: uses }),
    };
    store.logins = [...store.logins.filter(({ expires }) => expires > now.getTime()), token];
    return envelope(methodName, {
        auth: {
            client_token: token.token,
            accessor: token.accessor,
            policies,
            token_policies: policies,
            metadata: { role: name },
            lease_duration: lease,
            renewable: !isBatch,
            entity_id: "",
            token_type: isBatch ? "batch" : "service",
            orphan: true,
            num_uses: uses,
        },
    });
}

/** A periodic token lives for its period, any other one for its time to live, within every limit that is set. */
function leaseOf(stored: Fields): number {
    const seconds = (name: string) => Number(stored[`token_${name}`]);
    const period = seconds("period");
    const limits = [seconds("explicit_max_ttl"), period > 0 ? 0 : seconds("max_ttl")].filter((limit) => limit > 0);
    return Math.min(period || seconds("ttl") || longestLease, longestLease, ...limits);
}
