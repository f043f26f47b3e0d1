/**
 * Every resource and function by its name. Each is loaded on its first use: a process needs only those of its program.
 * Generated from the definitions by `npm run generate`: change them there.
 */

import type { AnyFunction } from "../core/functions";
import type { AnyResource } from "../core/resource";

const resources: Readonly<Record<string, () => AnyResource>> = {
    AuthConfig: () => require("../services/manager/auth-config").authConfig,
    AuthRole: () => require("../services/manager/auth-role").authRole,
    RootRotation: () => require("../services/manager/root-rotation").rootRotation,
    SnapshotConfig: () => require("../services/manager/snapshot-config").snapshotConfig,
    StateVersionBackingData: () =>
        require("../services/state-versions/state-version-backing-data").stateVersionBackingData,
    StateVersionRollback: () => require("../services/state-versions/state-version-rollback").stateVersionRollback,
    StateVersion: () => require("../services/state-versions/state-version").stateVersion,
    WorkspaceLock: () => require("../services/state-versions/workspace-lock").workspaceLock,
    CsiVolumeDetachment: () => require("../services/volumes/csi-volume-detachment").csiVolumeDetachment,
    CsiVolume: () => require("../services/volumes/csi-volume").csiVolume,
};

const functions: Readonly<Record<string, () => AnyFunction>> = {
    getAuthConfig: () => require("../services/manager/auth-config").getAuthConfig,
    getAuthRole: () => require("../services/manager/auth-role").getAuthRole,
    getAuthRoles: () => require("../services/manager/auth-role").getAuthRoles,
    login: () => require("../services/manager/login").login,
    getSnapshotConfig: () => require("../services/manager/snapshot-config").getSnapshotConfig,
    getSnapshotConfigs: () => require("../services/manager/snapshot-config").getSnapshotConfigs,
    getSnapshotStatus: () => require("../services/manager/snapshot-config").getSnapshotStatus,
    downloadState: () => require("../services/state-versions/get-state-versions").downloadState,
    getCurrentStateVersion: () => require("../services/state-versions/get-state-versions").getCurrentStateVersion,
    getStateVersion: () => require("../services/state-versions/get-state-versions").getStateVersion,
    getStateVersions: () => require("../services/state-versions/get-state-versions").getStateVersions,
    getWorkspace: () => require("../services/state-versions/get-workspace").getWorkspace,
    getCsiVolume: () => require("../services/volumes/csi-volume").getCsiVolume,
    getCsiVolumes: () => require("../services/volumes/csi-volume").getCsiVolumes,
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
