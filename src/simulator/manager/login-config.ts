/** The configuration of the secrets manager's login method, and the rotation of its root secret. */

import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import { Refusal } from "../refusal";
import type { World } from "../store";
import { addRoute, checkMount, written } from "./call";
import { existing, type Field, fieldsOf, readFields, unsetOf } from "./fields";
import { addObjectRoutes, type NamedObject, storedObject } from "./named-object";
import type { Fields } from "./records";

const texts = fieldsOf("text", "tenant_id", "resource", "environment", "client_id", "client_secret");
/** Fields that a write resets if its body omits them. */
const resetFields: readonly Field[] = [
    { name: "max_retries", kind: "integer", preset: 3 },
    { name: "max_retry_delay", kind: "duration", preset: 60 },
    { name: "retry_delay", kind: "duration", preset: 4 },
    { name: "root_password_ttl", kind: "duration", preset: 15_768_000, isProducts: true },
];
const environments = ["", "CloudAPublicCloud", "CloudAUSGovernmentCloud", "CloudAChinaCloud", "CloudAGermanCloud"];

/** Configurations of the login method. `isRotated`: the secrets manager has created the secret, and reads do not return it. */
export const loginConfig: NamedObject<Fields> = {
    path: "auth/:mount/config",
    in: ({ loginConfigs }) => loginConfigs,
    check: checkMount,
    write: (before, { body, store, names }) => {
        const sent = readFields(body, existing([...texts, ...resetFields], names));
        const stored: Fields = {
            ...unsetOf(texts, names),
            ...before,
            ...unsetOf(existing(resetFields, names), names),
            ...sent,
            isRotated: before?.["isRotated"] === true && sent["client_secret"] === undefined,
        };
        for (const name of ["tenant_id", "resource"] as const) {
            if (!stored[name] && !store.loginSurroundings[name]) throw new Refusal(500, `${name} is required`);
        }
        // The azure plugin stores 32 bits of the number.
        if (names === "product") stored["max_retries"] = Number(stored["max_retries"]) | 0;
        if (!environments.includes(String(stored["environment"]))) {
            throw new Refusal(500, `err: no cloud configuration matching the name "${stored["environment"]}"`);
        }
        return { stored };
    },
    read: ({ isRotated, client_secret, ...shown }, { names }) => ({
        ...shown,
        // The API documents show the secret in reads; Vault does not return it.
        ...(!isRotated && names === "documents" && { client_secret }),
        // Reads return the delays in nanoseconds.
        max_retry_delay: Number(shown["max_retry_delay"]) * 1e9,
        retry_delay: Number(shown["retry_delay"]) * 1e9,
    }),
};

/** Adds the routes of configurations and of the rotation. */
export function addLoginConfigRoutes(app: Hono, world: World): void {
    addObjectRoutes(app, world, loginConfig);
    addRoute(app, world, "POST", "auth/:mount/rotate-root", (call) => {
        checkMount(call);
        const stored = storedObject(loginConfig, call);
        if (stored === undefined) throw new Refusal(500, "config is nil");
        stored["client_secret"] = randomBytes(24).toString("base64url");
        stored["isRotated"] = true;
        return written();
    });
}
