/** Every function that there is, by its name. */

export { getAuthConfig } from "./manager/auth-config";
export { getAuthRole, getAuthRoles } from "./manager/auth-role";
export { getSnapshotConfig, getSnapshotConfigs, getSnapshotStatus } from "./manager/get-snapshots";
export { login } from "./manager/login";
export { downloadState } from "./state-versions/download-state";
export { getCurrentStateVersion, getStateVersion } from "./state-versions/get-state-version";
export { getStateVersions } from "./state-versions/get-state-versions";
export { getCsiVolume, getCsiVolumes } from "./volumes/get-csi-volume";
