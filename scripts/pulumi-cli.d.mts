/** What the tests, which are TypeScript, use of pulumi-cli.mjs. */

export interface PulumiCli {
    readonly program: string;
    readonly version: string;
    /** Must come first on PATH. */
    readonly folders: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface FindOptions {
    readonly env?: Environment;
    readonly home?: string;
    /** A folder that can surely be written to; `.work` unless told. */
    readonly work?: string;
    /** `false`: only look for one that is here. */
    readonly get?: boolean;
    readonly platform?: NodeJS.Platform;
    readonly install?: (target: string, limit: number) => Promise<void>;
    readonly go?: (env: Environment) => Promise<string | undefined>;
    readonly build?: (target: string, env: Environment, version: string) => Promise<void>;
}

export const wantedVersion: string;
export const oldestVersion: string;
export function compareVersions(a: string, b: string): number;
export function noCliSentence(platform: NodeJS.Platform, reason: string): string;
export function findPulumi(options: FindOptions & { readonly get: false }): Promise<PulumiCli | undefined>;
export function findPulumi(options?: FindOptions): Promise<PulumiCli>;
export function environmentFor(
    folders: readonly string[],
    folder: string,
    env?: Environment,
    extra?: Environment,
): Record<string, string>;
