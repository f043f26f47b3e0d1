/** What TypeScript uses of sdk.mjs. */

export function generatePrograms(from: string, folder: string): Promise<void>;
export function generateImported(state: string, folder: string): Promise<void>;
