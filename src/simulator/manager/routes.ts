/** The secrets manager: its login method with configuration, roles and logins, and automated snapshots. */

import type { Hono } from "hono";
import { z } from "zod";
import { refuse, validated } from "../refusal";
import type { MountedSeed, Seed } from "../seed";
import { nowIn, type World } from "../store";
import { addRoute, type Call, envelope, namespaceNamed, written } from "./call";
import { fieldsOf, readFields } from "./fields";
import { logIn } from "./login";
import { addLoginConfigRoutes, loginConfig } from "./login-config";
import { addRevocationRoute } from "./method-login";
import { addObjectRoutes, type NamedObject, writeObject } from "./named-object";
import { longestLease } from "./records";
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
    if (world.names !== "product") return;
    addRoute(app, world, "GET", "sys/auth", listMounts);
    addRoute(app, world, "POST", "sys/auth/:mount", enable, "sudo");
}

/** `vault auth list`. */
const listMounts = ({ store }: Call) =>
    envelope({ data: Object.fromEntries(Object.keys(store.mounts).map((mount) => [`${mount}/`, { type: "azure" }])) });

const mountForm = z.object({ type: z.string().default(""), config: z.looseObject({}).default({}) });

/** `vault auth enable`: mounts the login method at another path. */
function enable({ store, mount, body }: Call): Response {
    const { type, config } = validated(mountForm, body);
    const overlaps = (one: string) => `${one}/`.startsWith(`${mount}/`) || `${mount}/`.startsWith(`${one}/`);
    const taken = Object.keys(store.mounts).find(overlaps);
    refuse(
        400,
        [type !== "azure", `plugin not found in the catalog: ${type}`],
        [taken !== undefined, `path is already in use at ${taken}/`],
    );
    const { max_lease_ttl: longest } = readFields(config, fieldsOf("duration", "max_lease_ttl"));
    store.mounts[mount] = Number(longest) || longestLease;
    return written();
}

/** Adds the mounts and objects of a seed. Objects are written as if by requests. */
export function seedManager(seed: Seed, { store: world, names }: World): void {
    const store = world.manager;
    const defaultMount = names === "product" ? "azure" : "clouda";
    store.loginSurroundings = seed.loginSurroundings ?? store.loginSurroundings;
    if (seed.mounts !== undefined || Object.keys(store.mounts).length === 0) {
        store.mounts = Object.fromEntries((seed.mounts ?? [defaultMount]).map((mount) => [mount, longestLease]));
    }
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
