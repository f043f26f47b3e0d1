/** The configuration of the secrets manager's login method, and the rotation of its root secret. */

import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import type { World } from "../app";
import { counted, Refusal } from "../refusal";
import { addRoute, checkMount, written } from "./call";
import { type Field, fieldsOf, known, readFields, unsetOf } from "./fields";
import { addObjectRoutes, type NamedObject, patternOf, storedObject } from "./named-object";
import type { Fields } from "./records";
import { methodName } from "./role";

const texts = fieldsOf("text", "tenant_id", "resource", "environment", "client_id", "client_secret");
/** A write that leaves one of these out resets it. */
const retries: readonly Field[] = [
    { name: "max_retries", kind: "integer", preset: 3 },
    { name: "max_retry_delay", kind: "delay", preset: 60 },
    { name: "retry_delay", kind: "delay", preset: 4 },
    { name: "root_password_ttl", kind: "duration", preset: 15_768_000, isProducts: true },
];
const environments = ["", "CloudAPublicCloud", "CloudAUSGovernmentCloud", "CloudAChinaCloud", "CloudAGermanCloud"];

/** Configurations of the login method. `isRotated`: the manager made the secret, and no read shows it. */
export const loginConfig: NamedObject<Fields> = {
    path: "auth/:mount/config",
    mountType: methodName,
    in: ({ loginConfigs }) => loginConfigs,
    check: checkMount,
    write: (before, { body, store, names }) => {
        const sent = readFields(body, known([...texts, ...retries], names));
        const stored: Fields = {
            ...unsetOf(texts, names),
            ...before,
            ...unsetOf(known(retries, names), names),
            ...sent,
            isRotated: before?.["isRotated"] === true && sent["client_secret"] === undefined,
        };
        for (const name of ["tenant_id", "resource"] as const) {
            if (!stored[name] && !store.loginSurroundings[name]) throw failed(`${name} is required`);
        }
        if (!environments.includes(String(stored["environment"]))) {
            throw failed(`err: no cloud configuration matching the name "${stored["environment"]}"`);
        }
        return { stored };
    },
    read: ({ isRotated, client_secret, ...shown }, { names }) => ({
        ...shown,
        // Real servers never show it.
        ...(!isRotated && names === "documents" && { client_secret }),
        // In nanoseconds.
        max_retry_delay: Number(shown["max_retry_delay"]) * 1e9,
        retry_delay: Number(shown["retry_delay"]) * 1e9,
    }),
};

/** Adds the routes of configurations and of the rotation. */
export function addLoginConfigRoutes(app: Hono, world: World): void {
    addObjectRoutes(app, world, loginConfig);
    addRoute(app, world, "POST", patternOf("auth/:mount/rotate-root"), (call) => {
        checkMount(call);
        const stored = storedObject(loginConfig, call);
        if (stored === undefined) throw failed("config is nil");
        stored["client_secret"] = randomBytes(24).toString("base64url");
        stored["isRotated"] = true;
        return written(methodName);
    });
}

/** A configuration that cannot be: the manager answers 500. */
function failed(reason: string): Refusal {
    return new Refusal(500, counted(reason));
}
