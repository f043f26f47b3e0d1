/** Every resource and function by its name. Each is loaded on its first use: a process needs only those of its program. Generated from the definitions by `npm run generate`: change them there. */

import type { AnyFunction } from "../core/functions";
import type { AnyResource } from "../core/resource";

const resources: Readonly<Record<string, () => AnyResource>> = {
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

const functions: Readonly<Record<string, () => AnyFunction>> = {
    getAuthConfig: () => require("./manager/auth-config").getAuthConfig,
    getAuthRole: () => require("./manager/auth-role").getAuthRole,
    getAuthRoles: () => require("./manager/auth-role").getAuthRoles,
    getSnapshotConfigs: () => require("./manager/get-snapshots").getSnapshotConfigs,
    getSnapshotStatus: () => require("./manager/get-snapshots").getSnapshotStatus,
    login: () => require("./manager/login").login,
    getSnapshotConfig: () => require("./manager/snapshot-config").getSnapshotConfig,
    downloadState: () => require("./state-versions/get-state-versions").downloadState,
    getCurrentStateVersion: () => require("./state-versions/get-state-versions").getCurrentStateVersion,
    getStateVersion: () => require("./state-versions/get-state-versions").getStateVersion,
    getStateVersions: () => require("./state-versions/get-state-versions").getStateVersions,
    getCsiVolume: () => require("./volumes/csi-volume").getCsiVolume,
    getCsiVolumes: () => require("./volumes/csi-volume").getCsiVolumes,
};

/** Loads the resource of this type, if there is one. */
export function loadResource(type: string): AnyResource | undefined {
    return Object.hasOwn(resources, type) ? resources[type]?.() : undefined;
}

/** Loads the function of this name, if there is one. */
export function loadFunction(name: string): AnyFunction | undefined {
    return Object.hasOwn(functions, name) ? functions[name]?.() : undefined;
}

/** Loads every resource. */
export const allResources = (): AnyResource[] => Object.values(resources).map((load) => load());

/** Loads every function. */
export const allFunctions = (): AnyFunction[] => Object.values(functions).map((load) => load());
