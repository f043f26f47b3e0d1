/** The classes of programs, one for each resource. Generated from the definitions by `npm run generate`: change them there. */

import type * as pulumi from "@pulumi/pulumi";
import { nativeClass } from "../pulumi/native-class";
import type {
    AuthConfigArgs,
    AuthConfigProperties,
    AuthRoleArgs,
    AuthRoleProperties,
    CsiVolumeArgs,
    CsiVolumeDetachmentArgs,
    CsiVolumeDetachmentProperties,
    CsiVolumeProperties,
    RootRotationArgs,
    RootRotationProperties,
    SnapshotConfigArgs,
    SnapshotConfigProperties,
    StateVersionArgs,
    StateVersionBackingDataArgs,
    StateVersionBackingDataProperties,
    StateVersionProperties,
    StateVersionRollbackArgs,
    StateVersionRollbackProperties,
    WorkspaceLockArgs,
    WorkspaceLockProperties,
} from "./args";
import { classFacts } from "./class-facts";

/** The configuration of Vault's azure auth method: the audience of login tokens, and the credentials with which Vault queries Azure. Id: `[<namespace>@]auth/<mount>/config`. */
export const AuthConfig = nativeClass<AuthConfigArgs, AuthConfig>(classFacts.AuthConfig);
/** A resource of the class `AuthConfig`. */
export interface AuthConfig extends pulumi.CustomResource, AuthConfigProperties {}

/** A role of Vault's azure auth method: which Azure machines may log in, and what their tokens may do. Id: `[<namespace>@]auth/<mount>/role/<name>`. */
export const AuthRole = nativeClass<AuthRoleArgs, AuthRole>(classFacts.AuthRole);
/** A resource of the class `AuthRole`. */
export interface AuthRole extends pulumi.CustomResource, AuthRoleProperties {}

/** Rotates the client secret of Vault's azure auth method: Vault creates a new secret that only Vault knows. This cannot be undone, and deleting this resource does nothing. Id: `[<namespace>@]auth/<mount>/rotate-root`. */
export const RootRotation = nativeClass<RootRotationArgs, RootRotation>(classFacts.RootRotation);
/** A resource of the class `RootRotation`. */
export interface RootRotation extends pulumi.CustomResource, RootRotationProperties {}

/** A configuration of the automated snapshots of Vault Enterprise: interval, retention and storage. It is in the root namespace. Id: `<name>`. */
export const SnapshotConfig = nativeClass<SnapshotConfigArgs, SnapshotConfig>(classFacts.SnapshotConfig);
/** A resource of the class `SnapshotConfig`. */
export interface SnapshotConfig extends pulumi.CustomResource, SnapshotConfigProperties {}

/** Whether the content of a state version of Terraform Enterprise is available, soft-deleted or permanently deleted. Deleting this resource leaves the content as it is. Id: `<stateVersionId>`. */
export const StateVersionBackingData = nativeClass<StateVersionBackingDataArgs, StateVersionBackingData>(
    classFacts.StateVersionBackingData,
);
/** A resource of the class `StateVersionBackingData`. */
export interface StateVersionBackingData extends pulumi.CustomResource, StateVersionBackingDataProperties {}

/** Rolls the state of a workspace of HCP Terraform back: the content of an older version becomes a new version, which is current. No version is changed or deleted. Deleting this resource keeps the state, unless `onDelete` restores the former one. Id: `<workspaceId>`. */
export const StateVersionRollback = nativeClass<StateVersionRollbackArgs, StateVersionRollback>(
    classFacts.StateVersionRollback,
);
/** A resource of the class `StateVersionRollback`. */
export interface StateVersionRollback extends pulumi.CustomResource, StateVersionRollbackProperties {}

/** A new state version of a workspace of HCP Terraform, which becomes current. Other content, or another workspace, creates another version. Versions are never changed, and deleting this resource deletes none. Id: `<stateVersionId>`. */
export const StateVersion = nativeClass<StateVersionArgs, StateVersion>(classFacts.StateVersion);
/** A resource of the class `StateVersion`. */
export interface StateVersion extends pulumi.CustomResource, StateVersionProperties {}

/** Locks a workspace of HCP Terraform, so that no run starts. Deleting this resource unlocks it. Id: `<workspaceId>`. */
export const WorkspaceLock = nativeClass<WorkspaceLockArgs, WorkspaceLock>(classFacts.WorkspaceLock);
/** A resource of the class `WorkspaceLock`. */
export interface WorkspaceLock extends pulumi.CustomResource, WorkspaceLockProperties {}

/** Detaches a volume of Nomad from a node, again when `triggers` change. Deleting it does nothing. Id: `<namespace>/<volumeId>/<node>`. */
export const CsiVolumeDetachment = nativeClass<CsiVolumeDetachmentArgs, CsiVolumeDetachment>(
    classFacts.CsiVolumeDetachment,
);
/** A resource of the class `CsiVolumeDetachment`. */
export interface CsiVolumeDetachment extends pulumi.CustomResource, CsiVolumeDetachmentProperties {}

/** A CSI volume that is registered with Nomad. The storage itself is neither created nor deleted. Id: `<namespace>/<volumeId>`. */
export const CsiVolume = nativeClass<CsiVolumeArgs, CsiVolume>(classFacts.CsiVolume);
/** A resource of the class `CsiVolume`. */
export interface CsiVolume extends pulumi.CustomResource, CsiVolumeProperties {}
