/** The secrets manager: roles of its login method, and automated snapshots. */

import type { SimulatedService } from "./route";

/** The manager's part of the world. */
export interface ManagerWorld {
    mounts: string[];
}

/** The secrets manager. */
export const manager: SimulatedService<ManagerWorld> = {
    routes: [],
    empty: () => ({ mounts: ["clouda"] }),
    lay: () => {},
};
