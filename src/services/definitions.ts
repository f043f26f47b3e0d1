/** Every resource that there is. */

import type { Definition } from "../core/definition";
import { authRole } from "./manager/auth-role";
import { snapshotConfig } from "./manager/snapshot-config";
import { stateVersionRollback } from "./state-versions/state-version-rollback";
import { csiVolume } from "./volumes/csi-volume";

/** All definitions, in the order in which pages list them. */
export const definitions: readonly Definition[] = [authRole, snapshotConfig, csiVolume, stateVersionRollback];
