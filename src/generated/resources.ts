/** The classes of programs, one for each resource. Generated from the definitions by `npm run generate`: change them there. */

import { dynamicClass } from "../pulumi/dynamic-class";
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
} from "./args";
import { classFacts } from "./class-facts";

/** The configuration of the secrets manager's cloud-identity login method: whose tokens log in, and the credentials by which the service asks the cloud provider about machines. Id: `[<namespace>@]auth/<mount>/config`. */
export const AuthConfig = dynamicClass<AuthConfigArgs, AuthConfigProperties>(classFacts.AuthConfig);
/** A resource of the class `AuthConfig`. */
export type AuthConfig = InstanceType<typeof AuthConfig>;

/** A role of the secrets manager's cloud-identity login method: which machines may log in, and what tokens they receive. Id: `[<namespace>@]auth/<mount>/role/<name>`. */
export const AuthRole = dynamicClass<AuthRoleArgs, AuthRoleProperties>(classFacts.AuthRole);
/** A resource of the class `AuthRole`. */
export type AuthRole = InstanceType<typeof AuthRole>;

/** Rotates the client secret in the configuration of the secrets manager's login method: the service makes a new one that it alone knows. This cannot be undone. Id: `[<namespace>@]auth/<mount>/rotate-root`. */
export const RootRotation = dynamicClass<RootRotationArgs, RootRotationProperties>(classFacts.RootRotation);
/** A resource of the class `RootRotation`. */
export type RootRotation = InstanceType<typeof RootRotation>;

/** A configuration of the secrets manager's automated snapshots: how often, how many are kept, and where they go. Lives in the root namespace. Id: `<name>`. */
export const SnapshotConfig = dynamicClass<SnapshotConfigArgs, SnapshotConfigProperties>(classFacts.SnapshotConfig);
/** A resource of the class `SnapshotConfig`. */
export type SnapshotConfig = InstanceType<typeof SnapshotConfig>;

/** Whether the content of a state version is kept, soft-deleted or permanently deleted: the actions of the self-hosted edition as a declared state. Deleting this resource leaves the content as it is. Id: `<stateVersionId>`. */
export const StateVersionBackingData = dynamicClass<StateVersionBackingDataArgs, StateVersionBackingDataProperties>(
    classFacts.StateVersionBackingData,
);
/** A resource of the class `StateVersionBackingData`. */
export type StateVersionBackingData = InstanceType<typeof StateVersionBackingData>;

/** Rolls a workspace's state back: the content of an older version is copied into a new version, which becomes current. Nothing is edited or deleted. Id: `<workspaceId>`. */
export const StateVersionRollback = dynamicClass<StateVersionRollbackArgs, StateVersionRollbackProperties>(
    classFacts.StateVersionRollback,
);
/** A resource of the class `StateVersionRollback`. */
export type StateVersionRollback = InstanceType<typeof StateVersionRollback>;

/** A new version of a workspace's state, which becomes current. Another content, and so another serial, or another workspace makes another version; versions are never changed, and deleting this resource deletes none. Id: `<stateVersionId>`. */
export const StateVersion = dynamicClass<StateVersionArgs, StateVersionProperties>(classFacts.StateVersion);
/** A resource of the class `StateVersion`. */
export type StateVersion = InstanceType<typeof StateVersion>;

/** Asks the workload scheduler to detach a volume from a node, once, and again when `triggers` change. Deleting it does nothing. Id: `<namespace>/<volumeId>/<node>`. */
export const CsiVolumeDetachment = dynamicClass<CsiVolumeDetachmentArgs, CsiVolumeDetachmentProperties>(
    classFacts.CsiVolumeDetachment,
);
/** A resource of the class `CsiVolumeDetachment`. */
export type CsiVolumeDetachment = InstanceType<typeof CsiVolumeDetachment>;

/** An external volume of type `csi`, registered with the workload scheduler. The storage itself is neither created nor deleted. Id: `<namespace>/<volumeId>`. */
export const CsiVolume = dynamicClass<CsiVolumeArgs, CsiVolumeProperties>(classFacts.CsiVolume);
/** A resource of the class `CsiVolume`. */
export type CsiVolume = InstanceType<typeof CsiVolume>;
