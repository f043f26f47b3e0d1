/** Roles of the secrets manager's login method. A write is a merge unless told otherwise: what it leaves out stays. */

import type { Reply, Route } from "../route";
import type { Vocabulary } from "../vocabulary";
import type { ManagerWorld, StoredRole } from "./records";
import { mergeRole, readableRole, roleFieldNames, roleTelling } from "./role-fields";
import {
    absent,
    type Call,
    found,
    kept,
    managerRoute,
    mountOf,
    nameIn,
    namespaceNamed,
    unsupportedOperation,
    written,
} from "./rules";

/** What the method is called, at whatever mount. */
const methodName = "clouda";

const one = "/v1/auth/:mount+/role/:name+";
const all = "/v1/auth/:mount+/role";

/** The routes of roles. */
export const roleRoutes: readonly Route<ManagerWorld>[] = [
    managerRoute("GET", one, readRole),
    managerRoute("POST", one, writeRole, { exists: isThere }),
    managerRoute("PUT", one, writeRole, { exists: isThere }),
    managerRoute("DELETE", one, deleteRole),
    managerRoute("LIST", all, listRoles),
    managerRoute("LIST", `${all}/`, listRoles),
    managerRoute("GET", all, listRoles),
    managerRoute("GET", `${all}/`, listRoles),
    ...[one, all, `${all}/`].map((path) =>
        managerRoute("*", path, (call) => {
            roleMount(call);
            throw unsupportedOperation;
        }),
    ),
];

/** Lays a role as if it had been written. Throws what a write would answer. */
export function layRole(
    world: ManagerWorld,
    namespace: string,
    mount: string,
    name: string,
    fields: Readonly<Record<string, unknown>>,
    vocabulary: Vocabulary,
): void {
    if (!world.mounts.includes(mount)) throw new Error(`no mount ${mount} for the role ${name}`);
    const key = nameIn(name).toLowerCase();
    const space = namespaceNamed(namespace);
    const { role } = mergeRole(storedRole(world, space, mount, key), fields, vocabulary);
    store(world, space, mount, key, role);
}

function readRole(call: Call): Reply {
    if (call.isList) throw unsupportedOperation;
    const mount = roleMount(call);
    const role = storedRole(call.world, call.namespace, mount, nameOf(call));
    if (role === undefined) throw absent;
    return found(call, methodName, readableRole(role), roleTelling);
}

function writeRole(call: Call): Reply {
    const mount = roleMount(call);
    const name = nameOf(call);
    const { role, warnings } = mergeRole(
        kept(call, storedRole(call.world, call.namespace, mount, name)),
        call.body,
        call.vocabulary,
    );
    store(call.world, call.namespace, mount, name, role);
    return written(call, methodName, warnings, roleFieldNames);
}

function deleteRole(call: Call): Reply {
    const mount = roleMount(call);
    delete rolesOf(call.world, call.namespace, mount)[nameOf(call)];
    return written(call, methodName, [], roleFieldNames);
}

function listRoles(call: Call): Reply {
    const mount = roleMount(call);
    if (!call.isList) throw unsupportedOperation;
    const keys = Object.keys(rolesOf(call.world, call.namespace, mount)).sort();
    if (keys.length === 0) throw absent;
    return found(call, methodName, { keys });
}

function roleMount(call: Call): string {
    const { name } = call.parameters;
    return mountOf(call, name === undefined ? "role" : `role/${name}`);
}

/** Whether there is such a role; asked before the path is judged. */
function isThere({ world, namespace, parameters: { mount = "", name = "" } }: Call): boolean {
    return storedRole(world, namespace, mount, name.toLowerCase()) !== undefined;
}

/** In lower case: names that differ in case only are one. */
function nameOf(call: Call): string {
    return nameIn(call.parameters["name"] ?? "").toLowerCase();
}

/** A role, by its name in lower case. */
export function storedRole(
    world: ManagerWorld,
    namespace: string,
    mount: string,
    name: string,
): StoredRole | undefined {
    const roles = rolesOf(world, namespace, mount);
    return Object.hasOwn(roles, name) ? roles[name] : undefined;
}

function rolesOf(world: ManagerWorld, namespace: string, mount: string): Record<string, StoredRole> {
    const mounts = Object.hasOwn(world.roles, namespace) ? world.roles[namespace] : undefined;
    return (mounts !== undefined && Object.hasOwn(mounts, mount) ? mounts[mount] : undefined) ?? {};
}

/** Entries, not assignment: a role may be named like something that every object has. */
function store(world: ManagerWorld, namespace: string, mount: string, name: string, role: StoredRole): void {
    const roles = Object.fromEntries([...Object.entries(rolesOf(world, namespace, mount)), [name, role]]);
    const mounts = Object.hasOwn(world.roles, namespace) ? (world.roles[namespace] ?? {}) : {};
    const changed = Object.fromEntries([...Object.entries(mounts), [mount, roles]]);
    world.roles = Object.fromEntries([...Object.entries(world.roles), [namespace, changed]]);
}
