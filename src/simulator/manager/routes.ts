/** The secrets manager: its login method with configuration, roles and logins, automated snapshots, and what else has a file here. */

import type { SimulatedService } from "../route";
import type { MountedSeed } from "../seed";
import { usualMount } from "../vocabulary";
import { namespaceNamed } from "./call";
import { foundRoutes } from "./found-routes";
import { loginConfig } from "./login-config";
import { type NamedObject, pathOf, writeObject } from "./named-object";
import { role } from "./role";
import { snapshotConfig } from "./snapshot-config";
import { takeDueSnapshots } from "./snapshot-runs";

/** The secrets manager. */
export const manager: SimulatedService = {
    routes: foundRoutes,
    seed: (seed, { manager: store, vocabulary }, now) => {
        const usual = usualMount[vocabulary];
        // Only while nobody has chosen the mounts.
        if (store.mounts.join() === "clouda") store.mounts = [usual];
        store.loginSurroundings = seed.loginSurroundings ?? store.loginSurroundings;
        store.mounts = [...(seed.mounts ?? store.mounts)];
        /** Writes an object as a request would. */
        const write = <Stored>(object: NamedObject<Stored>, given: MountedSeed & { readonly name?: string }) => {
            const { mount = usual, namespace = "", name, fields: body } = given;
            const parameters = { mount, ...(name !== undefined && { name }) };
            const call = { store, path: pathOf(object, parameters), parameters, body, vocabulary, now };
            writeObject(object, {
                ...call,
                namespace: namespaceNamed(namespace),
                isList: false,
                manners: [],
                unknownQuery: [],
            });
        };
        for (const given of seed.loginConfigs ?? []) write(loginConfig, given);
        for (const given of seed.roles ?? []) write(role, given);
        // Without the licence there may be configurations all the same.
        const { licensed } = store;
        store.licensed = true;
        for (const given of seed.snapshotConfigs ?? []) write(snapshotConfig, given);
        store.licensed = seed.licensed ?? licensed;
    },
    tick: (store, now) => takeDueSnapshots(store, now),
};
