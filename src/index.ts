/**
 * Pulumi resources for three services: login roles and automated snapshots of a secrets manager, external volumes of a
 * workload scheduler, and rollbacks of a workspace's state.
 */

import type {
    AuthRoleArgs,
    AuthRoleOutputs,
    CsiVolumeArgs,
    CsiVolumeOutputs,
    SnapshotConfigArgs,
    SnapshotConfigOutputs,
    StateVersionRollbackArgs,
    StateVersionRollbackOutputs,
} from "./args";
import { resourceClass } from "./pulumi/resource-class";
import { authRole } from "./services/manager/auth-role";
import { snapshotConfig } from "./services/manager/snapshot-config";
import { stateVersionRollback } from "./services/state-versions/state-version-rollback";
import { csiVolume } from "./services/volumes/csi-volume";

export * from "./args";
export type { ServiceSettings } from "./config";

/** A role of the secrets manager's cloud-identity login method: which machines may log in, and what tokens they receive. Id: `auth/<mount>/role/<name>`. */
export class AuthRole extends resourceClass<AuthRoleArgs, AuthRoleOutputs>(authRole) {}

/** A configuration of the secrets manager's automated snapshots: how often, how many are kept, and where they go. Id: `<name>`. */
export class SnapshotConfig extends resourceClass<SnapshotConfigArgs, SnapshotConfigOutputs>(snapshotConfig) {}

/** An external volume of type `csi`, registered with the workload scheduler. Id: `<namespace>/<volumeId>`. */
export class CsiVolume extends resourceClass<CsiVolumeArgs, CsiVolumeOutputs>(csiVolume) {}

/** A rollback of a workspace's state: the content of an older version becomes current again. Id: `<workspaceId>`. */
export class StateVersionRollback extends resourceClass<StateVersionRollbackArgs, StateVersionRollbackOutputs>(
    stateVersionRollback,
) {}
