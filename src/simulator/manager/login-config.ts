/** The configuration of the secrets manager's login method, and the rotation of its root secret. */

import { randomBytes } from "node:crypto";
import type { Reply, Route } from "../route";
import { counted, SimulatorError } from "../simulator-error";
import { type Call, checkMount, otherMethods, writeRoutes, written } from "./call";
import { type Field, fieldsOf, readFields, unsetOf } from "./fields";
import { type NamedObject, objectRoutes, storedObject } from "./named-object";
import type { Fields } from "./records";
import { methodName } from "./role";

const texts = fieldsOf("text", "tenant_id", "resource", "environment", "client_id", "client_secret");
/** A write that leaves one of these out resets it. */
const retries: readonly Field[] = [
    { name: "max_retries", kind: "integer", preset: 3 },
    { name: "max_retry_delay", kind: "delay", preset: 60 },
    { name: "retry_delay", kind: "delay", preset: 4 },
    { name: "root_password_ttl", kind: "duration", preset: 15_768_000, only: "product" },
];
const fields = [...texts, ...retries];
const environments = ["", "CloudAPublicCloud", "CloudAUSGovernmentCloud", "CloudAChinaCloud", "CloudAGermanCloud"];

/** Configurations of the login method. `isRotated` tells that the secret is of the manager's own making, which no read shows. */
export const loginConfig: NamedObject<Fields> = {
    path: "auth/:mount+/config",
    mountType: methodName,
    fields,
    in: ({ loginConfigs }) => loginConfigs,
    check: checkMount,
    write: (before, { body, store, vocabulary }) => {
        const isKnown = ({ only }: Field) => only === undefined || only === vocabulary;
        const sent = readFields(body, fields.filter(isKnown));
        const isRotated = before?.["isRotated"] === true && sent["client_secret"] === undefined;
        const stored: Fields = {
            ...unsetOf(texts),
            ...before,
            ...unsetOf(retries.filter(isKnown)),
            ...sent,
            isRotated,
        };
        for (const name of ["tenant_id", "resource"] as const) {
            if (!stored[name] && !store.loginSurroundings[name]) throw failed(`${name} is required`);
        }
        const environment = String(stored["environment"]);
        const isClosed = vocabulary === "product" && environment === "CloudAGermanCloud";
        if (isClosed || !environments.includes(environment)) {
            const quoted = JSON.stringify(environment.toUpperCase());
            throw failed(`err: no cloud configuration matching the name ${quoted}`);
        }
        return { stored };
    },
    read: ({ isRotated, client_secret, ...shown }, { vocabulary }) => ({
        ...shown,
        // Real servers never show it.
        ...(!isRotated && vocabulary === "documented" && { client_secret }),
        // In nanoseconds.
        max_retry_delay: Number(shown["max_retry_delay"]) * 1e9,
        retry_delay: Number(shown["retry_delay"]) * 1e9,
    }),
    shown: () => ({
        documented: new Set(["tenant_id", "resource", "client_id", "client_secret"]),
        secret: new Set(["client_secret"]),
    }),
};

/** The routes of configurations. */
export const loginConfigRoutes = objectRoutes(loginConfig);

const rotation = "auth/:mount+/rotate-root";

/** The routes of the rotation. */
export const rotationRoutes: readonly Route[] = [...writeRoutes(rotation, rotate), otherMethods(rotation)];

/** The cloud provider knows the new secret too, but nobody who asks here does. */
function rotate(call: Call): Reply {
    checkMount(call);
    const stored = storedObject(loginConfig, call);
    if (stored === undefined) throw failed("config is nil");
    stored["client_secret"] = randomBytes(24).toString("base64url");
    stored["isRotated"] = true;
    return written(call, methodName, [], new Set());
}

/** A configuration that cannot be: the manager answers as if it had failed itself. */
function failed(reason: string): SimulatorError {
    return new SimulatorError(500, counted([reason]));
}
