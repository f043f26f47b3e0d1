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
export class AuthConfig extends dynamicClass<AuthConfigArgs, AuthConfigProperties>(classFacts.AuthConfig) {}

/** A role of the secrets manager's cloud-identity login method: which machines may log in, and what tokens they receive. Id: `[<namespace>@]auth/<mount>/role/<name>`. */
export class AuthRole extends dynamicClass<AuthRoleArgs, AuthRoleProperties>(classFacts.AuthRole) {}

/** Rotates the client secret in the configuration of the secrets manager's login method: the service makes a new one that it alone knows. This cannot be undone. Id: `[<namespace>@]auth/<mount>/rotate-root`. */
export class RootRotation extends dynamicClass<RootRotationArgs, RootRotationProperties>(classFacts.RootRotation) {}

/** A configuration of the secrets manager's automated snapshots: how often, how many are kept, and where they go. Lives in the root namespace. Id: `<name>`. */
export class SnapshotConfig extends dynamicClass<SnapshotConfigArgs, SnapshotConfigProperties>(
    classFacts.SnapshotConfig,
) {}

/** Whether the content of a state version is kept, soft-deleted or permanently deleted: the actions of the self-hosted edition as a declared state. Deleting this resource leaves the content as it is. Id: `<stateVersionId>`. */
export class StateVersionBackingData extends dynamicClass<
    StateVersionBackingDataArgs,
    StateVersionBackingDataProperties
>(classFacts.StateVersionBackingData) {}

/** Rolls a workspace's state back: the content of an older version is copied into a new version, which becomes current. Nothing is edited or deleted. Id: `<workspaceId>`. */
export class StateVersionRollback extends dynamicClass<StateVersionRollbackArgs, StateVersionRollbackProperties>(
    classFacts.StateVersionRollback,
) {}

/** A new version of a workspace's state, which becomes current. Another content, and so another serial, or another workspace makes another version; versions are never changed, and deleting this resource deletes none. Id: `<stateVersionId>`. */
export class StateVersion extends dynamicClass<StateVersionArgs, StateVersionProperties>(classFacts.StateVersion) {}

/** Asks the workload scheduler to detach a volume from a node, once, and again when `triggers` change. Deleting it does nothing. Id: `<namespace>/<volumeId>/<node>`. */
export class CsiVolumeDetachment extends dynamicClass<CsiVolumeDetachmentArgs, CsiVolumeDetachmentProperties>(
    classFacts.CsiVolumeDetachment,
) {}

/** An external volume of type `csi`, registered with the workload scheduler. The storage itself is neither created nor deleted. Id: `<namespace>/<volumeId>`. */
export class CsiVolume extends dynamicClass<CsiVolumeArgs, CsiVolumeProperties>(classFacts.CsiVolume) {}
