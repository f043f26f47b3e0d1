/** The routes that stand beside what they serve. Generated from the folders by `npm run generate`. */

import { loginRoutes } from "./manager/login";
import { loginConfigRoutes, rotationRoutes } from "./manager/login-config";
import { roleRoutes } from "./manager/role";
import { snapshotConfigRoutes } from "./manager/snapshot-config";
import { snapshotRunRoutes } from "./manager/snapshot-runs";
import type { Route } from "./route";
import { claimRoutes } from "./volumes/claims";

/** All of them. */
export const foundRoutes: readonly Route[] = [
    ...loginConfigRoutes,
    ...rotationRoutes,
    ...loginRoutes,
    ...roleRoutes,
    ...snapshotConfigRoutes,
    ...snapshotRunRoutes,
    ...claimRoutes,
];
