/**
 * Pulumi resources for three services: login roles and automated snapshots of a secrets manager, external volumes of a
 * workload scheduler, and rollbacks of a workspace's state.
 */

export * from "./generated/args";
export * from "./generated/functions";
export * from "./generated/resources";
