/** Functions of a program: each plain, with a promise, and as `…Output`, for arguments that are outputs. Generated from the definitions by `npm run generate`: change them there. */

import type * as pulumi from "@pulumi/pulumi";
import type { FunctionOptions, OutputOptions } from "../pulumi/function-of";
import { functionOf } from "../pulumi/function-of";
import type * as ProgramRuntime from "../runtime/program-runtime";
import type { Values } from "../schema/values";
import type * as args from "./args";

export type { FunctionOptions, OutputOptions } from "../pulumi/function-of";

/** Loads the services and their client at the first call: declaring resources needs none of them. */
const calling = (name: string) => async (args: Values, provider?: pulumi.ProviderResource) =>
    (require("../runtime/program-runtime") as typeof ProgramRuntime).callFunction(name, args, provider);

const getAuthConfigForms = functionOf<args.GetAuthConfigArgs, args.GetAuthConfigOutputArgs, args.GetAuthConfigResult>(
    calling("getAuthConfig"),
);

/** Looks up the configuration of Vault's azure auth method, as far as the server shows it. */
export const getAuthConfig: (
    args?: args.GetAuthConfigArgs,
    opts?: FunctionOptions,
) => Promise<args.GetAuthConfigResult> = getAuthConfigForms.plain;

/** {@link getAuthConfig} for arguments that are outputs. */
export const getAuthConfigOutput: (
    args?: args.GetAuthConfigOutputArgs,
    opts?: OutputOptions,
) => pulumi.Output<pulumi.Unwrap<args.GetAuthConfigResult>> = getAuthConfigForms.output;

const getAuthRoleForms = functionOf<args.GetAuthRoleArgs, args.GetAuthRoleOutputArgs, args.GetAuthRoleResult>(
    calling("getAuthRole"),
);

/** Looks up a role of Vault's azure auth method. */
export const getAuthRole: (args: args.GetAuthRoleArgs, opts?: FunctionOptions) => Promise<args.GetAuthRoleResult> =
    getAuthRoleForms.plain;

/** {@link getAuthRole} for arguments that are outputs. */
export const getAuthRoleOutput: (
    args: args.GetAuthRoleOutputArgs,
    opts?: OutputOptions,
) => pulumi.Output<pulumi.Unwrap<args.GetAuthRoleResult>> = getAuthRoleForms.output;

const getAuthRolesForms = functionOf<args.GetAuthRolesArgs, args.GetAuthRolesOutputArgs, args.GetAuthRolesResult>(
    calling("getAuthRoles"),
);

/** Lists the names of the roles of Vault's azure auth method. */
export const getAuthRoles: (args?: args.GetAuthRolesArgs, opts?: FunctionOptions) => Promise<args.GetAuthRolesResult> =
    getAuthRolesForms.plain;

/** {@link getAuthRoles} for arguments that are outputs. */
export const getAuthRolesOutput: (
    args?: args.GetAuthRolesOutputArgs,
    opts?: OutputOptions,
) => pulumi.Output<pulumi.Unwrap<args.GetAuthRolesResult>> = getAuthRolesForms.output;

const loginForms = functionOf<args.LoginArgs, args.LoginOutputArgs, args.LoginResult>(calling("login"));

/** Logs in to Vault's azure auth method as a machine, and returns a token. Every call makes a new token, also in previews. The settings need no token, and none is sent. */
export const login: (args: args.LoginArgs, opts?: FunctionOptions) => Promise<args.LoginResult> = loginForms.plain;

/** {@link login} for arguments that are outputs. */
export const loginOutput: (
    args: args.LoginOutputArgs,
    opts?: OutputOptions,
) => pulumi.Output<pulumi.Unwrap<args.LoginResult>> = loginForms.output;

const getSnapshotConfigForms = functionOf<
    args.GetSnapshotConfigArgs,
    args.GetSnapshotConfigOutputArgs,
    args.GetSnapshotConfigResult
>(calling("getSnapshotConfig"));

/** Looks up a configuration of Vault's automated snapshots. */
export const getSnapshotConfig: (
    args: args.GetSnapshotConfigArgs,
    opts?: FunctionOptions,
) => Promise<args.GetSnapshotConfigResult> = getSnapshotConfigForms.plain;

/** {@link getSnapshotConfig} for arguments that are outputs. */
export const getSnapshotConfigOutput: (
    args: args.GetSnapshotConfigOutputArgs,
    opts?: OutputOptions,
) => pulumi.Output<pulumi.Unwrap<args.GetSnapshotConfigResult>> = getSnapshotConfigForms.output;

const getSnapshotConfigsForms = functionOf<
    args.GetSnapshotConfigsArgs,
    args.GetSnapshotConfigsOutputArgs,
    args.GetSnapshotConfigsResult
>(calling("getSnapshotConfigs"));

/** Lists the names of the configurations of Vault's automated snapshots. */
export const getSnapshotConfigs: (
    args?: args.GetSnapshotConfigsArgs,
    opts?: FunctionOptions,
) => Promise<args.GetSnapshotConfigsResult> = getSnapshotConfigsForms.plain;

/** {@link getSnapshotConfigs} for arguments that are outputs. */
export const getSnapshotConfigsOutput: (
    args?: args.GetSnapshotConfigsOutputArgs,
    opts?: OutputOptions,
) => pulumi.Output<pulumi.Unwrap<args.GetSnapshotConfigsResult>> = getSnapshotConfigsForms.output;

const getSnapshotStatusForms = functionOf<
    args.GetSnapshotStatusArgs,
    args.GetSnapshotStatusOutputArgs,
    args.GetSnapshotStatusResult
>(calling("getSnapshotStatus"));

/** Looks up how the automated snapshots of a configuration went: the last one, and where it is. */
export const getSnapshotStatus: (
    args: args.GetSnapshotStatusArgs,
    opts?: FunctionOptions,
) => Promise<args.GetSnapshotStatusResult> = getSnapshotStatusForms.plain;

/** {@link getSnapshotStatus} for arguments that are outputs. */
export const getSnapshotStatusOutput: (
    args: args.GetSnapshotStatusOutputArgs,
    opts?: OutputOptions,
) => pulumi.Output<pulumi.Unwrap<args.GetSnapshotStatusResult>> = getSnapshotStatusForms.output;

const downloadStateForms = functionOf<args.DownloadStateArgs, args.DownloadStateOutputArgs, args.DownloadStateResult>(
    calling("downloadState"),
);

/** Downloads a state, which may hold secrets: of one version, or what is current in a workspace. */
export const downloadState: (
    args: args.DownloadStateArgs,
    opts?: FunctionOptions,
) => Promise<args.DownloadStateResult> = downloadStateForms.plain;

/** {@link downloadState} for arguments that are outputs. */
export const downloadStateOutput: (
    args: args.DownloadStateOutputArgs,
    opts?: OutputOptions,
) => pulumi.Output<pulumi.Unwrap<args.DownloadStateResult>> = downloadStateForms.output;

const getCurrentStateVersionForms = functionOf<
    args.GetCurrentStateVersionArgs,
    args.GetCurrentStateVersionOutputArgs,
    args.GetCurrentStateVersionResult
>(calling("getCurrentStateVersion"));

/** Looks up the current state version of a workspace. */
export const getCurrentStateVersion: (
    args: args.GetCurrentStateVersionArgs,
    opts?: FunctionOptions,
) => Promise<args.GetCurrentStateVersionResult> = getCurrentStateVersionForms.plain;

/** {@link getCurrentStateVersion} for arguments that are outputs. */
export const getCurrentStateVersionOutput: (
    args: args.GetCurrentStateVersionOutputArgs,
    opts?: OutputOptions,
) => pulumi.Output<pulumi.Unwrap<args.GetCurrentStateVersionResult>> = getCurrentStateVersionForms.output;

const getStateVersionForms = functionOf<
    args.GetStateVersionArgs,
    args.GetStateVersionOutputArgs,
    args.GetStateVersionResult
>(calling("getStateVersion"));

/** Looks up a state version. */
export const getStateVersion: (
    args: args.GetStateVersionArgs,
    opts?: FunctionOptions,
) => Promise<args.GetStateVersionResult> = getStateVersionForms.plain;

/** {@link getStateVersion} for arguments that are outputs. */
export const getStateVersionOutput: (
    args: args.GetStateVersionOutputArgs,
    opts?: OutputOptions,
) => pulumi.Output<pulumi.Unwrap<args.GetStateVersionResult>> = getStateVersionForms.output;

const getStateVersionsForms = functionOf<
    args.GetStateVersionsArgs,
    args.GetStateVersionsOutputArgs,
    args.GetStateVersionsResult
>(calling("getStateVersions"));

/** Lists the state versions of a workspace in the service's order, usually the newest first: all pages, as many as `limit` allows, or one page. */
export const getStateVersions: (
    args: args.GetStateVersionsArgs,
    opts?: FunctionOptions,
) => Promise<args.GetStateVersionsResult> = getStateVersionsForms.plain;

/** {@link getStateVersions} for arguments that are outputs. */
export const getStateVersionsOutput: (
    args: args.GetStateVersionsOutputArgs,
    opts?: OutputOptions,
) => pulumi.Output<pulumi.Unwrap<args.GetStateVersionsResult>> = getStateVersionsForms.output;

const getWorkspaceForms = functionOf<args.GetWorkspaceArgs, args.GetWorkspaceOutputArgs, args.GetWorkspaceResult>(
    calling("getWorkspace"),
);

/** Looks up a workspace by its organization and name, or by its id. */
export const getWorkspace: (args: args.GetWorkspaceArgs, opts?: FunctionOptions) => Promise<args.GetWorkspaceResult> =
    getWorkspaceForms.plain;

/** {@link getWorkspace} for arguments that are outputs. */
export const getWorkspaceOutput: (
    args: args.GetWorkspaceOutputArgs,
    opts?: OutputOptions,
) => pulumi.Output<pulumi.Unwrap<args.GetWorkspaceResult>> = getWorkspaceForms.output;

const getCsiVolumeForms = functionOf<args.GetCsiVolumeArgs, args.GetCsiVolumeOutputArgs, args.GetCsiVolumeResult>(
    calling("getCsiVolume"),
);

/** Looks up a volume with its allocations; with `index`, waits until it changes. */
export const getCsiVolume: (args: args.GetCsiVolumeArgs, opts?: FunctionOptions) => Promise<args.GetCsiVolumeResult> =
    getCsiVolumeForms.plain;

/** {@link getCsiVolume} for arguments that are outputs. */
export const getCsiVolumeOutput: (
    args: args.GetCsiVolumeOutputArgs,
    opts?: OutputOptions,
) => pulumi.Output<pulumi.Unwrap<args.GetCsiVolumeResult>> = getCsiVolumeForms.output;

const getCsiVolumesForms = functionOf<args.GetCsiVolumesArgs, args.GetCsiVolumesOutputArgs, args.GetCsiVolumesResult>(
    calling("getCsiVolumes"),
);

/** Lists the volumes of a namespace; with `index`, waits until something changes. */
export const getCsiVolumes: (
    args?: args.GetCsiVolumesArgs,
    opts?: FunctionOptions,
) => Promise<args.GetCsiVolumesResult> = getCsiVolumesForms.plain;

/** {@link getCsiVolumes} for arguments that are outputs. */
export const getCsiVolumesOutput: (
    args?: args.GetCsiVolumesOutputArgs,
    opts?: OutputOptions,
) => pulumi.Output<pulumi.Unwrap<args.GetCsiVolumesResult>> = getCsiVolumesForms.output;
