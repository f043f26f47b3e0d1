/** The secrets manager: its login method with configuration, roles and logins, and automated snapshots. */

import type { Hono } from "hono";
import type { World } from "../app";
import type { MountedSeed, Seed } from "../seed";
import { nowIn } from "../store";
import { type Call, namespaceNamed } from "./call";
import { addLoginRoutes } from "./login";
import { addLoginConfigRoutes, loginConfig } from "./login-config";
import { addObjectRoutes, type NamedObject, writeObject } from "./named-object";
import { role } from "./role";
import { addSnapshotRoutes, snapshotConfig } from "./snapshots";

export { takeDueSnapshots } from "./snapshots";

/** Adds the routes. Those of roles come first: a role may be called like another path of its mount. */
export function addManagerRoutes(app: Hono, world: World): void {
    addObjectRoutes(app, world, role);
    addLoginConfigRoutes(app, world);
    addLoginRoutes(app, world);
    addSnapshotRoutes(app, world);
}

/** Adds a seed's mounts and objects, which are written as by requests. */
export function seedManager(seed: Seed, { store: { manager: store, clockOffset }, names }: World): void {
    const defaultMount = names === "product" ? "azure" : "clouda";
    store.loginSurroundings = seed.loginSurroundings ?? store.loginSurroundings;
    if (seed.mounts !== undefined || store.mounts.length === 0) store.mounts = [...(seed.mounts ?? [defaultMount])];
    const now = nowIn({ clockOffset });
    const write = <Stored>(object: NamedObject<Stored>, given: MountedSeed & { readonly name?: string }) => {
        const { mount = defaultMount, namespace = "", name = "", fields: body } = given;
        const call: Call = { store, names, now, mount, name, namespace: namespaceNamed(namespace), body };
        writeObject(object, call);
    };
    for (const given of seed.loginConfigs ?? []) write(loginConfig, given);
    for (const given of seed.roles ?? []) write(role, given);
    // Configurations may have been made before the licence ended.
    const { licensed } = store;
    store.licensed = true;
    for (const given of seed.snapshotConfigs ?? []) write(snapshotConfig, given);
    store.licensed = seed.licensed ?? licensed;
}
