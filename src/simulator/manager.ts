/** The secrets manager: roles of its login method, and automated snapshots. */

import { layRole, roleRoutes } from "./manager-roles";
import { laySnapshotConfig, snapshotRoutes } from "./manager-snapshots";
import type { ManagerWorld } from "./manager-world";
import type { SimulatedService } from "./route";

/** The secrets manager. */
export const manager: SimulatedService<ManagerWorld> = {
    routes: [...roleRoutes, ...snapshotRoutes],
    empty: () => ({ mounts: ["clouda"], roles: {}, snapshotConfigs: {} }),
    lay: (seed, { world }) => {
        if (seed.mounts !== undefined) world.mounts = [...seed.mounts];
        for (const { mount = "clouda", namespace = "", name, fields } of seed.roles ?? []) {
            layRole(world, namespace, mount, name, fields);
        }
        for (const { name, fields } of seed.snapshotConfigs ?? []) laySnapshotConfig(world, name, fields);
    },
};
