/** What the bench, which is TypeScript, uses of plugin.mjs. */

export function makeExecutable(folder: string): Promise<string>;
