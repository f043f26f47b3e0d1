/** What tests and the bench, which are TypeScript, use of processes.mjs. */

export function run(
    command: string,
    args: readonly string[],
    options?: {
        readonly cwd?: string;
        readonly env?: Readonly<Record<string, string | undefined>>;
        readonly limit?: number;
        readonly stdio?: "pipe" | "inherit";
        readonly started?: (pid: number) => void;
    },
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
