/** What examples.ts uses of sdk.mjs. */

export function generatePrograms(from: string, folder: string): Promise<void>;
