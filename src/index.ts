/** Pulumi resources for Vault (azure auth roles, automated snapshots), Nomad (CSI volumes) and HCP Terraform (state rollbacks). */

// First, because it says how to install a missing SDK.
import "./pulumi/sdk";

export * from "./generated/args";
export * from "./generated/functions";
export * from "./generated/resources";
