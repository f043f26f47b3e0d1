/** The configuration of the secrets manager's login method, and the rotation of its root secret. */

import { randomBytes } from "node:crypto";
import type { Reply, Route } from "../route";
import type { Vocabulary } from "../vocabulary";
import { configFieldNames, configTelling, mergeConfig, readableConfig, UnusableConfig } from "./config-fields";
import type { ManagerWorld, StoredLoginConfig } from "./records";
import {
    absent,
    type Call,
    counted,
    found,
    kept,
    managerRoute,
    mountOf,
    namespaceNamed,
    Refusal,
    unsupportedOperation,
    written,
} from "./rules";

const methodName = "clouda";
const config = "/v1/auth/:mount+/config";
const rotation = "/v1/auth/:mount+/rotate-root";

/** The routes of configurations. */
export const configRoutes: readonly Route<ManagerWorld>[] = [
    managerRoute("GET", config, readConfig),
    managerRoute("POST", config, writeConfig, { exists: isThere }),
    managerRoute("PUT", config, writeConfig, { exists: isThere }),
    managerRoute("DELETE", config, deleteConfig),
    managerRoute("POST", rotation, rotateRoot),
    managerRoute("PUT", rotation, rotateRoot),
    managerRoute("*", config, (call) => {
        mountOf(call, "config");
        throw unsupportedOperation;
    }),
    managerRoute("*", rotation, (call) => {
        mountOf(call, "rotate-root");
        throw unsupportedOperation;
    }),
];

/** Lays a configuration as if it had been written. Throws what a write would answer. */
export function layConfig(
    world: ManagerWorld,
    namespace: string,
    mount: string,
    fields: Readonly<Record<string, unknown>>,
    vocabulary: Vocabulary,
): void {
    if (!world.mounts.includes(mount)) throw new Error(`no mount ${mount} for a configuration`);
    const space = namespaceNamed(namespace);
    const before = storedConfig(world, space, mount);
    store(world, space, mount, mergeConfig(before, fields, vocabulary, world.loginSurroundings));
}

function readConfig(call: Call): Reply {
    const mount = mountOf(call, "config");
    if (call.isList) throw unsupportedOperation;
    const stored = storedConfig(call.world, call.namespace, mount);
    if (stored === undefined) throw absent;
    return found(call, methodName, readableConfig(stored, call.vocabulary), configTelling);
}

function writeConfig(call: Call): Reply {
    const mount = mountOf(call, "config");
    const { world, namespace, body, vocabulary } = call;
    const before = kept(call, storedConfig(world, namespace, mount));
    try {
        store(world, namespace, mount, mergeConfig(before, body, vocabulary, world.loginSurroundings));
    } catch (error) {
        if (error instanceof UnusableConfig) throw new Refusal(500, [counted([error.message])]);
        throw error;
    }
    return written(call, methodName, [], configFieldNames);
}

function deleteConfig(call: Call): Reply {
    const mount = mountOf(call, "config");
    const mounts = call.world.loginConfigs[call.namespace];
    if (mounts !== undefined) delete mounts[mount];
    return written(call, methodName, [], configFieldNames);
}

/** The provider's side knows the new secret too, but nobody who asks here does. */
function rotateRoot(call: Call): Reply {
    const mount = mountOf(call, "rotate-root");
    const stored = storedConfig(call.world, call.namespace, mount);
    if (stored === undefined) throw new Refusal(500, [counted(["config is nil"])]);
    stored.client_secret = randomBytes(24).toString("base64url");
    stored.isRotated = true;
    return written(call, methodName, [], new Set());
}

function isThere({ world, namespace, parameters: { mount = "" } }: Call): boolean {
    return storedConfig(world, namespace, mount) !== undefined;
}

/** The configuration of a mount. */
export function storedConfig(world: ManagerWorld, namespace: string, mount: string): StoredLoginConfig | undefined {
    const mounts = Object.hasOwn(world.loginConfigs, namespace) ? world.loginConfigs[namespace] : undefined;
    return mounts !== undefined && Object.hasOwn(mounts, mount) ? mounts[mount] : undefined;
}

function store(world: ManagerWorld, namespace: string, mount: string, stored: StoredLoginConfig): void {
    const mounts = Object.hasOwn(world.loginConfigs, namespace) ? world.loginConfigs[namespace] : {};
    world.loginConfigs = { ...world.loginConfigs, [namespace]: { ...mounts, [mount]: stored } };
}
