/** Logs in a machine to the secrets manager: if it fits the role's bound values, it gets a token. */

import { z } from "zod";
import { isObject, type JsonObject, parsed } from "../json";
import { newId } from "../new-id";
import { badRequest, Refusal, validated } from "../refusal";
import type { Store } from "../store";
import { type Call, checkMount, envelope } from "./call";
import { loginConfig } from "./login-config";
import { logInByMethod } from "./method-login";
import { storedObject } from "./named-object";
import { type Fields, longestLease } from "./records";
import { listIn, role } from "./role";

const text = z.string().default("");
const requiredNames = ["jwt", "role", "subscription_id", "resource_group_name"] as const;
const machine = z.object({ jwt: text, role: text, subscription_id: text, resource_group_name: text, vmss_name: text });

/** Answers a login. If the store has tokens, the token of the login becomes one of them. */
export function logIn(call: Call, store: Store): Response {
    const answer = logInByMethod(store, call);
    if (answer) return answer;
    // A server of the product answers so where nothing is mounted.
    if (call.names === "product" && !Object.hasOwn(store.manager.mounts, call.mount))
        throw new Refusal(403, "permission denied");
    const stored = roleFor(call);
    const token = newId("login");
    const { tokens } = store;
    if (tokens.length > 0) tokens.push({ token, kind: "user", id: "login" });
    const policies = [...listIn(stored, "token_policies"), ...(stored["token_no_default_policy"] ? [] : ["default"])];
    return envelope({
        auth: {
            client_token: token,
            accessor: newId("accessor"),
            token_policies: [...new Set(policies)].sort(),
            lease_duration: Number(stored["token_ttl"]) || longestLease,
            renewable: stored["token_type"] !== "batch",
        },
    });
}

/** The role of a login. Throws if the machine may not use it. */
function roleFor(call: Call): Fields {
    checkMount(call);
    const given = validated(machine, call.body);
    // Vault needs to know the place of a machine only for a role that is bound to places.
    const needed = call.names === "product" ? (["jwt", "role"] as const) : requiredNames;
    for (const name of needed) if (given[name] === "") throw badRequest(`${name} is required`);
    const stored = storedObject(role, { ...call, name: given.role });
    if (stored === undefined) throw badRequest(`invalid role name "${given.role}"`);
    const config = storedObject(loginConfig, call);
    if (config === undefined) throw new Refusal(500, "tenant_id is required");
    const claims = claimsIn(given.jwt);
    const audience = call.store.loginSurroundings.resource ?? config["resource"];
    if (![claims["aud"]].flat().includes(audience)) throw new Refusal(500, `oidc: expected audience "${audience}"`);
    const notBefore = claims["nbf"];
    if (typeof notBefore === "number" && notBefore * 1000 > call.now.getTime())
        throw new Refusal(
            500,
            `token is not yet valid (Token Not Before: ${new Date(notBefore * 1000).toISOString()})`,
        );
    const places = ["bound_resource_groups", "bound_subscription_ids", "bound_locations", "bound_scale_sets"];
    const isPlaced = given.subscription_id !== "" && given.resource_group_name !== "";
    if (!isPlaced && places.some((list) => listIn(stored, list).length > 0))
        throw new Refusal(500, "subscription_id and resource_group_name are required");
    const bound: Readonly<Record<string, unknown>> = {
        bound_service_principal_ids: claims["oid"],
        bound_group_ids: claims["groups"],
        bound_scale_sets: given.vmss_name,
        bound_subscription_ids: given.subscription_id,
        bound_resource_groups: given.resource_group_name,
        // A real server takes the location from the cloud provider.
        bound_locations: claims["location"],
    };
    for (const [list, value] of Object.entries(bound)) {
        const allowed = listIn(stored, list);
        const isAllowed = [value].flat().some((one) => typeof one === "string" && allowed.includes(one));
        if (allowed.length > 0 && !isAllowed) throw new Refusal(500, `not authorized by ${list}`);
    }
    return stored;
}

/** The claims of an identity token. Its signature is not verified. */
function claimsIn(jwt: string): JsonObject {
    const claims = parsed(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
    if (!isObject(claims)) throw new Refusal(500, "oidc: malformed jwt");
    return claims;
}
