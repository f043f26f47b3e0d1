/**
 * Pulumi resources for three services: login roles and automated snapshots of a secrets manager, external volumes of a
 * workload scheduler, and rollbacks of a workspace's state.
 */

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
import { resourceClass } from "./pulumi/resource-class";
import { authConfig } from "./services/manager/auth-config";
import { authRole } from "./services/manager/auth-role";
import { rootRotation } from "./services/manager/root-rotation";
import { snapshotConfig } from "./services/manager/snapshot-config";
import { stateVersion } from "./services/state-versions/state-version";
import { stateVersionBackingData } from "./services/state-versions/state-version-backing-data";
import { stateVersionRollback } from "./services/state-versions/state-version-rollback";
import { csiVolume } from "./services/volumes/csi-volume";
import { csiVolumeDetachment } from "./services/volumes/csi-volume-detachment";

export * from "./args";
export * from "./functions";
export type { ServiceSettings } from "./runtime/config";

/** The configuration of the secrets manager's cloud-identity login method: whose tokens log in, and how the service asks the cloud provider. Id: `auth/<mount>/config`, in a namespace `<namespace>@auth/<mount>/config`. */
export class AuthConfig extends resourceClass<AuthConfigArgs, AuthConfigOutputs>(authConfig) {}

/** A rotation of the client secret in the login method's configuration, which cannot be undone. Id: `auth/<mount>/rotate-root`, in a namespace `<namespace>@auth/<mount>/rotate-root`. */
export class RootRotation extends resourceClass<RootRotationArgs, RootRotationOutputs>(rootRotation) {}

/** A role of the secrets manager's cloud-identity login method: which machines may log in, and what tokens they receive. Id: `auth/<mount>/role/<name>`, in a namespace `<namespace>@auth/<mount>/role/<name>`. */
export class AuthRole extends resourceClass<AuthRoleArgs, AuthRoleOutputs>(authRole) {}

/** A configuration of the secrets manager's automated snapshots: how often, how many are kept, and where they go. Id: `<name>`. */
export class SnapshotConfig extends resourceClass<SnapshotConfigArgs, SnapshotConfigOutputs>(snapshotConfig) {}

/** An external volume of type `csi`, registered with the workload scheduler. Id: `<namespace>/<volumeId>`. */
export class CsiVolume extends resourceClass<CsiVolumeArgs, CsiVolumeOutputs>(csiVolume) {}

/** A volume that a node was asked to let go of. Id: `<namespace>/<volumeId>/<node>`. */
export class CsiVolumeDetachment extends resourceClass<CsiVolumeDetachmentArgs, CsiVolumeDetachmentOutputs>(
    csiVolumeDetachment,
) {}

/** A rollback of a workspace's state: the content of an older version becomes current again. Id: `<workspaceId>`. */
export class StateVersionRollback extends resourceClass<StateVersionRollbackArgs, StateVersionRollbackOutputs>(
    stateVersionRollback,
) {}

/** A new version of a workspace's state, made from a state that the program gives; it becomes current. Id: `<stateVersionId>`. */
export class StateVersion extends resourceClass<StateVersionArgs, StateVersionOutputs>(stateVersion) {}

/** Whether the content of a state version is kept, soft-deleted or permanently deleted (self-hosted edition). Id: `<stateVersionId>`. */
export class StateVersionBackingData extends resourceClass<StateVersionBackingDataArgs, StateVersionBackingDataOutputs>(
    stateVersionBackingData,
) {}
