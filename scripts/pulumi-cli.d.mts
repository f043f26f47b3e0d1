/** What the tests and the bench, which are TypeScript, use of pulumi-cli.mjs. */

export interface PulumiCli {
    readonly program: string;
    readonly version: string;
    /** Must come first on PATH. */
    readonly folders: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function findPulumi(options: { readonly get: false }): Promise<PulumiCli | undefined>;
export function findPulumi(): Promise<PulumiCli>;
export function environmentFor(
    folders: readonly string[],
    folder: string,
    env?: Environment,
    extra?: Environment,
): Record<string, string>;
