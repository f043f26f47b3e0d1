/**
 * Pulumi resources for three services: login roles and automated snapshots of a secrets manager, external volumes of a
 * workload scheduler, and rollbacks of a workspace's state.
 */

export * from "./args";
export * from "./functions";
export * from "./resources";
export type { ServiceSettings } from "./runtime/config";
