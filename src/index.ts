/** Pulumi resources for Vault (azure auth roles, automated snapshots), Nomad (CSI volumes) and HCP Terraform (state rollbacks). */

export * from "./generated/args";
export * from "./generated/functions";
export * from "./generated/resources";
