/** The secrets manager: its login method with configuration, roles and logins, and automated snapshots. */

import { randomBytes } from "node:crypto";
import type { SimulatedService } from "../route";
import { usualMount } from "../vocabulary";
import { configRoutes, layConfig } from "./config";
import { loginRoutes } from "./login";
import type { ManagerWorld } from "./records";
import { layRole, roleRoutes } from "./roles";
import { takeDueSnapshots } from "./snapshot-runs";
import { laySnapshotConfig, snapshotRoutes } from "./snapshots";

/** The secrets manager. */
export const manager: SimulatedService<ManagerWorld> = {
    // A role may be called like the other paths of its mount.
    routes: [...roleRoutes, ...configRoutes, ...loginRoutes, ...snapshotRoutes],
    empty: () => ({
        licensed: true,
        identityKey: randomBytes(32).toString("hex"),
        logins: [],
        mounts: ["clouda"],
        loginConfigs: {},
        roles: {},
        snapshotConfigs: {},
    }),
    lay: (seed, { world, now, vocabulary }) => {
        const usual = usualMount[vocabulary];
        // Only a world whose mounts nobody has chosen yet.
        if (world.mounts.join() === "clouda") world.mounts = [usual];
        if (seed.licensed !== undefined) world.licensed = seed.licensed;
        if (seed.loginSurroundings !== undefined) world.loginSurroundings = seed.loginSurroundings;
        if (seed.mounts !== undefined) world.mounts = [...seed.mounts];
        for (const { mount = usual, namespace = "", fields } of seed.loginConfigs ?? []) {
            layConfig(world, namespace, mount, fields, vocabulary);
        }
        for (const { mount = usual, namespace = "", name, fields } of seed.roles ?? []) {
            layRole(world, namespace, mount, name, fields, vocabulary);
        }
        for (const { name, fields } of seed.snapshotConfigs ?? [])
            laySnapshotConfig(world, name, fields, now(), vocabulary);
    },
    tick: ({ world, now }) => takeDueSnapshots(world, now()),
};
