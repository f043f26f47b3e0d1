/** The functions of all services, one list. Generated from the definitions by `npm run generate`: change them there. */

import { getAuthConfig } from "./manager/auth-config";
import { getAuthRole, getAuthRoles } from "./manager/auth-role";
import { getSnapshotConfigs, getSnapshotStatus } from "./manager/get-snapshots";
import { login } from "./manager/login";
import { getSnapshotConfig } from "./manager/snapshot-config";
import { downloadState } from "./state-versions/download-state";
import { getCurrentStateVersion, getStateVersion } from "./state-versions/get-state-version";
import { getStateVersions } from "./state-versions/get-state-versions";
import { getCsiVolume, getCsiVolumes } from "./volumes/get-csi-volume";

/** Every function that there is, by its name, in the order of the documentation. */
export const functions = {
    getAuthConfig,
    getAuthRole,
    getAuthRoles,
    getSnapshotConfigs,
    getSnapshotStatus,
    login,
    getSnapshotConfig,
    downloadState,
    getCurrentStateVersion,
    getStateVersion,
    getStateVersions,
    getCsiVolume,
    getCsiVolumes,
};
