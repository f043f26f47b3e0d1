/** Resources and functions by their names, each loaded when it is asked for: a process needs those of its program alone. Generated from the definitions by `npm run generate`: change them there. */

import type { DefinedFunction } from "../core/defined-function";
import type { Resource } from "../core/resource";

const resources: Readonly<Record<string, () => Resource>> = {
    AuthConfig: () => require("./manager/auth-config").authConfig,
    AuthRole: () => require("./manager/auth-role").authRole,
    RootRotation: () => require("./manager/root-rotation").rootRotation,
    SnapshotConfig: () => require("./manager/snapshot-config").snapshotConfig,
    StateVersionBackingData: () => require("./state-versions/state-version-backing-data").stateVersionBackingData,
    StateVersionRollback: () => require("./state-versions/state-version-rollback").stateVersionRollback,
    StateVersion: () => require("./state-versions/state-version").stateVersion,
    CsiVolumeDetachment: () => require("./volumes/csi-volume-detachment").csiVolumeDetachment,
    CsiVolume: () => require("./volumes/csi-volume").csiVolume,
};

const functions: Readonly<Record<string, () => DefinedFunction>> = {
    getAuthConfig: () => require("./manager/auth-config").getAuthConfig,
    getAuthRole: () => require("./manager/auth-role").getAuthRole,
    getAuthRoles: () => require("./manager/auth-role").getAuthRoles,
    getSnapshotConfigs: () => require("./manager/get-snapshots").getSnapshotConfigs,
    getSnapshotStatus: () => require("./manager/get-snapshots").getSnapshotStatus,
    login: () => require("./manager/login").login,
    getSnapshotConfig: () => require("./manager/snapshot-config").getSnapshotConfig,
    downloadState: () => require("./state-versions/download-state").downloadState,
    getCurrentStateVersion: () => require("./state-versions/get-state-version").getCurrentStateVersion,
    getStateVersion: () => require("./state-versions/get-state-version").getStateVersion,
    getStateVersions: () => require("./state-versions/get-state-versions").getStateVersions,
    getCsiVolume: () => require("./volumes/get-csi-volume").getCsiVolume,
    getCsiVolumes: () => require("./volumes/get-csi-volume").getCsiVolumes,
};

/** Loads the resource of this type, if there is one. */
export function loadResource(type: string): Resource | undefined {
    return Object.hasOwn(resources, type) ? resources[type]?.() : undefined;
}

/** Loads the function of this name, if there is one. */
export function loadFunction(name: string): DefinedFunction | undefined {
    return Object.hasOwn(functions, name) ? functions[name]?.() : undefined;
}
