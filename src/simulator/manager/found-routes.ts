/** The routes that stand beside what they serve. Generated from the files of this folder by `npm run generate`. */

import type { Route } from "../route";
import { loginRoutes } from "./login";
import { loginConfigRoutes, rotationRoutes } from "./login-config";
import { roleRoutes } from "./role";
import { snapshotConfigRoutes } from "./snapshot-config";
import { snapshotRunRoutes } from "./snapshot-runs";

/** All of them. */
export const foundRoutes: readonly Route[] = [
    ...loginConfigRoutes,
    ...rotationRoutes,
    ...loginRoutes,
    ...roleRoutes,
    ...snapshotConfigRoutes,
    ...snapshotRunRoutes,
];
