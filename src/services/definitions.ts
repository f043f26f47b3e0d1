/** Every resource that there is. Generated from the definitions by `npm run generate`: change them there. */

import type { Resource } from "../core/resource";
import { authConfig } from "./manager/auth-config";
import { authRole } from "./manager/auth-role";
import { rootRotation } from "./manager/root-rotation";
import { snapshotConfig } from "./manager/snapshot-config";
import { stateVersion } from "./state-versions/state-version";
import { stateVersionBackingData } from "./state-versions/state-version-backing-data";
import { stateVersionRollback } from "./state-versions/state-version-rollback";
import { csiVolume } from "./volumes/csi-volume";
import { csiVolumeDetachment } from "./volumes/csi-volume-detachment";

/** All definitions, in the order in which pages list them. */
export const definitions: readonly Resource[] = [
    authConfig,
    authRole,
    rootRotation,
    snapshotConfig,
    stateVersionBackingData,
    stateVersionRollback,
    stateVersion,
    csiVolumeDetachment,
    csiVolume,
];
