/** The classes of programs, one for each resource. Generated from the definitions by `npm run generate`: change them there. */

import type {
    AuthConfigArgs,
    AuthConfigOutputs,
    AuthRoleArgs,
    AuthRoleOutputs,
    CsiVolumeArgs,
    CsiVolumeDetachmentArgs,
    CsiVolumeDetachmentOutputs,
    CsiVolumeOutputs,
    RootRotationArgs,
    RootRotationOutputs,
    SnapshotConfigArgs,
    SnapshotConfigOutputs,
    StateVersionArgs,
    StateVersionBackingDataArgs,
    StateVersionBackingDataOutputs,
    StateVersionOutputs,
    StateVersionRollbackArgs,
    StateVersionRollbackOutputs,
} from "./args";
import { nativeClass } from "./pulumi/native-class";
import { authConfig } from "./services/manager/auth-config";
import { authRole } from "./services/manager/auth-role";
import { rootRotation } from "./services/manager/root-rotation";
import { snapshotConfig } from "./services/manager/snapshot-config";
import { stateVersion } from "./services/state-versions/state-version";
import { stateVersionBackingData } from "./services/state-versions/state-version-backing-data";
import { stateVersionRollback } from "./services/state-versions/state-version-rollback";
import { csiVolume } from "./services/volumes/csi-volume";
import { csiVolumeDetachment } from "./services/volumes/csi-volume-detachment";

/** The configuration of the secrets manager's cloud-identity login method: whose tokens log in, and the credentials by which the service asks the cloud provider about machines. Id: `[<namespace>@]auth/<mount>/config`. */
export class AuthConfig extends nativeClass<AuthConfigArgs, AuthConfigOutputs>(authConfig) {}

/** A role of the secrets manager's cloud-identity login method: which machines may log in, and what tokens they receive. Id: `[<namespace>@]auth/<mount>/role/<name>`. */
export class AuthRole extends nativeClass<AuthRoleArgs, AuthRoleOutputs>(authRole) {}

/** Rotates the client secret in the configuration of the secrets manager's login method: the service makes a new one that it alone knows. This cannot be undone. Id: `[<namespace>@]auth/<mount>/rotate-root`. */
export class RootRotation extends nativeClass<RootRotationArgs, RootRotationOutputs>(rootRotation) {}

/** A configuration of the secrets manager's automated snapshots: how often, how many are kept, and where they go. Lives in the root namespace. Id: `<name>`. */
export class SnapshotConfig extends nativeClass<SnapshotConfigArgs, SnapshotConfigOutputs>(snapshotConfig) {}

/** Whether the content of a state version is kept, soft-deleted or permanently deleted: the actions of the self-hosted edition as a declared state. Deleting this resource leaves the content as it is. Id: `<stateVersionId>`. */
export class StateVersionBackingData extends nativeClass<StateVersionBackingDataArgs, StateVersionBackingDataOutputs>(
    stateVersionBackingData,
) {}

/** Rolls a workspace's state back: the content of an older version is copied into a new version, which becomes current. Nothing is edited or deleted. Id: `<workspaceId>`. */
export class StateVersionRollback extends nativeClass<StateVersionRollbackArgs, StateVersionRollbackOutputs>(
    stateVersionRollback,
) {}

/** A new version of a workspace's state, which becomes current. Another content, and so another serial, or another workspace makes another version; versions are never changed, and deleting this resource deletes none. Id: `<stateVersionId>`. */
export class StateVersion extends nativeClass<StateVersionArgs, StateVersionOutputs>(stateVersion) {}

/** Asks the workload scheduler to detach a volume from a node, once, and again when `triggers` change. Deleting it does nothing. Id: `<namespace>/<volumeId>/<node>`. */
export class CsiVolumeDetachment extends nativeClass<CsiVolumeDetachmentArgs, CsiVolumeDetachmentOutputs>(
    csiVolumeDetachment,
) {}

/** An external volume of type `csi`, registered with the workload scheduler. The storage itself is neither created nor deleted. Id: `<namespace>/<volumeId>`. */
export class CsiVolume extends nativeClass<CsiVolumeArgs, CsiVolumeOutputs>(csiVolume) {}
