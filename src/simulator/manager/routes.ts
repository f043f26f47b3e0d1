/** The secrets manager: its login method with configuration, roles and logins, and automated snapshots. */

import type { Hono } from "hono";
import type { MountedSeed, Seed } from "../seed";
import { nowIn, type World } from "../store";
import { addRoute, type Call, namespaceNamed } from "./call";
import { logIn } from "./login";
import { addLoginConfigRoutes, loginConfig } from "./login-config";
import { addRevocationRoute } from "./method-login";
import { addObjectRoutes, type NamedObject, writeObject } from "./named-object";
import { role } from "./role";
import { addSnapshotRoutes, snapshotConfig } from "./snapshots";

export { takeDueSnapshots } from "./snapshots";

/** Adds the routes. The routes of roles come first: the path of a role called `login` also has the form of a login. */
export function addManagerRoutes(app: Hono, world: World): void {
    addObjectRoutes(app, world, role);
    addLoginConfigRoutes(app, world);
    addRevocationRoute(app, world);
    addRoute(app, world, "POST", "auth/:mount/login", (call) => logIn(call, world.store), "nothing");
    addSnapshotRoutes(app, world);
}

/** Adds the mounts and objects of a seed. Objects are written as if by requests. */
export function seedManager(seed: Seed, { store: world, names }: World): void {
    const store = world.manager;
    const defaultMount = names === "product" ? "azure" : "clouda";
    store.loginSurroundings = seed.loginSurroundings ?? store.loginSurroundings;
    if (seed.mounts !== undefined || store.mounts.length === 0) store.mounts = [...(seed.mounts ?? [defaultMount])];
    store.licensed = seed.licensed ?? store.licensed;
    const write = <Stored>(object: NamedObject<Stored>, given: MountedSeed & { readonly name?: string }) => {
        const { mount = defaultMount, namespace = "", name = "", fields: body } = given;
        const call: Call = { store, names, now: nowIn(world), mount, name, namespace: namespaceNamed(namespace), body };
        writeObject(object, call);
    };
    for (const given of seed.loginConfigs ?? []) write(loginConfig, given);
    for (const given of seed.roles ?? []) write(role, given);
    for (const given of seed.snapshotConfigs ?? []) write(snapshotConfig, given);
}
